// SPDX-License-Identifier: MIT
//
// Build logs.
#include "build_log.h"

#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void zc_log_print(char **text, const char *format, ...)
{
    char *line = NULL, *both = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if (asprintf(&both, "%s%s", *text ? *text : "", line) >= 0) {
        free(*text);
        *text = both;
    }
    free(line);
}

ze_module_build_log_handle_t zc_build_log_create(char *text)
{
    ze_module_build_log_handle_t log = malloc(sizeof *log);
    if (!log) {
        free(text);
        return NULL;
    }
    log->text = text;
    return log;
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t log)
{
    ZC_REQUIRE_HANDLE(log);
    free(log->text);
    free(log);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *size, char *text)
{
    ZC_REQUIRE_HANDLE(log);
    ZC_REQUIRE_POINTER(size);
    const char *source = log->text ? log->text : "";
    const size_t needed = strlen(source) + 1;
    if (text && *size >= needed)
        memcpy(text, source, needed);
    *size = needed;
    return ZE_RESULT_SUCCESS;
}
