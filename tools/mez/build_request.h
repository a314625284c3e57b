// SPDX-License-Identifier: MIT
//
// What `mez build` is asked to do.

#ifndef BUILD_REQUEST_H
#define BUILD_REQUEST_H

#include "split_request.h"

enum build_format { FORMAT_BY_NAME, FORMAT_TABLE, FORMAT_SYCLBIN };

struct build_request {
    struct split_request split; // first, for the options that are the same
    const char *targets;        // names with commas between them
    const char *aot_options;    // NULL: none
    enum build_format format;   // never FORMAT_BY_NAME once it is read
    unsigned jobs;              // 0: one for each processor
    bool verbose;
};

// Strings are the arguments' own. To be given to build_request_finish in any case.
bool build_request_read(
    struct build_request *request, int count, char *const *arguments, struct problem *problem);
void build_request_finish(struct build_request *request);

#endif
