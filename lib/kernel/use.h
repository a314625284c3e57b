// SPDX-License-Identifier: MIT
//
// A kernel as one queue uses it: a Level Zero kernel of the queue's own, with what was set on it last. Setting costs: on
// Intel's driver 1,700 instructions for a pointer and 1,900 for a group size even where nothing changes
// (docs/internals/performance.md#what-driver-2243-charges), so only what differs is set again.
//
// A use belongs to its queue, whose lock guards it, and is also known to its kernel. Whichever of the two goes first takes
// the use along; the context's lock of uses guards both lists, and is
// taken only then and when a use is made.

#ifndef MEZ_KERNEL_USE_H
#define MEZ_KERNEL_USE_H

#include <pthread.h>
#include <string.h>

#include <mezzanine/queue.h>

#include "kernel/kernel.h"
#include "memory/memory.h"

// Of a context.
typedef struct mez_kernel_uses {
    pthread_mutex_t lock; // guards the lists of all uses
} mez_kernel_uses;

void mez_kernel_uses_init(mez_kernel_uses *uses);
void mez_kernel_uses_finish(mez_kernel_uses *uses);

// The argument that was set last.
typedef struct mez_set_argument {
    uint32_t kind;           // mez_arg_kind, or one of those below
    uint32_t size;           // bytes of the value
    unsigned char value[16]; // of local memory: its size
    uint32_t large_size;     // room at `large`; 0: the kernel takes no such value here
    bool checked; // of a pointer: it was, and no allocation of the driver's has come or gone since
    union {
        unsigned char *large; // a value that is larger than `value`
        uint64_t frees; // of a pointer: calls that had freed something when `live` was looked up
    };
    // The allocations of the context that pointers set here were in lately, until something is freed: what points into one needs no
    // look into memory's books. The struct has a size that an index is multiplied by in one instruction.
    mez_live_range live[2];
} mez_set_argument;

// No kinds that an argument has, so that none is the same: nothing was set, or it is not remembered; a pointer that may mean another
// allocation now; a value in `large`.
#define MEZ_ARG_UNKNOWN UINT32_MAX
#define MEZ_ARG_STALE (UINT32_MAX - 1)
#define MEZ_ARG_LARGE (UINT32_MAX - 2)

// From a range to work-groups.
typedef struct mez_launch_plan {
    mez_range range; // that it was made for; no dimensions: none
    uint32_t group_size[3];
    ze_group_count_t group_count;
} mez_launch_plan;

typedef struct mez_kernel_use {
    mez_kernel *kernel;
    const mez_kernel_code *code; // that the device took
    mez_module *module;
    ze_kernel_handle_t ze;
    // The module, where the kernel's code reaches an assert; else NULL.
    mez_module *asserting_module;
    bool posts;       // it has hidden arguments: task/mailbox.h
    uint64_t mailbox; // the number of the one that was set; 0: none was
    const mez_platform *platform;
    const atomic_uint_fast64_t *free_count; // the memory's
    bool
        takes_all; // pointers were checked before: their memory may have been freed since, and is kept for the task

    uint32_t group_size[3]; // set last; 0: never
    uint64_t allocations;   // platform->allocation_generation when the arguments were set
    // The platform's; of a kernel that can assert, whose launches are more than one append, a number that `allocations` never is.
    const atomic_uint_fast64_t *quick_generation;
    mez_set_argument *arguments; // one per argument of the kernel
    unsigned char *large_values; // room for those of them that are large
    size_t argument_count;
    mez_launch_plan plan; // of the last launch
    // A number for all that is set, group counts included. Another one each time that anything may have been set, and in the
    // process no two the same.
    uint64_t setting;
    // Of a prepared launch, which nobody else sets anything on: all is set, until an allocation changes.
    bool prepared;
    bool given_up; // that launch is gone, while tasks of it run

    // Of the several uses that a queue has of a kernel whose launches take turns (task/kernels.h).
    struct mez_kernel_use *next_variant; // in a ring; itself: it has one
    struct mez_kernel_use *follows;      // that the launch behind one of this is expected to be of
    bool is_variant;                     // made besides the first
    uint8_t misses;  // launches in a row, up to its last one, that were the same as no variant
    uint8_t returns; // times in which a pointer became what it had been before
    uint64_t before; // what it was

    uint64_t last_task; // of the queue
    bool busy; // its tasks up to last_task may run: the queue holds a reference of the kernel
    struct mez_kernel_use *next_busy;

    MEZ_LINK(struct mez_kernel_use)
    of_kernel; // in its list of those that are used, or of those that are spare
    MEZ_LINK(struct mez_kernel_use) of_queue; // in queue_list; not while it is spare
    struct mez_kernel_use **queue_list;
} mez_kernel_use;

// Makes a use for a device, building for it first where that has not been done, and adds it to the queue's list. Of several codes
// the first is taken that the device has what is needed for and its driver takes.
// Errors: as mez_kernel_build.
mez_error mez_kernel_use_create(
    mez_kernel *kernel, mez_device *device, mez_kernel_use **queue_list, mez_kernel_use **use);

// Makes a use that is not busy a spare of its kernel, for the next who creates one.
void mez_kernel_use_make_spare(mez_kernel_use *use);

// Lends a use of no queue, building for the device first where that has not been done. Errors: as mez_kernel_build.
mez_error mez_kernel_use_borrow(mez_kernel *kernel, mez_device *device, mez_kernel_use **use);
void mez_kernel_use_give_back(mez_kernel_use *use);

// Makes a use that the next queue takes, where there is none for this device.
mez_error mez_kernel_build_for(mez_kernel *kernel, mez_device *device);

// Destroys all uses of a queue that goes, or of a kernel that goes. None is busy.
void mez_kernel_uses_destroy_of_queue(mez_platform *platform, mez_kernel_use **queue_list);
void mez_kernel_uses_destroy_of_kernel(mez_kernel *kernel);

// Is the launch the same as the last? Then it has passed all checks, and all it needs is planned and set.
static inline bool mez_kernel_use_is_same(
    const mez_kernel_use *use, const mez_range *range, const mez_args *args);

// Checks and plans a launch and sets what differs from the last. Errors: MEZ_ERRC_KERNEL_ARGUMENT, MEZ_ERRC_ND_RANGE, what the driver
// says.
mez_error mez_kernel_use_prepare(
    mez_kernel_use *use, const mez_device *device, const mez_range *range, const mez_args *args);

typedef enum mez_change {
    MEZ_CHANGE_UNCHECKED, // something has to be checked first: mez_kernel_use_prepare does so
    MEZ_CHANGE_MADE,      // all is set
    MEZ_CHANGE_FAILED, // refused by the driver or a check; then the error is written, and only then
} mez_change;

// Sets what differs from the last launch where that needs none of the checks: other pointers, other values of the same size, another
// range.
mez_change mez_kernel_use_change(
    mez_kernel_use *use, const mez_range *range, const mez_args *args, mez_error *error);

// The same for one argument of a launch that is prepared.
mez_change mez_kernel_use_change_argument(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, mez_error *error);

// --- Does a submission fit the kernel and the device? Asked before the driver sees them: it checks little (launch.c).

// Before the kernel is built for a device: nothing is compiled for wrong arguments. Where nothing is known yet, as of native code,
// or where code must not be read before the device has been judged, that is success. Errors as below.
mez_error mez_arguments_check_early(
    mez_kernel *kernel, const mez_args *args, const mez_device_info *device);

// MEZ_ERRC_KERNEL_ARGUMENT: count, kind or size differ, or the device has less local memory; the story names the argument and
// both sides.
mez_error mez_arguments_check(
    const mez_kernel_code *code, const mez_args *args, const mez_device_info *device);

// Makes the error of a pointer that the device can't be given.
mez_error mez_argument_refuse_address(
    const mez_kernel_code *code, const mez_device *device, uint32_t index, const void *address);

// The argument's pointer becomes one of the use's. MEZ_ERRC_KERNEL_ARGUMENT: the device does not reach it, or it is not alive; the story
// says what it is. The caller holds what guards the use.
mez_error mez_argument_check_address(mez_kernel_use *use, uint32_t index, const void *address);

// Checks the range against kernel and device, chooses the local size where none is given, and leaves both sizes in use->plan.
// The same range again costs a comparison. Error: MEZ_ERRC_ND_RANGE, or what the driver says to the request for a suggestion.
mez_error mez_range_plan(const mez_range *range, const mez_device *device, mez_kernel_use *use);

// The largest divisor of `size` that is at most `limit`; 1 for a limit of 0.
uint32_t mez_largest_divisor(size_t size, uint32_t limit);

// --- Inline: every launch comes by here

static inline bool mez_same_extent(const mez_range *a, const mez_range *b, uint32_t dimension)
{
    return a->global[dimension] == b->global[dimension] &&
           a->local[dimension] == b->local[dimension];
}

// Of at least one dimension.
static inline bool mez_same_range(const mez_range *a, const mez_range *b)
{
    const uint32_t dimensions = a->dimensions;
    return dimensions == b->dimensions && mez_same_extent(a, b, 0) &&
           (dimensions == 1 ||
               (mez_same_extent(a, b, 1) && (dimensions == 2 || mez_same_extent(a, b, 2))));
}

// Sizes 8 and 4 are nearly all there is. No call of memcmp: registers would be saved for it at every launch.
static inline bool mez_same_bytes(const void *a, const void *b, size_t size)
{
    if (size == 8)
        return memcmp(a, b, 8) == 0;
    if (size == 4)
        return memcmp(a, b, 4) == 0;
    if (size == 16)
        return memcmp(a, b, 16) == 0;
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return false;
    return true;
}

// Is that large value set?
__attribute__((cold)) bool mez_is_large_set(const mez_set_argument *set, const mez_arg *argument);

// Is the argument set, as far as a few instructions show? They don't of a large value.
static inline bool mez_is_clearly_set(const mez_set_argument *set, const mez_arg *argument)
{
    const uint32_t kind = argument->kind;
    if (set->kind != kind)
        return false;
    if (__builtin_expect(kind == MEZ_ARG_POINTER, 1))
        return mez_same_bytes(set->value, &argument->data, sizeof argument->data);
    if (kind == MEZ_ARG_VALUE)
        return set->size == argument->size && argument->data &&
               mez_same_bytes(set->value, argument->data, argument->size);
    return kind == MEZ_ARG_LOCAL &&
           mez_same_bytes(set->value, &argument->size, sizeof argument->size);
}

static inline bool mez_is_set(const mez_set_argument *set, const mez_arg *argument)
{
    return mez_is_clearly_set(set, argument) ||
           (set->kind == MEZ_ARG_LARGE && mez_is_large_set(set, argument));
}

// A pointer may mean another allocation than it did: what was set before any allocation changed counts for nothing.
static inline bool mez_kernel_use_is_stale(const mez_kernel_use *use)
{
    return use->allocations !=
           atomic_load_explicit(&use->platform->allocation_generation, memory_order_acquire);
}

static inline bool mez_kernel_use_has_plan(const mez_kernel_use *use)
{
    return use->plan.range.dimensions > 0;
}

// The next launch is planned again. Stale as well, so that mez_kernel_use_fits need not ask for the plan.
static inline void mez_kernel_use_drop_plan(mez_kernel_use *use)
{
    use->plan.range.dimensions = 0;
    use->allocations = UINT64_MAX; // no generation
}

static inline bool mez_kernel_use_is_planned(const mez_kernel_use *use, const mez_range *range)
{
    return mez_kernel_use_has_plan(use) && mez_same_range(range, &use->plan.range);
}

// Has the launch the last one's range, and are the kernel's pointers what they were? Then it is the arguments that may differ.
static inline bool mez_kernel_use_fits(const mez_kernel_use *use, const mez_range *range)
{
    return !mez_kernel_use_is_stale(use) && mez_same_range(range, &use->plan.range);
}

// The same of a kernel that can't assert; of one that can, never.
static inline bool mez_kernel_use_fits_quickly(const mez_kernel_use *use, const mez_range *range)
{
    return use->allocations == atomic_load_explicit(use->quick_generation, memory_order_acquire) &&
           mez_same_range(range, &use->plan.range);
}

// The same, as far as a few instructions show.
static inline bool mez_kernel_use_is_clearly_same(
    const mez_kernel_use *use, const mez_range *range, const mez_args *args)
{
    if (!mez_kernel_use_fits(use, range))
        return false;
    if (!args)
        return use->argument_count == 0;
    if (args->count != use->argument_count)
        return false;
    const mez_set_argument *set = use->arguments;
    const mez_arg *item = args->items;
    for (size_t left = args->count; left > 0; left--, set++, item++)
        if (!mez_is_clearly_set(set, item))
            return false;
    return true;
}

static inline bool mez_kernel_use_is_same(
    const mez_kernel_use *use, const mez_range *range, const mez_args *args)
{
    const size_t count = args ? args->count : 0;
    if (!mez_kernel_use_fits(use, range) || count != use->argument_count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!mez_is_set(&use->arguments[i], &args->items[i]))
            return false;
    return true;
}

#endif
