// SPDX-License-Identifier: MIT

#include "container/numbers.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

size_t mez_sort_numbers(uint32_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}
