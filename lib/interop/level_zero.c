// SPDX-License-Identifier: MIT
//
// The calls of mezzanine/level_zero.h: objects of Level Zero that the program brings or wants, and what it does with them.

#include <mezzanine/level_zero.h>

#include "base/alloc.h"
#include "base/process.h"
#include "base/version.h"
#include "context/context.h"
#include "device/platform.h"
#include "event/event.h"
#include "lists/batch.h"
#include "queue/companion.h"
#include "task/params.h"
#include "ze/loader.h"
#include "traced_calls.h"

// --- Our handles, for the program's own calls

ze_context_handle_t mez_context_get_ze(mez_context *context)
{
    if (!context)
        return NULL;
    mez_platform *platform = mez_platform_of(context);
    mez_platform_share_ze(platform);
    return platform->ze;
}

ze_driver_handle_t mez_context_get_ze_driver(const mez_context *context)
{
    return context ? ((const mez_platform *)context)->driver : NULL;
}

ze_device_handle_t mez_device_get_ze(const mez_device *device)
{
    return device ? device->ze : NULL;
}

// --- A context of handles that the application made

#define MOST_DRIVERS 16

static bool contains(const ze_driver_handle_t *drivers, uint32_t count, ze_driver_handle_t driver)
{
    for (uint32_t i = 0; i < count; i++)
        if (drivers[i] == driver)
            return true;
    return false;
}

// The application may have asked by zeInit, and zeInitDrivers ignores drivers that do not know it.
static mez_error find_driver(ze_driver_handle_t driver, uint32_t *count, bool *found)
{
    ze_driver_handle_t drivers[MOST_DRIVERS];
    *count = MOST_DRIVERS;
    MEZ_TRY(mez_ze_get_drivers(count, drivers));
    *found = contains(drivers, *count, driver);
    if (*found || !mez_ze_uses_init_drivers())
        return mez_ok();
    *count = MOST_DRIVERS;
    MEZ_TRY(mez_ze_get_older_drivers(count, drivers));
    *found = contains(drivers, *count, driver);
    return mez_ok();
}

// A handle that is not the loader's crashes in the loader's first look at it, so it is compared and not asked.
static mez_error adopt_driver(mez_platform *platform, ze_driver_handle_t driver)
{
    uint32_t count;
    bool found;
    MEZ_TRY(find_driver(driver, &count, &found));
    if (!found)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "driver %p is none of the %u that the Level Zero loader reports", (void *)driver,
            count);
    platform->driver = driver;
    return mez_caps_read(driver, mez_ze_wraps_handles(count), &platform->caps);
}

static mez_error adopt_list(
    mez_platform *platform, const ze_device_handle_t *handles, uint32_t count)
{
    platform->devices = mez_alloc_array(count, sizeof *platform->devices);
    if (!platform->devices)
        return mez_error_no_memory("devices");
    for (uint32_t i = 0; i < count; i++) {
        mez_device *device = &platform->devices[i];
        if (!handles[i])
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "device %u to adopt is NULL", i);
        *device = (mez_device){.platform = platform, .index = i, .parent = i};
        MEZ_TRY(mez_device_init(device, handles[i]));
        device->info.api_version = platform->caps.api_version;
        device->info.driver_version = platform->caps.driver_version;
    }
    platform->device_count = platform->device_total = count;
    return mez_ok();
}

static mez_error adopt_all_devices(mez_platform *platform)
{
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDeviceGet, platform->driver, &count, NULL));
    if (count == 0)
        return mez_error_make(MEZ_ERRC_PLATFORM, "the driver to adopt reports no device");
    ze_device_handle_t *handles = mez_alloc_array(count, sizeof *handles);
    if (!handles)
        return mez_error_no_memory("devices");
    mez_error error = ZE(zeDeviceGet, platform->driver, &count, handles);
    if (!mez_failed(error))
        error = adopt_list(platform, handles, count);
    mez_free_memory(handles);
    return error;
}

static mez_error open_theirs(mez_platform *platform, const void *how)
{
    const mez_context_adopt_params *params = how;
    platform->borrows_ze = true; // until all has gone well
    platform->ze = params->ze_context;
    mez_platform_share_ze(platform);
    MEZ_TRY(mez_ze_open(MEZ_DRIVER_SET_FOREIGN));
    MEZ_TRY(adopt_driver(platform, params->ze_driver));
    return params->ze_device_count > 0
               ? adopt_list(platform, params->ze_devices, params->ze_device_count)
               : adopt_all_devices(platform);
}

static mez_error open_adopted(const mez_context_adopt_params *params, mez_context **context)
{
    const mez_context_params rest = {
        .debug_name = params->debug_name, .large_buffers = params->large_buffers};
    MEZ_TRY_RESERVED(mez_context_adopt_params, params);
    MEZ_TRY(mez_context_open(&rest, open_theirs, params, context));
    (*context)->platform.borrows_ze = !params->owns;
    return mez_ok();
}

MEZ_TRACE_BODY mez_error adopt_context(
    const mez_location *where, const mez_context_adopt_params *params, mez_context **context)
{
    return mez_error_add_place(open_adopted(params, context), where);
}

MEZ_TRACED_CALL(mez_context_adopt, adopt_context)

mez_error mez_context_adopt_at(
    const mez_location *where, const mez_context_adopt_params *params, mez_context **context)
{
    MEZ_REQUIRE(context, where);
    *context = NULL;
    MEZ_REQUIRE(params, where);
    MEZ_REQUIRE(params->ze_driver, where);
    MEZ_REQUIRE(params->ze_context, where);
    if (params->ze_device_count > 0)
        MEZ_REQUIRE(params->ze_devices, where);
    mez_trace_open();
    MEZ_TRACE_CALL(mez_context_adopt, where, adopt_context, where, params, context);
}

// --- Events: ours for the program's commands, the application's for our tasks and waits

static mez_error will_never_happen(const mez_event *event)
{
    const mez_error error =
        mez_error_make(MEZ_ERRC_EVENT, "the event will never happen for Level Zero: %s",
            mez_event_is_of_task(event) ? "its task failed" : "it was signalled with an error");
    return mez_event_add_cause(error, event);
}

static mez_error get_ze(mez_event *event, ze_event_handle_t *ze)
{
    if (mez_event_is_deferred(event))
        return mez_error_make(MEZ_ERRC_NOT_READY, "%s",
            mez_event_is_of_task(event)
                ? "the event's task has not been submitted to the driver yet, because it is a host "
                  "task, or something on the host stands before it: try again when that has ended"
                : "the program has not signalled the event yet: try again when it has");
    MEZ_TRY(event->source->flush(event->owner, event->task)); // else nobody would ever signal it
    if (mez_event_is_complete(event) && mez_failed(event->outcome))
        return will_never_happen(event);
    if (event->of_host && !(event->sort & MEZ_EVENT_COUNTED)) // it has run
        MEZ_TRY(ZE(zeEventHostSignal, event->ze));
    *ze = event->ze;
    return mez_ok();
}

mez_error mez_event_get_ze_at(const mez_location *where, mez_event *event, ze_event_handle_t *ze)
{
    MEZ_REQUIRE(ze, where);
    *ze = NULL;
    MEZ_REQUIRE(event, where);
    MEZ_REFUSE_CLOSED(__func__, where);
    return mez_error_add_place(get_ze(event, ze), where);
}

static mez_error look_at_platform(void *owner, uint64_t now)
{
    (void)now;
    return mez_platform_loss(owner);
}

static mez_error note_loss(void *owner, mez_error error)
{
    return mez_platform_note_loss(owner, error);
}

static const mez_wait_guard guard = {.look = look_at_platform, .failed = note_loss};

static void unref_platform(void *owner)
{
    mez_platform_unref(owner);
}

// Nothing of ours stands behind an adopted event: what there is to know, the driver knows.
static const mez_event_source application = {
    .flush = mez_event_nothing_to_flush,
    .wait = mez_event_nothing_left, // unused: the host sees the application's events
    .finished = mez_event_nothing_left,
    .guard = &guard,
    .unref = unref_platform,
};

static mez_error borrow(mez_platform *platform, ze_event_handle_t ze, mez_event **event)
{
    MEZ_TRY(mez_event_borrow(platform, ze, event));
    mez_platform_ref(platform);
    mez_event_set_source(*event, &application, platform, NULL);
    return mez_ok();
}

MEZ_TRACE_BODY mez_error adopt_event(
    const mez_location *where, mez_context *context, ze_event_handle_t ze, mez_event **event)
{
    return mez_error_add_place(borrow(mez_platform_of(context), ze, event), where);
}

MEZ_TRACED_CALL(mez_event_adopt, adopt_event)

mez_error mez_event_adopt_at(
    const mez_location *where, mez_context *context, ze_event_handle_t ze, mez_event **event)
{
    MEZ_REQUIRE(event, where);
    *event = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(ze, where);
    MEZ_TRACE_CALL(mez_event_adopt, where, adopt_event, where, context, ze, event);
}

// --- Native tasks: the program fills a command list, which runs as one task of a queue

// The events to wait for stand before the list: it is filled before it is known where it will stand, so that its first
// command can't wait for them.
static mez_error wait_first(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    mez_command barrier = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    if (!task || task->wait_count == 0)
        return mez_queue_is_spread(queue) ? mez_queue_submit_task(queue, &barrier, NULL) : mez_ok();
    mez_command nothing = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    const mez_task_params waiting = {
        .debug_name = task->debug_name,
        .wait_for = task->wait_for,
        .wait_count = task->wait_count,
    };
    return mez_queue_submit_task(queue, &nothing, &waiting);
}

static mez_error take_list(mez_queue *queue, mez_batch **batch)
{
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    const mez_error error = queue->ops->take_list(queue, batch);
    mez_lock_release(&queue->lock);
    return error;
}

static void give_list(mez_queue *queue, mez_batch *batch)
{
    mez_lock_take(&queue->lock);
    queue->ops->give_list(queue, batch);
    mez_lock_release(&queue->lock);
}

static mez_error fill_list(mez_batch *batch, mez_native_function function, void *user)
{
    const ze_result_t result = function(user, batch->list);
    if (result == ZE_RESULT_SUCCESS)
        return mez_ok();
    return mez_error_make_native(
        MEZ_CATEGORY_LEVEL_ZERO, (int32_t)result, "the function of a native task failed");
}

// The task is the driver's already: a failure is for the queue's next wait.
static void bar_what_follows(const mez_location *where, mez_queue *queue)
{
    mez_command barrier = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    const mez_error error = mez_queue_submit_task(queue, &barrier, NULL);
    if (!mez_failed(error))
        return;
    mez_lock_take(&queue->lock);
    mez_queue_keep_error(queue, error);
    mez_lock_release(&queue->lock);
}

static mez_error submit_list(const mez_location *where, mez_queue *queue, mez_batch *batch,
    const mez_task_params *task, bool *taken)
{
    mez_command command = {.kind = MEZ_COMMAND_LIST, .where = where};
    command.list.batch = batch;
    command.list.taken = taken;
    const mez_task_params rest = {
        .debug_name = task ? task->debug_name : NULL,
        .event = task ? task->event : NULL,
        .device_event = task && task->device_event,
    };
    MEZ_TRY(wait_first(where, queue, task));
    MEZ_TRY(mez_queue_submit_task(queue, &command, &rest));
    if (mez_queue_is_spread(queue))
        bar_what_follows(where, queue);
    return mez_ok();
}

static mez_error submit_filled(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task)
{
    mez_batch *batch;
    bool taken = false;
    MEZ_TRY(mez_task_check_reserved(task));
    MEZ_TRY(take_list(queue, &batch));
    mez_error error = fill_list(batch, function, user);
    if (!mez_failed(error))
        error = submit_list(where, queue, batch, task, &taken);
    if (!taken)
        give_list(queue, batch);
    return error;
}

MEZ_TRACE_BODY mez_error submit_native(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task)
{
    return mez_queue_add_facts(
        submit_filled(where, queue, function, user, task), where, queue, task);
}

MEZ_TRACED_CALL(mez_submit_native, submit_native)

mez_error mez_submit_native_at(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(function, where);
    MEZ_TRACE_CALL(mez_submit_native, where, submit_native, where, queue, function, user, task);
}
