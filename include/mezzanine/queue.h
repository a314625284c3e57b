// SPDX-License-Identifier: MIT
//
// A queue runs tasks on one device: kernels, copies, fills. Tasks of an in-order queue, which is
// the default, run in the order in which they were submitted, each after the one before it has
// finished. Tasks of an out-of-order queue may run at the same time and in any order, unless they
// wait for each other's events.
//
// Submitting is cheap and returns at once, unless the device is far behind. If the driver has
// in-order immediate lists, each task goes to the device at once. On other drivers tasks are
// collected into a batch. A batch goes to the device when it is full, when the program flushes the
// queue, and when a thread waits; if the device is idle when a batch is begun, it goes at once. A
// batch is full with 4 to 64 tasks: the number grows while the device has enough to do, and shrinks
// while waits end batches early; MEZ_BATCH sets it. A program that waits by other means, such as a
// flag in shared memory, should flush the queue first. Only a wait reports failures.
//
// Thread-safety: safe; tasks from several threads are ordered as the calls were.

#ifndef MEZZANINE_QUEUE_H
#define MEZZANINE_QUEUE_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>
#include <mezzanine/event.h>
#include <mezzanine/kernel.h>

MEZ_BEGIN

typedef struct mez_queue mez_queue;

// How tasks reach the driver. MEZ_QUEUE_ANY chooses what suits the driver; the variable
// MEZ_QUEUE=immediate|batched|basic|adaptive overrides all of these.
typedef enum mez_queue_kind {
    MEZ_QUEUE_ANY = 0,
    MEZ_QUEUE_IMMEDIATE = 1, // in-order immediate lists; only drivers since specification 1.7
    MEZ_QUEUE_BATCHED = 2,   // several tasks at a time; any driver
    MEZ_QUEUE_BASIC = 3,     // each task at once, alone; any driver
    // Immediate while few tasks come between two waits, batched while many do. Any driver: where
    // it has no in-order lists this is batched, and out of order what MEZ_QUEUE_ANY is.
    MEZ_QUEUE_ADAPTIVE = 4,
} mez_queue_kind;

typedef enum mez_queue_order {
    MEZ_IN_ORDER = 0,
    MEZ_OUT_OF_ORDER = 1,
} mez_queue_order;

// Which queue's tasks the device prefers when it can choose. A hint to the driver.
typedef enum mez_queue_priority {
    MEZ_PRIORITY_NORMAL = 0,
    MEZ_PRIORITY_LOW = 1,
    MEZ_PRIORITY_HIGH = 2,
} mez_queue_priority;

// The part of the device that runs the tasks. Every device has a compute engine, which also copies;
// many discrete GPUs also have a copy engine, which copies while the compute engine runs kernels.
typedef enum mez_queue_engine {
    // The compute engine. In an out-of-order queue, copies of at least a megabyte (1 << 20 bytes)
    // between device memory and any host memory go to the copy engine if there is one, and run at
    // the same time as kernels; barriers and waits include them. In any queue the driver may run
    // copies on an engine of its choice, in their order (docs/queues.md#engines).
    MEZ_ENGINE_ANY = 0,
    MEZ_ENGINE_COMPUTE = 1, // the compute engine, for every task
    // The copy engine, for copies and fills; kernels are refused. Fills whose patterns are too
    // large for it go to the compute engine, and keep their place in the order.
    MEZ_ENGINE_COPY = 2,
} mez_queue_engine;

typedef struct mez_queue_params {
    mez_device *device; // NULL: the context's first
    // Shown in messages; copied. NULL: the library numbers the queues of a context in the order of
    // their creation, as "queue #2"; queues that could not be created have a number, too.
    const char *debug_name;
    mez_queue_kind kind;
    mez_queue_order order;
    // Its events record when tasks ran (mez_event_get_profile), which makes waiting for them
    // slower.
    bool profiling;
    mez_queue_priority priority;
    mez_queue_engine engine;
    // No task gets an event: *mez_task_params.event is set to NULL. For layers on top of the
    // library that ask for an event with every task.
    bool discard_events;
    mez_assert_params asserts;  // what a failed assert does; zero: as in the context
    mez_error_handler on_error; // gets errors of its tasks; zero: the context's handler
    uint64_t reserved[8];       // must be zero: mezzanine/base.h
} mez_queue_params;

// MEZ_ERRC_INVALID_PARAMETER: a NULL argument, a device of another context, a kind, order,
//     priority, engine or assert policy that does not exist, a callback policy without a function,
//     a limit of asserts above 1024, or an invalid value of an environment variable.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the driver does not have what the kind needs, or the device has
//     no copy engine.
// MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST. What else the
//     driver says.
MEZ_API MEZ_CHECKED mez_error mez_queue_create_at(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue);

// Waits for everything submitted, then frees the queue and sets *queue to NULL. Errors that nobody
// has received by then go to the queue's handler, or to the log. The function of a host task can't
// destroy the queue that runs it: the library logs an error, and the queue stays.
MEZ_API void mez_queue_destroy_at(const mez_location *where, mez_queue **queue);
#ifndef __cplusplus
#define mez_queue_destroy(queue) mez_queue_destroy_at(MEZ_HERE, queue)
#endif

// Options of one task. Calls that take them accept NULL, for the defaults.
typedef struct mez_task_params {
    const char *debug_name;     // shown in messages; must live until the task has finished
    mez_event *const *wait_for; // the task starts when all of these have happened
    size_t wait_count;          // how many events `wait_for` has
    // Where to write the task's event, which happens when the task has finished, and which you
    // destroy. NULL is written on failure, and always if the queue discards events.
    mez_event **event;
    // mez_submit: all work-groups run at the same time, so that they may wait for each other.
    bool cooperative;
    // Only other tasks will wait for the event. That is cheaper for the device, which need not make
    // memory visible to the host. A host thread may still wait for the event, but such a wait lasts
    // until everything submitted to the queue before the wait has ended. It has no effect on a
    // queue with profiling.
    bool device_event;
    uint8_t reserved_flags[6]; // must be zero, as `reserved`; room for flags
    uint64_t reserved[3];      // must be zero: mezzanine/base.h
} mez_task_params;

#ifndef __cplusplus
// mez_copy(queue, to, from, size, MEZ_TASK(.debug_name = "upload", .event = &uploaded));
#define MEZ_TASK(...) (&(const mez_task_params){__VA_ARGS__})
#endif

// Submits a kernel over a range. The kernel is checked and compiled for the queue's device if it
// has not been. A launch that is submitted many times costs less when it is prepared:
// mezzanine/launch.h.
//
// MEZ_ERRC_ND_RANGE: the number of dimensions is not 1 to 3, a size is zero, a local size does not
//     divide the range or is not what the kernel requires, the device can't run so many work-items
//     or work-groups, or a cooperative launch has more work-groups than the device can run at the
//     same time. The story names the limit.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: a cooperative launch on a device that does not support them; any
//     launch on a queue with MEZ_ENGINE_COPY.
// MEZ_ERRC_KERNEL_ARGUMENT: count, kind or size of an argument is not what the kernel declares, or
//     the kernel needs more local memory than the device has. The story names both. Or a pointer
//     that the device can't be given: not in memory that it reaches, freed, beyond the end of an
//     allocation, or of another context. The story says what it is (docs/checking.md). NULL and the
//     end of an allocation are valid. A pointer is checked when it differs from the last launch's.
// Those of mez_kernel_build, if the kernel has not been built for the device.
// MEZ_ERRC_EVENT: an event to wait for is NULL, of another context, or will never happen because
//     its task failed.
// MEZ_ERRC_INVALID_PARAMETER: NULL, or a kernel of another context.
// MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST. What else the
//     driver says.
// On failure nothing was submitted, and *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_submit_at(const mez_location *where, mez_queue *queue,
    mez_kernel *kernel, const mez_range *range, const mez_args *args, const mez_task_params *task);

// Copies `size` bytes. Both sides may be any kind of memory; the ranges must not overlap. Plain
// host memory must not be freed or changed until the task has finished. A copy of 0 bytes copies
// nothing, but is a task with its place in the order.
//
// A range that goes past the end of its allocation, or begins where none is, as in memory that was
// freed, is an error of the program and may destroy other memory, of the device or of the program,
// or make the device fault. In contexts that validate (MEZ_VALIDATE=1, or the loader's validation
// layer) and in checked ones (mez_context_params.checked_memory) this call and those that follow
// always refuse it. In other contexts they refuse it only if they have to look the allocation up
// for other reasons, as for large copies that the copy engine may do; most copies are not looked
// up, because that would take longer than submitting them. Memory that neither the library nor the
// driver knows is taken as it is; where ranges are checked, no allocation may lie in it.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL, ranges that overlap or go past the end of the address space,
//     or, if that is checked, past the end of their allocation; the story has the pointer, the
//     offset and the sizes.
// MEZ_ERRC_EVENT, MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION, MEZ_ERRC_DEVICE_LOST: as
//     mez_submit. What else the driver says.
// On failure nothing was submitted, and *event is NULL. This is true of all calls that follow.
MEZ_API MEZ_CHECKED mez_error mez_copy_at(const mez_location *where, mez_queue *queue, void *to,
    const void *from, size_t size, const mez_task_params *task);

// Fills `size` bytes with a pattern, which is copied during the call. `size` must be a multiple of
// `pattern_size`, which must be a power of two of at most 128. A device may have a lower limit; a
// pattern that repeats a smaller one, such as zeros, only needs the size of the smaller one.
//
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the device does not accept a pattern of that size; the story has
//     its limit. Use a kernel or copies instead.
// MEZ_ERRC_INVALID_PARAMETER: `size` or `pattern_size` breaks these rules. Others: those of
//     mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_fill_at(const mez_location *where, mez_queue *queue, void *to,
    const void *pattern, size_t pattern_size, size_t size, const mez_task_params *task);

// Copies a rectangle: `rows` rows of `width` bytes each, which begin `to_pitch` and `from_pitch`
// bytes apart. The rectangles must not overlap; if their pitches differ, the memory between the
// first and the last byte of each must not overlap either. With 0 rows or a width of 0 nothing is
// copied.
//
// MEZ_ERRC_INVALID_PARAMETER: also a pitch below the width, and rectangles that overlap or go past
//     the end of the address space. Unless the rows are contiguous on both sides, also a width, a
//     pitch or a number of rows above UINT32_MAX.
// Others: those of mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_copy_2d_at(const mez_location *where, mez_queue *queue, void *to,
    size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
    const mez_task_params *task);

// A box in memory, of `slices` slices of `rows` rows of `width` bytes each, and where it is copied
// to.
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

// Copies a box. The boxes must not overlap; if their pitches differ, the memory between the first
// and the last byte of each must not overlap either. With a width of 0, 0 rows or 0 slices nothing
// is copied.
//
//     mez_copy_3d(queue, &(mez_copy_3d_params){.to = part, .from = &volume[z][y][x],
//         .from_row_pitch = sizeof volume[0][0], .from_slice_pitch = sizeof volume[0],
//         .width = 16 * sizeof(float), .rows = 16, .slices = 16}, NULL);
//
// MEZ_ERRC_INVALID_PARAMETER: also a row pitch below the width, a slice pitch below `rows` times
//     the row pitch, `reserved` that is not zero, and boxes that overlap or go past the end of the
//     address space. Unless rows or slices are contiguous on both sides, also a width, a pitch or a
//     number of rows or slices above UINT32_MAX.
// Others: those of mez_copy.
MEZ_API MEZ_CHECKED mez_error mez_copy_3d_at(const mez_location *where, mez_queue *queue,
    const mez_copy_3d_params *copy, const mez_task_params *task);

// Asks the driver to move shared memory to the queue's device before tasks need it. A hint: the
// driver may do nothing.
//
// MEZ_ERRC_INVALID_PARAMETER: also memory that is not shared memory, or a range that goes past the
//     end of its allocation.
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
    MEZ_ADVICE_CACHED = 6,                // should be cached
    MEZ_ADVICE_UNCACHED = 7,              // should not be cached
} mez_advice;

// Gives the driver a hint, as mez_prefetch does. MEZ_ERRC_INVALID_PARAMETER: also an advice that
// does not exist. Others: those of mez_prefetch.
MEZ_API MEZ_CHECKED mez_error mez_advise_at(const mez_location *where, mez_queue *queue,
    const void *memory, size_t size, mez_advice advice, const mez_task_params *task);

// A task that ends when everything submitted to the queue before it, and task->wait_for, has ended;
// everything submitted later starts after that. The host does not wait. In an in-order queue tasks
// are ordered without barriers: there a barrier makes the queue wait for events of other queues,
// and its event shows when everything before it has ended.
//
// Errors: those of mez_copy, of which a NULL queue and `task->reserved` that is not zero are
// MEZ_ERRC_INVALID_PARAMETER.
MEZ_API MEZ_CHECKED mez_error mez_barrier_at(
    const mez_location *where, mez_queue *queue, const mez_task_params *task);

// As mez_barrier, but tasks that are submitted later don't wait for it: its event happens when
// everything submitted before it, and task->wait_for, has ended. In an in-order queue it is the
// same as a barrier. In an out-of-order queue the host has to notice the end, so that a task which
// waits for the event is kept by the library as if it came after a host task.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_EVENT: as mez_submit. MEZ_ERRC_OUT_OF_HOST_MEMORY:
//     there is no memory, or no thread can be started. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_marker_at(
    const mez_location *where, mez_queue *queue, const mez_task_params *task);

typedef void (*mez_host_function)(void *user);

// Calls a function on the host as a task of the queue, when task->wait_for has happened and, in an
// in-order queue, everything submitted before it has ended. Tasks that wait for its event start
// after the function has returned; in an in-order queue, so does everything submitted later. Its
// event has no profile.
//
// A thread of the context calls all such functions, one after the other and without holding a lock.
// So a function may call the library, submit to any queue, and take locks that other threads hold
// when they submit. It may wait for tasks that the device has; a wait for a task that comes after a
// host task would never end, and fails (mez_queue_wait). The same thread hands the tasks behind
// host tasks to the device, so that a function which takes long delays such tasks of all queues. A
// function must not destroy its own queue.
//
// If something that it waits for has failed, the function is not called, and the queue keeps the
// error.
//
// MEZ_ERRC_INVALID_PARAMETER: `queue` or `function` is NULL. MEZ_ERRC_EVENT: as mez_submit.
// MEZ_ERRC_OUT_OF_HOST_MEMORY: there is no memory, or no thread can be started. What the driver
//     says of the tasks before it, which are handed to it by this call.
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

// Hands an open batch to the device, without waiting for its tasks.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
// What else the driver says; the tasks of the batch are then lost.
MEZ_API MEZ_CHECKED mez_error mez_queue_flush_at(const mez_location *where, mez_queue *queue);

// Waits until everything submitted so far has finished. Returns the oldest error of a task that has
// not been reported yet; mez_queue_take_error, or later waits, return the others. If the queue has
// an error handler, a wait returns the first error since the last wait.
//
// MEZ_ERRC_STRAY_WRITE: in checked contexts: memory beside an allocation was written, or memory
//     that was freed; by whom is not known. The log has all of these (docs/checking.md).
// MEZ_ERRC_ASSERT: an assert failed: see mezzanine/assert.h. If the queue was given up because its
//     kernel hangs after a failed assert (docs/asserts.md), every later wait returns this, too.
// MEZ_ERRC_DEVICE_LOST: the device was lost, which every later wait returns, too
//     (mezzanine/context.h).
// MEZ_ERRC_EVENT: a task was not run, because one that it waits for failed.
// MEZ_ERRC_WRONG_STATE: the call comes from the function of a host task or a callback, and a task
//     comes after a host task, so that the wait would never end.
// MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_OUT_OF_HOST_MEMORY: as mez_queue_flush, or of a task that was kept behind a host task.
// What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_queue_wait_at(const mez_location *where, mez_queue *queue);

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
// MEZ_ERRC_TIMEOUT (without a story): not finished in time; all tasks go on. Others: those of
// mez_queue_wait.
MEZ_API MEZ_CHECKED mez_error mez_queue_wait_for_at(
    const mez_location *where, mez_queue *queue, uint64_t timeout);

// Takes the oldest error of a task that has not been reported yet, without waiting for any task:
//
//     mez_error err = mez_queue_wait(queue);
//     for (; mez_failed(err); mez_queue_take_error(queue, &err))
//         report(err);
//
// Returns false, with *error set to success, if there is no such error or an argument is NULL. A
// queue keeps 64 errors. Later ones are logged, and the story of the last one that is kept says how
// many there were. An error handler gets all errors of its queue; this call then returns only those
// for which there was no memory to call the handler.
MEZ_API bool mez_queue_take_error(mez_queue *queue, mez_error *error);

// Describes in words which tasks the queue has not finished, for programs that report why they
// still wait. Writes at most `size` bytes with the final NUL and returns the length of the whole
// text without the NUL, like snprintf. The text has the oldest task that is not known to have
// ended, with its debug name, its kernel or operation, the place of its submission and its age; the
// number of tasks behind it; and the events that it waits for, with their tasks. It also has the
// number of tasks that the library keeps until something on the host has happened, such as the end
// of a host task or the signal of a user event, and for the first of them what they wait for. For
// tasks older than the newest 256 only the number is known. A wait that sees no progress for
// MEZ_STALL seconds logs the same text. The call never waits for the device. For a NULL queue the
// text is empty.
MEZ_API size_t mez_queue_describe(mez_queue *queue, char *buffer, size_t size);

#ifndef __cplusplus
#define mez_queue_flush(queue) mez_queue_flush_at(MEZ_HERE, queue)
#define mez_queue_wait(queue) mez_queue_wait_at(MEZ_HERE, queue)
#define mez_queue_wait_for(queue, timeout) mez_queue_wait_for_at(MEZ_HERE, queue, timeout)
#endif

MEZ_END

#endif
