// SPDX-License-Identifier: MIT

#include "queue/fast_path.h"
#include "traced_calls.h"

mez_error mez_queue_check_kernel(const mez_queue *queue, const mez_kernel *kernel)
{
    if (mez_kernel_platform(kernel) != queue->platform)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "kernel \"%s\" belongs to another context than queue \"%s\"",
            mez_kernel_get_name(kernel), queue->name);
    if (queue->engine->computes)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "queue \"%s\" is on the %s engine of device \"%s\", which runs no kernels", queue->name,
        queue->engine->name, queue->device->info.name);
}

MEZ_TRACE_BODY mez_error submit(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    mez_command command = {.kind = MEZ_COMMAND_KERNEL, .where = where};
    command.launch.kernel = kernel;
    command.launch.range = range;
    command.launch.args = args;
    command.launch.cooperative = task && task->cooperative;
    mez_error error = mez_queue_check_kernel(queue, kernel);
    if (!mez_failed(error))
        error = mez_queue_submit_task(queue, &command, task);
    return mez_failed(error) ? mez_queue_add_launch_facts(error, where, queue, kernel, task)
                             : error;
}

MEZ_TRACED_CALL(mez_submit, submit)

// Not inlined: its frame would be paid for by the launches that need no check.
__attribute__((noinline)) static mez_error submit_checked(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE_OF("mez_submit", queue, where);
    MEZ_REQUIRE_OF("mez_submit", kernel, where);
    MEZ_REQUIRE_OF("mez_submit", range, where);
    MEZ_TRACE_LONG(submit, where, queue, kernel, range, args, task);
}

// Everything is set: the launch is appended. False: no event is ready, and nothing was done. The caller holds the lock.
MEZ_FAST_PATH bool append_launch(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, const mez_kernel *kernel, mez_kernel_use *use,
    const mez_task_params *task, mez_error *error)
{
    mez_event *event;
    if (!mez_fast_event(queue, task, &event))
        return false;
    mez_probe_quick_begin(queue, MEZ_COMMAND_KERNEL, kernel, where);
    *error = ZE(zeCommandListAppendLaunchKernel, list, use->ze, &use->plan.group_count,
        mez_fast_signal(event), 0, NULL);
    mez_probe_task_end(queue, event, *error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(*error), 0)) {
        mez_fast_failed(task, event);
        return true;
    }
    const uint64_t number = mez_fast_appended(queue, task, event);
    mez_used_kernels_note(&queue->kernels, use, number);
    mez_fast_note(queue, number, MEZ_COMMAND_KERNEL, kernel, where, task);
    return true;
}

// The caller holds the lock.
MEZ_FAST_PATH bool append_again(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, const mez_kernel *kernel, const mez_range *range,
    const mez_args *args, const mez_task_params *task, mez_error *error)
{
    mez_kernel_use *use = mez_used_kernels_look_once(&queue->kernels, kernel);
    if (!list || !use || use->asserting_module || !mez_kernel_use_is_same(use, range, args))
        return false;
    return append_launch(where, queue, list, kernel, use, task, error);
}

// The same launch as the last of this kernel: appended without the checks that it passed then. False: it is not that, and
// nothing was done.
MEZ_FAST_PATH bool launch_again(const mez_location *where, mez_queue *queue,
    const mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task, mez_error *error)
{
    const bool done =
        append_again(where, queue, mez_fast_begin(queue), kernel, range, args, task, error);
    mez_lock_release(&queue->lock);
    return done;
}

// The caller holds the lock.
static bool append_changed(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, const mez_kernel *kernel, const mez_range *range,
    const mez_args *args, const mez_task_params *task, mez_error *error)
{
    mez_kernel_use *use = mez_used_kernels_look_up(&queue->kernels, kernel);
    if (!list || !use || use->asserting_module || !mez_kernel_use_change(use, range, args, error))
        return false;
    if (!mez_failed(*error))
        return append_launch(where, queue, list, kernel, use, task, error);
    mez_fast_failed(task, NULL);
    return true;
}

// A launch that differs from the last of this kernel in what needs no check: that is set first. False: it is not that, and
// nothing was appended. The queue fits.
static bool launch_changed(const mez_location *where, mez_queue *queue, const mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task, mez_error *error)
{
    const bool done =
        append_changed(where, queue, mez_fast_begin(queue), kernel, range, args, task, error);
    mez_lock_release(&queue->lock);
    return done;
}

// Not inlined, and with a lock of its own: launches that are the same as the last would pay for its frame.
__attribute__((noinline)) static mez_error submit_changed(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    mez_error error;
    if (!launch_changed(where, queue, kernel, range, args, task, &error))
        return submit_checked(where, queue, kernel, range, args, task);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_queue_add_launch_facts(error, where, queue, kernel, task);
    return mez_ok();
}

// Kernels that can assert have no quick path: what is read behind them is not appended there.
MEZ_FAST_PATH bool may_assert(const mez_kernel *kernel)
{
    return atomic_load_explicit(&kernel->may_assert, memory_order_relaxed);
}

__attribute__((noinline)) static mez_error submit_plain(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args)
{
    mez_error error;
    if (!mez_fast_fits(queue, NULL) || !kernel || !range)
        return submit_checked(where, queue, kernel, range, args, NULL);
    if (!launch_again(where, queue, kernel, range, args, NULL, &error))
        return may_assert(kernel) ? submit_checked(where, queue, kernel, range, args, NULL)
                                  : submit_changed(where, queue, kernel, range, args, NULL);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_queue_add_launch_facts(error, where, queue, kernel, NULL);
    return mez_ok();
}

__attribute__((noinline, nonnull(6))) static mez_error submit_with_params(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    mez_error error;
    if (!mez_fast_fits(queue, task) || !kernel || !range)
        return submit_checked(where, queue, kernel, range, args, task);
    if (!launch_again(where, queue, kernel, range, args, task, &error))
        return may_assert(kernel) ? submit_checked(where, queue, kernel, range, args, task)
                                  : submit_changed(where, queue, kernel, range, args, task);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_queue_add_launch_facts(error, where, queue, kernel, task);
    return mez_ok();
}

mez_error mez_submit_at(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    MEZ_PROBE_CALL_BEGIN(mez_submit, where);
    const mez_error error = task ? submit_with_params(where, queue, kernel, range, args, task)
                                 : submit_plain(where, queue, kernel, range, args);
    return MEZ_PROBE_CALL_END("mez_submit", error);
}

MEZ_TRACE_BODY mez_error barrier(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    mez_command command = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    return mez_queue_add_facts(mez_queue_submit_task(queue, &command, task), where, queue, task);
}

MEZ_TRACED_SPAN(mez_barrier, barrier, MEZ_TRACE_BARRIER, "enqueue.barrier")

mez_error mez_barrier_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_TRACE_CALL(mez_barrier, where, barrier, where, queue, task);
}
