// SPDX-License-Identifier: MIT
// Command queues and fences.
#include "internal.h"

ze_result_t noop_zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *queue)
{
    NOOP_ENTER(zeCommandQueueCreate);
    (void)context, (void)device;
    noop_log_queue(desc);
    return NOOP_CREATE(NOOP_COMMAND_QUEUE, queue);
}

ze_result_t noop_zeCommandQueueDestroy(ze_command_queue_handle_t queue)
{
    return noop_object_end(queue, NOOP_COMMAND_QUEUE, noop_enter(NOOP_zeCommandQueueDestroy));
}

static bool all_closed(uint32_t count, ze_command_list_handle_t *lists)
{
    for (uint32_t i = 0; i < count; i++)
        if (lists[i]->immediate || !lists[i]->closed)
            return false;
    return true;
}

ze_result_t noop_zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
    ze_command_list_handle_t *lists, ze_fence_handle_t fence)
{
    NOOP_ENTER(zeCommandQueueExecuteCommandLists);
    if (!all_closed(count, lists))
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const uint64_t ticket = noop_ticket_draw();
    for (uint32_t i = 0; i < count; i++)
        noop_list_execute(lists[i], ticket);
    noop_ticket_set(&queue->ticket, ticket);
    if (fence != NULL)
        noop_ticket_set(&fence->ticket, ticket);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeCommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout)
{
    NOOP_ENTER(zeCommandQueueSynchronize);
    return noop_ticket_wait(&queue->ticket, timeout);
}

ze_result_t noop_zeFenceCreate(
    ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *fence)
{
    NOOP_ENTER(zeFenceCreate);
    (void)queue;
    const ze_result_t result = NOOP_CREATE(NOOP_FENCE, fence);
    if (result == ZE_RESULT_SUCCESS && !(desc->flags & ZE_FENCE_FLAG_SIGNALED))
        (*fence)->ticket = NOOP_TICKET_NEVER;
    return result;
}

ze_result_t noop_zeFenceDestroy(ze_fence_handle_t fence)
{
    return noop_object_end(fence, NOOP_FENCE, noop_enter(NOOP_zeFenceDestroy));
}

ze_result_t noop_zeFenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout)
{
    NOOP_ENTER(zeFenceHostSynchronize);
    return noop_ticket_wait(&fence->ticket, timeout);
}

ze_result_t noop_zeFenceQueryStatus(ze_fence_handle_t fence)
{
    return noop_answer(NOOP_zeFenceQueryStatus, noop_ticket_status(&fence->ticket));
}

ze_result_t noop_zeFenceReset(ze_fence_handle_t fence)
{
    NOOP_ENTER(zeFenceReset);
    noop_ticket_set(&fence->ticket, NOOP_TICKET_NEVER);
    return ZE_RESULT_SUCCESS;
}
