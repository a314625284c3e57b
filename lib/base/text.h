// SPDX-License-Identifier: MIT
//
// A text that grows. When memory runs out it keeps what it has and drops the rest: texts here are for people, and a short
// message beats none.

#ifndef MEZ_BASE_TEXT_H
#define MEZ_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

// The compiler checks the arguments of functions marked so, as it does for printf.
#define MEZ_PRINTF(text, first) __attribute__((format(printf, text, first)))

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

#endif
