// SPDX-License-Identifier: MIT
//
// Setting a use for a launch: what has been set in the driver is not set again.

#include "kernel/use.h"

#include <string.h>

#include "kernel/change.h"

static mez_error set_group_size(mez_kernel_use *use, const uint32_t size[3])
{
    if (memcmp(use->group_size, size, sizeof use->group_size) == 0)
        return mez_ok();
    const mez_error error = ZE(zeKernelSetGroupSize, use->ze, size[0], size[1], size[2]);
    if (mez_failed(error)) {
        mez_kernel_use_drop_plan(use); // or the next launch would take the plan for set
        return error;
    }
    memcpy(use->group_size, size, sizeof use->group_size);
    return mez_ok();
}

// --- What differs from the last launch

uint64_t mez_next_settings(void)
{
    static atomic_uint_fast64_t blocks = 1;
    return atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed) * MEZ_SETTINGS + 1;
}

// The user allocates without us: the same address may be another allocation at the next launch.
static bool may_change_unseen(const mez_kernel_use *use)
{
    return atomic_load_explicit(&use->platform->shares_ze, memory_order_relaxed);
}

// Looks for allocations before anything is set: what is allocated behind that makes the next launch stale.
__attribute__((noinline)) static void mark_stale(mez_kernel_use *use)
{
    use->allocations =
        atomic_load_explicit(&use->platform->allocation_generation, memory_order_acquire);
    for (size_t i = 0; i < use->argument_count; i++) {
        if (use->arguments[i].kind == MEZ_ARG_POINTER)
            use->arguments[i].kind = MEZ_ARG_STALE;
        use->arguments[i].checked = false;
    }
}

// The allocation it was in last stays known beside this one, where nothing has been freed in between: programs pass two in turn.
static void remember_live(mez_set_argument *set, const mez_live_range *range, uint64_t frees)
{
    set->live[1] = set->frees == frees ? set->live[0] : (mez_live_range){0};
    set->live[0] = *range;
    set->frees = frees;
}

mez_error mez_argument_check_address(mez_kernel_use *use, uint32_t index, const void *address)
{
    mez_live_range range;
    uint64_t frees;
    if (!address || use->takes_all)
        return mez_ok();
    if (mez_memory_find_live(use->platform->memory, address, &range, &frees)) {
        remember_live(&use->arguments[index], &range, frees);
        if (__builtin_expect(use->platform->memory->checked != NULL, 0))
            mez_checked_note_kernel(
                use->platform->memory, address, mez_kernel_get_name(use->kernel));
        return mez_ok();
    }
    mez_device *device = use->module->device;
    return mez_address_is_usable(device->platform, device, address)
               ? mez_ok()
               : mez_argument_refuse_address(use->code, device, index, address);
}

mez_error mez_argument_set_failed(mez_kernel_use *use, uint32_t index, mez_error error)
{
    use->arguments[index].kind = MEZ_ARG_UNKNOWN;
    return mez_error_add(error, "argument", "number %u", (unsigned)index);
}

static mez_error pass_pointer(
    mez_kernel_use *use, uint32_t index, mez_set_argument *set, const mez_arg *argument)
{
    return mez_argument_pass_pointer(
        use, index, set, argument, argument->data ? &argument->data : NULL);
}

static mez_error set_pointer(
    mez_kernel_use *use, uint32_t index, mez_set_argument *set, const mez_arg *argument)
{
    if (!mez_argument_is_live(use, set, argument->data))
        MEZ_TRY(mez_argument_check_address(use, index, argument->data));
    return pass_pointer(use, index, set, argument);
}

// One that is STALE is set though it may look the same, and stays so where others allocate.
static mez_error change_stale(mez_kernel_use *use, uint32_t index, const mez_arg *argument)
{
    mez_set_argument *set = &use->arguments[index];
    if (set->checked && mez_same_bytes(set->value, &argument->data, sizeof argument->data))
        return pass_pointer(use, index, set, argument);
    MEZ_TRY(set_pointer(use, index, set, argument));
    set->checked = true;
    if (!may_change_unseen(use))
        set->kind = MEZ_ARG_POINTER;
    return mez_ok();
}

// False: it has to be checked.
static bool change_rare(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, mez_error *error)
{
    mez_set_argument *set = &use->arguments[index];
    *error = mez_ok();
    if (mez_argument_is_like(set, argument, MEZ_ARG_VALUE))
        *error = mez_argument_change(use, index, set->value, argument->data, argument->size);
    else if (mez_argument_is_like(set, argument, MEZ_ARG_LARGE))
        *error = mez_argument_change(use, index, set->large, argument->data, argument->size);
    else if (argument->kind == MEZ_ARG_POINTER && set->kind == MEZ_ARG_STALE)
        *error = change_stale(use, index, argument);
    else if (argument->kind == MEZ_ARG_POINTER && set->kind == MEZ_ARG_POINTER)
        *error = set_pointer(use, index, set, argument);
    else // local memory must be the same, as all of a launch is added up
        return argument->kind == MEZ_ARG_LOCAL && mez_is_set(set, argument);
    return true;
}

static mez_change outcome_of(mez_error failure, mez_error *error)
{
    if (__builtin_expect(!mez_failed(failure), 1))
        return MEZ_CHANGE_MADE;
    *error = failure;
    return MEZ_CHANGE_FAILED;
}

mez_change mez_argument_change_rare(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, mez_error *error)
{
    mez_error failure;
    return change_rare(use, index, argument, &failure) ? outcome_of(failure, error)
                                                       : MEZ_CHANGE_UNCHECKED;
}

// A range of the last one's work-groups: only their number has to be checked. False: it is of others, or does not fit.
static bool count_groups_again(mez_kernel_use *use, const mez_range *range)
{
    mez_launch_plan *plan = &use->plan;
    const uint32_t *most = use->module->device->info.max_group_counts;
    uint32_t count[3] = {1, 1, 1};
    if (range->dimensions != plan->range.dimensions)
        return false;
    for (uint32_t i = 0; i < range->dimensions; i++) {
        const size_t global = range->global[i], local = range->local[i];
        if (local == 0 || local != plan->range.local[i] || global == 0 || global % local != 0 ||
            global / local > most[i])
            return false;
        count[i] = (uint32_t)(global / local);
        plan->range.global[i] = global;
    }
    plan->group_count = (ze_group_count_t){count[0], count[1], count[2]};
    return true;
}

static mez_error change_range(mez_kernel_use *use, const mez_range *range)
{
    if (mez_kernel_use_has_plan(use) && count_groups_again(use, range))
        return mez_ok();
    MEZ_TRY(mez_range_plan(range, use->module->device, use));
    return set_group_size(use, use->plan.group_size);
}

mez_change mez_kernel_use_change(
    mez_kernel_use *use, const mez_range *range, const mez_args *args, mez_error *error)
{
    const size_t count = args ? args->count : 0;
    if (count != use->argument_count || (count > 0 && !args->items))
        return MEZ_CHANGE_UNCHECKED;
    mez_kernel_use_renew_setting(use);
    if (mez_kernel_use_is_stale(use))
        mark_stale(use);
    if (!mez_kernel_use_is_planned(use, range)) {
        const mez_error failure = change_range(use, range);
        if (mez_failed(failure))
            return outcome_of(failure, error);
    }
    return count == 0 ? MEZ_CHANGE_MADE : mez_arguments_change(use, args, 0, error);
}

mez_change mez_kernel_use_change_argument(
    mez_kernel_use *use, uint32_t index, const mez_arg *argument, mez_error *error)
{
    mez_set_argument *set = &use->arguments[index];
    if (!use->prepared || mez_kernel_use_is_stale(use))
        return MEZ_CHANGE_UNCHECKED;
    if (mez_is_set(set, argument))
        return MEZ_CHANGE_MADE;
    mez_kernel_use_renew_setting(use);
    const mez_change change = mez_argument_change_any(use, index, set, argument, error);
    use->prepared = change == MEZ_CHANGE_MADE && set->kind != MEZ_ARG_STALE;
    return change;
}

// --- All of it

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
    set->checked = argument->kind == MEZ_ARG_POINTER;
    set->kind = argument->kind == MEZ_ARG_POINTER && may_change_unseen(use)
                    ? MEZ_ARG_STALE
                    : (uint32_t)argument->kind;
}

// What is set in the driver differs from what the user gave: for a null pointer and for local memory it is a value of NULL.
static mez_error set_argument(mez_kernel_use *use, uint32_t index, const mez_arg *argument)
{
    size_t size;
    const void *content = content_of(argument, &size);
    const bool local = argument->kind == MEZ_ARG_LOCAL;
    const void *passed = local || !argument->data ? NULL : content;
    if (argument->kind == MEZ_ARG_POINTER)
        MEZ_TRY(mez_argument_check_address(use, index, argument->data));
    const mez_error error =
        ZE(zeKernelSetArgumentValue, use->ze, index, local ? argument->size : size, passed);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_argument_set_failed(use, index, error);
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

static mez_error set_all(
    mez_kernel_use *use, const mez_device *device, const mez_range *range, const mez_args *args)
{
    mez_kernel_use_renew_setting(use);
    MEZ_TRY(mez_arguments_check(use->code, args, &device->info));
    MEZ_TRY(mez_range_plan(range, device, use));
    if (mez_kernel_use_is_stale(use))
        mark_stale(use);
    MEZ_TRY(set_group_size(use, use->plan.group_size));
    for (uint32_t i = 0; args && i < args->count; i++)
        if (!mez_is_set(&use->arguments[i], &args->items[i]))
            MEZ_TRY(set_argument(use, i, &args->items[i]));
    return mez_ok();
}

mez_error mez_kernel_use_prepare(
    mez_kernel_use *use, const mez_device *device, const mez_range *range, const mez_args *args)
{
    mez_error error;
    use->prepared = false;
    const mez_change change = mez_kernel_use_change(use, range, args, &error);
    if (change == MEZ_CHANGE_UNCHECKED)
        error = set_all(use, device, range, args);
    if (change != MEZ_CHANGE_MADE)
        MEZ_TRY(error);
    // The next launch that is the same needs no more than an append.
    use->prepared = !use->asserting_module && !(has_pointer(args) && may_change_unseen(use));
    return mez_ok();
}
