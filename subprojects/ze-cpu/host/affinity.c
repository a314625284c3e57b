// SPDX-License-Identifier: MIT
//
// Parsing ZE_AFFINITY_MASK: device[.sub-device] separated by commas. The specification wants that
// ignored which cannot be.
#include "affinity.h"

#include <stdbool.h>
#include <string.h>

#define MAX_NUMBER 1000000u

// The decimal number at *text, which then stands behind it. False: there is none, or too large.
static bool read_number(const char **text, uint32_t *number)
{
    const char *const start = *text;
    *number = 0;
    while (**text >= '0' && **text <= '9' && *number < MAX_NUMBER)
        *number = *number * 10 + (uint32_t)(*(*text)++ - '0');
    return *text != start && *number < MAX_NUMBER;
}

static bool read_element(const char *text, struct zc_affinity *affinity)
{
    affinity->sub_device = ZC_WHOLE_DEVICE;
    if (!read_number(&text, &affinity->device))
        return false;
    if (*text == '.') {
        text++;
        if (!read_number(&text, &affinity->sub_device))
            return false;
    }
    return *text == ',' || *text == '\0';
}

_Bool zc_affinity_next(const char **text, struct zc_affinity *affinity)
{
    while (**text) {
        const char *const element = *text;
        *text += strcspn(*text, ",");
        *text += **text == ',';
        if (read_element(element, affinity))
            return true;
    }
    return false;
}
