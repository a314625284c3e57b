// SPDX-License-Identifier: MIT
//
// A recording contains operations that are described once and submitted many times, each time as
// one task. The driver gets them as a closed command list. A replay costs a few hundred
// instructions of the library and the driver's cost of executing the list, independent of the
// number of operations.
//
//     err = mez_recording_create(context, NULL, &steps);
//     if (!mez_failed(err))
//         err = mez_record_submit(
//             steps, blur, range, MEZ_ARGS(MEZ_PTR(a), MEZ_PTR(b)), NULL, NULL);
//     if (!mez_failed(err))
//         err = mez_record_submit(steps, sharpen, range,
//             MEZ_ARGS(MEZ_PTR(b), MEZ_PTR(a), MEZ_VAL(k)), NULL, &sharpening);
//     for (int i = 0; i < n && !mez_failed(err); i++)
//         err = mez_replay(queue, steps, NULL);
//     if (!mez_failed(err))
//         err = mez_recording_set_argument(steps, sharpening, 2, MEZ_ARG(MEZ_VAL(stronger)));
//     if (!mez_failed(err))
//         err = mez_replay(queue, steps, NULL);
//
// Operations are checked when they are recorded, in the way in which a queue checks them when they
// are submitted. The command list is made at the next replay. Operations may be added and changed
// at any time: this has no effect on replays that were submitted before, and the next one makes a
// new list.
//
// Memory stays yours: operations read and write it at every replay. A recording must not be
// replayed after memory that it uses has been freed: set its arguments to other memory, or destroy
// it. If memory of the context has been allocated or freed since the list was made, the next replay
// makes the list again, because the same address may be another allocation; small allocations from
// pools don't count. The library does not notice when you allocate or free memory with Level Zero:
// then set the argument again, even if the address is the same.
//
// Thread-safety: safe. A recording may be replayed by several threads and on several queues of its
// device at the same time; each of these replays has its own command list.

#ifndef MEZZANINE_RECORDING_H
#define MEZZANINE_RECORDING_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>
#include <mezzanine/kernel.h>
#include <mezzanine/queue.h>

MEZ_BEGIN

typedef struct mez_recording mez_recording;

typedef struct mez_recording_params {
    mez_device *device;     // whose queues replay it; NULL: the context's first
    const char *debug_name; // shown in messages; copied
    // MEZ_IN_ORDER: each operation runs after the one before it has finished. MEZ_OUT_OF_ORDER:
    // operations may run at the same time and in any order, unless there is a barrier between them.
    // The order of the queue does not matter.
    mez_queue_order order;
    uint64_t reserved[5]; // must be zero: mezzanine/base.h
} mez_recording_params;

// Creates a recording without operations. `params` may be NULL. *recording is yours, to be given to
// mez_recording_destroy; NULL after an error.
//
// MEZ_ERRC_INVALID_PARAMETER: a NULL argument, a device of another context, an order that does not
//     exist.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_recording_create_at(const mez_location *where,
    mez_context *context, const mez_recording_params *params, mez_recording **recording);

// Gives up your reference to the recording and sets *recording to NULL. Submitted replays keep what
// they need.
MEZ_API void mez_recording_destroy_at(const mez_location *where, mez_recording **recording);
#ifndef __cplusplus
#define mez_recording_destroy(recording) mez_recording_destroy_at(MEZ_HERE, recording)
#endif

// Each of the following functions adds one operation, which does what the function of a queue with
// a similar name does. *operation (NULL: not wanted) is the number of the operation, counted from
// 0. Of `task`, only `cooperative` is used, and `debug_name` in messages of the call. A recorded
// operation has no events.
//
// On failure no operation was added.

// As mez_submit. The kernel is kept, range and arguments are copied.
//
// MEZ_ERRC_EVENT: `task` has an event, or events to wait for. Use these with mez_replay.
// MEZ_ERRC_ND_RANGE, MEZ_ERRC_FEATURE_NOT_SUPPORTED, MEZ_ERRC_KERNEL_ARGUMENT,
//     MEZ_ERRC_INVALID_PARAMETER: as mez_submit. Those of mez_kernel_build. What else the driver
//     says.
MEZ_API MEZ_CHECKED mez_error mez_record_submit_at(const mez_location *where,
    mez_recording *recording, mez_kernel *kernel, const mez_range *range, const mez_args *args,
    const mez_task_params *task, uint32_t *operation);

// As mez_copy. Plain host memory is read, or written, at every replay.
//
// MEZ_ERRC_EVENT: `task` asks for an event, or for events to wait for. MEZ_ERRC_INVALID_PARAMETER:
//     as mez_copy; in contexts that validate also ranges that go past the end of their allocation.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says of the memory, in contexts that validate.
MEZ_API MEZ_CHECKED mez_error mez_record_copy_at(const mez_location *where,
    mez_recording *recording, void *to, const void *from, size_t size, const mez_task_params *task,
    uint32_t *operation);

// As mez_fill. The pattern is copied. Errors: those of mez_record_copy, and
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: as mez_fill.
MEZ_API MEZ_CHECKED mez_error mez_record_fill_at(const mez_location *where,
    mez_recording *recording, void *to, const void *pattern, size_t pattern_size, size_t size,
    const mez_task_params *task, uint32_t *operation);

// As mez_copy_2d. Errors: those of mez_record_copy, with the MEZ_ERRC_INVALID_PARAMETER of
// mez_copy_2d.
MEZ_API MEZ_CHECKED mez_error mez_record_copy_2d_at(const mez_location *where,
    mez_recording *recording, void *to, size_t to_pitch, const void *from, size_t from_pitch,
    size_t width, size_t rows, const mez_task_params *task, uint32_t *operation);

// As mez_copy_3d. Errors: those of mez_record_copy, with the MEZ_ERRC_INVALID_PARAMETER of
// mez_copy_3d.
MEZ_API MEZ_CHECKED mez_error mez_record_copy_3d_at(const mez_location *where,
    mez_recording *recording, const mez_copy_3d_params *copy, const mez_task_params *task,
    uint32_t *operation);

// Operations that are recorded after the barrier start when all operations before it have ended. In
// an in-order recording it has no effect. Errors: those of mez_record_copy, of which a NULL
// recording and `task->reserved` that is not zero are MEZ_ERRC_INVALID_PARAMETER.
MEZ_API MEZ_CHECKED mez_error mez_record_barrier_at(const mez_location *where,
    mez_recording *recording, const mez_task_params *task, uint32_t *operation);

// Changes an argument of a recorded launch, for replays that are submitted later. `index` is the
// argument's number, from 0; a value is copied. The next replay makes its command list again, which
// costs as much as submitting all operations, so kernels should read values that change with every
// replay from memory.
//
// MEZ_ERRC_KERNEL_ARGUMENT: the kernel has no such argument, or the argument has another kind or
//     size, or is a pointer that the device can't be given, as with mez_submit.
// MEZ_ERRC_INVALID_PARAMETER: NULL, no operation of that number, or one that is not a launch.
//     MEZ_ERRC_OUT_OF_HOST_MEMORY.
// On failure nothing has changed.
MEZ_API MEZ_CHECKED mez_error mez_recording_set_argument_at(const mez_location *where,
    mez_recording *recording, uint32_t operation, uint32_t index, const mez_arg *argument);

// Changes the range of a recorded launch, in the same way. MEZ_ERRC_ND_RANGE as mez_submit;
// MEZ_ERRC_INVALID_PARAMETER and MEZ_ERRC_OUT_OF_HOST_MEMORY as for arguments. What the driver
// says.
MEZ_API MEZ_CHECKED mez_error mez_recording_set_range_at(const mez_location *where,
    mez_recording *recording, uint32_t operation, const mez_range *range);

// Submits everything recorded so far as one task of the queue. The first operation starts when
// everything submitted before has ended, in queues of either order, and task->wait_for has
// happened. The task's event happens when all operations have ended. A failed assert is reported as
// for other tasks.
//
// At most four replays of a recording are in flight on a queue at the same time. The call for the
// fifth waits until the oldest has ended, or, on an immediate queue, until all of its tasks have
// ended.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL, or a queue of another context or device than the recording's.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the queue's engine can't do what was recorded.
// MEZ_ERRC_KERNEL_ARGUMENT: memory of a launch's argument has been freed. That is seen where the
//     command list has to be made again, as after each allocation and free of the driver's.
// MEZ_ERRC_INVALID_PARAMETER: also, in checked contexts, memory of another operation that has been
//     freed (docs/checking.md).
// MEZ_ERRC_EVENT: as mez_submit. MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION,
//     MEZ_ERRC_DEVICE_LOST; what else the driver says about an operation, whose number is in the
//     story.
// On failure nothing was submitted, and *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_replay_at(const mez_location *where, mez_queue *queue,
    mez_recording *recording, const mez_task_params *task);

#ifndef __cplusplus
#define mez_recording_create(...) mez_recording_create_at(MEZ_HERE, __VA_ARGS__)
#define mez_record_submit(recording, kernel, range, args, task, operation) \
    mez_record_submit_at(MEZ_HERE, recording, kernel, range, args, task, operation)
#define mez_record_copy(recording, to, from, size, task, operation) \
    mez_record_copy_at(MEZ_HERE, recording, to, from, size, task, operation)
#define mez_record_fill(recording, to, pattern, pattern_size, size, task, operation) \
    mez_record_fill_at(MEZ_HERE, recording, to, pattern, pattern_size, size, task, operation)
#define mez_record_copy_2d(                                                  \
    recording, to, to_pitch, from, from_pitch, width, rows, task, operation) \
    mez_record_copy_2d_at(                                                   \
        MEZ_HERE, recording, to, to_pitch, from, from_pitch, width, rows, task, operation)
#define mez_record_copy_3d(recording, ...) mez_record_copy_3d_at(MEZ_HERE, recording, __VA_ARGS__)
#define mez_record_barrier(recording, task, operation) \
    mez_record_barrier_at(MEZ_HERE, recording, task, operation)
#define mez_replay(queue, recording, task) mez_replay_at(MEZ_HERE, queue, recording, task)
#endif

#ifndef __cplusplus
#define mez_recording_set_argument(...) mez_recording_set_argument_at(MEZ_HERE, __VA_ARGS__)
#define mez_recording_set_range(...) mez_recording_set_range_at(MEZ_HERE, __VA_ARGS__)
#endif

MEZ_END

#endif
