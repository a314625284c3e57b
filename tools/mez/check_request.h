// SPDX-License-Identifier: MIT
//
// The command line of `mez check`.

#ifndef CHECK_REQUEST_H
#define CHECK_REQUEST_H

#include "compiler_options.h"
#include "options.h"

struct check_request {
    const char *file;
    const char **targets; // by name, in the order of the command line; ours
    unsigned target_count;
    bool wants_device;  // --device, or no --target
    const char *device; // which one to open; NULL: what a program gets by default
    bool has_index;     // one of these alone
    unsigned index;
    const char *config_file;   // NULL: the default one
    const char *fixed_targets; // NULL: none
    struct compiler_options compiler;
    bool types;             // the stricter rule of what counts as used
    const char *judged_for; // version of the compiler to judge for; NULL: the one that is there
    bool json;
};

// False: the problem says why. To be given to check_request_finish in any case.
bool check_request_read(
    struct check_request *request, int count, char *const *arguments, struct problem *problem);

void check_request_finish(struct check_request *request);

#endif
