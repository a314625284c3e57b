// SPDX-License-Identifier: MIT
//
// Fuzz target of the variables of traces: both have the text. What is refused is named; what is accepted is within its bounds. Built with
// -fsanitize=fuzzer this is a libFuzzer target; built plainly it takes whole files.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mezzanine/xpti_types.h>

#include "settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void read_with(const char *variable, const char *text, const char *detail)
{
    struct trace_settings settings;
    char problem[TRACE_SETTINGS_PROBLEM] = "";
    setenv(variable, text, 1);
    if (!trace_settings_read(&settings, detail, problem)) {
        require(strstr(problem, "MEZ_TRACE_") != NULL);
    } else {
        require(settings.ring_words > 0 && (settings.ring_words & (settings.ring_words - 1)) == 0);
        require(settings.ring_words <= (size_t)1024 * 1024 * 1024 / sizeof(uint64_t));
        require(
            settings.detail >= MEZ_XPTI_DETAIL_BASIC && settings.detail <= MEZ_XPTI_DETAIL_VERBOSE);
    }
    unsetenv(variable);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = strndup((const char *)bytes, size);
    if (!text)
        return 0;
    text[strcspn(text, "\n")] = '\0';
    read_with("MEZ_TRACE_BUFFER", text, NULL);
    read_with("MEZ_TRACE_DETAIL", text, NULL);
    read_with("MEZ_TRACE_BUFFER", "1", text);
    free(text);
    return 0;
}
