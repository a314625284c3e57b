// SPDX-License-Identifier: MIT

#include "histogram.h"

#include <stddef.h>

static size_t step_of(uint64_t value)
{
    if (value < TRACE_HISTOGRAM_STEPS)
        return (size_t)value;
    const unsigned shift = 63u - (unsigned)__builtin_clzll(value) - 5;
    return (size_t)(shift + 1) * TRACE_HISTOGRAM_STEPS +
           (size_t)((value >> shift) - TRACE_HISTOGRAM_STEPS);
}

// The middle of what a step counts.
static uint64_t value_of(size_t step)
{
    if (step < TRACE_HISTOGRAM_STEPS)
        return step;
    const unsigned shift = (unsigned)(step / TRACE_HISTOGRAM_STEPS) - 1;
    const uint64_t first = TRACE_HISTOGRAM_STEPS + step % TRACE_HISTOGRAM_STEPS;
    return (first << shift) + ((UINT64_C(1) << shift) - 1) / 2;
}

void trace_histogram_add(struct trace_histogram *histogram, uint64_t value)
{
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (value > histogram->greatest)
        histogram->greatest = value;
    histogram->count++;
    histogram->sum += value;
    histogram->steps[step_of(value)]++;
}

static uint64_t clamp(const struct trace_histogram *histogram, uint64_t value)
{
    if (value < histogram->least)
        return histogram->least;
    return value < histogram->greatest ? value : histogram->greatest;
}

uint64_t trace_histogram_quantile(const struct trace_histogram *histogram, unsigned per_thousand)
{
    const uint64_t count = histogram->count;
    const uint64_t rank = count / 1000 * per_thousand + (count % 1000 * per_thousand + 999) / 1000;
    uint64_t seen = 0;
    if (!count)
        return 0;
    for (size_t i = 0; i < TRACE_HISTOGRAM_SIZE; i++) {
        seen += histogram->steps[i];
        if (seen >= rank)
            return clamp(histogram, value_of(i));
    }
    return histogram->greatest;
}
