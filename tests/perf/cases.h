// SPDX-License-Identifier: MIT
//
// The cases of the perf program, in four groups: tuned.c has the launches and copies that are measured beside raw Level Zero, ordinary.c
// what ordinary programs do beside them, threads.c what several threads do at once, kinds.c which kind of queue suits which program.
// docs/performance.md explains the figures.

#ifndef MEZ_PERF_CASES_H
#define MEZ_PERF_CASES_H

#include <mezzanine/mezzanine.h>

#include "measure.h"

// What all cases share; lent.
struct perf_shared {
    mez_context *context;
    mez_queue *queue;       // in order; on immediate lists, where the driver has such in order
    mez_queue *batched;     // collects RAW_BATCH tasks
    mez_image *plain_image; // without asserts
    mez_image *asserting_image;
    void *memory; // of the device, 4096 bytes
    bool on_noop;
};

// Each group's cases, after everything that they need has been made, raw.h included.
const struct perf_case *perf_tuned_init(const struct perf_shared *shared, size_t *count);
void perf_tuned_finish(void);

// On the no-op driver, as the next.
const struct perf_case *perf_ordinary_init(const struct perf_shared *shared, size_t *count);
void perf_ordinary_finish(void);

const struct perf_case *perf_threads_init(const struct perf_shared *shared, size_t *count);
void perf_threads_finish(void);

// On drivers that have each kind.
const struct perf_case *perf_kinds_init(const struct perf_shared *shared, size_t *count);
void perf_kinds_finish(void);

// Prints the error, and ends the program.
__attribute__((cold)) _Noreturn void perf_failed(mez_error error);

static inline void must(mez_error error)
{
    if (mez_failed(error))
        perf_failed(error);
}

#endif
