// SPDX-License-Identifier: MIT
//
// What `mez run` was asked to do: its command line, read and checked as far as that goes without a device.

#ifndef REQUEST_H
#define REQUEST_H

#include <mezzanine/queue.h>

#include "argument.h"
#include "compiler_options.h"
#include "option_values.h"

// Strings point into the command line. Start with run_request_init, end with run_request_finish.
struct run_request {
    const char *file;
    const char *kernel;
    const char *device; // NULL: the best there is
    const char *flags;  // NULL: none
    struct compiler_options compiler;
    mez_range range;
    unsigned local_dimensions; // 0: the library chooses
    struct argument *arguments;
    size_t argument_count;
    struct print_request *prints;
    size_t print_count;
    struct save_request *saves;
    size_t save_count;
    struct expect_request *expects;
    size_t expect_count;
    struct swap_request *swaps; // between runs
    size_t swap_count;
    double tolerance;
    uint64_t timeout; // nanoseconds, MEZ_FOREVER: none
    unsigned repeat;  // at least 1
    bool time;
    bool check;
    bool all;
};

#define MOST_REPEATS 1000000u

// Makes room for what a command line of `count` arguments can ask for. False: no memory.
bool run_request_init(struct run_request *request, int count);
void run_request_finish(struct run_request *request);

bool run_request_read(
    struct run_request *request, int count, char *const *arguments, struct problem *problem);

#endif
