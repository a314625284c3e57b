// SPDX-License-Identifier: MIT
//
// What the tests of recordings share: a runtime for each way in which a queue replays, and a recording to be replayed.

#ifndef MEZ_TESTS_RECORDED_H
#define MEZ_TESTS_RECORDED_H

#include "runtime.h"

enum way { BATCHED, APPENDED, APPENDED_BASIC, SIDE_LIST, SIDE_LIST_BASIC, WAYS };

// Sets the no-op driver up for that way.
void configure(enum way way);

// A runtime whose queue submits in that way; there is one at a time.
runtime *open_runtime(enum way way);
void close_runtime(runtime *r);

mez_recording *create_recording(runtime *r, mez_queue_order order);
void record_saxpy(runtime *r, mez_recording *recording);
void record_copy(runtime *r, mez_recording *recording);

// Two launches and a copy.
mez_recording *record_three(runtime *r, mez_queue_order order);

#endif
