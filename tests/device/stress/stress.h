// SPDX-License-Identifier: MIT
//
// Random graphs. A seed becomes a plan (plan.c): tasks in one order, each with what it reads and writes, the thread that
// submits it, its queue, and what keeps it behind the tasks that it must not overtake. The model (model.c) does the tasks one
// after the other; threads submit them to the device (run.c), and then every number must be the same.
//
// Nothing is ordered twice without reason: a task waits for those just before it, by an event, by a barrier, by the order of
// its queue or by a wait of its thread. An order that the library loses shows as a wrong number.

#ifndef MEZ_TESTS_STRESS_STRESS_H
#define MEZ_TESTS_STRESS_STRESS_H

#include <mezzanine/mezzanine.h>

#include "set.h"

enum {
    STRESS_BUFFERS = 6, // two of each kind of memory: stress_kind_of
    STRESS_ROWS = 6,
    STRESS_PITCH = 8, // numbers in a row
    STRESS_ITEMS = STRESS_ROWS * STRESS_PITCH,
    STRESS_QUEUES = 6, // in order and out of order in turn; the last two take times
    STRESS_MOST_THREADS = 4,
    STRESS_MOST_ACCESSES = 3,
};

typedef enum stress_kind {
    // For the device.
    STRESS_STEP,     // to = to * 3 + number
    STRESS_TRANSFER, // to = from + 1
    STRESS_COMBINE,  // to = from * number + other
    STRESS_REVERSE,  // each row of `to` back to front, through local memory
    STRESS_PLANE,    // a rectangle: to ^= its place and number
    STRESS_COPY,
    STRESS_COPY_2D,
    STRESS_UPLOAD,    // to = memory that the driver does not know
    STRESS_FILL,      // with patterns of 1, 4 or 16 bytes
    STRESS_PREFETCH,  // changes nothing
    STRESS_BARRIER,   // changes nothing; holds all before from all behind
    STRESS_RENEW,     // frees the buffer, which may be in use, and fills a new one
    STRESS_HOST_TASK, // to = to * 5 + number, by a function of the host; it may submit the next task
    STRESS_MARKER,    // changes nothing; its event shows that all before has ended
    // By the submitting thread. What follows begins when they are over.
    STRESS_HOST, // as STRESS_HOST_TASK, after waiting
    STRESS_WAIT, // waits for a queue
    STRESS_KINDS
} stress_kind;

// A rectangle of a buffer's numbers; one row long where it is none.
typedef struct stress_area {
    uint32_t buffer, first, width, rows;
} stress_area;

typedef struct stress_access {
    stress_area area;
    bool reads, writes;
} stress_access;

typedef struct stress_task {
    stress_kind kind;
    uint32_t thread, queue;
    stress_area to, from, other;
    uint32_t number;
    uint32_t pattern; // numbers in a fill's pattern; 0: a single byte
    bool one_group;   // else the library chooses the size
    bool nests;       // a host task that submits the next one in the plan
    bool nested;

    stress_set before;     // must have been submitted before it is
    stress_set waits;      // events in its wait list
    stress_set host_waits; // events that its thread waits for first
    uint32_t event_users;  // how many tasks have it in their sets
    // What its thread does once it is submitted: asks for an event nobody needs, keeps it to the end, flushes, looks.
    bool spare_event, keep_event, flush, look, callback;
} stress_task;

typedef struct stress_plan {
    uint32_t threads, count;
    stress_task tasks[STRESS_MOST_TASKS];
    uint32_t model[STRESS_BUFFERS][STRESS_ITEMS]; // what the buffers hold at the end
    bool destroys_queue; // at the end, with its tasks in flight: `destroyed`
    uint32_t destroyed;
} stress_plan;

mez_memory_kind stress_kind_of(uint32_t buffer);
bool stress_is_in_order(uint32_t queue);
// Two are on the copy engine, where there is one.
bool stress_runs_no_kernels(uint32_t queue);

// Does its thread do it, so that it has ended when other threads see it?
bool stress_is_of_thread(const stress_task *task);

// The source of STRESS_UPLOAD.
extern const uint32_t stress_plain[STRESS_ITEMS];

// What a task reads and writes. Returns how many.
uint32_t stress_accesses(const stress_task *task, stress_access accesses[STRESS_MOST_ACCESSES]);

void stress_run_in_model(uint32_t model[STRESS_BUFFERS][STRESS_ITEMS], const stress_task *task);

// `shared`: the host may touch shared memory while other threads submit. Where the driver moves it at a fault, driver 22.43 may
// then wait for itself: the handler of the fault has the lock of the memory and wants that of the submissions, who submits has
// the second and wants the first.
void stress_make_plan(stress_plan *plan, uint64_t seed, bool shared);

// Queues and kernels, for all graphs.
void stress_open(void);
void stress_close(void);

// Runs the plan; the buffers are then the caller's to free. An error is the first of any thread.
mez_error stress_run(const stress_plan *plan, uint32_t *buffers[STRESS_BUFFERS]);

mez_queue *stress_queue(uint32_t number);

#endif
