// SPDX-License-Identifier: MIT
//
// Modules and names of any number, for tests of what grows.

#ifndef MEZ_TESTS_UNIT_MANY_H
#define MEZ_TESTS_UNIT_MANY_H

#include "base/bytes.h"

// Around each capacity that an array comes to, and far beyond.
static const uint32_t MANY_COUNTS[] = {1, 15, 16, 17, 31, 32, 33, 64, 65, 2000};
enum { MANY_COUNT_TOTAL = sizeof MANY_COUNTS / sizeof *MANY_COUNTS };

// A module of SPIR-V. Each kernel calls all functions that it imports and its share of the functions that it exports.
struct many_module {
    uint32_t kernels, first_kernel; // "kernel_<n>", counted from the first
    uint32_t imports;               // functions "function_<n>"
    uint32_t exports, first_export; // functions "function_<n>"
    uint32_t chain; // further functions, each called by the one before, the first by each kernel
};

void many_make(const struct many_module *module, mez_bytes *bytes);

// "<prefix>_<n>"; overwritten by the fourth call from then.
const char *many_name(const char *prefix, uint32_t n);

#endif
