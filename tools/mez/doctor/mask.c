// SPDX-License-Identifier: MIT

#include "mask.h"

#include <stdint.h>
#include <string.h>

#define LARGEST 65535 // of device and part: no machine has as many

// Moves *text behind the number. False: there is none, or too large a one.
static bool read_number(const char **text, uint32_t *number)
{
    const char *const start = *text;
    *number = 0;
    while (**text >= '0' && **text <= '9' && *number <= LARGEST)
        *number = *number * 10 + (uint32_t)(*(*text)++ - '0');
    return *text != start && *number <= LARGEST;
}

static bool at_end(const char *text)
{
    return *text == ',' || *text == '\0';
}

static bool is_element(const char *text)
{
    uint32_t number;
    if (!read_number(&text, &number))
        return false;
    if (*text == '.' && (text++, !read_number(&text, &number)))
        return false;
    return at_end(text);
}

static bool is_engine_count(const char *text)
{
    uint32_t number;
    if (!read_number(&text, &number) || *text++ != ':' || !read_number(&text, &number))
        return false;
    return at_end(text) && (number == 1 || number == 2 || number == 4);
}

static bool all_are_good(const char *list, bool (*is_good)(const char *), struct bad_item *bad)
{
    for (size_t length; true; list += length + 1) {
        length = strcspn(list, ",");
        if (!is_good(list)) {
            *bad = (struct bad_item){list, (int)(length < LARGEST ? length : LARGEST)};
            return false;
        }
        if (!list[length])
            return true;
    }
}

bool mask_is_good(const char *mask, struct bad_item *bad)
{
    return all_are_good(mask, is_element, bad);
}

bool engine_counts_are_good(const char *list, struct bad_item *bad)
{
    return all_are_good(list, is_engine_count, bad);
}
