// SPDX-License-Identifier: MIT

#include "context/context.h"

#include <stddef.h>

#include <mezzanine/driver.h>

#include "assert/asserts.h"
#include "base/alloc.h"
#include "base/process.h"
#include "base/version.h"
#include "cache/cache.h"
#include "completion/completion.h"
#include "device/platform.h"
#include "event/pool.h"
#include "lists/store.h"
#include "memory/memory.h"
#include "image/asserts.h"
#include "queue/stall.h"
#include "submit/ranges.h"
#include "trace/trace.h"
#include "traced_calls.h"

_Static_assert(offsetof(struct mez_context, platform) == 0, "mez_platform_of relies on it");

// With the last reference: nothing of the user's is left but memory.
static void context_free(mez_platform *platform)
{
    mez_context *context = (mez_context *)platform;
    mez_completion_destroy(platform->completion);
    mez_asserts_destroy(platform->asserts);
    mez_assert_needs_destroy(platform->assert_needs);
    mez_memory_destroy(platform);
    mez_event_slabs_destroy(platform);
    mez_list_store_destroy(platform);
    if (platform->ze && !platform->borrows_ze)
        ZE_LOGGED(zeContextDestroy, platform->ze);
    mez_devices_forget_details(platform);
    mez_free_memory(platform->devices);
    mez_caps_finish(&platform->caps);
    mez_cache_close(&platform->cache);
    mez_kernel_uses_finish(&context->kernel_uses);
    mez_platform_finish(platform);
    mez_free_memory(context->name);
    mez_free_memory(context);
}

static mez_error create_ze_context(mez_platform *platform)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    return ZE(zeContextCreate, platform->driver, &description, &platform->ze);
}

static mez_error open_ours(mez_platform *platform, const void *how)
{
    const mez_context_params *params = how;
    MEZ_TRY(mez_select_devices(platform, params->device));
    return create_ze_context(platform);
}

static mez_error context_init(mez_context *context, const mez_context_params *params,
    mez_context_source *source, const void *how)
{
    mez_platform *platform = &context->platform;
    uint64_t check_limit;
    context->name = mez_copy_string(params->debug_name ? params->debug_name : "context");
    platform->list_store = mez_list_store_create();
    platform->completion = mez_completion_create();
    platform->assert_functions = &mez_assert_hooks;
    platform->asserts = mez_asserts_create();
    platform->large_buffers = params->large_buffers;
    context->queues.on_error = params->on_error;
    if (!context->name || !platform->list_store || !platform->completion || !platform->asserts)
        return mez_error_no_memory("a context");
    MEZ_TRY(mez_assert_needs_create(&platform->assert_needs));
    MEZ_TRY(mez_stall_read_setting(&platform->stall_after));
    MEZ_TRY(mez_ranges_read_setting(&context->queues.validates));
    MEZ_TRY(mez_checked_read_setting(params->checked_memory, &check_limit));
    context->queues.validates |= check_limit > 0;
    MEZ_TRY(mez_queue_read_offload_setting(&context->queues.offloads_copies));
    MEZ_TRY(mez_cache_open(NULL, &platform->cache));
    MEZ_TRY(mez_assert_policies_init(&platform->assert_policies, &params->asserts));
    mez_platform_note_asserts(platform, &platform->assert_policies.params);
    MEZ_TRY(source(platform, how));
    platform->event_slabs = mez_event_slabs_create(platform->device_total);
    if (!platform->event_slabs)
        return mez_error_no_memory("a context");
    MEZ_TRY(mez_memory_create(platform));
    return check_limit > 0 ? mez_checked_create(platform->memory, check_limit) : mez_ok();
}

mez_error mez_context_open(const mez_context_params *params, mez_context_source *source,
    const void *how, mez_context **created)
{
    mez_log_read_environment();
    mez_context *context = mez_new(mez_context);
    if (!context)
        return mez_error_no_memory("a context");
    mez_platform_init(&context->platform);
    mez_kernel_uses_init(&context->kernel_uses);
    context->platform.kernel_uses = &context->kernel_uses;
    context->platform.queues = &context->queues;
    context->platform.destroy = context_free;
    const mez_error error = context_init(context, params, source, how);
    if (mez_failed(error)) {
        context_free(&context->platform);
        return error;
    }
    mez_log(CONTEXT, DEBUG, "\"%s\": %u devices, the first is \"%s\"", context->name,
        context->platform.device_count, context->platform.devices[0].info.name);
    mez_platform_watch_exit();
    *created = context;
    return error;
}

static mez_error check_params(const mez_context_params *params)
{
    MEZ_TRY_RESERVED(mez_context_params, params);
    MEZ_TRY_RESERVED(mez_error_handler, &params->on_error);
    return mez_ok();
}

MEZ_TRACE_BODY mez_error create(
    const mez_location *where, const mez_context_params *params, mez_context **context)
{
    static const mez_context_params defaults;
    if (!params)
        params = &defaults;
    mez_error error = check_params(params);
    if (!mez_failed(error))
        error = mez_context_open(params, open_ours, params, context);
    return mez_error_add_place(error, where);
}

MEZ_TRACED_CALL(mez_context_create, create)

mez_error mez_context_create_at(
    const mez_location *where, const mez_context_params *params, mez_context **context)
{
    MEZ_REQUIRE(context, where);
    *context = NULL;
    mez_trace_open();
    MEZ_TRACE_CALL(mez_context_create, where, create, where, params, context);
}

MEZ_TRACE_BODY void destroy(const mez_location *where, mez_context **destroyed)
{
    mez_context *context = *destroyed;
    mez_platform *platform = &context->platform;
    *destroyed = NULL;
    mez_memory_drain(platform, where);
    mez_checked_report(platform);
    mez_objects_report(platform, context->name, where);
    mez_events_report(platform, context->name, where);
    mez_memory_report(platform, context->name, where);
    mez_platform_unref(platform);
}

MEZ_TRACED_CALL(mez_context_destroy, destroy)

void mez_context_destroy_at(const mez_location *where, mez_context **context)
{
    MEZ_TRACE_DESTROY(mez_context_destroy, where, destroy, context);
}

static uint32_t alive(mez_platform *platform, mez_object_kind kind)
{
    return atomic_load_explicit(&platform->live[kind], memory_order_relaxed);
}

void mez_context_get_statistics(mez_context *context, mez_context_statistics *statistics)
{
    if (!statistics)
        return;
    *statistics = (mez_context_statistics){0};
    if (!context || mez_process_is_closed())
        return;
    mez_platform *platform = &context->platform;
    mez_memory_usage memory[MEZ_MEMORY_KINDS];
    mez_memory_get_usage(platform, memory);
    *statistics = (mez_context_statistics){
        .images = alive(platform, MEZ_OBJECT_IMAGE),
        .kernels = alive(platform, MEZ_OBJECT_KERNEL),
        .queues = alive(platform, MEZ_OBJECT_QUEUE),
        .launches = alive(platform, MEZ_OBJECT_LAUNCH),
        .recordings = alive(platform, MEZ_OBJECT_RECORDING),
        .events = mez_events_alive(platform),
        .event_slabs = alive(platform, MEZ_OBJECT_EVENT_SLAB),
        .command_lists = alive(platform, MEZ_OBJECT_COMMAND_LIST),
        .device_memory = memory[MEZ_MEMORY_DEVICE],
        .host_memory = memory[MEZ_MEMORY_HOST],
        .shared_memory = memory[MEZ_MEMORY_SHARED],
        .stray_writes = mez_checked_count(platform),
    };
}

uint32_t mez_context_get_device_count(const mez_context *context)
{
    return context ? context->platform.device_count : 0;
}

mez_device *mez_context_get_device(const mez_context *context, uint32_t index)
{
    return index < mez_context_get_device_count(context) ? &context->platform.devices[index] : NULL;
}

static mez_driver_info describe(const mez_caps *caps)
{
    return (mez_driver_info){
        .api_version = caps->api_version,
        .driver_version = caps->driver_version,
        .wrapped_handles = caps->wrapped,
        .in_order_lists = caps->in_order_lists,
        .counter_events = caps->counter_events != MEZ_COUNTER_EVENTS_NONE,
        .host_functions = caps->host_functions,
        .linked_modules = caps->module_program,
        .large_allocations = caps->relaxed_allocation_limits,
        .extensions = caps->extensions,
        .extension_count = caps->extension_count,
        .functions = caps->functions,
        .function_count = MEZ_NEWER_FUNCTION_COUNT,
    };
}

void mez_context_get_driver_info(const mez_context *context, mez_driver_info *info)
{
    if (!info)
        return;
    *info = context ? describe(&context->platform.caps) : (mez_driver_info){0};
}
