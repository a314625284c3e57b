// SPDX-License-Identifier: MIT
//
// Durations, counted: as many as there are in the same memory. The least, the greatest and the sum are exact; others are given to
// within 3 %.

#ifndef TRACE_HISTOGRAM_H
#define TRACE_HISTOGRAM_H

#include <stdint.h>

// Each power of two has as many steps; below the first two of them each value has its own.
enum { TRACE_HISTOGRAM_STEPS = 32, TRACE_HISTOGRAM_SIZE = 60 * TRACE_HISTOGRAM_STEPS };

// Zero is empty.
struct trace_histogram {
    uint64_t count, sum, least, greatest;
    uint64_t steps[TRACE_HISTOGRAM_SIZE];
};

void trace_histogram_add(struct trace_histogram *histogram, uint64_t value);

// What `per_thousand` of all values do not exceed; 0: there is none.
uint64_t trace_histogram_quantile(const struct trace_histogram *histogram, unsigned per_thousand);

#endif
