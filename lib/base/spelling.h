// SPDX-License-Identifier: MIT
//
// Guessing what a misspelt name was meant to be, for messages.
//
// Thread-safety: safe.

#ifndef MEZ_BASE_SPELLING_H
#define MEZ_BASE_SPELLING_H

#include <stddef.h>
#include <stdint.h>

// More differing letters than this are not a typing error.
#define MEZ_MOST_MISSPELT 2

// The nearest of the names that have been offered.
typedef struct mez_spelling {
    const char *wanted;
    size_t length;
    const char *nearest; // NULL: none is near
    uint32_t distance;   // of it
} mez_spelling;

// `wanted` has to live as long as names are offered.
mez_spelling mez_spelling_of(const char *wanted, size_t length);

// Keeps `name` if it is nearer than all before.
void mez_spelling_offer(mez_spelling *spelling, const char *name);

#endif
