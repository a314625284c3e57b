// SPDX-License-Identifier: MIT

#include "settings.h"

#include <mezzanine/xpti_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BUFFER = 1, DEFAULT_BUFFER = 4, MOST_BUFFER = 1024 }; // MiB

// What is set to nothing counts as not set.
static const char *get(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

static size_t round_up(size_t value)
{
    size_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static bool read_buffer(const char *text, size_t *words)
{
    char *end = NULL;
    const unsigned long size = strtoul(text, &end, 10);
    if (*end || *text < '0' || *text > '9' || size < LEAST_BUFFER || size > MOST_BUFFER)
        return false;
    *words = round_up(size) * 1024 * 1024 / sizeof(uint64_t);
    return true;
}

bool trace_detail_of(const char *name, uint8_t *level)
{
    static const char *const names[] = {
        [MEZ_XPTI_DETAIL_BASIC] = "basic",
        [MEZ_XPTI_DETAIL_NORMAL] = "normal",
        [MEZ_XPTI_DETAIL_VERBOSE] = "verbose",
    };
    for (uint8_t i = MEZ_XPTI_DETAIL_BASIC; i <= MEZ_XPTI_DETAIL_VERBOSE; i++)
        if (strcmp(names[i], name) == 0) {
            *level = i;
            return true;
        }
    return false;
}

bool trace_settings_read(
    struct trace_settings *settings, const char *detail, char problem[TRACE_SETTINGS_PROBLEM])
{
    const char *buffer = get("MEZ_TRACE_BUFFER");
    if (!detail)
        detail = get("MEZ_TRACE_DETAIL");
    settings->ring_words = DEFAULT_BUFFER * 1024 * 1024 / sizeof(uint64_t);
    settings->detail = MEZ_XPTI_DETAIL_NORMAL;
    if (buffer && !read_buffer(buffer, &settings->ring_words)) {
        snprintf(problem, TRACE_SETTINGS_PROBLEM,
            "MEZ_TRACE_BUFFER is %d to %d, in MiB, not \"%.80s\"", LEAST_BUFFER, MOST_BUFFER,
            buffer);
        return false;
    }
    if (detail && !trace_detail_of(detail, &settings->detail)) {
        snprintf(problem, TRACE_SETTINGS_PROBLEM,
            "MEZ_TRACE_DETAIL is " TRACE_DETAILS ", not \"%.80s\"", detail);
        return false;
    }
    return true;
}
