// SPDX-License-Identifier: MIT
//
// What the kernels of barriers.h should compute.

#ifndef ZC_TEST_BARRIERS_REFERENCE_H
#define ZC_TEST_BARRIERS_REFERENCE_H

#include <stddef.h>

#define REFERENCE_GROUP_SIZE 256

struct reference_kernel {
    const char *name;
    void (*run)(int *out, const int *in, int n);
};

extern const struct reference_kernel reference_kernels[];
extern const size_t reference_kernel_count;

void run_reference_group(
    const struct reference_kernel *kernel, int group, int *out, const int *in, int n);

#endif
