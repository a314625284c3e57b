// SPDX-License-Identifier: MIT

#include "queue/batch.h"

#include "base/alloc.h"

mez_error mez_batch_create(mez_queue *queue, ze_command_queue_handle_t ze, mez_batch **created)
{
    const ze_command_list_desc_t list = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
        .commandQueueGroupOrdinal = queue->device->compute_ordinal,
    };
    const ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    mez_batch *batch = mez_new(mez_batch);
    if (!batch)
        return mez_error_no_memory("a batch of tasks");
    batch->ref = 1;
    batch->probe.platform = queue->platform;
    mez_platform_count(queue->platform, MEZ_OBJECT_COMMAND_LIST);
    mez_error error =
        ZE(zeCommandListCreate, queue->platform->ze, queue->device->ze, &list, &batch->list);
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
    mez_platform_uncount(batch->probe.platform, MEZ_OBJECT_COMMAND_LIST);
    mez_probe_finish(&batch->probe);
    if (batch->fence)
        ZE_LOGGED(zeFenceDestroy, batch->fence);
    if (batch->list)
        ZE_LOGGED(zeCommandListDestroy, batch->list);
    mez_free_memory(batch);
}

mez_error mez_batch_reuse(mez_batch *batch)
{
    MEZ_TRY(ZE(zeCommandListReset, batch->list));
    MEZ_TRY(ZE(zeFenceReset, batch->fence));
    batch->ref = 1;
    batch->task_count = 0;
    batch->retired = false;
    batch->filled_by_user = false;
    batch->executed = false;
    batch->probe.module_count = 0;
    return mez_ok();
}
