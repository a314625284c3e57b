// SPDX-License-Identifier: MIT
//
// Batches that repeat. Programs run the same kernels with the same arguments again and again, and to append ten of them costs
// Intel's driver four times what it costs to execute a list that holds them already. So the list of a batch that has ended is
// kept closed until its batch is needed for others, with the settings (kernel/use.h) of the launches in it. A new batch whose
// first launch is that list's first follows it: as long as each launch is the list's next, nothing is appended; with the last
// one the list is executed as it is. Where a launch differs, or fewer come, the batch follows another list that begins with the
// same launches; where there is none, they are appended to a list of their own after all.
//
// Only launches that signal and wait for nothing, and can't assert, repeat. A setting is new as soon as an argument, the range
// or any allocation has changed, so a list with old ones is never executed again.

#ifndef MEZ_LISTS_REPEAT_H
#define MEZ_LISTS_REPEAT_H

#include "queue/queue.h"

#define MEZ_LONGEST_REPEAT 64 // launches: the largest batch that is not asked for by MEZ_BATCH

typedef struct mez_repeat {
    uint64_t settings[MEZ_LONGEST_REPEAT]; // of the launches in the list, in order
    uint32_t count;
    bool spoilt; // there is something else in it
    bool
        starts_anywhere; // it may be executed behind other tasks: a barrier comes first, or none is needed

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
    return use->asserting_module || use->to_pass ? 0 : use->setting;
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

#endif
