// SPDX-License-Identifier: MIT
//
// Mailboxes: memory of the host's in which the launches of a queue, or of a recorded list, post their failed asserts. Two
// hidden arguments (spirv/rewrite.h) say to each launch which mailbox, and which place in it, is its own. So nobody else's failure is taken
// for it, and the host reads what was posted while the kernel runs, hangs or is lost with its device.
//
// Thread-safety: none. The lock of the queue, or of the recording, guards them; the device writes by atomic operations.

#ifndef MEZ_TASK_MAILBOX_H
#define MEZ_TASK_MAILBOX_H

#include "kernel/use.h"
#include "task/readback.h"

typedef struct mez_mailbox {
    mez_platform *platform;
    mez_assert_mailbox *memory;
    uint64_t id;         // no other mailbox of the process ever has it
    uint64_t first_task; // the task of launch 0, then one launch for each task
    uint64_t end_task;   // no launch is of this task or a later one
    uint32_t reported;   // launches whose failure was reported
    uint8_t is_reported[MEZ_MAILBOX_LAUNCHES / 8]; // a bit for each launch
    struct mez_mailbox *next;
} mez_mailbox;

// `collects`: failures beyond the first of each launch are kept, too. MEZ_ERRC_OUT_OF_HOST_MEMORY, what the driver says.
mez_error mez_mailbox_create(mez_platform *platform, bool collects, mez_mailbox **mailbox);
void mez_mailbox_destroy(mez_mailbox *mailbox); // NULL is accepted

// Has a launch failed whose failure was not reported? The device may be writing.
static inline bool mez_mailbox_has_news(const mez_mailbox *mailbox)
{
    return __atomic_load_n(&mailbox->memory->taken, __ATOMIC_ACQUIRE) != mailbox->reported;
}

// Forgets all failures. No launch that was pointed at it is in flight.
void mez_mailbox_clear(mez_mailbox *mailbox);

// Sets the first of the two hidden arguments. Errors: what the driver says.
mez_error mez_mailbox_set(const mez_mailbox *mailbox, mez_kernel_use *use);

// Sets the hidden arguments of a kernel that has some; they are behind those that it declares. Errors: what the driver says.
static inline mez_error mez_mailbox_point_at(
    const mez_mailbox *mailbox, mez_kernel_use *use, uint32_t launch)
{
    if (__builtin_expect(use->mailbox != mailbox->id, 0))
        MEZ_TRY(mez_mailbox_set(mailbox, use));
    return ZE(zeKernelSetArgumentValue, use->ze, (uint32_t)use->argument_count + 1, sizeof launch,
        &launch);
}

// --- Of a queue

typedef struct mez_mailboxes {
    mez_mailbox *newest;   // for the next launches; NULL: there is none
    mez_mailbox *older;    // with tasks that were not looked at, the oldest first
    mez_mailbox *spare;    // empty
    bool collects;         // those that are made
    uint64_t last_task;    // the newest that can post
    uint64_t looked;       // tasks up to this one were looked at
    mez_readback readback; // that stands for all of them
} mez_mailboxes;

void mez_mailboxes_init(mez_mailboxes *mailboxes, mez_platform *platform, bool collects);
void mez_mailboxes_finish(mez_mailboxes *mailboxes);

// Makes room for a task in a mailbox, which is the newest then. Errors: as mez_mailbox_create.
mez_error mez_mailboxes_turn(mez_mailboxes *mailboxes, uint64_t task);

// The next launch of a kernel that posts is this task. Errors: as mez_mailbox_create; what the driver says.
static inline mez_error mez_mailboxes_aim(
    mez_mailboxes *mailboxes, mez_kernel_use *use, uint64_t task)
{
    if (__builtin_expect(!mailboxes->newest || task >= mailboxes->newest->end_task, 0))
        MEZ_TRY(mez_mailboxes_turn(mailboxes, task));
    const mez_mailbox *newest = mailboxes->newest;
    mailboxes->last_task = task;
    return mez_mailbox_point_at(newest, use, (uint32_t)(task - newest->first_task));
}

// Is there a task that can post and was not looked at?
static inline bool mez_mailboxes_are_open(const mez_mailboxes *mailboxes)
{
    return mailboxes->last_task > mailboxes->looked;
}

// Tasks up to this one have ended and were looked at: their mailboxes are used again.
void mez_mailboxes_note_looked(mez_mailboxes *mailboxes, uint64_t task);

#endif
