// SPDX-License-Identifier: MIT
//
// Where failed asserts are looked for: in what launches have posted, in the copies behind tasks, beside a queue that has stalled, and in
// the driver.

#include "assert/asserts.h"

#include "assert/report.h"
#include "queue/slow.h"
#include "queue/stall.h"
#include "queue/traced.h"
#include "task/readback.h"

#define MOST_MODULES 16 // of one batch; others are left out

// --- Failures

// The events of the tasks whose failure it may be keep it; everybody else's have happened well.
static void fail_events(const mez_failed_assert *failed, mez_error error)
{
    for (uint64_t task = failed->first_task; task <= failed->last_task; task++)
        if (mez_assert_may_be_of(failed, task))
            mez_task_references_lose(&failed->queue->references, task, task, error);
}

static void fail_task(const mez_failed_assert *failed, mez_error error)
{
    mez_queue_keep_error(failed->queue, error);
    fail_events(failed, error);
}

__attribute__((cold)) static void notify_tools(const mez_failed_assert *failed)
{
    for (uint64_t task = failed->first_task; task <= failed->last_task; task++)
        if (mez_assert_may_be_of(failed, task))
            mez_traced_fail(failed->queue, task);
}

// Where a kernel's assert failed before its device was lost, the failure is what to look at first.
static mez_error add_loss(const mez_queue *queue, mez_error error)
{
    const mez_error loss = mez_platform_loss(queue->platform);
    return mez_failed(loss)
               ? mez_error_add(error, "device", "it is lost, too: %s", mez_error_get_message(loss))
               : error;
}

static mez_error report(const mez_failed_assert *failed)
{
    if (MEZ_TRACED(failed->queue->traced))
        notify_tools(failed);
    return add_loss(failed->queue, mez_assert_deliver(failed));
}

// --- Asserts that the driver reports

// The CPU driver's: the oldest record that nobody has asked for.
#define GET_RECORD "zeCpuGetAssertRecord"
typedef ze_result_t get_record_function(ze_device_handle_t device, void *record, size_t size);

static get_record_function *find_function(const mez_platform *platform)
{
    void *address = NULL;
    if (platform->caps.wrapped || ZE_RESULT(zeDriverGetExtensionFunctionAddress, platform->driver,
                                      GET_RECORD, &address) != ZE_RESULT_SUCCESS)
        return NULL;
    return (get_record_function *)(uintptr_t)address;
}

// False: none is available.
static bool read_record(const mez_queue *queue, mez_assert_record *record)
{
    get_record_function *get = find_function(queue->platform);
    return get && get(queue->device->ze, record, sizeof *record) == ZE_RESULT_SUCCESS;
}

// Drivers that abort look whenever somebody waits for any event, also for one that does not happen
// (docs/internals/asserts.md#native-asserts).
static void wait_for_nothing(mez_queue *queue)
{
    mez_event *event;
    if (mez_failed(mez_event_create(queue->platform, 0, &event)))
        return;
    ZE_RESULT(zeEventHostSynchronize, event->ze, 0);
    mez_event_unref(event);
}

// Tasks with such asserts do not end: lets the driver look, which may print and abort. True: an assert has failed, and this is its
// record. No locks are held.
static bool ask_for_record(mez_queue *queue, mez_assert_record *record)
{
    wait_for_nothing(queue);
    return read_record(queue, record);
}

// --- A queue that has stalled
//
// A kernel that hangs behind a failed assert brings its record to nobody: the copy stands behind it. So when a queue stalls
// (queue/stall.h) the record is read beside it.

// What may be stuck, with the images referenced.
typedef struct suspects {
    mez_module *modules[MOST_MODULES];
    uint32_t count;
    bool native; // there are others, whose asserts are the driver's
    uint64_t first_task;
    uint64_t last_task;
} suspects;

static void note(const mez_stuck *stuck, suspects *suspects)
{
    const mez_readback *readback = stuck->readback;
    suspects->first_task = stuck->first_task;
    suspects->last_task = stuck->last_task;
    suspects->native = readback->native;
    for (uint32_t i = 0; i < readback->modules.count && i < MOST_MODULES; i++) {
        mez_image_ref(readback->modules.items[i]->image);
        suspects->modules[suspects->count++] = readback->modules.items[i];
    }
}

static mez_error add_that_it_hangs(mez_error error)
{
    return mez_error_add(error, "hangs", "the task has not ended: the queue is given up");
}

// A task that has ended meanwhile was looked at then, or will be. The caller holds the lock.
static bool is_still_unreported(
    mez_queue *queue, mez_module *module, const suspects *suspects, const mez_assert_record *record)
{
    return !module || (queue->completed < suspects->last_task &&
                          mez_asserts_take(queue->platform->asserts, module, record));
}

static mez_error deliver(
    mez_queue *queue, mez_module *module, const suspects *suspects, const mez_assert_record *record)
{
    const mez_failed_assert failed = {
        .module = module,
        .queue = queue,
        .first_task = suspects->first_task,
        .last_task = suspects->last_task,
        .record = record,
    };
    mez_error error = mez_ok();
    mez_lock_take(&queue->lock);
    if (is_still_unreported(queue, module, suspects, record))
        error = add_that_it_hangs(mez_assert_deliver(&failed));
    mez_lock_release(&queue->lock);
    return error;
}

static mez_error look_at(mez_queue *queue, mez_module *module, const suspects *suspects)
{
    mez_assert_record record;
    const mez_error unread =
        mez_read_from_device(module, module->assert_record, &record, sizeof record);
    if (mez_failed(unread)) {
        mez_log(ASSERT, INFO,
            "\"%s\": the record of its asserts can't be read beside queue \"%s\": %s",
            module->image->name, queue->name, mez_error_get_message(unread));
        return mez_ok();
    }
    return record.flag == MEZ_ASSERT_FAILED ? deliver(queue, module, suspects, &record) : mez_ok();
}

static mez_error ask_driver(mez_queue *queue, const suspects *suspects)
{
    mez_assert_record record;
    const bool failed = suspects->native && ask_for_record(queue, &record);
    return failed ? deliver(queue, NULL, suspects, &record) : mez_ok();
}

// What hangs may have posted a failure. That of a task which is known to have ended is reported as any other, and no reason to give the
// queue up. The caller holds the lock.
static mez_error look_at_stuck_posts(mez_queue *queue, const mez_stuck *stuck)
{
    const uint64_t ended = mez_progress_look(queue);
    mez_failed_assert failed;
    mez_posts posts = {
        .queue = queue,
        .readback = stuck->readback,
        .task = stuck->first_task,
        .last_task = stuck->last_task,
        .still_run = true,
    };
    while (stuck->readback->posts && mez_posts_next(&posts, &failed)) {
        const mez_error error = report(&failed);
        if (failed.first_task > ended)
            return add_that_it_hangs(error);
        fail_task(&failed, error);
    }
    return mez_ok();
}

// The first failure that is posted; else what is to be read without the lock.
static mez_error find_suspects(mez_queue *queue, suspects *suspects)
{
    mez_stuck stuck;
    mez_error error = mez_ok();
    mez_lock_take(&queue->lock);
    if (queue->ops->find_stuck(queue, &stuck)) {
        error = look_at_stuck_posts(queue, &stuck);
        note(&stuck, suspects);
    }
    mez_lock_release(&queue->lock);
    return error;
}

static mez_error look_beside(mez_queue *queue)
{
    suspects suspects = {0};
    mez_error error = find_suspects(queue, &suspects);
    if (!mez_failed(error))
        error = ask_driver(queue, &suspects);
    for (uint32_t i = 0; i < suspects.count; i++) {
        if (!mez_failed(error))
            error = look_at(queue, suspects.modules[i], &suspects);
        mez_image_unref(suspects.modules[i]->image);
    }
    if (!mez_failed(error))
        return error;
    mez_asserts_settle(queue->platform); // which may add to the story
    mez_queue_abandon(queue, error);
    return mez_queue_why_abandoned(queue);
}

static mez_error reported_by_driver(mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    mez_assert_record record = {0};
    if (!read_record(queue, &record))
        record = (mez_assert_record){0};
    const mez_failed_assert failed = {
        .queue = queue, .first_task = first_task, .last_task = last_task, .record = &record};
    return mez_assert_deliver(&failed);
}

// --- Behind asserting tasks

static void free_records(mez_readback *readback)
{
    ZE_LOGGED(zeMemFree, readback->platform->ze, readback->records);
    readback->records = NULL;
    readback->record_capacity = 0;
}

// USM host memory: copies to plain memory are done by the CPU inside the append on some drivers, which blocks
// (docs/internals/drivers.md#memory).
static mez_error reserve_records(mez_readback *readback)
{
    const uint32_t count = readback->modules.count;
    if (count <= readback->record_capacity)
        return mez_ok();
    if (readback->records)
        free_records(readback);
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    MEZ_TRY(ZE(zeMemAllocHost, readback->platform->ze, &description,
        count * sizeof(mez_assert_record), 0, &readback->records));
    readback->record_capacity = count;
    return mez_ok();
}

static mez_error append_copies(mez_readback *readback, bool in_order, ze_command_list_handle_t list)
{
    mez_assert_record *records = readback->records;
    if (!in_order)
        MEZ_TRY(ZE(zeCommandListAppendBarrier, list, NULL, 0, NULL));
    for (uint32_t i = 0; i < readback->modules.count; i++) {
        records[i].flag = MEZ_ASSERT_NONE;
        MEZ_TRY(ZE(zeCommandListAppendMemoryCopy, list, &records[i],
            readback->modules.items[i]->assert_record, sizeof records[i], NULL, 0, NULL));
    }
    return mez_ok();
}

static mez_error append(mez_readback *readback, mez_queue *queue, ze_command_list_handle_t list)
{
    mez_error error = reserve_records(readback);
    if (!mez_failed(error))
        error = append_copies(readback, queue && queue->list_count > 0, list);
    return mez_failed(error) ? mez_error_headline(error,
                                   "the records of failed asserts can't be copied to the host")
                             : error;
}

static mez_error look_at_record(const mez_failed_assert *failed)
{
    const int32_t flag = failed->record->flag;
    struct mez_asserts *asserts = failed->queue->platform->asserts;
    if (flag == MEZ_ASSERT_NONE)
        return mez_ok();
    if (flag != MEZ_ASSERT_FAILED) {
        mez_asserts_doubt(asserts, failed->module);
        return mez_ok();
    }
    if (!mez_asserts_take(asserts, failed->module, failed->record))
        return mez_ok();
    return report(failed);
}

// These are known to be of one task.
static void look_at_posts(
    mez_readback *readback, mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    mez_failed_assert failed;
    mez_posts posts = {
        .queue = queue, .readback = readback, .task = first_task, .last_task = last_task};
    while (mez_posts_next(&posts, &failed)) {
        const mez_error error = report(&failed);
        fail_task(&failed, error);
    }
    if (readback->mailbox)
        mez_mailbox_clear(readback->mailbox);
}

// Of several modules each is reported; the queue keeps the errors in this order.
static void look(mez_readback *readback, mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    if (readback->posts)
        look_at_posts(readback, queue, first_task, last_task);
    const mez_assert_record *records = readback->records;
    for (uint32_t i = 0; i < readback->modules.count; i++) {
        const mez_failed_assert failed = {
            .module = readback->modules.items[i],
            .queue = queue,
            .first_task = first_task,
            .last_task = last_task,
            .record = &records[i],
        };
        const mez_error error = look_at_record(&failed);
        if (mez_failed(error))
            fail_task(&failed, error);
    }
}

const mez_assert_functions mez_assert_hooks = {
    .hooks = {.append = append, .look = look, .look_beside = look_beside},
    .reported_by_driver = reported_by_driver,
    .settle = mez_asserts_settle,
    .finish = free_records,
};
