// SPDX-License-Identifier: MIT
//
// Mezzanine beside Level Zero: for programs that call ze* by hand and move over step by step.
// docs/interop.md has a table of who owns what, and the rules of order.
//
// This is the only public header that needs Level Zero's own; mezzanine.h does not include it.
//
// Every handle that goes in or out is one that the loader (libze_loader.so.1) gave out. With
// several drivers in the process the loader wraps each handle in one of its own: what a driver's
// own functions return, found with zeDriverGetExtensionFunctionAddress, is then another thing and
// must not be given to us.
//
// Kernels and queues have no handle to give away: a queue keeps state for the lists that it fills,
// and a kernel has several handles, whose arguments change with every submission. mez_submit_native
// is the way into a queue.
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

// --- Ours, for your calls

// The context's handles; NULL for NULL. They are the context's: don't destroy them, and use them no
// longer than it lives.
//
// Memory that you allocate in the Level Zero context works as kernel argument and as operand of
// copies and fills as it is: there is nothing to adopt, and mez_memory_get_info calls it foreign.
// You free it, after the tasks that use it have ended. As the same address may be another
// allocation of yours later, pointer arguments are set again in the driver for every launch once
// the Level Zero context has been given out.
MEZ_API ze_context_handle_t mez_context_get_ze(mez_context *context);
MEZ_API ze_driver_handle_t mez_context_get_ze_driver(const mez_context *context);

// NULL for NULL. It is the driver's, and needs no destroying.
MEZ_API ze_device_handle_t mez_device_get_ze(const mez_device *device);

// The event that the driver signals when the task has ended; the task is handed to the device
// first. Wait for it and query it as you like. Don't signal, reset or destroy it, and keep the
// mez_event until every command of yours that waits for it has ended: the Level Zero event then
// goes to another task. Only Mezzanine's own waits report a failed assert. It may be a
// counter-based event (docs/interop.md), which can be waited for in the same ways. One that was
// asked for with mez_task_params.device_event is for command lists alone: the host can't see it
// happen.
//
// MEZ_ERRC_INVALID_PARAMETER: an argument is NULL.
// MEZ_ERRC_NOT_READY: the task is a host task or comes after one, and that has not run: the driver
//     does not know of it yet.
// MEZ_ERRC_EVENT: the task was lost, so that the driver will never signal it. What the driver says
//     when it is handed the task.
MEZ_API MEZ_CHECKED mez_error mez_event_get_ze_at(
    const mez_location *where, mez_event *event, ze_event_handle_t *ze);

// --- Your commands in our queues

// Appends the commands of one task to `list`, a regular command list of the queue's device, engine
// and context: what is appended does not run in order unless you append barriers. Don't close,
// reset, execute or keep the list. Events that the commands wait for or signal are your own affair.
//
// Returns ZE_RESULT_SUCCESS, or why not: nothing of the list is then run.
typedef ze_result_t (*mez_native_function)(void *user, ze_command_list_handle_t list);

// Submits what the function appends as one task: it starts when the tasks before it and the events
// in `task` have ended, the tasks behind it start when all of it has ended, and task->event is
// signalled then.
//
// The function is called once, by this call, with no lock held. It may do anything, also submit to
// the same queue: its list takes its place in the order when it returns. What the commands use must
// live until the task has ended. Failed asserts of kernels that you append are not reported.
//
// MEZ_ERRC_INVALID_PARAMETER: `queue` or `function` is NULL.
// What the function returned, in the category MEZ_CATEGORY_LEVEL_ZERO.
// MEZ_ERRC_EVENT, MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST: as
//     mez_submit. What else the driver says.
// On failure nothing was submitted, and *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_submit_native_at(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task);
#ifndef __cplusplus
#define mez_submit_native(queue, function, user, task) \
    mez_submit_native_at(MEZ_HERE, queue, function, user, task)
#endif

// --- Yours, for our calls

// Zero is the default of each member that is not said to be needed.
typedef struct mez_context_adopt_params {
    ze_driver_handle_t ze_driver;   // needed
    ze_context_handle_t ze_context; // needed: of that driver
    // Of that driver, sub-devices too; read during the call only.
    const ze_device_handle_t *ze_devices;
    // 0: all devices of the driver. mez_context_get_device keeps their order.
    uint32_t ze_device_count;
    // The Level Zero context becomes Mezzanine's, which destroys it after everything in it.
    bool owns;
    const char *debug_name; // shown in messages; copied
    bool large_buffers;     // as in mez_context_params
    uint64_t reserved[8];   // must be zero: mezzanine/base.h
} mez_context_adopt_params;

// Makes a context of what the application has: it has opened the loader, called zeInit, and chosen.
// MEZ_DEVICE, MEZ_DRIVERS and ze-cpu's place do not matter here. *context is yours, to be given to
// mez_context_destroy; NULL after an error.
//
// Without `owns` nothing that was adopted is ever destroyed by Mezzanine, and the Level Zero
// context must live until the mez_context and all that was created with it are destroyed. With
// `owns` it goes with the last of them; not on failure. One Level Zero context may be adopted
// several times, with `owns` at most once.
//
// MEZ_ERRC_INVALID_PARAMETER: `context` or `params` is NULL, a needed handle or a device is NULL,
//     or the driver is none that the loader reports.
// MEZ_ERRC_WRONG_STATE: there is no Level Zero loader in this process, so the handles come from
//     elsewhere.
// MEZ_ERRC_PLATFORM: the loader can't be used, or a device has no queue that runs kernels.
// MEZ_ERRC_OUT_OF_HOST_MEMORY, and what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_context_adopt_at(
    const mez_location *where, const mez_context_adopt_params *params, mez_context **context);
#ifndef __cplusplus
#define mez_context_adopt(...) mez_context_adopt_at(MEZ_HERE, __VA_ARGS__)
#endif

// Makes an event of the application's into one that mez_event_wait and mez_task_params.wait_for
// take. It must be of the context's Level Zero context; mez_event_wait wants a pool with
// ZE_EVENT_POOL_FLAG_HOST_VISIBLE.
//
// The Level Zero event stays yours: you signal it, and destroy it after the mez_event and the tasks
// that wait for it. Before a task that waits for it has ended don't reset it. Every wait looks at
// it again: after a reset it has not happened. A task that waits for it runs when something signals
// it; nothing of ours hands that to the device.
//
// mez_event_destroy gives up the mez_event only.
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
