// SPDX-License-Identifier: MIT
//
// What stands behind the options of `mez run`.

#ifndef OPTION_VALUES_H
#define OPTION_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

// Elements of a buffer to print: --print INDEX[:FIRST[:COUNT]].
struct print_request {
    size_t argument;
    uint64_t first;
    uint64_t count; // to the end where !counted
    bool counted;   // the user asked for that many: none is left out
};

// --save INDEX=FILE
struct save_request {
    size_t argument;
    const char *file;
};

// --expect INDEX=START
struct expect_request {
    size_t argument;
    const char *start;       // points into the text
    struct buffer_spec spec; // the argument's, filled with what is expected
};

// --swap INDEX,INDEX
struct swap_request {
    size_t arguments[2];
};

// Each is a pure function of its text. What the numbers mean for the kernel's arguments is checked later.

// N[,M[,K]], each at least 1; leaves the sizes that are not given as they are.
bool sizes_parse(const char *text, size_t sizes[3], unsigned *dimensions, struct problem *problem);

// More than 0, at most 1e9.
bool seconds_parse(const char *text, uint64_t *nanoseconds, struct problem *problem);

bool print_request_parse(const char *text, struct print_request *print, struct problem *problem);
bool save_request_parse(const char *text, struct save_request *save, struct problem *problem);
// START is read when the argument's type is known.
bool expect_request_parse(const char *text, struct expect_request *expect, struct problem *problem);
bool swap_request_parse(const char *text, struct swap_request *swap, struct problem *problem);

// At least 0 and finite.
bool tolerance_parse(const char *text, double *tolerance, struct problem *problem);

#endif
