// SPDX-License-Identifier: MIT
//
// What events and their pools were created with, and when a command ran on the host's clock.
#include "event.h"
#include "query.h"

#include <ze_newer.h>

#define POOL(name, entry, type, value) \
    ZC_QUERY(name, entry, ze_event_pool_handle_t, pool, true, type, value)

POOL(zc_event_pool_get_context, zeEventPoolGetContextHandle, ze_context_handle_t, pool->context);
POOL(zc_event_pool_get_flags, zeEventPoolGetFlags, ze_event_pool_flags_t, pool->flags);

#define EVENT(name, entry, condition, type, value) \
    ZC_QUERY(name, entry, ze_event_handle_t, event, condition, type, value)

EVENT(zc_event_get_pool, zeEventGetEventPool, !event->standalone, ze_event_pool_handle_t,
    zc_event_pool_of(event));
EVENT(zc_event_get_signal_scope, zeEventGetSignalScope, true, ze_event_scope_flags_t,
    event->signal_scope);
EVENT(
    zc_event_get_wait_scope, zeEventGetWaitScope, true, ze_event_scope_flags_t, event->wait_scope);
EVENT(zc_event_get_counter_flags, zeEventGetCounterBasedFlags, event->standalone, uint32_t,
    event->counter_flags);

ze_result_t zc_event_query_timestamps(ze_event_handle_t event, ze_device_handle_t device,
    uint32_t *count, ze_newer_event_query_kernel_timestamps_results_ext_properties_t *results)
    ZC_ENTRY_POINT(zeEventQueryKernelTimestampsExt);

// The device's clock is the host's, and counts nanoseconds.
static ze_newer_synchronized_timestamp_result_ext_t synchronize(
    const ze_kernel_timestamp_result_t *times)
{
    return (ze_newer_synchronized_timestamp_result_ext_t){
        .global = {times->global.kernelStart, times->global.kernelEnd},
        .context = {times->context.kernelStart, times->context.kernelEnd},
    };
}

ze_result_t zc_event_query_timestamps(ze_event_handle_t event, ze_device_handle_t device,
    uint32_t *count, ze_newer_event_query_kernel_timestamps_results_ext_properties_t *results)
{
    ze_kernel_timestamp_result_t times;
    ZC_REQUIRE_NEWER();
    const bool wants_results = count && *count > 0;
    const ze_result_t result = zeEventQueryTimestampsExp(event, device, count, &times);
    if (result || !wants_results || !results)
        return result;
    if (results->pKernelTimestampsBuffer)
        *results->pKernelTimestampsBuffer = times;
    if (results->pSynchronizedTimestampsBuffer)
        *results->pSynchronizedTimestampsBuffer = synchronize(&times);
    return ZE_RESULT_SUCCESS;
}
