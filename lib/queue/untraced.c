// SPDX-License-Identifier: MIT
//
// As trace/untraced.c, for queues.

#include "queue/traced.h"

void mez_traced_enter(mez_queue *queue, mez_command *command, mez_event *signalled,
    mez_event *const *wait_for, size_t wait_count)
{
    (void)queue, (void)command, (void)signalled, (void)wait_for, (void)wait_count;
}

void mez_traced_fail(mez_queue *queue, uint64_t task)
{
    (void)queue, (void)task;
}

void mez_traced_begin(const mez_command *command)
{
    (void)command;
}

void mez_traced_end(mez_queue *queue, const mez_command *command, mez_error outcome)
{
    (void)queue, (void)command, (void)outcome;
}
