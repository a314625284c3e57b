// SPDX-License-Identifier: MIT
//
// A prepared launch: a kernel with its range and arguments, which is checked once and then
// submitted to its queue any number of times. The cost of a submission does not depend on the
// number of arguments, and is below that of mez_submit, which compares every argument with those of
// the last launch.
//
//     mez_launch *step;
//     mez_error err = mez_launch_create(
//         queue, kernel, MEZ_RANGE(n), MEZ_ARGS(MEZ_PTR(field), MEZ_VAL(t)), &step);
//     for (t = 0; !mez_failed(err) && t < end; t += dt) {
//         err = mez_launch_set_argument(step, 1, MEZ_ARG(MEZ_VAL(t)));
//         if (!mez_failed(err))
//             err = mez_launch_submit(step, NULL);
//     }
//     mez_launch_destroy(&step);
//
// Values are copied. Memory that arguments point to stays yours: it must live until the last task
// that uses it has ended.
//
// Thread-safety: safe; an argument that one thread sets is used by the next submission of any
// thread.

#ifndef MEZZANINE_LAUNCH_H
#define MEZZANINE_LAUNCH_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/kernel.h>
#include <mezzanine/queue.h>

MEZ_BEGIN

typedef struct mez_launch mez_launch;

// Prepares a launch for one queue. The kernel is checked and compiled for the queue's device,
// unless that has been done; you may destroy it afterwards. Destroy the launch before its context.
// The queue may be destroyed before, after which the launch can't be submitted.
//
// MEZ_ERRC_ND_RANGE, MEZ_ERRC_KERNEL_ARGUMENT, MEZ_ERRC_INVALID_PARAMETER: as mez_submit.
//     MEZ_ERRC_FEATURE_NOT_SUPPORTED: the queue was created with MEZ_ENGINE_COPY.
// Those of mez_kernel_build. What else the driver says. On failure *launch is NULL.
MEZ_API MEZ_CHECKED mez_error mez_launch_create_at(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, mez_launch **launch);

// Submits the launch, as mez_submit does. `task` is the same as there; NULL, for the defaults, is
// the fastest.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_WRONG_STATE: the queue has been destroyed.
// MEZ_ERRC_KERNEL_ARGUMENT: memory of an argument has been freed. That is seen where it was an
//     allocation of the driver's own, of more than 32 KiB (docs/checking.md).
// MEZ_ERRC_ND_RANGE, MEZ_ERRC_FEATURE_NOT_SUPPORTED: a cooperative launch that the device can't
//     run.
// MEZ_ERRC_EVENT, MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST: as
//     mez_submit. What else the driver says.
// On failure nothing was submitted, and *task->event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_launch_submit_at(
    const mez_location *where, mez_launch *launch, const mez_task_params *task);

// Changes one argument for later submissions; tasks that have been submitted keep the old one. A
// new value must have the same size as the old one.
//
// MEZ_ERRC_KERNEL_ARGUMENT: the kernel has no argument with this index (counted from 0), the
//     argument is not what the kernel declares, the local memory would be more than the device
//     has, or it is a pointer that the device can't be given, as with mez_submit.
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_WRONG_STATE: the queue has been destroyed. What the
//     driver says.
// On failure the launch keeps the argument that it had.
MEZ_API MEZ_CHECKED mez_error mez_launch_set_argument_at(
    const mez_location *where, mez_launch *launch, uint32_t index, const mez_arg *argument);

#ifndef __cplusplus
#define mez_launch_create(queue, kernel, range, args, launch) \
    mez_launch_create_at(MEZ_HERE, queue, kernel, range, args, launch)
#define mez_launch_submit(launch, task) mez_launch_submit_at(MEZ_HERE, launch, task)
#define mez_launch_set_argument(launch, index, argument) \
    mez_launch_set_argument_at(MEZ_HERE, launch, index, argument)
#endif

// Frees the launch and sets *launch to NULL. Submitted tasks go on.
MEZ_API void mez_launch_destroy_at(const mez_location *where, mez_launch **launch);
#ifndef __cplusplus
#define mez_launch_destroy(launch) mez_launch_destroy_at(MEZ_HERE, launch)
#endif

MEZ_END

#endif
