// SPDX-License-Identifier: MIT
// Event pools and events.
#include "internal.h"

ze_result_t noop_zeEventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_event_pool_handle_t *pool)
{
    NOOP_ENTER(zeEventPoolCreate);
    (void)context, (void)device_count, (void)devices;
    const ze_result_t result = NOOP_CREATE(NOOP_EVENT_POOL, pool);
    if (result == ZE_RESULT_SUCCESS) {
        (*pool)->size = desc->count;
        (*pool)->counter_based =
            desc->pNext != NULL && noop_lists(ZE_NEWER_EVENT_POOL_COUNTER_BASED_EXP_NAME);
        (*pool)->flags = desc->flags;
    }
    return result;
}

ze_result_t noop_zeEventPoolDestroy(ze_event_pool_handle_t pool)
{
    return noop_object_end(pool, NOOP_EVENT_POOL, noop_enter(NOOP_zeEventPoolDestroy));
}

static ze_result_t create_event(bool counter_based, ze_event_handle_t *event)
{
    const ze_result_t result = NOOP_CREATE(NOOP_EVENT, event);
    if (result == ZE_RESULT_SUCCESS) {
        (*event)->ticket = counter_based ? NOOP_TICKET_DONE : NOOP_TICKET_NEVER;
        (*event)->counter_based = counter_based;
    }
    return result;
}

ze_result_t noop_zeEventCreate(
    ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event)
{
    NOOP_ENTER(zeEventCreate);
    if (desc->index >= pool->size)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    const ze_result_t result = create_event(pool->counter_based, event);
    if (result == ZE_RESULT_SUCCESS)
        (*event)->flags = pool->flags;
    return result;
}

static ze_result_t create_single(ze_device_handle_t device, ze_event_handle_t *event)
{
    const ze_result_t result = create_event(true, event);
    if (result == ZE_RESULT_SUCCESS)
        (*event)->device = device;
    return result;
}

// Specification 1.15.
ze_result_t noop_zeEventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
    const void *desc, ze_event_handle_t *event)
{
    NOOP_ENTER(zeEventCounterBasedCreate);
    (void)context, (void)desc;
    return create_single(device, event);
}

ze_result_t noop_zexCounterBasedEventCreate2(ze_context_handle_t context, ze_device_handle_t device,
    const ze_newer_event_counter_based_desc_t *desc, ze_event_handle_t *event)
{
    NOOP_ENTER(zexCounterBasedEventCreate2);
    (void)context;
    if (desc == NULL || desc->stype != ZE_NEWER_INTEL_STRUCTURE_TYPE_COUNTER_BASED_EVENT_DESC)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return create_single(device, event);
}

ze_result_t noop_zeEventDestroy(ze_event_handle_t event)
{
    return noop_object_end(event, NOOP_EVENT, noop_enter(NOOP_zeEventDestroy));
}

ze_result_t noop_zeEventHostSignal(ze_event_handle_t event)
{
    NOOP_ENTER(zeEventHostSignal);
    if (event->counter_based)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    noop_ticket_set(&event->ticket, NOOP_TICKET_DONE);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeEventHostReset(ze_event_handle_t event)
{
    NOOP_ENTER(zeEventHostReset);
    if (event->counter_based)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    noop_ticket_set(&event->ticket, NOOP_TICKET_NEVER);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout)
{
    NOOP_ENTER(zeEventHostSynchronize);
    return noop_ticket_wait(&event->ticket, timeout);
}

ze_result_t noop_zeEventQueryStatus(ze_event_handle_t event)
{
    return noop_answer(NOOP_zeEventQueryStatus, noop_ticket_status(&event->ticket));
}

// Every kernel began at 1 and ended at 2.
ze_result_t noop_zeEventQueryKernelTimestamp(
    ze_event_handle_t event, ze_kernel_timestamp_result_t *result)
{
    NOOP_ENTER(zeEventQueryKernelTimestamp);
    const ze_kernel_timestamp_data_t times = {.kernelStart = UINT32_MAX, .kernelEnd = 2};
    const ze_result_t status = noop_ticket_status(&event->ticket);
    if (status == ZE_RESULT_SUCCESS)
        *result = (ze_kernel_timestamp_result_t){.global = times, .context = times};
    return status;
}
