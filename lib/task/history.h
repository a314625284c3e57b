// SPDX-License-Identifier: MIT
//
// The newest tasks of a queue, for whoever must say which one is stuck or was lost: a ring that forgets. The queue's lock
// guards it.
//
// A launch on the quick path is noted in ten instructions and without asking for the time; whoever needs its age takes that of
// a later task, or says for how long he has waited.

#ifndef MEZ_TASK_HISTORY_H
#define MEZ_TASK_HISTORY_H

#include "task/command.h"

#define MEZ_HISTORY_TASKS 256 // the low byte of a number finds its task
#define MEZ_HISTORY_NAME 48   // bytes kept of a debug name, with the final NUL

// What of a noted task means something.
typedef enum mez_history_known {
    MEZ_HISTORY_PLACE = 0, // the place, and the kernel of a launch
    MEZ_HISTORY_ALL = 1,
    MEZ_HISTORY_KIND = 2, // no more than that
} mez_history_known;

typedef struct mez_history_task {
    mez_location where;
    uint64_t number; // 0: none yet
    // Of a launch. Alive until the queue has seen the task's end, and not to be touched afterwards.
    const mez_kernel *kernel;
    uint16_t kind;  // mez_command_kind
    uint16_t known; // mez_history_known
    uint64_t since; // when it was submitted, ns of CLOCK_MONOTONIC; 0: not known
    size_t size;    // bytes of a copy or fill
} mez_history_task;

typedef struct mez_history {
    mez_history_task tasks[MEZ_HISTORY_TASKS];
    char names[MEZ_HISTORY_TASKS]
              [MEZ_HISTORY_NAME]; // copied: the user may free his once the task has ended
} mez_history;

_Static_assert(sizeof(mez_history_task) == 64, "a shift and a mask find a task");

static inline uint8_t mez_history_slot(uint64_t number)
{
    return (uint8_t)number;
}

static inline mez_history_task *mez_history_at(mez_history *history, uint64_t number)
{
    return &history->tasks[mez_history_slot(number)];
}

// Notes a task of which no more is known than this. The place comes last, so that nothing is worked out twice for its two
// cases.
static inline void mez_history_note(mez_history *history, uint64_t number, mez_command_kind kind,
    const mez_kernel *kernel, const mez_location *where)
{
    mez_history_task *task = mez_history_at(history, number);
    task->number = number;
    task->kernel = kernel;
    task->kind = (uint16_t)kind;
    task->known = MEZ_HISTORY_PLACE;
    if (__builtin_expect(where != NULL, 1))
        task->where = *where;
    else
        task->where = (mez_location){0};
}

// Notes a plain copy by its number alone: the place would cost as much as all the rest of the copy's own work allows
// (docs/performance.md). With any parameters it is known, too.
static inline void mez_history_note_copy(mez_history *history, uint64_t number)
{
    mez_history_task *task = mez_history_at(history, number);
    task->number = number;
    task->kind = MEZ_COMMAND_COPY;
    task->known = MEZ_HISTORY_KIND;
}

// "kernel "x"" or "copy of 16 bytes", with the place of the call where that is known.
void mez_command_describe(const mez_command *command, mez_text *text);

// Notes a task with all that its command says. `timed`: asks for the time, which costs as much as all the rest.
void mez_history_add(mez_history *history, uint64_t number, const mez_command *command, bool timed);

// Adds the name of a noted task.
__attribute__((cold)) void mez_history_name(
    mez_history *history, uint64_t number, const char *name);

// The task has gone to the driver now.
void mez_history_stamp(mez_history *history, uint64_t number);

// NULL: unknown, or so old that it has been forgotten.
const mez_history_task *mez_history_find(const mez_history *history, uint64_t number);

// When the task had been submitted at the latest: the earliest time known of it or a later one. *exact: its own. 0: unknown.
uint64_t mez_history_since(const mez_history *history, uint64_t number, bool *exact);

// Adds `"name" (kernel "saxpy"), submitted at file:line`, as far as it is known.
void mez_history_describe(const mez_history *history, uint64_t number, mez_text *text);

// The same without the name of a kernel, which may be gone: the task may have ended.
void mez_history_describe_ended(const mez_history *history, uint64_t number, mez_text *text);

#endif
