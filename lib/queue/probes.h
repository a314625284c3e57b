// SPDX-License-Identifier: MIT
//
// The probes around a task (trace/probe.h), on quick paths and on the long way.

#ifndef MEZ_QUEUE_PROBES_H
#define MEZ_QUEUE_PROBES_H

#include "kernel/kernel.h"
#include "queue/queue.h"
#include "trace/probe.h"

#ifdef MEZ_USDT

// A task is given to a queue; `kernel` NULL: it is not a launch.
static inline void mez_probe_node(const mez_queue *queue, mez_command_kind kind,
    const mez_kernel *kernel, const mez_location *where)
{
    MEZ_PROBE(node__create, queue, mez_command_kind_names[kind], kernel ? kernel->name : NULL,
        mez_probe_file(where), mez_probe_line(where));
}

// The events that it is to wait for.
static inline void mez_probe_edges(const mez_queue *queue, const mez_task_params *params)
{
    for (size_t i = 0; i < params->wait_count; i++)
        MEZ_PROBE(edge__create, queue, params->wait_for[i]);
}

// Around what hands it to the driver, or its host function. The queue is the one that runs it. The event that it signals; NULL: none.
// The number that it has got there, if all went well; 0: of a host task.
static inline void mez_probe_task_begin(const mez_queue *queue, mez_command_kind kind)
{
    MEZ_PROBE(task__begin, queue, mez_command_kind_names[kind]);
}

static inline void mez_probe_task_end(
    const mez_queue *queue, const mez_event *event, mez_error outcome, uint64_t number)
{
    MEZ_PROBE(task__end, queue, event, outcome.value, number);
}

#else

#define mez_probe_node(queue, kind, kernel, where) ((void)0)
#define mez_probe_edges(queue, params) ((void)0)
#define mez_probe_task_begin(queue, kind) ((void)0)
#define mez_probe_task_end(queue, event, outcome, number) ((void)0)

#endif

// On quick paths a task is handed over at once.
#define mez_probe_quick_begin(queue, kind, kernel, where) \
    (mez_probe_node(queue, kind, kernel, where), mez_probe_task_begin(queue, kind))

#endif
