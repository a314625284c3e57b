// SPDX-License-Identifier: MIT
//
// The build log.

#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct zc_log *log, size_t more)
{
    if (log->length + more < log->capacity)
        return true;
    const size_t capacity = (log->length + more) * 2 + 128;
    char *text = realloc(log->text, capacity);
    if (text == NULL)
        return false;
    log->text = text;
    log->capacity = capacity;
    return true;
}

void zc_log_add_text(struct zc_log *log, const char *text, size_t length)
{
    if (length == 0 || !reserve(log, length + 2))
        return;
    memcpy(log->text + log->length, text, length);
    log->length += length;
    if (text[length - 1] != '\n')
        log->text[log->length++] = '\n';
    log->text[log->length] = '\0';
}

void zc_log_add(struct zc_log *log, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    zc_log_add_text(log, line, (size_t)length);
    free(line);
}

char *zc_log_take(struct zc_log *log)
{
    char *text = log->text != NULL ? log->text : strdup("");
    *log = (struct zc_log){0};
    return text;
}
