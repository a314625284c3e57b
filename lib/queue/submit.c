// SPDX-License-Identifier: MIT

#include "kernel/arguments.h"
#include "queue/queue.h"
#include "queue/range.h"

static mez_error launch(
    mez_queue *queue, mez_command *command, const mez_range *range, const mez_task_params *task)
{
    MEZ_TRY(mez_range_plan(range, queue->device, command));
    return mez_queue_submit_task(queue, command, task);
}

static mez_error submit(mez_queue *queue, mez_kernel *kernel, const mez_range *range,
    const mez_args *args, const mez_task_params *task)
{
    if (mez_kernel_platform(kernel) != queue->platform)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "kernel \"%s\" belongs to another context than queue \"%s\"", mez_kernel_name(kernel),
            queue->name);
    MEZ_TRY(mez_arguments_check(kernel, args, &queue->device->info));
    mez_command command = {.kind = MEZ_COMMAND_KERNEL};
    command.launch.kernel = kernel;
    command.launch.args = args;
    MEZ_TRY(mez_kernel_take(kernel, queue->device, &command.launch.handle));
    const mez_error error = launch(queue, &command, range, task);
    mez_kernel_give(kernel, queue->device, command.launch.handle);
    return error;
}

mez_error mez_submit_at(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
    const mez_range *range, const mez_args *args, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(kernel, where);
    MEZ_REQUIRE(range, where);
    mez_error error = submit(queue, kernel, range, args, task);
    if (mez_failed(error))
        error = mez_error_add(error, "kernel", "\"%s\"", mez_kernel_name(kernel));
    return mez_queue_tell(error, where, queue, task);
}
