// SPDX-License-Identifier: MIT
//
// Texts: that grow, that are written into memory of the user's, and UTF-8; the lines of a text, and names that are misspelt.

#ifndef MEZ_BASE_TEXT_H
#define MEZ_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The compiler checks the arguments of functions marked so, as it does for printf.
#define MEZ_PRINTF(text, first) __attribute__((format(printf, text, first)))

// --- Text for people
//
// Names of files, kernels and symbols, and whatever else comes from outside, may hold bytes that drive a terminal, begin a line or turn the
// order of letters. So the functions below that write text for people do it as printf does, except that strings ("%s") are escaped:
// control characters, line ends, bytes that are not UTF-8 and marks of direction appear as \n, \x1b or \u202e. All else stays, so that
// what has been escaped once is not changed again. "%-s", without a width, is for text of several lines, such as what a compiler prints
// or what these functions have made: line ends and tabs in it stay, too. What programs read, such as a file's name, is made by
// mez_print_string, which escapes nothing.

typedef struct mez_output {
    void (*put)(void *to, const char *bytes, size_t count);
    void *to;
} mez_output;

void mez_output_print(mez_output out, const char *format, va_list arguments);

// How many bytes that is.
size_t mez_output_length(const char *format, va_list arguments);

// Length of the character at `text`, which ends with a 0, if it is shown as it is, else 0; and its code point, or the byte that is not
// UTF-8.
int mez_shown_length(const unsigned char *text, uint32_t *point);

// Writes to a stream, and returns the number of bytes. Without memory the text is lost.
int mez_print(FILE *stream, const char *format, ...) MEZ_PRINTF(2, 3);

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
char *mez_print_string_list(const char *format, va_list arguments);

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
void mez_bounded_print(mez_bounded *text, const char *format, ...) MEZ_PRINTF(2, 3);

// Bytes of the well-formed sequence at `text`, which ends with a 0; 0: there is none.
int mez_utf8_length(const unsigned char *text);

// --- Lines
//
// A text that is read need not have a NUL at its end. A line ends with "\n" or "\r\n".

typedef struct mez_lines {
    const char *rest; // what has not been read
    size_t left;      // of it
    size_t number;    // of the line that was read last; the first is 1
} mez_lines;

// Part of a text.
typedef struct mez_slice {
    const char *start;
    size_t length;
} mez_slice;

// The next line that is not empty, without its end. False: there is none.
bool mez_lines_next(mez_lines *lines, mez_slice *line);

// Can the text be a line, or the end of one, and be read as it was written?
bool mez_is_line(const char *text);

// Splits at the first `at`: what stands before it, and in *rest what stands behind. Without one all of it, and *rest is empty.
mez_slice mez_slice_split(mez_slice slice, char at, mez_slice *rest);

// For "%.*s" in messages: no more of it than a message can take.
static inline int mez_slice_shown(mez_slice slice)
{
    return slice.length < 80 ? (int)slice.length : 80;
}

// A copy with a NUL behind it, to be given to mez_free_memory. NULL: no memory.
char *mez_slice_copy(mez_slice slice);

// --- Spelling
//
// Guessing what a misspelt name was meant to be, for messages.

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
