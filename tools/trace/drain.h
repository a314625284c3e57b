// SPDX-License-Identifier: MIT
//
// Takes the records out of all rings, in the order of their times.

#ifndef TRACE_DRAIN_H
#define TRACE_DRAIN_H

#include <sys/types.h>

#include "base/error.h"
#include "ring.h"

// A thread of a traced program, as long as it has the ring.
struct trace_thread {
    int ring;
    uint32_t process;
    uint32_t thread;
    char name[16];
};

// What gets the records. All are called by trace_drain_run.
struct trace_sink {
    void *user;
    void (*record)(
        void *user, const struct trace_thread *thread, const struct trace_record *record);
    // `count` records of the thread found no room before that time.
    void (*lost)(void *user, const struct trace_thread *thread, uint64_t time, uint64_t count);
    // What is in its ring is not what a recorder writes. It has been left out.
    void (*damaged)(void *user, const struct trace_thread *thread);
    // It has ended; its ring may come back as another thread's.
    void (*gone)(void *user, const struct trace_thread *thread);
};

struct trace_drain;

// The memory has to outlive it. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_drain_create(const struct trace_memory *memory, struct trace_drain **drain);
void trace_drain_destroy(struct trace_drain **drain);

// Hands over what was written up to the time `until`. A thread writes a record a moment after it has taken its time, so `until`
// should lie behind `now`, unless nobody writes any more. Times long after `now` are damaged, and become `now`. Returns how many
// records there were.
size_t trace_drain_run(
    struct trace_drain *drain, uint64_t now, uint64_t until, const struct trace_sink *sink);

// How many processes have rings and still run, except for one; 0: none is left out.
uint64_t trace_drain_processes(const struct trace_drain *drain, pid_t except);

#endif
