// SPDX-License-Identifier: MIT
//
// Setting a use for a launch: what has been set in the driver is not set again.

#include "kernel/use.h"

#include <string.h>

#include "kernel/launch.h"

static mez_error set_group_size(mez_kernel_use *use, const uint32_t size[3])
{
    if (memcmp(use->group_size, size, sizeof use->group_size) == 0)
        return mez_ok();
    const mez_error error = ZE(zeKernelSetGroupSize, use->ze, size[0], size[1], size[2]);
    if (mez_failed(error)) {
        use->plan.range.dimensions = 0; // or the next launch would take the plan for set
        return error;
    }
    memcpy(use->group_size, size, sizeof use->group_size);
    return mez_ok();
}

// The user allocates without us: the same address may be another allocation at the next launch.
static bool may_change_unseen(const mez_kernel_use *use)
{
    const mez_platform *platform = use->kernel->image->platform;
    return atomic_load_explicit(&platform->shares_ze, memory_order_relaxed);
}

// What distinguishes two arguments: the value, the address, or the size of local memory.
static const void *content_of(const mez_arg *argument, size_t *size)
{
    *size = argument->kind == MEZ_ARG_VALUE ? argument->size : sizeof(size_t);
    if (argument->kind == MEZ_ARG_POINTER)
        return &argument->data;
    return argument->kind == MEZ_ARG_LOCAL ? &argument->size : argument->data;
}

static void remember_large(mez_set_argument *set, const void *content, size_t size)
{
    if (size > set->large_size)
        return;
    memcpy(set->large, content, size);
    set->kind = MEZ_ARG_LARGE;
    set->size = (uint32_t)size;
}

static void remember(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, const void *content, size_t size)
{
    mez_set_argument *set = &use->arguments[index];
    if (size > sizeof set->value) {
        remember_large(set, content, size);
        return;
    }
    memcpy(set->value, content, size);
    set->size = (uint32_t)size;
    set->kind = argument->kind == MEZ_ARG_POINTER && may_change_unseen(use)
                    ? MEZ_ARG_STALE
                    : (uint32_t)argument->kind;
}

__attribute__((cold)) static mez_error add_number(mez_error error, uint32_t index)
{
    return mez_error_add(error, "argument", "number %u", (unsigned)index);
}

// What is set in the driver differs from what the user gave: for a null pointer and for local memory it is a value of NULL.
static mez_error set_argument(mez_kernel_use *use, uint32_t index, const mez_arg *argument)
{
    size_t size;
    const void *content = content_of(argument, &size);
    const bool local = argument->kind == MEZ_ARG_LOCAL;
    const void *passed = local || !argument->data ? NULL : content;
    use->arguments[index].kind = MEZ_ARG_UNKNOWN; // a failed call may have set anything
    const mez_error error =
        ZE(zeKernelSetArgumentValue, use->ze, index, local ? argument->size : size, passed);
    if (__builtin_expect(mez_failed(error), 0))
        return add_number(error, index);
    remember(use, index, argument, content, size);
    return mez_ok();
}

static bool has_pointer(const mez_args *args)
{
    for (size_t i = 0; args && i < args->count; i++)
        if (args->items[i].kind == MEZ_ARG_POINTER)
            return true;
    return false;
}

// --- What differs from the last launch

// Numbers are handed out in blocks, so that a use needs an atomic one rarely.
#define SETTINGS ((uint64_t)1 << 20)

static void renew_setting(mez_kernel_use *use)
{
    static atomic_uint_fast64_t blocks = 1;
    if (use->setting % SETTINGS == 0)
        use->setting = atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed) * SETTINGS;
    use->setting++;
}

// Looks for allocations before anything is set: what is allocated behind that makes the next launch stale.
static void mark_stale(mez_kernel_use *use)
{
    if (__builtin_expect(!mez_kernel_use_is_stale(use), 1))
        return;
    use->allocations = atomic_load_explicit(use->allocations_now, memory_order_acquire);
    for (size_t i = 0; i < use->argument_count; i++)
        if (use->arguments[i].kind == MEZ_ARG_POINTER)
            use->arguments[i].kind = MEZ_ARG_STALE;
}

// Of the same sort as what was set? Then it passes the checks that this has passed. Of local memory all of a launch is added up.
static bool is_same_sort(const mez_set_argument *set, const mez_arg *argument)
{
    if (argument->kind == MEZ_ARG_POINTER)
        return set->kind == MEZ_ARG_POINTER || set->kind == MEZ_ARG_STALE;
    return argument->kind == MEZ_ARG_VALUE &&
           (set->kind == MEZ_ARG_VALUE || set->kind == MEZ_ARG_LARGE) &&
           set->size == argument->size && argument->data;
}

// Of the sort that is set, so that kind and size stay. A pointer to which may_change_unseen applies is never known to be set.
static mez_error change_argument(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, bool unseen)
{
    mez_set_argument *set = &use->arguments[index];
    const bool is_pointer = argument->kind == MEZ_ARG_POINTER;
    const size_t size = is_pointer ? sizeof argument->data : argument->size;
    const void *content = is_pointer ? &argument->data : argument->data;
    const uint32_t kind = set->kind;
    set->kind = MEZ_ARG_UNKNOWN; // a failed call may have set anything
    const mez_error error = ZE(zeKernelSetArgumentValue, use->ze, index, size,
        is_pointer && !argument->data ? NULL : content);
    if (__builtin_expect(mez_failed(error), 0))
        return add_number(error, index);
    if (size == 4) // no call for nearly all there is
        memcpy(set->value, content, 4);
    else if (size == 8)
        memcpy(set->value, content, 8);
    else
        memcpy(size > sizeof set->value ? set->large : set->value, content, size);
    set->kind = is_pointer ? (unseen ? MEZ_ARG_STALE : MEZ_ARG_POINTER) : kind;
    return error;
}

static bool is_set(const mez_set_argument *set, const mez_arg *argument)
{
    if (__builtin_expect(set->kind == MEZ_ARG_LARGE, 0))
        return is_same_sort(set, argument) &&
               memcmp(set->large, argument->data, argument->size) == 0;
    return mez_is_set(set, argument);
}

static bool change_arguments(mez_kernel_use *use, const mez_args *args, mez_error *error)
{
    const bool unseen = may_change_unseen(use);
    for (uint32_t i = 0; i < use->argument_count && !mez_failed(*error); i++) {
        const mez_arg *argument = &args->items[i];
        if (is_set(&use->arguments[i], argument))
            continue;
        renew_setting(use);
        if (!is_same_sort(&use->arguments[i], argument))
            return false;
        *error = change_argument(use, i, argument, unseen);
    }
    return true;
}

static mez_error change_range(mez_kernel_use *use, const mez_range *range)
{
    renew_setting(use);
    MEZ_TRY(mez_range_plan(range, use->module->device, use));
    return set_group_size(use, use->plan.group_size);
}

bool mez_kernel_use_change(
    mez_kernel_use *use, const mez_range *range, const mez_args *args, mez_error *error)
{
    const size_t count = args ? args->count : 0;
    *error = mez_ok();
    if (count != use->argument_count || (count > 0 && !args->items))
        return false;
    mark_stale(use);
    if (!mez_same_range(range, &use->plan.range))
        *error = change_range(use, range);
    return mez_failed(*error) || change_arguments(use, args, error);
}

bool mez_kernel_use_change_argument(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, mez_error *error)
{
    *error = mez_ok();
    if (!use->prepared || mez_kernel_use_is_stale(use))
        return false;
    if (is_set(&use->arguments[index], argument))
        return true;
    if (!is_same_sort(&use->arguments[index], argument))
        return false;
    renew_setting(use);
    *error = change_argument(use, index, argument, may_change_unseen(use));
    use->prepared = use->arguments[index].kind != MEZ_ARG_STALE && !mez_failed(*error);
    return true;
}

// --- All of it

static mez_error set_all(
    mez_kernel_use *use, const mez_device *device, const mez_range *range, const mez_args *args)
{
    MEZ_TRY(mez_arguments_check(use->code, args, &device->info));
    MEZ_TRY(mez_range_plan(range, device, use));
    mark_stale(use);
    MEZ_TRY(set_group_size(use, use->plan.group_size));
    for (uint32_t i = 0; args && i < args->count; i++)
        if (!is_set(&use->arguments[i], &args->items[i]))
            MEZ_TRY(set_argument(use, i, &args->items[i]));
    return mez_ok();
}

mez_error mez_kernel_use_prepare(
    mez_kernel_use *use, const mez_device *device, const mez_range *range, const mez_args *args)
{
    mez_error error;
    use->prepared = false;
    if (!mez_kernel_use_change(use, range, args, &error)) {
        renew_setting(use);
        error = set_all(use, device, range, args);
    }
    MEZ_TRY(error);
    // The next launch that is the same needs no more than an append.
    use->prepared = !use->asserting_module && !(has_pointer(args) && may_change_unseen(use));
    return mez_ok();
}
