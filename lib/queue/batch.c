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
    batch->queue = queue;
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
    if (batch->records)
        batch->queue->platform->batch_hooks->freeing(batch);
    if (batch->fence)
        ZE_LOGGED(zeFenceDestroy, batch->fence);
    if (batch->list)
        ZE_LOGGED(zeCommandListDestroy, batch->list);
    mez_platform_uncount(batch->queue->platform, MEZ_OBJECT_COMMAND_LIST);
    mez_free_memory(batch->kernels.items);
    mez_free_memory(batch->events.items);
    mez_free_memory(batch->waits.items);
    mez_free_memory(batch->modules.items);
    mez_free_memory(batch);
}

static mez_error reserve(mez_batch_list *list, uint32_t more)
{
    if (list->count + more <= list->capacity)
        return mez_ok();
    const uint32_t capacity = (list->count + more) * 2;
    void **items = mez_realloc_array(list->items, capacity, sizeof *items);
    if (!items)
        return mez_error_no_memory("the tasks of a batch");
    list->items = items;
    list->capacity = capacity;
    return mez_ok();
}

mez_error mez_batch_reserve(mez_batch *batch, uint32_t wait_count)
{
    MEZ_TRY(reserve(&batch->kernels, 1));
    MEZ_TRY(reserve(&batch->events, 1));
    MEZ_TRY(reserve(&batch->modules, 1));
    return reserve(&batch->waits, wait_count);
}

static void add(mez_batch_list *list, void *item)
{
    list->items[list->count++] = item;
}

static void add_once(mez_batch_list *list, void *item)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return;
    add(list, item);
}

static void note_kernel(mez_batch *batch, mez_kernel *kernel)
{
    mez_kernel_ref(kernel);
    add(&batch->kernels, kernel);
    mez_module *module = mez_kernel_asserting_module(kernel, batch->queue->device);
    if (module)
        add_once(&batch->modules, module);
}

void mez_batch_note(mez_batch *batch, const mez_task *task, uint64_t number)
{
    if (batch->task_count++ == 0)
        batch->first_task = number;
    batch->last_task = number;
    if (task->command->kind == MEZ_COMMAND_KERNEL)
        note_kernel(batch, task->command->launch.kernel);
    if (task->event) {
        mez_event_ref(task->event);
        add(&batch->events, task->event);
    }
    for (uint32_t i = 0; i < task->wait_count; i++) {
        mez_event_ref(task->wait[i]);
        add(&batch->waits, task->wait[i]);
    }
}

static void complete_events(mez_batch *batch, mez_error outcome)
{
    for (uint32_t i = 0; i < batch->events.count; i++) {
        mez_event *event = batch->events.items[i];
        event->outcome = mez_error_retain(outcome);
        atomic_store_explicit(&event->complete, true, memory_order_release);
        mez_event_unref(event);
    }
    batch->events.count = 0;
}

void mez_batch_let_go(mez_batch *batch, mez_error outcome)
{
    complete_events(batch, outcome);
    for (uint32_t i = 0; i < batch->waits.count; i++)
        mez_event_unref(batch->waits.items[i]);
    for (uint32_t i = 0; i < batch->kernels.count; i++)
        mez_kernel_unref(batch->kernels.items[i]);
    batch->waits.count = 0;
    batch->kernels.count = 0;
    batch->modules.count = 0;
    batch->task_count = 0;
}
