// SPDX-License-Identifier: MIT
//
// What `mez split` is asked to do.

#ifndef SPLIT_REQUEST_H
#define SPLIT_REQUEST_H

#include "compiler_options.h"

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
    const char *fixed_targets;        // for the inputs that follow
    struct compiler_options compiler; // of all inputs that are sources
    enum split_mode mode;
    bool kernels_only, no_debug_info, doc_names, renumbered;
};

// Strings are the arguments' own. To be given to split_request_finish in any case.
bool split_request_read(
    struct split_request *request, int count, char *const *arguments, struct problem *problem);
void split_request_finish(struct split_request *request);

// --- For commands that split among other things: their request begins with a split_request

// Room for the inputs among `count` arguments. The same as above for finishing.
bool split_request_init(struct split_request *request, int count, struct problem *problem);

// What takes each option; see options.h.
bool split_take_file(void *request, const char *text, struct problem *problem);
bool split_take_output(void *request, const char *text, struct problem *problem);
bool split_take_mode(void *request, const char *text, struct problem *problem);
bool split_take_fixed_targets(void *request, const char *text, struct problem *problem);
bool split_take_config_file(void *request, const char *text, struct problem *problem);
bool split_take_kernels_only(void *request, const char *text, struct problem *problem);
bool split_take_no_debug_info(void *request, const char *text, struct problem *problem);
bool split_take_doc_names(void *request, const char *text, struct problem *problem);
bool split_take_numbering(void *request, const char *text, struct problem *problem);
bool split_take_compiler_option(void *request, const char *text, struct problem *problem);

// What is wrong with the inputs that have been read, as far as the command line shows it.
bool split_request_check(const struct split_request *request, struct problem *problem);

#endif
