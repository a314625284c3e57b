// SPDX-License-Identifier: MIT
//
// What `mez compile` is asked to do.

#ifndef COMPILE_REQUEST_H
#define COMPILE_REQUEST_H

#include "compiler_options.h"
#include "problem.h"

enum compile_format {
    COMPILE_BY_NAME,
    COMPILE_SPV,
    COMPILE_BC,
    COMPILE_H,
    COMPILE_O,
    COMPILE_TABLE,
    COMPILE_SYCLBIN,
};

struct compile_request {
    const char *input;  // "-": standard input
    const char *output; // "-": standard output; NULL: beside the input
    const char *name;   // of the bytes in a .h or .o; NULL: from the output's
    const char *depfile;
    const char *clang, *llvm_spirv;
    const char *config_file;
    const char **targets; // by name, in the order of the command line; ours
    unsigned target_count;
    enum compile_format format;      // never COMPILE_BY_NAME once it is read
    struct compiler_options options; // in their order
    bool quiet, verbose;
    bool no_validation;
};

// Strings are the arguments' own. To be given to compile_request_finish in any case.
bool compile_request_read(
    struct compile_request *request, int count, char *const *arguments, struct problem *problem);
void compile_request_finish(struct compile_request *request);

#endif
