// SPDX-License-Identifier: MIT
//
// Fences.
#include "fence.h"

#include "check.h"
#include "device.h"
#include "queue.h"

#include <stdlib.h>

ze_fence_handle_t zc_fence_ref(ze_fence_handle_t fence)
{
    atomic_fetch_add(&fence->references, 1);
    return fence;
}

void zc_fence_unref(ze_fence_handle_t fence)
{
    if (atomic_fetch_sub(&fence->references, 1) == 1)
        free(fence);
}

ze_result_t zeFenceCreate(
    ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *fence)
{
    ZC_REQUIRE_HANDLE(queue);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(fence);
    ZC_REQUIRE_FLAGS(desc->flags, ZE_FENCE_FLAG_SIGNALED);
    ze_fence_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    atomic_init(&new->references, 1);
    new->event.devices = zc_device_bit(queue->queue.runner.device);
    if (desc->flags & ZE_FENCE_FLAG_SIGNALED)
        zc_event_finish(&new->event, true);
    *fence = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceDestroy(ze_fence_handle_t fence)
{
    ZC_REQUIRE_HANDLE(fence);
    zc_fence_unref(fence);
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
    return zeEventHostReset(&fence->event);
}
