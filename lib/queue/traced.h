// SPDX-License-Identifier: MIT
//
// What is reported to tools of a queue and its tasks: lib/trace emits it, this file knows what it means.
//
// A queue that is made while a dispatcher is loaded is traced for its life. Then it has no quick paths (MEZ_SLOW_TRACED): every
// task comes by the trace points, and the quick paths of other queues have none. Each call of these stands behind
// MEZ_TRACED(queue->traced).
//
// A task is reported in three steps, with the queue's lock held: it is entered when the queue takes it, in the order in which it
// does; handed over when the driver gets it, or while its host function runs; and over when the queue has seen its end, which is looked
// for at each submission and after each wait.

#ifndef MEZ_QUEUE_TRACED_H
#define MEZ_QUEUE_TRACED_H

#include "queue/queue.h"
#include "task/readback.h"
#include "trace/graph.h"

// What a task has to do with asserts whose records are read back (readback.h).
typedef enum mez_traced_part {
    MEZ_TRACED_PLAIN,   // nothing
    MEZ_TRACED_ASSERTS, // it can fail one, and nothing behind it copies the record yet
    MEZ_TRACED_COPIED,  // it can, and something does
    MEZ_TRACED_BRINGS,  // it can, and brings the record itself: it posts it, or its list copies it
    MEZ_TRACED_COPIES,  // it is ours, and copies records
} mez_traced_part;

// A task that is not over.
typedef struct mez_traced_task {
    mez_trace_node *node; // referenced; NULL: no memory
    uint64_t number;      // in the queue that runs it, or MEZ_NOT_HANDED_OVER
    uint64_t seen;        // when its end was, ns of CLOCK_MONOTONIC; 0: not before it is reported
    mez_traced_part part;
    bool elsewhere;   // the queue that runs it is the companion
    mez_event *timed; // that knows when it ran; referenced; NULL: none
    mez_location where;
    struct mez_traced_task *next;
} mez_traced_task;

#define MEZ_NOT_HANDED_OVER UINT64_MAX

// All but the first three is guarded by the queue's lock.
struct mez_traced {
    uint64_t id;             // no other queue of the process ever has it
    mez_trace_node *newest;  // of an in-order queue, that the next task waits for; referenced
    mez_trace_node *barrier; // of others, that all later ones wait for; referenced
    mez_traced_task *tasks;  // in the order in which they were entered
    mez_traced_task **end;
    struct mez_xpti_event *event; // the queue's own; NULL: no memory
    uint64_t instance;
};

// Without memory the queue is not traced. The queue has its kind.
void mez_traced_open(mez_queue *queue, const mez_location *where);
// Its tasks are over. First those of the companion, before that is gone; the rest when no visitor is left in the queue. Both without
// its lock.
void mez_traced_leave_companion(mez_queue *queue);
void mez_traced_close(mez_queue *queue);

// Does a task that nobody wants an event of need one, so that its times are known?
bool mez_traced_needs_event(const mez_queue *queue, const mez_command *command);

// The command gets its traced task. `wait_for` is what the user listed.
void mez_traced_enter(mez_queue *queue, mez_command *command, mez_event *signalled,
    mez_event *const *wait_for, size_t wait_count);

// Around what hands it to the driver.
void mez_traced_begin(const mez_command *command);
void mez_traced_end(mez_queue *queue, const mez_command *command, mez_error outcome);

// The function of a host task has returned, since mez_traced_begin.
void mez_traced_host_end(mez_queue *queue, const mez_command *command, mez_error outcome);

// A task that the driver does not get is over: it was lost.
void mez_traced_drop(mez_queue *queue, const mez_command *command, mez_error outcome);

// While records are looked at: an assert of this task may be what has failed. It is over before that is delivered, which may end
// the process.
void mez_traced_fail(mez_queue *queue, uint64_t task);

// Sets when the task of a timed event, which has happened, ran. False: the driver does not say, and nothing is set.
bool mez_traced_measure(
    const mez_queue *queue, const mez_event *event, mez_trace_execution *execution);

// For the node of a command: its name, kind and metadata. NULL: no memory.
mez_trace_node *mez_traced_describe(const mez_queue *queue, const mez_command *command);

// For a task of ours that copies records of asserts, and for one that reads them.
mez_trace_node *mez_traced_describe_copy(
    const mez_queue *queue, const mez_readback *readback, const mez_location *where);
mez_trace_node *mez_traced_describe_reading(const mez_queue *queue, const mez_location *where);

#endif
