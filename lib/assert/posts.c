// SPDX-License-Identifier: MIT

#include "assert/report.h"

// The mailbox of the queue in which the task has a place; NULL: it has none.
static mez_mailbox *find_mailbox(const mez_mailboxes *mailboxes, uint64_t task)
{
    mez_mailbox *newest = mailboxes->newest;
    if (newest && task >= newest->first_task)
        return task < newest->end_task ? newest : NULL;
    mez_mailbox *mailbox = mailboxes->older;
    while (mailbox && task >= mailbox->end_task)
        mailbox = mailbox->next;
    return mailbox && task >= mailbox->first_task ? mailbox : NULL;
}

// A recorded list has one of its own, in which all of a replay is launch 0.
static mez_mailbox *mailbox_of(const mez_posts *posts, uint32_t *launch)
{
    *launch = 0;
    if (posts->readback->mailbox)
        return posts->readback->mailbox;
    mez_mailbox *mailbox = find_mailbox(&posts->queue->mailboxes, posts->task);
    if (mailbox)
        *launch = (uint32_t)(posts->task - mailbox->first_task);
    return mailbox;
}

static bool has_failed(const mez_mailbox *mailbox, uint32_t launch)
{
    return __atomic_load_n(&mailbox->memory->failures[launch], __ATOMIC_ACQUIRE) > 0 &&
           !(mailbox->is_reported[launch / 8] & 1u << launch % 8);
}

// NULL: there were more failures than records; or, unless all of these are complete, it is being written.
static const mez_assert_record *find_record(
    const mez_mailbox *mailbox, uint32_t launch, bool *all_complete)
{
    *all_complete = true;
    for (uint32_t i = 0; i < MEZ_MAILBOX_RECORDS; i++) {
        const mez_assert_record *record = &mailbox->memory->first[i];
        if (__atomic_load_n(&record->flag, __ATOMIC_ACQUIRE) != MEZ_ASSERT_FAILED)
            *all_complete = false;
        else if (record->serial == launch)
            return record;
    }
    return NULL;
}

static bool take(mez_posts *posts, mez_mailbox *mailbox, uint32_t launch, mez_failed_assert *failed)
{
    static const mez_assert_record nothing;
    bool all_complete;
    const mez_assert_record *record = find_record(mailbox, launch, &all_complete);
    if (!record && !all_complete && posts->still_run)
        return false;
    mailbox->is_reported[launch / 8] |= (uint8_t)(1u << launch % 8);
    mailbox->reported++;
    *failed = (mez_failed_assert){
        .queue = posts->queue,
        .first_task = posts->task,
        .last_task = posts->task,
        .record = record ? record : &nothing,
        .mailbox = mailbox->memory,
        .launch = launch,
    };
    return true;
}

static uint64_t first_task_behind(const mez_mailboxes *mailboxes, uint64_t task)
{
    for (const mez_mailbox *mailbox = mailboxes->older; mailbox; mailbox = mailbox->next)
        if (mailbox->first_task > task)
            return mailbox->first_task;
    const mez_mailbox *newest = mailboxes->newest;
    return newest && newest->first_task > task ? newest->first_task : UINT64_MAX;
}

// No task of the mailbox has failed since the last look: the others need none. NULL: the task has no place in one, and neither may
// millions behind it.
static void skip(mez_posts *posts, const mez_mailbox *mailbox)
{
    const uint64_t next = posts->readback->mailbox ? UINT64_MAX
                          : mailbox                ? mailbox->end_task
                                    : first_task_behind(&posts->queue->mailboxes, posts->task);
    posts->task = next <= posts->last_task ? next : posts->last_task + 1;
}

bool mez_posts_next(mez_posts *posts, mez_failed_assert *failed)
{
    while (posts->task <= posts->last_task) {
        uint32_t launch;
        mez_mailbox *mailbox = mailbox_of(posts, &launch);
        if (!mailbox || !mez_mailbox_has_news(mailbox)) {
            skip(posts, mailbox);
            continue;
        }
        const bool found = has_failed(mailbox, launch) && take(posts, mailbox, launch, failed);
        posts->task++;
        if (found)
            return true;
    }
    return false;
}
