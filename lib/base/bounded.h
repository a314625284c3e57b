// SPDX-License-Identifier: MIT
//
// Writing into memory of the user's as snprintf does: what does not fit is cut, counted all the same, and there is always a NUL.
// Needs no memory of its own.

#ifndef MEZ_BASE_BOUNDED_H
#define MEZ_BASE_BOUNDED_H

#include <stddef.h>

typedef struct mez_bounded {
    char *buffer; // may be NULL where size is 0
    size_t size;
    size_t length; // of all that was written, without the NUL
} mez_bounded;

// Makes the buffer an empty string. NULL counts as a buffer of no size.
mez_bounded mez_bounded_begin(char *buffer, size_t size);

void mez_bounded_add(mez_bounded *text, const char *bytes, size_t count);
void mez_bounded_add_string(mez_bounded *text, const char *string);

#endif
