// SPDX-License-Identifier: MIT
//
// What ordinary programs do beside the tuned case: arguments that change, events of other queues, queues out of order. Cases of ours
// alone, on the no-op driver.

#ifndef MEZ_PERF_ORDINARY_H
#define MEZ_PERF_ORDINARY_H

#include <mezzanine/mezzanine.h>

#include "measure.h"

// What it shares with the other cases; lent.
struct perf_shared {
    mez_context *context;
    mez_queue *queue;       // in order, on immediate lists
    mez_queue *batched;     // collects 10 tasks
    mez_image *plain_image; // without asserts
    void *memory;           // of the device, 4096 bytes
};

// The cases, after everything that they need has been made.
const struct perf_case *perf_ordinary_init(const struct perf_shared *shared, size_t *count);
void perf_ordinary_finish(void);

#endif
