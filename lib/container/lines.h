// SPDX-License-Identifier: MIT
//
// The lines of a text, which has no NUL at its end. A line ends with "\n" or "\r\n".

#ifndef MEZ_CONTAINER_LINES_H
#define MEZ_CONTAINER_LINES_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
