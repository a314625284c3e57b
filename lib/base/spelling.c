// SPDX-License-Identifier: MIT

#include "base/spelling.h"

#include <string.h>

#define LONGEST_NAME 64

mez_spelling mez_spelling_of(const char *wanted, size_t length)
{
    return (mez_spelling){.wanted = wanted, .length = length, .distance = MEZ_MOST_MISSPELT + 1};
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Letters to insert, remove or change until one is the other (Levenshtein).
static uint32_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t row[LONGEST_NAME + 1];
    for (uint32_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            const uint32_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

void mez_spelling_offer(mez_spelling *spelling, const char *name)
{
    const size_t length = strlen(name);
    if (spelling->length > LONGEST_NAME || length > LONGEST_NAME)
        return;
    const uint32_t far = distance(spelling->wanted, spelling->length, name, length);
    if (far >= spelling->distance)
        return;
    spelling->distance = far;
    spelling->nearest = name;
}
