// SPDX-License-Identifier: MIT

#include "lists/batch.h"

#include "base/alloc.h"

static mez_error create_list(mez_queue *queue, ze_command_list_handle_t *list)
{
    const ze_command_list_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
        .commandQueueGroupOrdinal = queue->engine->ordinal,
    };
    return ZE(zeCommandListCreate, queue->platform->ze, queue->device->ze, &description, list);
}

mez_error mez_batch_create(mez_queue *queue, ze_command_queue_handle_t ze, mez_batch **created)
{
    const ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    mez_batch *batch = mez_new(mez_batch);
    if (!batch)
        return mez_error_no_memory("a batch of tasks");
    batch->ref = 1;
    batch->readback.platform = queue->platform;
    mez_platform_count(queue->platform, MEZ_OBJECT_COMMAND_LIST);
    mez_error error = create_list(queue, &batch->list);
    if (!mez_failed(error))
        error = ZE(zeFenceCreate, ze, &fence, &batch->fence);
    if (mez_failed(error))
        mez_batch_destroy(batch);
    else
        *created = batch;
    return error;
}

void mez_batch_destroy(mez_batch *batch)
{
    mez_platform_uncount(batch->readback.platform, MEZ_OBJECT_COMMAND_LIST);
    mez_readback_finish(&batch->readback);
    if (batch->fence)
        ZE_LOGGED(zeFenceDestroy, batch->fence);
    if (batch->list)
        ZE_LOGGED(zeCommandListDestroy, batch->list);
    if (batch->tail)
        ZE_LOGGED(zeCommandListDestroy, batch->tail);
    mez_free_memory(batch);
}

mez_error mez_batch_reuse(mez_batch *batch)
{
    mez_repeat_restart(&batch->repeat);
    MEZ_TRY(ZE(zeCommandListReset, batch->list));
    MEZ_TRY(ZE(zeFenceReset, batch->fence));
    mez_batch_rewind(batch);
    return mez_ok();
}

static mez_error append_waits(mez_batch *batch, uint32_t count, ze_event_handle_t *wait)
{
    MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, NULL, count, wait));
    return ZE(zeCommandListClose, batch->list);
}

static mez_error append_signal(mez_queue *queue, mez_batch *batch, ze_event_handle_t event)
{
    if (batch->tail)
        MEZ_TRY(ZE(zeCommandListReset, batch->tail));
    else
        MEZ_TRY(create_list(queue, &batch->tail));
    MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->tail, event, 0, NULL));
    return ZE(zeCommandListClose, batch->tail);
}

mez_error mez_batch_set_replay(mez_queue *queue, mez_batch *batch, mez_encoding *encoding,
    uint32_t wait_count, ze_event_handle_t *wait, ze_event_handle_t signal)
{
    batch->waits = wait_count > 0;
    batch->signals = signal != NULL;
    if (batch->waits)
        MEZ_TRY(append_waits(batch, wait_count, wait));
    if (batch->signals)
        MEZ_TRY(append_signal(queue, batch, signal));
    batch->replay = encoding;
    return mez_ok();
}

mez_error mez_batch_close(mez_batch *batch)
{
    return batch->replay ? mez_ok() : ZE(zeCommandListClose, batch->list);
}

// Driver 22.43 hangs on discrete devices when two threads submit at the same time and use shared memory: each gets a lock that
// the other wants. So on drivers of its time only one does, in the whole process, as they share what the locks are for.
static mez_error execute_in_turn(
    mez_batch *batch, ze_command_queue_handle_t ze, uint32_t count, ze_command_list_handle_t *lists)
{
    static mez_lock turn;
    const mez_caps *caps = &batch->readback.platform->caps;
    if (caps->in_order_lists)
        return ZE(zeCommandQueueExecuteCommandLists, ze, count, lists, batch->fence);
    mez_lock_take(&turn);
    const mez_error error = ZE(zeCommandQueueExecuteCommandLists, ze, count, lists, batch->fence);
    mez_lock_release(&turn);
    return error;
}

__attribute__((noinline)) static mez_error execute_replay(
    mez_batch *batch, ze_command_queue_handle_t ze)
{
    ze_command_list_handle_t lists[3];
    uint32_t count = 0;
    if (batch->waits)
        lists[count++] = batch->list;
    lists[count++] = batch->replay->list;
    if (batch->signals)
        lists[count++] = batch->tail;
    return execute_in_turn(batch, ze, count, lists);
}

mez_error mez_batch_execute(mez_batch *batch, ze_command_queue_handle_t ze)
{
    if (batch->waits || batch->signals)
        return execute_replay(batch, ze);
    return execute_in_turn(batch, ze, 1, batch->replay ? &batch->replay->list : &batch->list);
}
