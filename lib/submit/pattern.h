// SPDX-License-Identifier: MIT
//
// Patterns of fills.

#ifndef MEZ_SUBMIT_PATTERN_H
#define MEZ_SUBMIT_PATTERN_H

#include <stddef.h>

// The size of the smallest part that gives the pattern by being repeated. `size` is a power of two.
size_t mez_smallest_pattern(const void *pattern, size_t size);

#endif
