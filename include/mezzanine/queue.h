// SPDX-License-Identifier: MIT
//
// A queue runs tasks on one device: kernels, copies, fills. Tasks of an in-order queue, which is
// the default, run in the order in which they were submitted, each after the one before it has
// finished. Tasks of an out-of-order queue may run at the same time and in any order, except for
// the events that they wait for.
//
// Submitting is cheap and returns at once, unless the device is far behind. Where the driver has
// in-order immediate lists, each task goes to the device by itself. On other drivers tasks are
// collected into a batch, which goes to the device when it is full, at once where the device is
// idle when the batch is begun, when you flush, and when anybody waits. A batch is full with 4 to
// 64 tasks: more while the device has enough to do, fewer while waits end them early; MEZ_BATCH
// fixes the number. A program that waits by other means, such as a flag in shared memory, flushes.
// Only a wait reports failures.
//
// Thread-safety: safe; tasks of several threads are ordered as their calls were.

#ifndef MEZZANINE_QUEUE_H
#define MEZZANINE_QUEUE_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>
#include <mezzanine/event.h>
#include <mezzanine/kernel.h>

MEZ_BEGIN

typedef struct mez_queue mez_queue;

// How tasks reach the driver. MEZ_QUEUE_ANY picks what suits it; MEZ_QUEUE=immediate|batched|basic
// overrides.
typedef enum mez_queue_kind {
    MEZ_QUEUE_ANY = 0,
    MEZ_QUEUE_IMMEDIATE = 1, // in-order immediate lists; only drivers since specification 1.7
    MEZ_QUEUE_BATCHED = 2,   // many tasks a submission; any driver
    MEZ_QUEUE_BASIC = 3,     // each task by itself and at once; any driver
} mez_queue_kind;

typedef enum mez_queue_order {
    MEZ_IN_ORDER = 0,
    MEZ_OUT_OF_ORDER = 1,
} mez_queue_order;

// Whose work the device does first where it has a choice. A hint to the driver.
typedef enum mez_queue_priority {
    MEZ_PRIORITY_NORMAL = 0,
    MEZ_PRIORITY_LOW = 1,
    MEZ_PRIORITY_HIGH = 2,
} mez_queue_priority;

// The part of the device that does the work. Every device has an engine that computes, which copies
// as well; many discrete GPUs have one that does nothing but copy, beside whatever computes.
typedef enum mez_queue_engine {
    // The one that computes. Out of order, copies of a megabyte (1 << 20 bytes) and more between
    // the device's memory and the host's, plain or not, go to the copy engine where there is one,
    // and run beside kernels; barriers and waits cover them.
    MEZ_ENGINE_ANY = 0,
    MEZ_ENGINE_COMPUTE = 1, // the one that computes, for every task
    // Copies and fills only; kernels are refused. Fills with patterns larger than it takes go to
    // the engine that computes all the same, in their place in the order.
    MEZ_ENGINE_COPY = 2,
} mez_queue_engine;

typedef struct mez_queue_params {
    mez_device *device; // NULL: the context's first
    // Shown in messages; copied. NULL: "queue #2" is the second that its context was asked for;
    // those that could not be made count.
    const char *debug_name;
    mez_queue_kind kind;
    mez_queue_order order;
    // Its events take times (mez_event_get_profile). Looking at such events is slower.
    bool profiling;
    mez_queue_priority priority;
    mez_queue_engine engine;
    // A task that asks for an event gets none: mez_task_params.event is set to NULL. For layers
    // above that always ask.
    bool discard_events;
    mez_assert_params asserts;  // what a failed assert does; zero: as the context says
    mez_error_handler on_error; // gets errors of its tasks; zero: as the context says
    uint64_t reserved[8];       // must be zero: mezzanine/base.h
} mez_queue_params;

// MEZ_ERRC_INVALID_PARAMETER: a NULL argument, a device of another context, a kind, order,
//     priority, engine or assert policy that does not exist, a callback policy without a function,
//     a limit of asserts above 1024, or an invalid value of an environment variable.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the driver does not have what the kind needs, or the device has
//     no engine that only copies.
// MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST. What else the
//     driver says.
MEZ_API MEZ_CHECKED mez_error mez_queue_create_at(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue);

// Waits for everything submitted, then frees the queue and sets *queue to NULL. What fails until
// then and nobody has received is for the queue's handler, or logged. A host task can't destroy the
// queue that runs it: that is logged, and the queue stays.
MEZ_API void mez_queue_destroy_at(const mez_location *where, mez_queue **queue);
#ifndef __cplusplus
#define mez_queue_destroy(queue) mez_queue_destroy_at(MEZ_HERE, queue)
#endif

// What may be said about one task. NULL where a call takes it: nothing.
typedef struct mez_task_params {
    const char *debug_name;     // shown in messages; must live until the task has finished
    mez_event *const *wait_for; // the task starts when all of these have happened
    size_t wait_count;          // how many events `wait_for` has
    // Out: an event that happens when the task has finished. You destroy it. NULL is written on
    // failure, and always where the queue discards events.
    mez_event **event;
    // mez_submit: all work-groups run at the same time, so that they may wait for each other.
    bool cooperative;
    // The event is for other tasks to wait for: cheaper on the device, as nothing need be made
    // visible to the host. The host may still wait, but then for everything that the queue was
    // given up to then. It makes no difference on a queue with profiling.
    bool device_event;
    uint8_t reserved_flags[6]; // must be zero, as `reserved`: room for more of them
    uint64_t reserved[3];      // must be zero: mezzanine/base.h
} mez_task_params;

#ifndef __cplusplus
// mez_copy(queue, to, from, size, MEZ_TASK(.debug_name = "upload", .event = &uploaded));
#define MEZ_TASK(...) (&(const mez_task_params){__VA_ARGS__})
#endif

// Submits a kernel over a range. The kernel is checked and compiled for the queue's device if it
// has not been. A launch that is submitted again and again is cheapest prepared:
// mezzanine/launch.h.
//
// MEZ_ERRC_ND_RANGE: a dimension count other than 1 to 3, a zero, a local size that does not divide
//     the range or is not what the kernel requires, or more than the device can run; the story
//     names the limit. So is a cooperative launch of more work-groups than run at the same time.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: a cooperative launch on a device without; any launch on a queue
//     on MEZ_ENGINE_COPY.
// MEZ_ERRC_KERNEL_ARGUMENT: count, kind or size of an argument is not what the kernel declares, or
//     the local memory is more than the device has; the story names both.
// Those of mez_kernel_build, where that has not been called.
// MEZ_ERRC_EVENT: an event to wait for is NULL, of another context, or will never happen because
//     its task failed.
// MEZ_ERRC_INVALID_PARAMETER: NULL, or a kernel of another context.
// MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST. What else the
//     driver says.
// On failure nothing was submitted, and *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_submit_at(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task);

// Copies `size` bytes. Either side may be any memory; the ranges must not overlap. Plain host
// memory must stay as it is until the task has finished. Size 0 does nothing but keep its place in
// the order.
//
// A range that leaves its allocation is an error of the program, which may destroy other memory:
// this and the calls that follow refuse it always in contexts that validate (MEZ_VALIDATE=1, or
// the loader's validation layer), and otherwise where the library looks the allocation up anyway,
// as for large copies that another engine may do. Most copies are not looked up, as that would take
// longer than to submit them. Memory of which neither library nor driver knows is not checked.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL, ranges that overlap or go past the end of memory, and, where
//     that is checked, of their allocation: the story has pointer, offset and sizes.
// MEZ_ERRC_EVENT, MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST: as
//     mez_submit. What else the driver says.
// On failure nothing was submitted, and *event is NULL; so it is with all calls that follow.
MEZ_API MEZ_CHECKED mez_error mez_copy_at(const mez_location *where, mez_queue *queue, void *to,
    const void *from, size_t size, const mez_task_params *task);

// Fills `size` bytes with a pattern, which is copied. `size` must be a multiple of `pattern_size`,
// which is a power of two of at most 128. Devices may allow less; one that repeats itself, such as
// zeros, counts as its smallest part.
//
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the device does not take a pattern of that size; the story has
//     its limit. A kernel or copies can do it.
// MEZ_ERRC_INVALID_PARAMETER: other sizes than those. Others: those of mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_fill_at(const mez_location *where, mez_queue *queue, void *to,
    const void *pattern, size_t pattern_size, size_t size, const mez_task_params *task);

// Copies a rectangle: `rows` rows of `width` bytes each, which begin `to_pitch` and `from_pitch`
// bytes apart. The rectangles must not overlap; where their pitches differ, neither may the memory
// from first to last byte. Without rows or width nothing is copied.
//
// MEZ_ERRC_INVALID_PARAMETER: also a pitch below the width, rectangles that overlap or go past the
//     end of memory, and, unless the rows touch each other on both sides, a width, a pitch or a
//     number of rows above UINT32_MAX.
// Others: those of mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_copy_2d_at(const mez_location *where, mez_queue *queue, void *to,
    size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
    const mez_task_params *task);

// A box in memory: `slices` slices of `rows` rows of `width` bytes each, and where it goes.
typedef struct mez_copy_3d_params {
    void *to;              // the first byte of the first row of the first slice
    size_t to_row_pitch;   // bytes from row to row; 0: `width`
    size_t to_slice_pitch; // bytes from slice to slice; 0: `rows` times the row pitch
    const void *from;
    size_t from_row_pitch;   // as `to_row_pitch`
    size_t from_slice_pitch; // as `to_slice_pitch`
    size_t width;            // bytes of a row
    size_t rows;             // of a slice
    size_t slices;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_copy_3d_params;

// Copies a box. The boxes must not overlap; where their pitches differ, neither may the memory from
// first to last byte. Without width, rows or slices nothing is copied.
//
//     mez_copy_3d(queue, &(mez_copy_3d_params){.to = part, .from = &volume[z][y][x],
//         .from_row_pitch = sizeof volume[0][0], .from_slice_pitch = sizeof volume[0],
//         .width = 16 * sizeof(float), .rows = 16, .slices = 16}, NULL);
//
// MEZ_ERRC_INVALID_PARAMETER: also a row pitch below the width, a slice pitch below `rows` times
//     the row pitch, `reserved` that is not zero, boxes that overlap or go past the end of memory,
//     and, unless rows or slices touch each other on both sides, a width, a pitch or a number of
//     rows or slices above UINT32_MAX.
// Others: those of mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_copy_3d_at(const mez_location *where, mez_queue *queue,
    const mez_copy_3d_params *copy, const mez_task_params *task);

// Asks for shared memory to be brought to the queue's device before tasks need it. A hint: a driver
// may do nothing.
//
// MEZ_ERRC_INVALID_PARAMETER: also memory that is not shared, or more than its allocation has.
// Others: those of mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_prefetch_at(const mez_location *where, mez_queue *queue,
    const void *memory, size_t size, const mez_task_params *task);

// How the queue's device will use shared memory.
typedef enum mez_advice {
    MEZ_ADVICE_READ_MOSTLY = 0,           // both sides read much more than they write
    MEZ_ADVICE_NOT_READ_MOSTLY = 1,       // takes that back
    MEZ_ADVICE_PREFER_DEVICE = 2,         // keep it in the device's memory
    MEZ_ADVICE_PREFER_NOWHERE = 3,        // takes that back
    MEZ_ADVICE_NON_ATOMIC_MOSTLY = 4,     // hardly any atomic operations
    MEZ_ADVICE_NOT_NON_ATOMIC_MOSTLY = 5, // takes that back
    MEZ_ADVICE_CACHED = 6,                // worth caching
    MEZ_ADVICE_UNCACHED = 7,              // not worth it
} mez_advice;

// A hint, as mez_prefetch. MEZ_ERRC_INVALID_PARAMETER: also an advice that does not exist. Others:
// those of mez_prefetch.
MEZ_API MEZ_CHECKED mez_error mez_advise_at(const mez_location *where, mez_queue *queue,
    const void *memory, size_t size, mez_advice advice, const mez_task_params *task);

// Waits, on the device, for everything submitted before it and for task->wait_for; what is
// submitted later starts behind it. On a queue, tasks wait for each other anyway: a barrier is for
// what happens elsewhere, and its event is signalled when all before it has ended.
//
// Errors: those of mez_copy, of which a NULL queue and `task->reserved` that is not zero are
// MEZ_ERRC_INVALID_PARAMETER.
MEZ_API MEZ_CHECKED mez_error mez_barrier_at(
    const mez_location *where, mez_queue *queue, const mez_task_params *task);

// As mez_barrier, but what is submitted later does not wait: its event is signalled when everything
// submitted before it and task->wait_for has ended. On an in-order queue it is a barrier; on an
// out-of-order queue the host notices the end, so that a task which waits for the event starts as
// if it came after a host task.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_EVENT: as mez_submit. MEZ_ERRC_OUT_OF_HOST_MEMORY: no
//     memory, or no thread. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_marker_at(
    const mez_location *where, mez_queue *queue, const mez_task_params *task);

typedef void (*mez_host_function)(void *user);

// Has the host call a function as a task of the queue: when task->wait_for has happened and, on an
// in-order queue, everything submitted before it has ended. Tasks that wait for its event start
// after it has returned; so, on an in-order queue, does everything submitted later. Its event has
// no times.
//
// It is called by a thread of the context, one function after the other, with no lock held: it may
// call anything, submit to any queue, and take locks under which others submit. It may wait for
// tasks that the device has; a wait for one that comes after a host task would never end, and fails
// (mez_queue_wait). Tasks behind a host task are handed to the device by that thread: a long
// function delays those of all queues. It must not destroy its own queue.
//
// Where something failed that it waits for the function is not called, and the queue keeps the
// error.
//
// MEZ_ERRC_INVALID_PARAMETER: `queue` or `function` is NULL. MEZ_ERRC_EVENT: as mez_submit.
// MEZ_ERRC_OUT_OF_HOST_MEMORY: no memory, or no thread. What the driver says, when it is handed
//     what comes before.
// On failure the function will not be called, and *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_host_task_at(const mez_location *where, mez_queue *queue,
    mez_host_function function, void *user, const mez_task_params *task);

#ifndef __cplusplus
#define mez_marker(queue, task) mez_marker_at(MEZ_HERE, queue, task)
#define mez_host_task(queue, function, user, task) \
    mez_host_task_at(MEZ_HERE, queue, function, user, task)
#define mez_queue_create(...) mez_queue_create_at(MEZ_HERE, __VA_ARGS__)
#define mez_submit(queue, kernel, range, args, task) \
    mez_submit_at(MEZ_HERE, queue, kernel, range, args, task)
#define mez_copy(queue, to, from, size, task) mez_copy_at(MEZ_HERE, queue, to, from, size, task)
#define mez_fill(queue, to, pattern, pattern_size, size, task) \
    mez_fill_at(MEZ_HERE, queue, to, pattern, pattern_size, size, task)
#define mez_copy_2d(queue, to, to_pitch, from, from_pitch, width, rows, task) \
    mez_copy_2d_at(MEZ_HERE, queue, to, to_pitch, from, from_pitch, width, rows, task)
#define mez_copy_3d(queue, ...) mez_copy_3d_at(MEZ_HERE, queue, __VA_ARGS__)
#define mez_prefetch(queue, memory, size, task) mez_prefetch_at(MEZ_HERE, queue, memory, size, task)
#define mez_advise(queue, memory, size, advice, task) \
    mez_advise_at(MEZ_HERE, queue, memory, size, advice, task)
#define mez_barrier(queue, task) mez_barrier_at(MEZ_HERE, queue, task)
#endif

// Hands an open batch to the device without waiting. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. Else what the driver says. The tasks of the batch are then lost.
MEZ_API MEZ_CHECKED mez_error mez_queue_flush_at(const mez_location *where, mez_queue *queue);

// Waits until everything submitted so far has finished. Returns the oldest error of a task that has
// not been reported: the first, and mez_queue_take_error the rest, or later waits. With an error
// handler it returns the first since the last wait. MEZ_ERRC_ASSERT: see mezzanine/assert.h.
// MEZ_ERRC_DEVICE_LOST comes again from every wait
//     (mezzanine/context.h), and so does MEZ_ERRC_ASSERT of a queue that was given up because its
//     kernel hangs behind its assert (docs/asserts.md).
//
// MEZ_ERRC_EVENT: a task was not run, because one that it waits for failed. MEZ_ERRC_WRONG_STATE: a
//     host function waits for tasks that come after a host task, which would never end.
//     MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY: as mez_queue_flush, or of a
//     task that was held behind a host task. Else what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_queue_wait_at(const mez_location *where, mez_queue *queue);

// The same, at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look). MEZ_ERRC_TIMEOUT
// (without a story): not finished in time; the queue goes on. Others: those of mez_queue_wait.
MEZ_API MEZ_CHECKED mez_error mez_queue_wait_for_at(
    const mez_location *where, mez_queue *queue, uint64_t timeout);

// Errors of tasks that have not been reported yet, one a call, the oldest first, without waiting
// for anything:
//
//     mez_error err = mez_queue_wait(queue);
//     for (; mez_failed(err); mez_queue_take_error(queue, &err))
//         report(err);
//
// False, and *error is success: there are none, or an argument is NULL. A queue keeps 64; later
// ones are logged, and the story of the last that is kept says how many there were. For a queue
// with an error handler, which gets all of them, only those come for whose call there was no
// memory.
MEZ_API bool mez_queue_take_error(mez_queue *queue, mez_error *error);

// Writes what the queue is at (at most `size` bytes with the final NUL) and returns its length
// without the NUL, like snprintf: the oldest task that is not known to have ended, with its debug
// name, kernel or operation, the place of its submission and its age; how many tasks are behind it;
// and the events that it waits for, with their tasks. Tasks that the library keeps until something
// on the host has ended, such as a host task or the signal of a user event, are counted, and the
// first of them named with what they wait for. For a program that has waited long enough and
// wants to say so. A wait that sees no progress for MEZ_STALL seconds logs the same by itself. Only
// the newest 256 tasks are known by more than their number. Never waits for the device. Nothing is
// written for a NULL queue but the NUL.
MEZ_API size_t mez_queue_describe(mez_queue *queue, char *buffer, size_t size);

#ifndef __cplusplus
#define mez_queue_flush(queue) mez_queue_flush_at(MEZ_HERE, queue)
#define mez_queue_wait(queue) mez_queue_wait_at(MEZ_HERE, queue)
#define mez_queue_wait_for(queue, timeout) mez_queue_wait_for_at(MEZ_HERE, queue, timeout)
#endif

MEZ_END

#endif
