// SPDX-License-Identifier: MIT
//
// Fences.
#include "fence.h"

#include "check.h"
#include "loss.h"
#include "queue.h"

#include <stdlib.h>
#include <time.h>

ze_result_t zeFenceCreate(
    ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *fence)
{
    ZC_REQUIRE_HANDLE(queue);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(fence);
    ZC_REQUIRE_FLAGS(desc->flags, ZE_FENCE_FLAG_SIGNALED);
    ze_fence_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    if (desc->flags & ZE_FENCE_FLAG_SIGNALED)
        zc_event_finish(&new->event, true);
    *fence = new;
    return ZE_RESULT_SUCCESS;
}

// Waiters are notified of a lost device before the queue reaches the fence: its signal, which then says so, is the last that it has to do
// with the fence.
static void wait_for_signal(ze_fence_handle_t fence)
{
    const struct timespec pause = {.tv_nsec = 100000};
    while (zc_is_lost() && atomic_load(&fence->submitted) &&
           !zc_completion_is_over(&fence->event.completion))
        nanosleep(&pause, NULL);
}

ze_result_t zeFenceDestroy(ze_fence_handle_t fence)
{
    ZC_REQUIRE_HANDLE(fence);
    wait_for_signal(fence);
    zc_queues_settle();
    free(fence);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout)
{
    ZC_REQUIRE_HANDLE(fence);
    return zc_event_wait(&fence->event, timeout);
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t fence)
{
    ZC_REQUIRE_HANDLE(fence);
    return zeEventQueryStatus(&fence->event);
}

ze_result_t zeFenceReset(ze_fence_handle_t fence)
{
    ZC_REQUIRE_HANDLE(fence);
    atomic_store(&fence->submitted, false);
    return zeEventHostReset(&fence->event);
}
