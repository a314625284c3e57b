// SPDX-License-Identifier: MIT

#include "device/lost.h"
#include "queue/queue.h"

static mez_error submit(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    if (mez_kernel_platform(kernel) != queue->platform)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "kernel \"%s\" belongs to another context than queue \"%s\"", mez_kernel_name(kernel),
            queue->name);
    if (!queue->engine->computes)
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "queue \"%s\" is on the %s engine of device \"%s\", which runs no kernels", queue->name,
            queue->engine->name, queue->device->info.name);
    mez_command command = {.kind = MEZ_COMMAND_KERNEL, .where = where};
    command.launch.kernel = kernel;
    command.launch.range = range;
    command.launch.args = args;
    command.launch.cooperative = task && task->cooperative;
    return mez_queue_submit_task(queue, &command, task);
}

// Not inlined: its frame would be paid for by the launches that need no check.
__attribute__((noinline)) static mez_error submit_checked(const mez_location *where,
    mez_queue *queue, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(kernel, where);
    MEZ_REQUIRE(range, where);
    mez_error error = submit(where, queue, kernel, range, args, task);
    if (mez_failed(error))
        error = mez_error_add(error, "kernel", "\"%s\"", mez_kernel_name(kernel));
    return mez_queue_tell(error, where, queue, task);
}

mez_error mez_submit_at(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    mez_error error;
    if (!task && mez_queue_launch_again(queue, kernel, range, args, where, &error)) {
        if (__builtin_expect(!mez_failed(error), 1))
            return error;
        if (mez_error_says_lost(error))
            return mez_queue_tell(error, where, queue, NULL);
    }
    return submit_checked(where, queue, kernel, range, args, task);
}

mez_error mez_barrier_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    mez_command command = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    return mez_queue_tell(mez_queue_submit_task(queue, &command, task), where, queue, task);
}
