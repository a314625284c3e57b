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

static void remember(
    mez_kernel_use *use, uint32_t index, mez_arg_kind kind, const void *content, size_t size)
{
    mez_set_argument *set = &use->arguments[index];
    if (size > sizeof set->value || (kind == MEZ_ARG_POINTER && may_change_unseen(use)))
        return;
    memcpy(set->value, content, size);
    set->kind = kind;
    set->size = (uint32_t)size;
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
        return mez_error_add(error, "argument", "number %u", (unsigned)index);
    remember(use, index, argument->kind, content, size);
    return mez_ok();
}

static void forget_stale(mez_kernel_use *use)
{
    if (!mez_kernel_use_is_stale(use))
        return;
    use->allocations = atomic_load_explicit(use->allocations_now, memory_order_acquire);
    mez_kernel_use_forget_arguments(use);
}

// A null pointer can't be passed: drivers look behind the address of each pointer for an allocation.
static bool may_be_passed(const mez_args *args)
{
    for (size_t i = 0; i < args->count; i++)
        if (args->items[i].kind == MEZ_ARG_POINTER && !args->items[i].data)
            return false;
    return true;
}

static bool has_pointer(const mez_args *args)
{
    for (size_t i = 0; args && i < args->count; i++)
        if (args->items[i].kind == MEZ_ARG_POINTER)
            return true;
    return false;
}

static bool all_is_set(const mez_kernel_use *use, const mez_args *args)
{
    for (size_t i = 0; i < args->count; i++)
        if (!mez_is_set(&use->arguments[i], &args->items[i]))
            return false;
    return true;
}

// Nothing counts as set until the launch has been appended; should it never be, then so it stays.
static void leave_to_launch(mez_kernel_use *use, const mez_args *args)
{
    mez_kernel_use_forget_arguments(use);
    memset(use->group_size, 0, sizeof use->group_size);
    use->to_pass = args;
}

static mez_error set_all(mez_kernel_use *use, const mez_args *args)
{
    MEZ_TRY(set_group_size(use, use->plan.group_size));
    for (uint32_t i = 0; args && i < args->count; i++)
        if (!mez_is_set(&use->arguments[i], &args->items[i]))
            MEZ_TRY(set_argument(use, i, &args->items[i]));
    return mez_ok();
}

// The next launch that is the same needs no more than an append.
static void note_prepared(mez_kernel_use *use, const mez_args *args)
{
    use->prepared = !use->asserting_module && !(has_pointer(args) && may_change_unseen(use));
}

static uint64_t new_setting(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

mez_error mez_kernel_use_prepare(mez_kernel_use *use, const mez_device *device,
    const mez_range *range, const mez_args *args, bool may_pass)
{
    use->to_pass = NULL;
    MEZ_TRY(mez_arguments_check(use->code, args, &device->info));
    use->prepared = false;
    use->setting = new_setting();
    MEZ_TRY(mez_range_plan(range, device, use));
    forget_stale(use);
    if (may_pass && use->values && !all_is_set(use, args) && may_be_passed(args)) {
        leave_to_launch(use, args);
        return mez_ok();
    }
    MEZ_TRY(set_all(use, args));
    note_prepared(use, args);
    return mez_ok();
}

// Of local memory the driver wants the size behind the address, of all else the value.
static void point_at_values(const mez_kernel_use *use, const mez_args *args)
{
    for (uint32_t i = 0; i < use->argument_count; i++) {
        size_t size;
        use->values[i] = (void *)content_of(&args->items[i], &size);
    }
}

static void remember_values(mez_kernel_use *use, const mez_args *args)
{
    for (uint32_t i = 0; i < use->argument_count; i++) {
        size_t size;
        const void *content = content_of(&args->items[i], &size);
        remember(use, i, args->items[i].kind, content, size);
    }
}

mez_error mez_kernel_use_pass(mez_kernel_use *use, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait)
{
    const mez_args *args = use->to_pass;
    const uint32_t *size = use->plan.group_size;
    const ze_newer_group_size_t group_size = {size[0], size[1], size[2]};
    use->to_pass = NULL;
    point_at_values(use, args);
    MEZ_TRY(ZE_NEWER(&use->kernel->image->platform->caps.newer,
        zeCommandListAppendLaunchKernelWithArguments, list, use->ze, use->plan.group_count,
        group_size, use->values, NULL, signal, wait_count, wait));
    memcpy(use->group_size, size, sizeof use->group_size);
    remember_values(use, args);
    note_prepared(use, args);
    return mez_ok();
}
