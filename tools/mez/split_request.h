// SPDX-License-Identifier: MIT
//
// What `mez split` is asked to do.

#ifndef SPLIT_REQUEST_H
#define SPLIT_REQUEST_H

#include "problem.h"

struct split_input {
    const char *file;
    const char *fixed_targets; // names with commas between them; NULL: none
};

enum split_mode { SPLIT_AUTO, SPLIT_PER_KERNEL, SPLIT_PER_SOURCE, SPLIT_OFF };

struct split_request {
    struct split_input *inputs; // there is room for every argument
    unsigned input_count;
    const char *output;
    const char *config_file;
    const char *fixed_targets; // for the inputs that follow
    enum split_mode mode;
    bool kernels_only, no_debug_info, doc_names, renumbered;
};

// Strings are the arguments' own. To be given to split_request_finish in any case.
bool split_request_read(
    struct split_request *request, int count, char *const *arguments, struct problem *problem);
void split_request_finish(struct split_request *request);

#endif
