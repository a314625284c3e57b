// SPDX-License-Identifier: MIT

#include "detail.h"

#include <mezzanine/xpti_types.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t level;
} details[] = {
    {"", MEZ_XPTI_DETAIL_NORMAL}, // as if it were not set
    {"basic", MEZ_XPTI_DETAIL_BASIC},
    {"normal", MEZ_XPTI_DETAIL_NORMAL},
    {"verbose", MEZ_XPTI_DETAIL_VERBOSE},
};

bool trace_detail_of(const char *text, uint8_t *level)
{
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if (strcmp(details[i].name, text ? text : "") == 0) {
            *level = details[i].level;
            return true;
        }
    return false;
}
