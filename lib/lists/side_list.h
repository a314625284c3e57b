// SPDX-License-Identifier: MIT
//
// Side lists: regular command lists that run in the middle of an immediate one, for users who fill a list by themselves. An
// immediate list can't be lent: it takes commands from one thread at a time, and no lock is held while user code runs.
//
//     immediate list:   ... task, signal gate                wait for done, task ...
//     regular list:                 wait for gate, the user's commands, signal done
//
// The regular list goes to a command queue that is made when the first one is wanted.

#ifndef MEZ_LISTS_SIDE_LIST_H
#define MEZ_LISTS_SIDE_LIST_H

#include "lists/batch.h"

typedef struct mez_side_lists {
    ze_command_queue_handle_t ze; // NULL: none was wanted yet
    mez_batch *first;             // not in anybody's hands, the longest ago first
    mez_batch *last;
} mez_side_lists;

// All are called with the queue's lock held, except finish.

// A list whose first command waits for its gate.
mez_error mez_side_lists_take(mez_queue *queue, mez_side_lists *side_lists, mez_batch **batch);

// Takes back a list that was not run.
void mez_side_lists_give(mez_side_lists *side_lists, mez_batch *batch);

// Runs a list behind everything in the immediate list and before everything that comes, as one task; `signal` may be NULL.
// *taken: the list is no longer the caller's, which may be so on failure.
mez_error mez_side_lists_run(mez_queue *queue, mez_side_lists *side_lists,
    ze_command_list_handle_t immediate, mez_batch *batch, ze_event_handle_t signal, bool *taken);

// The same for a recorded list. The gate waits for the events; the recorded list for the gate.
mez_error mez_side_lists_replay(mez_queue *queue, mez_side_lists *side_lists,
    ze_command_list_handle_t immediate, const mez_task *task);

// Everything has ended, or the device is lost.
void mez_side_lists_finish(mez_queue *queue, mez_side_lists *side_lists);

#endif
