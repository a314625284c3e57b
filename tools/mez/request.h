// SPDX-License-Identifier: MIT
//
// What `mez run` was asked to do: its command line, read and checked as far as that goes without a device.

#ifndef REQUEST_H
#define REQUEST_H

#include <mezzanine/queue.h>

#include "argument.h"

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

// Strings point into the command line. Start with run_request_init, end with run_request_finish.
struct run_request {
    const char *file;
    const char *kernel;
    const char *device; // NULL: the best there is
    const char *flags;  // NULL: none
    mez_range range;
    unsigned local_dimensions; // 0: the library chooses
    struct argument *arguments;
    size_t argument_count;
    struct print_request *prints;
    size_t print_count;
    struct save_request *saves;
    size_t save_count;
    uint64_t timeout; // nanoseconds, MEZ_FOREVER: none
    unsigned repeat;  // at least 1
    bool time;
    bool all;
};

#define MOST_REPEATS 1000000u

// Makes room for what a command line of `count` arguments can ask for. False: no memory.
bool run_request_init(struct run_request *request, int count);
void run_request_finish(struct run_request *request);

bool run_request_read(
    struct run_request *request, int count, char *const *arguments, struct problem *problem);

// Parts of the command line. Pure functions of their text.
bool sizes_parse(const char *text, size_t sizes[3], unsigned *dimensions, struct problem *problem);
bool seconds_parse(const char *text, uint64_t *nanoseconds, struct problem *problem);
bool print_request_parse(const char *text, struct print_request *print, struct problem *problem);
bool save_request_parse(const char *text, struct save_request *save, struct problem *problem);

#endif
