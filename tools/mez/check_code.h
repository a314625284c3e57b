// SPDX-License-Identifier: MIT
//
// What `mez check` does, for code that another command has just made.

#ifndef CHECK_CODE_H
#define CHECK_CODE_H

#include "check_request.h"

#include <mezzanine/error.h>

typedef struct code_verdict {
    bool can_run;   // every kernel on every target
    bool says_more; // there is something to print
} code_verdict;

// Judges the code for the request's targets. With `print` what one of them lacks, or may lack, and the warnings are printed on stderr;
// nothing where all targets can run everything.
mez_error check_code(const void *code, size_t size, const struct check_request *request, bool print,
    code_verdict *verdict);

#endif
