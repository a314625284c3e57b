// SPDX-License-Identifier: MIT

#include "kernel/use.h"

#include <string.h>

#include "base/alloc.h"
#include "kernel/arguments.h"
#include "kernel/choose.h"
#include "kernel/range.h"

static void use_free(mez_kernel_use *use)
{
    if (use->ze)
        ZE_LOGGED(zeKernelDestroy, use->ze);
    mez_free_memory(use->arguments);
    mez_free_memory(use->values);
    mez_free_memory(use);
}

// Values are passed without a size: it must be known that ours is the kernel's. Without arguments there is little to save.
static bool can_pass_arguments(const mez_kernel_use *use)
{
    const struct mez_spirv_signature *signature = &use->code->signature;
    for (uint32_t i = 0; i < signature->count; i++)
        if (signature->arguments[i].size == 0)
            return false;
    return signature->count > 0 && use->kernel->image->platform->caps.launch_with_arguments;
}

static mez_error make_room_for_arguments(mez_kernel_use *use)
{
    use->argument_count = use->code->argument_count;
    use->arguments = mez_alloc_array(use->argument_count + 1, sizeof *use->arguments);
    if (!use->arguments)
        return mez_error_no_memory("a kernel's arguments");
    if (!can_pass_arguments(use))
        return mez_ok();
    use->values = mez_alloc_array(use->argument_count, sizeof *use->values);
    return use->values ? mez_ok() : mez_error_no_memory("a kernel's arguments");
}

static void forget_arguments(mez_kernel_use *use)
{
    for (uint32_t i = 0; i < use->argument_count; i++)
        use->arguments[i].kind = MEZ_ARG_UNKNOWN;
}

static mez_error use_init(mez_kernel_use *use, mez_kernel *kernel, mez_device *device)
{
    use->kernel = kernel;
    MEZ_TRY(mez_kernel_use_choose(use, device));
    MEZ_TRY(make_room_for_arguments(use));
    forget_arguments(use);
    use->allocations_now = &kernel->image->platform->allocation_generation;
    const mez_module *module = use->module;
    if (use->code->may_assert && (module->assert_record || module->native_asserts))
        use->asserting_module = use->module;
    return mez_ok();
}

static mez_error use_new(mez_kernel *kernel, mez_device *device, mez_kernel_use **made)
{
    mez_kernel_use *use = mez_new(mez_kernel_use);
    if (!use)
        return mez_error_no_memory("a kernel");
    const mez_error error = use_init(use, kernel, device);
    if (mez_failed(error))
        use_free(use);
    else
        *made = use;
    return error;
}

static mez_kernel_use *take_spare(mez_kernel *kernel, const mez_device *device)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    mez_kernel_use **link = &kernel->spare_uses;
    while (*link && (*link)->module->device != device)
        link = &(*link)->next_of_kernel;
    mez_kernel_use *use = *link;
    if (use)
        *link = use->next_of_kernel;
    pthread_mutex_unlock(&platform->uses_lock);
    return use;
}

static void give_spare(mez_kernel_use *use)
{
    mez_platform *platform = use->kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    use->next_of_kernel = use->kernel->spare_uses;
    use->kernel->spare_uses = use;
    pthread_mutex_unlock(&platform->uses_lock);
}

static mez_error take_or_make(mez_kernel *kernel, mez_device *device, mez_kernel_use **use)
{
    *use = take_spare(kernel, device);
    return *use ? mez_ok() : use_new(kernel, device, use);
}

mez_error mez_kernel_build_for(mez_kernel *kernel, mez_device *device)
{
    mez_kernel_use *use;
    MEZ_TRY(take_or_make(kernel, device, &use));
    give_spare(use);
    return mez_ok();
}

static void link_use(mez_kernel_use *use, mez_kernel_use **queue_list)
{
    mez_platform *platform = use->kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    use->queue_list = queue_list;
    use->next_of_queue = *queue_list;
    *queue_list = use;
    use->next_of_kernel = use->kernel->uses;
    use->kernel->uses = use;
    pthread_mutex_unlock(&platform->uses_lock);
}

mez_error mez_kernel_use_create(
    mez_kernel *kernel, mez_device *device, mez_kernel_use **queue_list, mez_kernel_use **use)
{
    MEZ_TRY(take_or_make(kernel, device, use));
    link_use(*use, queue_list);
    return mez_ok();
}

static void unlink_from_kernel(mez_kernel_use *use)
{
    mez_kernel_use **link = &use->kernel->uses;
    while (*link != use)
        link = &(*link)->next_of_kernel;
    *link = use->next_of_kernel;
}

static void unlink_from_queue(mez_kernel_use *use)
{
    mez_kernel_use **link = use->queue_list;
    while (*link != use)
        link = &(*link)->next_of_queue;
    *link = use->next_of_queue;
}

void mez_kernel_use_make_spare(mez_kernel_use *use)
{
    mez_kernel *kernel = use->kernel;
    mez_platform *platform = kernel->image->platform;
    use->given_up = false;
    pthread_mutex_lock(&platform->uses_lock);
    unlink_from_kernel(use);
    unlink_from_queue(use);
    use->next_of_kernel = kernel->spare_uses;
    kernel->spare_uses = use;
    pthread_mutex_unlock(&platform->uses_lock);
}

void mez_kernel_uses_destroy_of_queue(mez_platform *platform, mez_kernel_use **queue_list)
{
    pthread_mutex_lock(&platform->uses_lock);
    while (*queue_list) {
        mez_kernel_use *use = *queue_list;
        *queue_list = use->next_of_queue;
        unlink_from_kernel(use);
        use_free(use);
    }
    pthread_mutex_unlock(&platform->uses_lock);
}

void mez_kernel_uses_destroy_of_kernel(mez_kernel *kernel)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    while (kernel->uses) {
        mez_kernel_use *use = kernel->uses;
        kernel->uses = use->next_of_kernel;
        unlink_from_queue(use);
        use_free(use);
    }
    while (kernel->spare_uses) {
        mez_kernel_use *use = kernel->spare_uses;
        kernel->spare_uses = use->next_of_kernel;
        use_free(use);
    }
    pthread_mutex_unlock(&platform->uses_lock);
}

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

// What tells two arguments apart: the value, the address, or the size of local memory.
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

// What the driver is told differs from what the user gave: a null pointer and local memory are told by a value of NULL.
static mez_error set_argument(mez_kernel_use *use, uint32_t index, const mez_arg *argument)
{
    size_t size;
    const void *content = content_of(argument, &size);
    const bool local = argument->kind == MEZ_ARG_LOCAL;
    const void *told = local || !argument->data ? NULL : content;
    use->arguments[index].kind = MEZ_ARG_UNKNOWN; // a failed call may have set anything
    const mez_error error =
        ZE(zeKernelSetArgumentValue, use->ze, index, local ? argument->size : size, told);
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
    forget_arguments(use);
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
    forget_arguments(use);
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
    const mez_ze_group_size group_size = {size[0], size[1], size[2]};
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
