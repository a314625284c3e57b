// SPDX-License-Identifier: MIT
//
// What the two programs share that run the kernels of a file, each with another implementation: launches are read,
// and results written.

#ifndef ZC_DIFFERENTIAL_RUNNER_H
#define ZC_DIFFERENTIAL_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INPUT_BYTES = 8192,
    TOTALS_BYTES = 256,  // what all work-items add to; begins as the input does
    SCRATCH_BYTES = 256, // of local memory, an argument
    N = 5,
    SECONDS_OF_A_KERNEL = 40, // to compile and run it; then the program ends by SIGPROF
};

// One line of the file of launches. The arguments of each kernel are: results, totals, input, N, scratch.
struct launch {
    char name[64];
    size_t local[3];
    size_t groups[3];
    size_t offset[3];
    size_t result_bytes;
};

struct memory {
    void *results, *totals;
    const void *input;
};

// Reads the whole file; NULL with a message if that fails. The caller frees it.
void *read_file(const char *path, size_t *size);

// Calls `run` for each launch with memory that `allocate` has given and `release` takes back, and writes to the file of results what
// is in results and totals afterwards. Where one fails it says which, and returns false.
bool run_launches(const char *launches, const char *input, const char *results,
    void *(*allocate)(size_t), void (*release)(void *),
    bool (*run)(const struct launch *launch, const struct memory *memory));

#endif
