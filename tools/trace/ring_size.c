// SPDX-License-Identifier: MIT

#include "ring_size.h"

#include <stdint.h>
#include <stdlib.h>

// A ring's size is a power of two.
static size_t round_up(size_t value)
{
    size_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

bool trace_buffer_words(const char *text, size_t *words)
{
    char *end = NULL;
    unsigned long size = TRACE_DEFAULT_BUFFER;
    if (text && *text) {
        size = strtoul(text, &end, 10);
        if (*end || *text < '0' || *text > '9')
            return false;
    }
    if (size < TRACE_LEAST_BUFFER || size > TRACE_MOST_BUFFER)
        return false;
    *words = round_up(size) * 1024 * 1024 / sizeof(uint64_t);
    return true;
}
