// SPDX-License-Identifier: MIT
//
// Texts: that grow, that are written into memory of the user's, and UTF-8.

#ifndef MEZ_BASE_TEXT_H
#define MEZ_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

// The compiler checks the arguments of functions marked so, as it does for printf.
#define MEZ_PRINTF(text, first) __attribute__((format(printf, text, first)))

// A text that grows. When memory runs out it keeps what it has and drops the rest: texts here are for people, and a short
// message beats none.
typedef struct mez_text {
    char *string; // NULL: empty
    size_t length;
    size_t capacity;
} mez_text;

void mez_text_add(mez_text *text, const char *format, ...) MEZ_PRINTF(2, 3);
void mez_text_add_list(mez_text *text, const char *format, va_list arguments);

// Never NULL.
const char *mez_text_get(const mez_text *text);

void mez_text_finish(mez_text *text);

// A string of its own, for what must be whole, such as a file's name: NULL where there is no memory for all of it. To be given to
// mez_free_memory.
char *mez_print_string(const char *format, ...) MEZ_PRINTF(1, 2);

// Writing into memory of the user's as snprintf does: what does not fit is cut, counted all the same, and there is always a NUL.
// Needs no memory of its own.
typedef struct mez_bounded {
    char *buffer; // may be NULL where size is 0
    size_t size;
    size_t length; // of all that was written, without the NUL
} mez_bounded;

// Makes the buffer an empty string. NULL counts as a buffer of no size.
mez_bounded mez_bounded_begin(char *buffer, size_t size);

void mez_bounded_add(mez_bounded *text, const char *bytes, size_t count);
void mez_bounded_add_string(mez_bounded *text, const char *string);

// Bytes of the well-formed sequence at `text`, which ends with a 0; 0: there is none.
int mez_utf8_length(const unsigned char *text);

#endif
