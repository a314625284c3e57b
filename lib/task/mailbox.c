// SPDX-License-Identifier: MIT

#include "task/mailbox.h"

#include <string.h>

#include "base/alloc.h"
#include "base/list.h"

// --- One mailbox

static mez_error allocate(mez_mailbox *mailbox, bool collects)
{
    const size_t size = collects ? sizeof *mailbox->memory : offsetof(mez_assert_mailbox, log);
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory;
    MEZ_TRY(ZE(zeMemAllocHost, mailbox->platform->ze, &description, size, 0, &memory));
    mailbox->memory = memory;
    memset(mailbox->memory, 0, size);
    mailbox->memory->collects = collects;
    return mez_ok();
}

mez_error mez_mailbox_create(mez_platform *platform, bool collects, mez_mailbox **created)
{
    static atomic_uint_fast64_t last_id;
    mez_mailbox *mailbox = mez_new(mez_mailbox);
    if (!mailbox)
        return mez_error_no_memory("a mailbox for failed asserts");
    mailbox->platform = platform;
    mailbox->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    const mez_error error = allocate(mailbox, collects);
    if (mez_failed(error))
        mez_free_memory(mailbox);
    else
        *created = mailbox;
    return error;
}

void mez_mailbox_destroy(mez_mailbox *mailbox)
{
    if (!mailbox)
        return;
    ZE_LOGGED(zeMemFree, mailbox->platform->ze, mailbox->memory);
    mez_free_memory(mailbox);
}

void mez_mailbox_clear(mez_mailbox *mailbox)
{
    mez_assert_mailbox *memory = mailbox->memory;
    if (memory->taken > 0) {
        memory->taken = 0;
        memset(memory->failures, 0, sizeof memory->failures);
        memset(memory->first, 0, sizeof memory->first);
        if (memory->collects)
            memset(&memory->log, 0, sizeof memory->log);
    }
    mailbox->reported = 0;
    memset(mailbox->is_reported, 0, sizeof mailbox->is_reported);
}

mez_error mez_mailbox_set(const mez_mailbox *mailbox, mez_kernel_use *use)
{
    MEZ_TRY(ZE(zeKernelSetArgumentValue, use->ze, (uint32_t)use->argument_count,
        sizeof mailbox->memory, &mailbox->memory));
    use->mailbox = mailbox->id;
    return mez_ok();
}

// --- Of a queue

void mez_mailboxes_init(mez_mailboxes *mailboxes, mez_platform *platform, bool collects)
{
    *mailboxes =
        (mez_mailboxes){.collects = collects, .readback = {.platform = platform, .posts = true}};
}

static void destroy_all(mez_mailbox *mailbox)
{
    while (mailbox) {
        mez_mailbox *next = mailbox->next;
        mez_mailbox_destroy(mailbox);
        mailbox = next;
    }
}

void mez_mailboxes_finish(mez_mailboxes *mailboxes)
{
    mez_mailbox_destroy(mailboxes->newest);
    destroy_all(mailboxes->older);
    destroy_all(mailboxes->spare);
    *mailboxes = (mez_mailboxes){0};
}

static mez_error take_empty(mez_mailboxes *mailboxes, mez_mailbox **taken)
{
    if (mez_list_pop(&mailboxes->spare, *taken, next))
        return mez_ok();
    return mez_mailbox_create(mailboxes->readback.platform, mailboxes->collects, taken);
}

mez_error mez_mailboxes_turn(mez_mailboxes *mailboxes, uint64_t task)
{
    mez_mailbox *empty;
    MEZ_TRY(take_empty(mailboxes, &empty));
    if (mailboxes->newest)
        mez_list_append(&mailboxes->older, mailboxes->newest, next);
    empty->first_task = task;
    empty->end_task = task + MEZ_MAILBOX_LAUNCHES;
    empty->next = NULL;
    mailboxes->newest = empty;
    return mez_ok();
}

// One with failures takes no more launches: it has room for few records.
static void retire_newest(mez_mailboxes *mailboxes)
{
    mez_mailbox *newest = mailboxes->newest;
    if (newest && newest->reported > 0 && newest->end_task > mailboxes->last_task + 1)
        newest->end_task = mailboxes->last_task + 1;
}

void mez_mailboxes_note_looked(mez_mailboxes *mailboxes, uint64_t task)
{
    if (task > mailboxes->looked)
        mailboxes->looked = task;
    while (mailboxes->older && mailboxes->older->end_task <= mailboxes->looked + 1) {
        mez_mailbox *over;
        mez_list_pop(&mailboxes->older, over, next);
        mez_mailbox_clear(over);
        mez_list_push(&mailboxes->spare, over, next);
    }
    retire_newest(mailboxes);
}
