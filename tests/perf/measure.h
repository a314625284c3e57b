// SPDX-License-Identifier: MIT
//
// Measures cases: an operation of ours beside one that it is compared with, in one process and in turn.
//
// Under callgrind each side is counted; elsewhere each is timed. What comes out is lines for run.py, which knows how to read
// callgrind's files and makes the table.

#ifndef MEZ_PERF_MEASURE_H
#define MEZ_PERF_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

// Operations in one round. Whoever needs an event for each has an array of this size.
enum { PERF_ROUND = 100 };

// Defines what is measured: `statement` once for each i below PERF_ROUND. The loop stands inside, so that no call through a
// pointer is counted with it.
#define PERF_OPERATION(name, statement)                 \
    static void name(void)                              \
    {                                                   \
        for (unsigned i = 0; i < PERF_ROUND; i++) {     \
            statement;                                  \
            __asm__ volatile("" : : "r"(i) : "memory"); \
        }                                               \
    }

// Each is called once a round; `before` and `after` are not measured and may be NULL.
struct perf_side {
    void (*before)(void);
    void (*measured)(void);
    void (*after)(void);
    unsigned tasks; // of one operation; 0: one. Figures are per task
};

enum perf_limit_kind {
    PERF_NO_LIMIT,
    PERF_AT_MOST,   // instructions, driver and loader included
    PERF_ABOVE_RAW, // instructions more than the other side; negative: fewer
};

struct perf_limit {
    enum perf_limit_kind kind;
    int instructions;
    bool must; // missing it fails the run; else it is shown
};

#define PERF_MUST(n)            \
    {                           \
        PERF_AT_MOST, (n), true \
    }
#define PERF_AIM(n)              \
    {                            \
        PERF_AT_MOST, (n), false \
    }
#define PERF_MUST_OVER(n)         \
    {                             \
        PERF_ABOVE_RAW, (n), true \
    }

struct perf_case {
    const char *name;
    struct perf_side ours;
    struct perf_side raw; // without `measured`: nothing to compare with
    struct perf_limit limit;
    bool may_allocate; // else a malloc in steady state fails the run
};

void perf_measure(const struct perf_case *cases, size_t count);

#endif
