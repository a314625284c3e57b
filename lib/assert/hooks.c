// SPDX-License-Identifier: MIT

#include "assert/assert.h"

#include "assert/asserts.h"
#include "assert/report.h"
#include "assert/hang.h"
#include "assert/record.h"
#include "queue/traced.h"

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
        error = append_copies(readback, queue && queue->lists, list);
    return mez_failed(error) ? mez_error_headline(error,
                                   "the records of failed asserts can't be copied to the host")
                             : error;
}

// The events of the tasks whose failure it may be keep it; everybody else's have happened well.
static void fail_events(const mez_failed_assert *failed, mez_error error)
{
    for (uint64_t task = failed->first_task; task <= failed->last_task; task++)
        if (mez_assert_may_be_of(failed, task))
            mez_task_references_lose(&failed->queue->references, task, task, error);
}

__attribute__((cold)) static void notify_tools(const mez_failed_assert *failed)
{
    for (uint64_t task = failed->first_task; task <= failed->last_task; task++)
        if (mez_assert_may_be_of(failed, task))
            mez_traced_fail(failed->queue, task);
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
    if (MEZ_TRACED(failed->queue->traced))
        notify_tools(failed);
    return mez_assert_deliver(failed);
}

// Of several modules each is reported; the queue keeps the errors in this order.
static void look(mez_readback *readback, mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
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
        if (!mez_failed(error))
            continue;
        mez_queue_keep_error(queue, error);
        fail_events(&failed, error);
    }
}

const mez_assert_functions mez_assert_hooks = {
    .hooks = {.append = append, .look = look, .look_beside = mez_assert_look_beside},
    .reported_by_driver = mez_assert_reported_by_driver,
    .settle = mez_asserts_settle,
    .finish = free_records,
};
