// SPDX-License-Identifier: MIT
//
// Prepared launches. Each has a use of its kernel (kernel/use.h) of its own, so that nobody else sets arguments on it, which
// stands in a list of its queue beside those that mez_submit finds. A launch that is destroyed leaves it as a spare of the
// kernel, once its tasks have ended.

#include <mezzanine/launch.h>

#include "base/alloc.h"
#include "kernel/change.h"
#include "kernel/use.h"
#include "queue/direct.h"
#include "queue/slow.h"
#include "task/command.h"
#include "traced_calls.h"

struct mez_launch {
    mez_queue *queue;    // referenced
    mez_kernel_use *use; // the queue's; gone when that is destroyed
    mez_command *stored; // a copy: range and arguments, and a reference of the kernel
    mez_object object;
};

// --- Creating

static mez_error create_use(mez_launch *launch, mez_kernel *kernel)
{
    mez_queue *queue = launch->queue;
    MEZ_TRY(mez_kernel_use_create(kernel, queue->device, &queue->kernels.prepared, &launch->use));
    return mez_kernel_use_prepare(
        launch->use, queue->device, launch->stored->launch.range, launch->stored->launch.args);
}

static mez_error launch_init(
    mez_launch *launch, mez_kernel *kernel, const mez_range *range, const mez_args *args)
{
    mez_command command = {.kind = MEZ_COMMAND_KERNEL};
    command.launch.kernel = kernel;
    command.launch.range = range;
    command.launch.args = args;
    MEZ_TRY(mez_arguments_check_early(kernel, args, &launch->queue->device->info));
    MEZ_TRY(mez_command_copy(&command, &launch->stored));
    return create_use(launch, kernel);
}

static void launch_free(mez_launch *launch)
{
    mez_queue *queue = launch->queue;
    mez_command_free(launch->stored);
    mez_free_memory(launch);
    mez_queue_unref(queue);
}

static mez_error launch_create(mez_queue *queue, mez_kernel *kernel, const mez_range *range,
    const mez_args *args, mez_launch **created)
{
    MEZ_TRY(mez_queue_check_kernel(queue, kernel));
    mez_launch *launch = mez_new(mez_launch);
    if (!launch)
        return mez_error_no_memory("a prepared launch");
    launch->queue = queue;
    mez_queue_ref(queue);
    const mez_error error = launch_init(launch, kernel, range, args);
    if (mez_failed(error)) {
        if (launch->use)
            mez_kernel_use_make_spare(launch->use);
        launch_free(launch);
    } else {
        *created = launch;
    }
    return error;
}

MEZ_TRACE_BODY mez_error create(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, mez_launch **created)
{
    const mez_error error = launch_create(queue, kernel, range, args, created);
    if (mez_failed(error))
        return mez_queue_add_launch_facts(error, where, queue, kernel, NULL);
    mez_object *object = &(*created)->object;
    mez_object_add(queue->platform, object, MEZ_OBJECT_LAUNCH, mez_kernel_get_name(kernel));
    mez_object_set_place(queue->platform, object, where);
    return error;
}

MEZ_TRACED_CALL(mez_launch_create, create)

mez_error mez_launch_create_at(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, mez_launch **launch)
{
    MEZ_REQUIRE(launch, where);
    *launch = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(kernel, where);
    MEZ_REQUIRE(range, where);
    MEZ_TRACE_CALL(mez_launch_create, where, create, where, queue, kernel, range, args, launch);
}

// --- Submitting

static mez_kernel *kernel_of(const mez_launch *launch)
{
    return launch->stored->launch.kernel;
}

static mez_error check_queue(const mez_launch *launch)
{
    if (!mez_queue_is(launch->queue, MEZ_SLOW_DESTROYED))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_WRONG_STATE,
        "a prepared launch of queue \"%s\", which has been destroyed", launch->queue->name);
}

static mez_error submit_launch(
    const mez_location *where, mez_launch *launch, const mez_task_params *task)
{
    MEZ_TRY(check_queue(launch));
    mez_command command = *launch->stored;
    command.launch.cooperative = task && task->cooperative;
    command.launch.use = launch->use;
    command.where = where;
    return mez_queue_submit_task(launch->queue, &command, task);
}

static mez_error report(mez_error error, const mez_location *where, const mez_launch *launch,
    const mez_task_params *task)
{
    return mez_failed(error)
               ? mez_queue_add_launch_facts(error, where, launch->queue, kernel_of(launch), task)
               : error;
}

MEZ_TRACE_BODY mez_error submit(
    const mez_location *where, mez_launch *launch, const mez_task_params *task)
{
    return report(submit_launch(where, launch, task), where, launch, task);
}

MEZ_TRACED_CALL(mez_launch_submit, submit)

// Not inlined: its frame would be paid for by the submissions that need no more than an append.
__attribute__((noinline)) static mez_error submit_slowly(
    const mez_location *where, mez_launch *launch, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE_OF("mez_launch_submit", launch, where);
    MEZ_TRACE_LONG(submit, where, launch, task);
}

// What waits for events, or is of a queue out of order.
static bool submit_direct(
    const mez_location *where, mez_launch *launch, const mez_task_params *task, mez_error *error)
{
    mez_direct direct;
    mez_queue *queue = launch->queue;
    if (!queue->lists || !mez_direct_prepare(queue, task, &direct))
        return false;
    mez_lock_take(&queue->lock);
    mez_kernel_use *use = launch->use;
    if (mez_queue_is(queue, MEZ_SLOW_DESTROYED) || !use->prepared || mez_kernel_use_is_stale(use) ||
        queue->list_count == 0 || !mez_direct_begin(queue, task, true, &direct)) {
        mez_lock_release(&queue->lock);
        return false;
    }
    mez_probe_quick_begin(queue, MEZ_COMMAND_KERNEL, use->kernel, where);
    *error = ZE(zeCommandListAppendLaunchKernel, direct.list, use->ze, &use->plan.group_count,
        mez_fast_signal(direct.event), direct.wait_count, mez_direct_waits(&direct));
    mez_probe_task_end(queue, direct.event, *error, mez_queue_last_task(queue) + 1);
    if (mez_failed(*error)) {
        mez_fast_failed(task, direct.event);
    } else {
        const uint64_t number = mez_direct_appended(queue, task, &direct);
        mez_used_kernels_note(&queue->kernels, use, number);
        mez_fast_note(queue, number, MEZ_COMMAND_KERNEL, use->kernel, where, task);
    }
    mez_lock_release(&queue->lock);
    return true;
}

__attribute__((noinline)) static mez_error submit_other(
    const mez_location *where, mez_launch *launch, const mez_task_params *task)
{
    mez_error error;
    if (!launch || !submit_direct(where, launch, task, &error))
        return submit_slowly(where, launch, task);
    return report(error, where, launch, task);
}

// The caller holds the lock.
MEZ_QUICK_PATH bool append_prepared(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, mez_kernel_use *use, const mez_task_params *task,
    mez_error *error)
{
    mez_event *event;
    if (!list || !use->prepared || mez_kernel_use_is_stale(use) ||
        !mez_fast_event(queue, task, &event))
        return false;
    mez_probe_quick_begin(queue, MEZ_COMMAND_KERNEL, use->kernel, where);
    *error = ZE(zeCommandListAppendLaunchKernel, list, use->ze, &use->plan.group_count,
        mez_fast_signal(event), 0, NULL);
    mez_probe_task_end(queue, event, *error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(*error), 0)) {
        mez_fast_failed(task, event);
        return true;
    }
    const uint64_t number = mez_fast_appended(queue, task, event);
    mez_used_kernels_note(&queue->kernels, use, number);
    mez_fast_note(queue, number, MEZ_COMMAND_KERNEL, use->kernel, where, task);
    return true;
}

// Everything is set as it was: one append. False: it is not, and nothing was done.
MEZ_QUICK_PATH bool submit_now(const mez_location *where, const mez_launch *launch,
    const mez_task_params *task, mez_error *error)
{
    if (!launch || !mez_fast_fits(launch->queue, task))
        return false;
    mez_queue *queue = launch->queue;
    const bool done =
        append_prepared(where, queue, mez_fast_begin(queue), launch->use, task, error);
    mez_lock_release(&queue->lock);
    return done;
}

__attribute__((noinline)) static mez_error submit_plain(
    const mez_location *where, mez_launch *launch)
{
    mez_error error;
    if (!submit_now(where, launch, NULL, &error))
        return submit_other(where, launch, NULL);
    if (__builtin_expect(mez_failed(error), 0))
        return report(error, where, launch, NULL);
    return mez_ok();
}

__attribute__((noinline, nonnull(3))) static mez_error submit_with_params(
    const mez_location *where, mez_launch *launch, const mez_task_params *task)
{
    mez_error error;
    if (!submit_now(where, launch, task, &error))
        return submit_other(where, launch, task);
    if (__builtin_expect(mez_failed(error), 0))
        return report(error, where, launch, task);
    return mez_ok();
}

mez_error mez_launch_submit_at(
    const mez_location *where, mez_launch *launch, const mez_task_params *task)
{
    MEZ_PROBE_CALL_BEGIN(mez_launch_submit, where);
    const mez_error error =
        task ? submit_with_params(where, launch, task) : submit_plain(where, launch);
    return MEZ_PROBE_CALL_END("mez_launch_submit", error);
}

// --- Changing

static const char *kind_of(const mez_arg *argument)
{
    if (argument->kind == MEZ_ARG_POINTER)
        return "a pointer (MEZ_PTR)";
    return argument->kind == MEZ_ARG_LOCAL ? "local memory (MEZ_LOCAL)" : "a value (MEZ_VAL)";
}

static mez_error check_argument(const mez_launch *launch, uint32_t index, const mez_arg *argument)
{
    const mez_args *args = launch->stored->launch.args;
    MEZ_TRY(check_queue(launch));
    if (index >= args->count)
        return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
            "argument %u of a kernel that has %zu: they are numbered from 0", (unsigned)index,
            args->count);
    const mez_arg *old = &args->items[index];
    if (argument->kind != old->kind)
        return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
            "argument %u is of another kind than when the launch was prepared: it was %s",
            (unsigned)index, kind_of(old));
    if (argument->kind == MEZ_ARG_VALUE && argument->size != old->size)
        return mez_error_make(MEZ_ERRC_KERNEL_ARGUMENT,
            "argument %u has %zu bytes, but had %zu when the launch was prepared", (unsigned)index,
            argument->size, old->size);
    return mez_ok();
}

// Whatever the argument needs, with all the others.
static mez_error prepare_again(mez_launch *launch, mez_arg *item, const mez_arg *argument)
{
    const mez_command *stored = launch->stored;
    const mez_arg old = *item;
    *item = *argument;
    const mez_error error = mez_kernel_use_prepare(
        launch->use, launch->queue->device, stored->launch.range, stored->launch.args);
    *item = old;
    return error;
}

// What the driver has taken. A value lies behind the command.
static inline void keep(mez_arg *item, const mez_arg *argument)
{
    if (item->kind != MEZ_ARG_VALUE)
        *item = *argument;
    else if (item->size == 4)
        memcpy((void *)item->data, argument->data, 4);
    else
        memcpy((void *)item->data, argument->data, item->size);
}

// Sets it from where the user has it; only what the driver has taken is copied. The caller holds the lock.
static mez_error set_argument(mez_launch *launch, uint32_t index, const mez_arg *argument)
{
    MEZ_TRY(check_argument(launch, index, argument));
    MEZ_TRY(mez_queue_before_setting(launch->queue));
    mez_arg *item = (mez_arg *)&launch->stored->launch.args->items[index]; // its own
    mez_error error;
    const mez_change change = mez_kernel_use_change_argument(launch->use, index, argument, &error);
    if (change == MEZ_CHANGE_UNCHECKED)
        error = prepare_again(launch, item, argument);
    if (change != MEZ_CHANGE_MADE)
        MEZ_TRY(error);
    keep(item, argument);
    return mez_ok();
}

MEZ_TRACE_BODY mez_error set(
    const mez_location *where, mez_launch *launch, uint32_t index, const mez_arg *argument)
{
    mez_lock_take(&launch->queue->lock);
    const mez_error error = set_argument(launch, index, argument);
    mez_lock_release(&launch->queue->lock);
    return report(error, where, launch, NULL);
}

MEZ_TRACED_CALL(mez_launch_set_argument, set)

// Not inlined, as are those above: a change that needs no check would pay for their frames.
__attribute__((noinline)) static mez_error set_checked(
    const mez_location *where, mez_launch *launch, uint32_t index, const mez_arg *argument)
{
    MEZ_REQUIRE_OF("mez_launch_set_argument", launch, where);
    MEZ_REQUIRE_OF("mez_launch_set_argument", argument, where);
    MEZ_TRACE_LONG(set, where, launch, index, argument);
}

// On a queue whose tasks are all in lists: another value of the size that is set, or another pointer. The caller holds the lock.
static inline mez_change set_now(
    mez_launch *launch, uint32_t index, const mez_arg *argument, mez_error *error)
{
    const mez_args *args = launch->stored->launch.args;
    mez_kernel_use *use = launch->use;
    if (index >= args->count || !mez_queue_in_order_list(launch->queue) || !use->prepared ||
        mez_kernel_use_is_stale(use))
        return MEZ_CHANGE_UNCHECKED;
    mez_kernel_use_renew_setting(use);
    const mez_change change =
        mez_argument_change_any(use, index, &use->arguments[index], argument, error);
    if (__builtin_expect(change == MEZ_CHANGE_MADE, 1))
        keep((mez_arg *)&args->items[index], argument); // its own
    else
        use->prepared = false;
    return change;
}

mez_error mez_launch_set_argument_at(
    const mez_location *where, mez_launch *launch, uint32_t index, const mez_arg *argument)
{
    MEZ_PROBE_CALL_BEGIN(mez_launch_set_argument, where);
    mez_change change = MEZ_CHANGE_UNCHECKED;
    mez_error error;
    if (launch && argument) {
        mez_lock_take(&launch->queue->lock);
        change = set_now(launch, index, argument, &error);
        mez_lock_release(&launch->queue->lock);
    }
    if (__builtin_expect(change == MEZ_CHANGE_UNCHECKED, 0))
        error = set_checked(where, launch, index, argument);
    else if (__builtin_expect(change == MEZ_CHANGE_MADE, 1))
        error = mez_ok();
    else
        error = report(error, where, launch, NULL);
    return MEZ_PROBE_CALL_END("mez_launch_set_argument", error);
}

// --- Destroying

// The caller holds the lock of the queue, which has not been destroyed.
static void give_use_up(mez_kernel_use *use)
{
    if (use->busy)
        use->given_up = true; // mez_used_kernels_complete makes it a spare
    else
        mez_kernel_use_make_spare(use);
}

MEZ_TRACE_BODY void destroy(const mez_location *where, mez_launch **destroyed)
{
    (void)where;
    mez_launch *launch = *destroyed;
    mez_queue *queue = launch->queue;
    *destroyed = NULL;
    mez_object_remove(queue->platform, &launch->object);
    mez_lock_take(&queue->lock);
    if (!mez_queue_is(queue, MEZ_SLOW_DESTROYED))
        give_use_up(launch->use);
    mez_lock_release(&queue->lock);
    launch_free(launch);
}

MEZ_TRACED_CALL(mez_launch_destroy, destroy)

void mez_launch_destroy_at(const mez_location *where, mez_launch **launch)
{
    MEZ_TRACE_DESTROY(mez_launch_destroy, where, destroy, launch);
}
