// SPDX-License-Identifier: MIT

#include "lists/crossing.h"

typedef struct crossing {
    mez_event *arrived[MEZ_CROSSED_LISTS]; // of the others, NULL for the first
    mez_event *joined;                     // the task's own, or one of ours; referenced
} crossing;

static void crossing_finish(crossing *crossing)
{
    for (uint32_t i = 0; i < MEZ_CROSSED_LISTS; i++)
        mez_event_unref(crossing->arrived[i]);
    mez_event_unref(crossing->joined);
}

static mez_error crossing_init(mez_queue *queue, const mez_task *task, crossing *crossing)
{
    mez_error error = mez_ok();
    if (task->event)
        mez_event_ref(crossing->joined = task->event);
    else
        error = mez_event_create(queue->platform, MEZ_EVENT_DEVICE, &crossing->joined);
    for (uint32_t i = 1; i < MEZ_CROSSED_LISTS && !mez_failed(error); i++)
        error = mez_event_create(queue->platform, MEZ_EVENT_DEVICE, &crossing->arrived[i]);
    if (mez_failed(error))
        crossing_finish(crossing);
    return error;
}

static mez_error append(
    const ze_command_list_handle_t *lists, const mez_task *task, const crossing *crossing)
{
    ze_event_handle_t joined = crossing->joined->ze, arrived[MEZ_CROSSED_LISTS];
    for (uint32_t i = 1; i < MEZ_CROSSED_LISTS; i++) {
        arrived[i] = crossing->arrived[i]->ze;
        MEZ_TRY(ZE(zeCommandListAppendBarrier, lists[i], arrived[i], 0, NULL));
    }
    if (task->wait_count > 0)
        MEZ_TRY(ZE(zeCommandListAppendBarrier, lists[0], NULL, task->wait_count, task->ze_wait));
    MEZ_TRY(ZE(zeCommandListAppendBarrier, lists[0], joined, MEZ_CROSSED_LISTS - 1, &arrived[1]));
    for (uint32_t i = 1; i < MEZ_CROSSED_LISTS; i++)
        MEZ_TRY(ZE(zeCommandListAppendBarrier, lists[i], NULL, 1, &joined));
    return mez_ok();
}

// When the event that the others wait for is seen to have happened they may not have been there yet. It is used again when they have
// come to the next barrier; so has the one before this.
static void keep_joined(mez_queue *queue, uint64_t number, mez_event *joined, mez_event **last)
{
    if (*last) {
        mez_task_references_add_waited(&queue->references, number, last, 1);
        mez_event_unref(*last);
    }
    mez_event_ref(*last = joined);
}

// What was appended before a failure is in flight: the events stay until it has ended, as those of a task.
mez_error mez_crossing_append(
    mez_queue *queue, const mez_task *task, const ze_command_list_handle_t *lists, mez_event **last)
{
    crossing crossing = {.joined = NULL};
    MEZ_TRY(
        mez_task_references_reserve(&queue->references, task->wait_count + 1 + MEZ_CROSSED_LISTS));
    MEZ_TRY(crossing_init(queue, task, &crossing));
    const mez_error error = append(lists, task, &crossing);
    const uint64_t number = mez_queue_count_task(queue);
    mez_task_references_add_waited(
        &queue->references, number, &crossing.arrived[1], MEZ_CROSSED_LISTS - 1);
    keep_joined(queue, number, crossing.joined, last);
    crossing_finish(&crossing);
    return error;
}
