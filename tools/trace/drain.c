// SPDX-License-Identifier: MIT

#include "drain.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#include "base/alloc.h"

// Records that are written while we read may be later than `now` by this much, in ns; later times are damaged.
#define FAR_AHEAD UINT64_C(1000000000)

// From so many used rings on it is worth asking which processes are alive.
enum { FEW_ARE_FREE = TRACE_RINGS / 2 };

// A ring, and its next record once that is read.
struct lane {
    struct trace_ring_reader reader;
    struct trace_thread thread;
    bool in_use;
    bool has_next;
    uint64_t next_time;
    union trace_any_record *next; // apart: all lanes are looked through for each record
};

struct trace_drain {
    const struct trace_memory *memory;
    struct lane lanes[TRACE_RINGS];
    union trace_any_record records[TRACE_RINGS];
};

mez_error trace_drain_create(const struct trace_memory *memory, struct trace_drain **drain)
{
    *drain = mez_new(struct trace_drain);
    if (!*drain)
        return mez_error_no_memory("reading a trace");
    (*drain)->memory = memory;
    for (int i = 0; i < TRACE_RINGS; i++)
        (*drain)->lanes[i].next = &(*drain)->records[i];
    return mez_ok();
}

void trace_drain_destroy(struct trace_drain **drain)
{
    mez_free_memory(*drain);
    *drain = NULL;
}

static void meet(const struct trace_drain *drain, int ring, struct lane *lane)
{
    const struct trace_ring *shared = &drain->memory->rings[ring];
    lane->in_use = true;
    lane->thread =
        (struct trace_thread){.ring = ring, .process = shared->process, .thread = shared->thread};
    memcpy(lane->thread.name, shared->name, sizeof lane->thread.name - 1);
}

static void read_next(const struct trace_drain *drain, int ring, struct lane *lane, uint64_t now,
    const struct trace_sink *sink)
{
    const enum trace_reading reading =
        trace_ring_read(drain->memory, ring, &lane->reader, lane->next);
    if (reading == TRACE_READ_NONE)
        return;
    if (!lane->in_use)
        meet(drain, ring, lane);
    lane->has_next = reading == TRACE_READ_ONE;
    if (reading == TRACE_READ_DAMAGED) {
        sink->damaged(sink->user, &lane->thread);
        return;
    }
    uint64_t *const time = &lane->next->record.time;
    if (*time > now && *time - now > FAR_AHEAD)
        *time = now;
    lane->next_time = *time;
}

// What was lost by now was lost after what has been passed on, and near enough before the rest.
static void report_losses(struct trace_drain *drain, uint64_t time, const struct trace_sink *sink)
{
    for (int i = 0; i < TRACE_RINGS; i++) {
        struct lane *lane = &drain->lanes[i];
        const uint64_t lost =
            lane->in_use ? trace_ring_new_losses(drain->memory, i, &lane->reader) : 0;
        if (lost)
            sink->lost(sink->user, &lane->thread, time, lost);
    }
}

static bool runs(uint32_t process)
{
    return process > 0 && process <= INT_MAX && (kill((pid_t)process, 0) == 0 || errno != ESRCH);
}

static bool is_first_of_process(const struct trace_drain *drain, int ring)
{
    for (int i = 0; i < ring; i++)
        if (drain->lanes[i].in_use &&
            drain->lanes[i].thread.process == drain->lanes[ring].thread.process)
            return false;
    return true;
}

uint64_t trace_drain_processes(const struct trace_drain *drain, pid_t except)
{
    uint64_t count = 0;
    for (int i = 0; i < TRACE_RINGS; i++) {
        const struct lane *lane = &drain->lanes[i];
        count += lane->in_use && lane->thread.process != (uint32_t)except &&
                 runs(lane->thread.process) && is_first_of_process(drain, i);
    }
    return count;
}

static int count_used(const struct trace_drain *drain)
{
    int count = 0;
    for (int i = 0; i < TRACE_RINGS; i++)
        count += drain->lanes[i].in_use;
    return count;
}

// Threads that live until their process ends do not leave their rings themselves.
static void leave_for_the_dead(struct trace_drain *drain)
{
    uint32_t last = 0; // a process's rings are often neighbours
    bool is_dead = false;
    for (int i = 0; i < TRACE_RINGS; i++) {
        const struct lane *lane = &drain->lanes[i];
        if (!lane->in_use)
            continue;
        if (lane->thread.process != last)
            is_dead = !runs(lane->thread.process);
        last = lane->thread.process;
        if (is_dead)
            trace_ring_leave(drain->memory, i);
    }
}

// Threads that have ended, and of which everything has been passed on.
static void give_back(struct trace_drain *drain, const struct trace_sink *sink)
{
    for (int i = 0; i < TRACE_RINGS; i++) {
        struct lane *lane = &drain->lanes[i];
        if (lane->has_next || !lane->in_use || !trace_ring_recycle(drain->memory, i, &lane->reader))
            continue;
        sink->gone(sink->user, &lane->thread);
        lane->in_use = false;
    }
}

// Afterwards each lane has its next record, if there is any.
static void look_at_all(struct trace_drain *drain, uint64_t now, const struct trace_sink *sink)
{
    if (count_used(drain) > FEW_ARE_FREE)
        leave_for_the_dead(drain);
    give_back(drain, sink);
    for (int i = 0; i < TRACE_RINGS; i++) {
        struct lane *lane = &drain->lanes[i];
        if (!lane->has_next)
            read_next(drain, i, lane, now, sink);
    }
}

static struct lane *earliest(struct trace_drain *drain, uint64_t until)
{
    struct lane *found = NULL;
    for (int i = 0; i < TRACE_RINGS; i++) {
        struct lane *lane = &drain->lanes[i];
        if (lane->has_next && lane->next_time <= until &&
            (!found || lane->next_time < found->next_time))
            found = lane;
    }
    return found;
}

// As long as the others' records are later, a thread's own follow each other.
static uint64_t next_of_others(
    const struct trace_drain *drain, const struct lane *except, uint64_t until)
{
    uint64_t time = until;
    for (int i = 0; i < TRACE_RINGS; i++) {
        const struct lane *lane = &drain->lanes[i];
        if (lane != except && lane->has_next && lane->next_time < time)
            time = lane->next_time;
    }
    return time;
}

size_t trace_drain_run(
    struct trace_drain *drain, uint64_t now, uint64_t until, const struct trace_sink *sink)
{
    size_t count = 0;
    struct lane *lane;
    look_at_all(drain, now, sink);
    while ((lane = earliest(drain, until))) {
        const uint64_t limit = next_of_others(drain, lane, until);
        do {
            sink->record(sink->user, &lane->thread, &lane->next->record);
            lane->has_next = false;
            read_next(drain, lane->thread.ring, lane, now, sink);
            count++;
        } while (lane->has_next && lane->next_time <= limit);
    }
    report_losses(drain, until, sink);
    return count;
}
