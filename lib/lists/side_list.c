// SPDX-License-Identifier: MIT

#include "lists/side_list.h"

#include "queue/stall.h"

static mez_error create_queue(mez_queue *queue, mez_side_lists *side_lists)
{
    const ze_command_queue_desc_t description = mez_queue_description(queue);
    if (side_lists->ze)
        return mez_ok();
    return ZE(zeCommandQueueCreate, queue->platform->ze, queue->device->ze, &description,
        &side_lists->ze);
}

static void destroy(mez_batch *batch)
{
    mez_event_unref(batch->gate);
    mez_event_unref(batch->done);
    mez_batch_destroy(batch);
}

static mez_error create(mez_queue *queue, mez_side_lists *side_lists, mez_batch **created)
{
    mez_batch *batch;
    MEZ_TRY(create_queue(queue, side_lists));
    MEZ_TRY(mez_batch_create(queue, side_lists->ze, &batch));
    mez_error error = mez_event_create(queue->platform, MEZ_EVENT_DEVICE, &batch->gate);
    if (!mez_failed(error))
        error = mez_event_create(queue->platform, MEZ_EVENT_DEVICE, &batch->done);
    if (mez_failed(error))
        destroy(batch);
    else
        *created = batch;
    return error;
}

// Its number says that the immediate list is past it, the fence that it has run itself.
static bool is_over(const mez_queue *queue, const mez_batch *batch)
{
    if (batch->last_task > queue->completed)
        return false;
    return !batch->executed ||
           ZE_RESULT(zeFenceHostSynchronize, batch->fence, 0) == ZE_RESULT_SUCCESS;
}

static mez_error reuse(mez_batch *batch)
{
    MEZ_TRY(mez_batch_reuse(batch));
    MEZ_TRY(ZE(zeEventHostReset, batch->gate->ze));
    return ZE(zeEventHostReset, batch->done->ze);
}

static mez_error take_old_or_new(mez_queue *queue, mez_side_lists *side_lists, mez_batch **taken)
{
    mez_batch *batch = side_lists->first;
    if (!batch || !is_over(queue, batch))
        return create(queue, side_lists, taken);
    MEZ_TRY(reuse(batch));
    mez_fifo_pop(&side_lists->first, &side_lists->last, *taken, next);
    return mez_ok();
}

mez_error mez_side_lists_take(mez_queue *queue, mez_side_lists *side_lists, mez_batch **batch)
{
    MEZ_TRY(take_old_or_new(queue, side_lists, batch));
    const mez_error error =
        ZE(zeCommandListAppendBarrier, (*batch)->list, NULL, 1, &(*batch)->gate->ze);
    if (mez_failed(error))
        mez_side_lists_give(side_lists, *batch);
    return error;
}

void mez_side_lists_give(mez_side_lists *side_lists, mez_batch *batch)
{
    mez_fifo_append(&side_lists->first, &side_lists->last, batch, next);
}

static mez_error execute(mez_side_lists *side_lists, ze_command_list_handle_t immediate,
    mez_batch *batch, ze_event_handle_t signal)
{
    MEZ_TRY(mez_batch_execute(batch, side_lists->ze));
    batch->executed = true;
    return ZE(zeCommandListAppendBarrier, immediate, signal, 1, &batch->done->ze);
}

// A task, even where it fails, as the immediate list waits for it. Counted when all of it is appended: who waits reads the count without
// the lock, and takes for ended what the immediate list has reached.
static mez_error execute_counted(mez_queue *queue, mez_side_lists *side_lists,
    ze_command_list_handle_t immediate, mez_batch *batch, ze_event_handle_t signal)
{
    batch->last_task = mez_queue_last_task(queue) + 1;
    mez_side_lists_give(side_lists, batch);
    const mez_error error = execute(side_lists, immediate, batch, signal);
    mez_queue_count_task(queue);
    return error;
}

mez_error mez_side_lists_run(mez_queue *queue, mez_side_lists *side_lists,
    ze_command_list_handle_t immediate, mez_batch *batch, ze_event_handle_t signal, bool *taken)
{
    MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, batch->done->ze, 0, NULL));
    MEZ_TRY(mez_batch_close(batch));
    MEZ_TRY(ZE(zeCommandListAppendBarrier, immediate, batch->gate->ze, 0, NULL));
    // The gate will open, whatever becomes of the rest: from here on the list is used again only behind this task.
    *taken = true;
    return execute_counted(queue, side_lists, immediate, batch, signal);
}

static mez_error open_gate(
    ze_command_list_handle_t immediate, const mez_batch *batch, const mez_task *task)
{
    if (task->wait_count > 0) // a barrier with events waits for nothing else
        MEZ_TRY(ZE(zeCommandListAppendBarrier, immediate, NULL, 0, NULL));
    return ZE(
        zeCommandListAppendBarrier, immediate, batch->gate->ze, task->wait_count, task->ze_wait);
}

mez_error mez_side_lists_replay(mez_queue *queue, mez_side_lists *side_lists,
    ze_command_list_handle_t immediate, const mez_task *task)
{
    mez_batch *batch;
    MEZ_TRY(take_old_or_new(queue, side_lists, &batch));
    mez_error error = mez_batch_set_replay(
        queue, batch, task->command->replay, 1, &batch->gate->ze, batch->done->ze);
    if (!mez_failed(error))
        error = open_gate(immediate, batch, task);
    if (mez_failed(error)) {
        mez_side_lists_give(side_lists, batch);
        return error;
    }
    return execute_counted(
        queue, side_lists, immediate, batch, task->event ? task->event->ze : NULL);
}

void mez_side_lists_finish(mez_queue *queue, mez_side_lists *side_lists)
{
    while (side_lists->first) {
        mez_batch *batch = side_lists->first;
        side_lists->first = batch->next;
        if (batch->executed) // mostly over; a lost device says so
            mez_log_error(
                MEZ_TOPIC_QUEUE, mez_wait_fence(batch->fence, MEZ_NEVER, &mez_queue_guard, queue));
        destroy(batch);
    }
    if (side_lists->ze)
        ZE_LOGGED(zeCommandQueueDestroy, side_lists->ze);
    *side_lists = (mez_side_lists){0};
}
