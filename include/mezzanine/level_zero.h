// SPDX-License-Identifier: MIT
//
// Interoperation with Level Zero, for programs that also call ze* functions themselves.
// docs/interop.md has a table of who owns what, and the rules for the order of tasks.
//
// This is the only public header that needs the headers of Level Zero; mezzanine.h does not include
// it.
//
// All handles that these functions take or return are handles of the loader (libze_loader.so.1). If
// a process has several drivers, the loader wraps each handle of a driver in one of its own.
// Handles that come from a function of the driver itself, found with
// zeDriverGetExtensionFunctionAddress, are not wrapped then, and must not be passed to these
// functions.
//
// There are no functions for the handles of queues and kernels: a queue keeps state about the lists
// that it fills, and a kernel has several handles, whose arguments change with every submission.
// Use mez_submit_native to add commands to a queue.
//
// Thread-safety: safe.

#ifndef MEZZANINE_LEVEL_ZERO_H
#define MEZZANINE_LEVEL_ZERO_H

#include <level_zero/ze_api.h>

#include <mezzanine/base.h>
#include <mezzanine/context.h>
#include <mezzanine/device.h>
#include <mezzanine/error.h>
#include <mezzanine/event.h>
#include <mezzanine/queue.h>

MEZ_BEGIN

// --- Handles of Mezzanine's objects

// The context's handles; NULL for NULL. They belong to the context: don't destroy them, and don't
// use them after the context has been destroyed.
//
// Memory that you allocate in the Level Zero context can be used for arguments of kernels, copies
// and fills without being adopted; mez_memory_get_info reports it as MEZ_POINTER_FOREIGN. Free it
// yourself, after the tasks that use it have ended. After these functions have returned a Level
// Zero context, the library sets pointer arguments again in the driver for every launch, because
// the same address may belong to another allocation by then.
MEZ_API ze_context_handle_t mez_context_get_ze(mez_context *context);
MEZ_API ze_driver_handle_t mez_context_get_ze_driver(const mez_context *context);

// The device's handle; NULL for NULL. It belongs to the driver and is not destroyed.
MEZ_API ze_device_handle_t mez_device_get_ze(const mez_device *device);

// Writes the Level Zero event that the driver signals when the task has ended; the task is handed
// to the device first. You may wait for it and query it, but must not signal, reset or destroy it.
// Keep the mez_event until all your commands that wait for it have ended, because the Level Zero
// event is used for another task afterwards. Only Mezzanine's own waits report a failed assert. It
// may be a counter-based event (docs/interop.md), for which you can wait in the same ways. If the
// mez_event was made with mez_task_params.device_event, only command lists can wait for it, and not
// the host.
//
// MEZ_ERRC_INVALID_PARAMETER: an argument is NULL.
// MEZ_ERRC_NOT_READY: the task is a host task that has not run, or comes after one: the driver does
//     not know it yet.
// MEZ_ERRC_EVENT: the task was lost, so that the driver will never signal the event. What the
//     driver says when the task is handed to it.
MEZ_API MEZ_CHECKED mez_error mez_event_get_ze_at(
    const mez_location *where, mez_event *event, ze_event_handle_t *ze);

// --- Commands of the application in queues

// Appends the commands of one task to `list`, a regular command list of the queue's device, engine
// and context. Commands in it may run in any order unless you append barriers between them. Don't
// close, reset, execute or keep the list. You own the events that the commands wait for or signal.
//
// Returns ZE_RESULT_SUCCESS, or an error, in which case no command of the list is executed.
typedef ze_result_t (*mez_native_function)(void *user, ze_command_list_handle_t list);

// Submits the commands that the function appends as one task. It starts when the tasks before it
// have ended and the events in `task` have happened. The tasks behind it start, and task->event
// happens, when all of its commands have ended.
//
// The function is called once, before this call returns and without a lock held. It may call any
// function, and may also submit to the same queue; such tasks come before the list, which gets its
// place in the order when the function returns. What the commands use must live until the task has
// ended. Failed asserts of kernels that you append are not reported.
//
// MEZ_ERRC_INVALID_PARAMETER: `queue` or `function` is NULL.
// The error that the function returned, in the category MEZ_CATEGORY_LEVEL_ZERO.
// MEZ_ERRC_EVENT, MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST: as
//     mez_submit. What else the driver says.
// On failure nothing was submitted, and *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_submit_native_at(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task);
#ifndef __cplusplus
#define mez_submit_native(queue, function, user, task) \
    mez_submit_native_at(MEZ_HERE, queue, function, user, task)
#endif

// --- Objects of the application

// Zero is the default of each member that is not marked as required.
typedef struct mez_context_adopt_params {
    ze_driver_handle_t ze_driver;   // required
    ze_context_handle_t ze_context; // required; of that driver
    // Devices or sub-devices of that driver; read during the call only.
    const ze_device_handle_t *ze_devices;
    // 0: all devices of the driver. mez_context_get_device keeps their order.
    uint32_t ze_device_count;
    // The mez_context owns the Level Zero context, and destroys it when nothing needs it any more.
    bool owns;
    const char *debug_name; // shown in messages; copied
    bool large_buffers;     // as in mez_context_params
    uint64_t reserved[8];   // must be zero: mezzanine/base.h
} mez_context_adopt_params;

// Creates a context from handles of the application, which has opened the loader and called zeInit.
// The variables MEZ_DEVICE, MEZ_DRIVERS and MEZ_CPU_DRIVER have no effect here. *context is yours,
// to be given to mez_context_destroy; NULL after an error.
//
// Without `owns` the library never destroys the Level Zero context, which must live until the
// mez_context and everything created with it has been destroyed. With `owns` the library destroys
// it together with the last of these objects; if this call fails, it stays yours. A Level Zero
// context may be adopted several times, but with `owns` only once.
//
// MEZ_ERRC_INVALID_PARAMETER: `context` or `params` is NULL, a required handle or a device is NULL,
//     or the loader does not report the driver.
// MEZ_ERRC_WRONG_STATE: this process has no Level Zero loader, so the handles can't be handles of
//     the loader.
// MEZ_ERRC_PLATFORM: the loader can't be used, or a device has no queue that runs kernels.
// MEZ_ERRC_OUT_OF_HOST_MEMORY, and what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_context_adopt_at(
    const mez_location *where, const mez_context_adopt_params *params, mez_context **context);
#ifndef __cplusplus
#define mez_context_adopt(...) mez_context_adopt_at(MEZ_HERE, __VA_ARGS__)
#endif

// Creates a mez_event for a Level Zero event of the application, for mez_event_wait and
// mez_task_params.wait_for. The event must belong to the context's Level Zero context;
// mez_event_wait also requires a pool with ZE_EVENT_POOL_FLAG_HOST_VISIBLE.
//
// The Level Zero event stays yours. Signal it, and destroy it after the mez_event and after the
// tasks that wait for it have ended. Don't reset it before those tasks have ended. Each wait
// queries the event again, so after a reset it counts as not happened. A task that waits for it
// starts when the event is signalled; the library does not hand the commands that signal it to the
// device.
//
// mez_event_destroy destroys the mez_event, but not the Level Zero event.
//
// MEZ_ERRC_INVALID_PARAMETER: an argument is NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_event_adopt_at(
    const mez_location *where, mez_context *context, ze_event_handle_t ze, mez_event **event);
#ifndef __cplusplus
#define mez_event_adopt(context, ze, event) mez_event_adopt_at(MEZ_HERE, context, ze, event)
#endif

#ifndef __cplusplus
#define mez_event_get_ze(event, ze) mez_event_get_ze_at(MEZ_HERE, event, ze)
#endif

MEZ_END

#endif
