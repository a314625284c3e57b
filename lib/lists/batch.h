// SPDX-License-Identifier: MIT
//
// A batch: a command list with the tasks in it, and the fence that is signalled when they have ended.
//
// A batch goes through open (tasks are appended), in flight (the driver has it), retired (its end was seen) and back to
// open. The queue's lock guards all of it, except that a waiter may use the fence of a batch that it has referenced.

#ifndef MEZ_LISTS_BATCH_H
#define MEZ_LISTS_BATCH_H

#include "queue/queue.h"
#include "task/readback.h"

// --- Repetitions

// Batches that repeat. Programs run the same kernels with the same arguments again and again, and to append ten of them costs
// Intel's driver four times what it costs to execute a list that holds them already. So the list of a batch that has ended is
// kept closed until its batch is needed for others, with the settings (kernel/use.h) of the launches in it. A new batch whose
// first launch is that list's first follows it: as long as each launch is the list's next, nothing is appended; with the last
// one the list is executed as it is. Where a launch differs, or fewer come, the batch follows another list that begins with the
// same launches; where there is none, they are appended to a list of their own after all.
//
// Only launches that signal and wait for nothing, and can't assert, repeat. A setting is new as soon as an argument, the range
// or any allocation has changed, so a list with old ones is never executed again.

#define MEZ_LONGEST_REPEAT 64 // launches: the largest batch that is not asked for by MEZ_BATCH

typedef struct mez_repeat {
    uint64_t settings[MEZ_LONGEST_REPEAT]; // of the launches in the list, in order
    uint32_t count;
    bool spoilt; // there is something else in it
    // It may be executed behind other tasks: a barrier comes first, or none is needed.
    bool starts_anywhere;

    // Of an open batch that follows its list: the launches that it shares with it so far.
    bool follows;
    uint32_t shared;
    mez_kernel_use *uses[MEZ_LONGEST_REPEAT]; // alive: their tasks count as in flight
} mez_repeat;

// The setting of a launch that can repeat; 0: the task can't.
static inline uint64_t mez_repeat_setting(const mez_task *task)
{
    const mez_command *command = task->command;
    if (command->kind != MEZ_COMMAND_KERNEL || task->event || task->wait_count > 0 ||
        command->launch.cooperative)
        return 0;
    const mez_kernel_use *use = command->launch.use;
    return use->asserting_module ? 0 : use->setting;
}

// The list is empty, and tasks will be appended.
static inline void mez_repeat_restart(mez_repeat *repeat)
{
    repeat->count = 0;
    repeat->spoilt = false;
    repeat->follows = false;
}

// The list is of no use for repetitions.
static inline void mez_repeat_spoil(mez_repeat *repeat)
{
    repeat->count = 0;
    repeat->spoilt = true;
    repeat->follows = false;
}

// A task has been appended.
static inline void mez_repeat_note(mez_repeat *repeat, uint64_t setting)
{
    if (setting && repeat->count < MEZ_LONGEST_REPEAT && !repeat->spoilt)
        repeat->settings[repeat->count++] = setting;
    else
        mez_repeat_spoil(repeat);
}

// Does a list that is closed begin with these launches?
static inline bool mez_repeat_starts_with(
    const mez_repeat *repeat, const uint64_t *settings, uint32_t count)
{
    if (repeat->count < count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (repeat->settings[i] != settings[i])
            return false;
    return true;
}

static inline void mez_repeat_follow(mez_repeat *repeat)
{
    repeat->follows = true;
    repeat->shared = 0;
}

// Leaves the launch out where the batch follows a list and it is the next there. False: it is not.
static inline bool mez_repeat_share(mez_repeat *repeat, const mez_task *task, uint64_t setting)
{
    const uint32_t next = repeat->shared;
    if (!repeat->follows || next == repeat->count || repeat->settings[next] != setting)
        return false;
    repeat->uses[next] = task->command->launch.use;
    repeat->shared = next + 1;
    return true;
}

// Are the open batch's tasks exactly those of the list?
static inline bool mez_repeat_is_whole(const mez_repeat *repeat)
{
    return repeat->follows && repeat->shared == repeat->count;
}

// --- Batches

typedef struct mez_batch {
    uint32_t ref; // the queue's, and one for each waiter; guarded by the queue's lock
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;

    uint64_t first_task;
    uint64_t last_task;
    uint32_t task_count;
    bool retired;
    bool goes_at_once; // it is a list of the user's or a replay
    bool executed;     // of a side list: the fence will be signalled at its end
    mez_event *gate;   // of a side list (see side_list.h), as is the next
    mez_event *done;
    mez_readback readback;
    mez_repeat repeat;

    mez_encoding *replay; // what runs between `list` and `tail`; NULL: the batch is not a replay
    ze_command_list_handle_t tail; // NULL: none was wanted yet
    bool waits;   // of a replay: `list` has something to wait for, else it is empty
    bool signals; // of a replay: `tail` has something to signal

    struct mez_batch *next; // in the queue's list
} mez_batch;

mez_error mez_batch_create(mez_queue *queue, ze_command_queue_handle_t ze, mez_batch **batch);
void mez_batch_destroy(mez_batch *batch);

// Makes a batch that nobody uses ready for new tasks.
mez_error mez_batch_reuse(mez_batch *batch);

// The same without the driver: the list stays as it is, and the fence must be reset.
static inline void mez_batch_rewind(mez_batch *batch)
{
    batch->ref = 1;
    batch->task_count = 0;
    batch->retired = false;
    batch->goes_at_once = false;
    batch->executed = false;
    batch->replay = NULL;
    batch->waits = false;
    batch->signals = false;
    mez_readback_empty(&batch->readback);
}

// Makes an empty batch a replay, which waits for the events and signals one when all has ended; NULL: none. Where that fails the
// batch must be made ready again.
mez_error mez_batch_set_replay(mez_queue *queue, mez_batch *batch, mez_encoding *encoding,
    uint32_t wait_count, ze_event_handle_t *wait, ze_event_handle_t signal);

// All has been appended: ends the list. A replay needs no end.
mez_error mez_batch_close(mez_batch *batch);

// Hands a closed batch to the driver.
mez_error mez_batch_execute(mez_batch *batch, ze_command_queue_handle_t ze);

// Where its asserts are read.
static inline mez_readback *mez_batch_readback(mez_batch *batch)
{
    return batch->replay ? &batch->replay->readback : &batch->readback;
}

#endif
