// SPDX-License-Identifier: MIT
//
// Events: signalled by commands or by the host, waited for by either.
#include "event.h"

#include "assert.h"
#include "check.h"
#include "context.h"
#include "loss.h"
#include "lost_queues.h"
#include "shared_use.h"

#include <stdlib.h>
#include <unistd.h>
#include <ze_newer.h>

void zc_event_begin(ze_event_handle_t event)
{
    if (event->timestamps)
        atomic_store_explicit(&event->start, zc_now(), memory_order_relaxed);
}

void zc_event_finish(ze_event_handle_t event, bool ok)
{
    if (event->timestamps)
        atomic_store_explicit(&event->end, zc_now(), memory_order_relaxed);
    zc_completion_finish(&event->completion, ok);
}

void zc_event_reset(ze_event_handle_t event)
{
    atomic_store(&event->assert_news, false);
    zc_completion_reset(&event->completion);
}

static ze_kernel_timestamp_result_t read_timestamps(const struct _ze_event_handle_t *event)
{
    const ze_kernel_timestamp_data_t data = {
        .kernelStart = atomic_load_explicit(&event->start, memory_order_relaxed),
        .kernelEnd = atomic_load_explicit(&event->end, memory_order_relaxed),
    };
    return (ze_kernel_timestamp_result_t){.global = data, .context = data};
}

// One device, one clock: time on the device and time within the context are the same.
ze_kernel_timestamp_result_t zc_event_timestamps(ze_event_handle_t event)
{
    if (!event->counter_based)
        return read_timestamps(event);
    ze_event_handle_t ticket = zc_ticket_hold(event);
    const ze_kernel_timestamp_result_t result =
        ticket ? read_timestamps(ticket) : (ze_kernel_timestamp_result_t){0};
    zc_ticket_release(ticket);
    return result;
}

static ze_result_t check_pool_flags(const ze_event_pool_desc_t *desc)
{
    const uint32_t newer = zc_settings.newer ? ZE_NEWER_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP : 0;
    ZC_REQUIRE_FLAGS(desc->flags, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC |
                                      ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | newer);
    return ZE_RESULT_SUCCESS;
}

// As Intel's 22.43 the default mode does not see the extension.
static bool wants_counter_based(const ze_event_pool_desc_t *desc)
{
    return zc_settings.newer &&
           zc_find_next(desc->pNext, ZE_NEWER_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
}

// A counter-based event stands for commands of this process, and is not shared.
static bool make_events(ze_event_pool_handle_t pool, ze_event_pool_flags_t flags)
{
    if ((flags & ZE_EVENT_POOL_FLAG_IPC) && !pool->counter_based)
        return zc_event_pool_share(pool);
    pool->events = calloc(pool->count, sizeof *pool->events);
    return pool->events != NULL;
}

ze_result_t zeEventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_event_pool_handle_t *pool)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(pool);
    const ze_result_t checked = check_pool_flags(desc);
    ZC_PASS(checked);
    ZC_REQUIRE(desc->count, ZE_RESULT_ERROR_INVALID_SIZE);
    ZC_REQUIRE(devices || !device_count, ZE_RESULT_ERROR_INVALID_SIZE);
    for (uint32_t i = 0; i < device_count; i++)
        ZC_REQUIRE_HANDLE(devices[i]);
    ze_event_pool_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->context = context;
    new->flags = desc->flags;
    new->count = desc->count;
    new->fd = -1;
    new->devices = zc_context_devices(context, device_count, devices);
    new->timestamps = desc->flags &(
        ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_NEWER_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
    new->counter_based = wants_counter_based(desc);
    if (!make_events(new, desc->flags)) {
        free(new);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    zc_event_pool_add(new);
    *pool = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t pool)
{
    ZC_REQUIRE_HANDLE(pool);
    zc_queues_settle();
    zc_event_pool_remove(pool);
    zc_event_pool_finish(pool);
    free(pool);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventCreate(
    ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event)
{
    const uint32_t scopes =
        ZE_EVENT_SCOPE_FLAG_SUBDEVICE | ZE_EVENT_SCOPE_FLAG_DEVICE | ZE_EVENT_SCOPE_FLAG_HOST;
    ZC_REQUIRE_HANDLE(pool);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(event);
    ZC_REQUIRE_FLAGS(desc->signal, scopes);
    ZC_REQUIRE_FLAGS(desc->wait, scopes);
    ZC_REQUIRE(desc->index < pool->count, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ze_event_handle_t new = &pool->events[desc->index];
    if (!pool->imported) // its owner may have signalled it
        zc_event_reset(new);
    if (!new->shared)
        new->devices = pool->devices;
    new->timestamps = pool->timestamps;
    new->counter_based = pool->counter_based;
    new->signal_scope = desc->signal;
    new->wait_scope = desc->wait;
    *event = new;
    return ZE_RESULT_SUCCESS;
}

// The pool owns the memory of its events.
ze_result_t zeEventDestroy(ze_event_handle_t event)
{
    ZC_REQUIRE_HANDLE(event);
    zc_ticket_release(event->latest);
    event->latest = NULL;
    if (event->standalone) {
        zc_queues_settle();
        free(event);
    }
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSignal(ze_event_handle_t event)
{
    ZC_REQUIRE_HANDLE(event);
    ZC_REQUIRE(!event->counter_based, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    zc_event_begin(event);
    zc_event_finish(event, true);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostReset(ze_event_handle_t event)
{
    ZC_REQUIRE_HANDLE(event);
    ZC_REQUIRE(!event->counter_based, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    zc_event_reset(event);
    return ZE_RESULT_SUCCESS;
}

void zc_event_fail(ze_event_handle_t event, unsigned loss)
{
    atomic_store(&event->loss, loss);
    if (event->shared)
        atomic_store(&event->failed_in, (int)getpid());
    zc_event_finish(event, false);
}

unsigned zc_event_loss(const struct _ze_event_handle_t *event)
{
    const bool is_known = !event->shared || atomic_load(&event->failed_in) == (int)getpid();
    return is_known ? atomic_load(&event->loss) : 0;
}

static ze_result_t explain(ze_event_handle_t event, ze_result_t result)
{
    const bool failed = zc_completion_is_over(&event->completion);
    if (result == ZE_RESULT_SUCCESS)
        zc_shared_use_observe();
    return zc_loss_explain(result, failed ? zc_event_loss(event) : 0);
}

static struct zc_wait_devices who_waits(const struct _ze_event_handle_t *event)
{
    return (struct zc_wait_devices){ZC_ALL_DEVICES, zc_event_devices(event)};
}

static ze_result_t get_status(ze_event_handle_t event)
{
    return explain(event, zc_completion_status(&event->completion, who_waits(event)));
}

ze_result_t zc_event_wait(ze_event_handle_t event, uint64_t timeout)
{
    const ze_result_t result = zc_completion_wait(&event->completion, who_waits(event), timeout);
    return zc_assert_report(explain(event, result), &event->assert_news);
}

// A counter-based event that no command was given yet counts as signalled.
static ze_result_t wait_for_latest(ze_event_handle_t event, uint64_t timeout)
{
    ze_event_handle_t ticket = zc_ticket_hold(event);
    const ze_result_t result = ticket ? zc_event_wait(ticket, timeout) : ZE_RESULT_SUCCESS;
    zc_ticket_release(ticket);
    return result;
}

static ze_result_t latest_status(ze_event_handle_t event)
{
    ze_event_handle_t ticket = zc_ticket_hold(event);
    const ze_result_t result = ticket ? get_status(ticket) : ZE_RESULT_SUCCESS;
    zc_ticket_release(ticket);
    return result;
}

ze_result_t zeEventQueryStatus(ze_event_handle_t event)
{
    ZC_REQUIRE_HANDLE(event);
    return event->counter_based ? latest_status(event) : get_status(event);
}

// Intel's driver aborts here whatever event it is, and whether it is signalled or not.
ze_result_t zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout)
{
    ZC_REQUIRE_HANDLE(event);
    const ze_result_t result =
        event->counter_based ? wait_for_latest(event, timeout) : zc_event_wait(event, timeout);
    zc_assert_abort_on_any();
    return result;
}

// Without the flag of its pool an event has times of zero: Intel's driver, too, succeeds and knows none.
ze_result_t zeEventQueryKernelTimestamp(
    ze_event_handle_t event, ze_kernel_timestamp_result_t *timestamps)
{
    ZC_REQUIRE_HANDLE(event);
    ZC_REQUIRE_POINTER(timestamps);
    ZC_REQUIRE(event->timestamps || !zc_settings.strict, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t status = zeEventQueryStatus(event);
    if (status == ZE_RESULT_SUCCESS)
        *timestamps = zc_event_timestamps(event);
    return status;
}

// A command runs on one device, or on one part of it.
ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t event, ze_device_handle_t device,
    uint32_t *count, ze_kernel_timestamp_result_t *timestamps)
{
    ZC_REQUIRE_HANDLE(event);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, 1) || !timestamps)
        return ZE_RESULT_SUCCESS;
    return zeEventQueryKernelTimestamp(event, timestamps);
}
