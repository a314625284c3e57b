// SPDX-License-Identifier: MIT

#include "kernel/use.h"

#include <string.h>

#include "base/alloc.h"
#include "image/requirements.h"
#include "kernel/arguments.h"
#include "kernel/range.h"

static mez_error create_ze_kernel(
    const mez_kernel *kernel, const mez_module *module, ze_kernel_handle_t *ze)
{
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = kernel->entry->name};
    const mez_error error = ZE(zeKernelCreate, module->ze, &description, ze);
    if (mez_failed(error))
        return mez_error_headline(error, "the driver built \"%s\", but not its kernel \"%s\"",
            kernel->image->name, kernel->entry->name);
    if (!kernel->finds_pointers)
        return mez_ok();
    // Every allocation is then kept reachable for every submission: 700 instructions each on Intel's driver with a few of them. Asked
    // for once: per launch it serialises threads (facts: 2.3).
    return ZE(zeKernelSetIndirectAccess, *ze,
        ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
            ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
}

static void use_free(mez_kernel_use *use)
{
    if (use->ze)
        ZE_LOGGED(zeKernelDestroy, use->ze);
    mez_free_memory(use->arguments);
    mez_free_memory(use);
}

// The driver's compiler is asked only after our own check.
static mez_error use_init(mez_kernel_use *use, mez_kernel *kernel, mez_device *device)
{
    use->kernel = kernel;
    MEZ_TRY(mez_requirements_check(kernel->image, kernel->needs, &device->info));
    MEZ_TRY(mez_module_get(kernel->image, device, &use->module));
    use->arguments = mez_alloc_array(kernel->signature.count + 1, sizeof *use->arguments);
    if (!use->arguments)
        return mez_error_no_memory("a kernel's arguments");
    use->argument_count = kernel->signature.count;
    use->allocations_now = &kernel->image->platform->allocation_generation;
    if (kernel->needs->may_assert && use->module->assert_record)
        use->asserting_module = use->module;
    return create_ze_kernel(kernel, use->module, &use->ze);
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
    MEZ_TRY(ZE(zeKernelSetGroupSize, use->ze, size[0], size[1], size[2]));
    memcpy(use->group_size, size, sizeof use->group_size);
    return mez_ok();
}

static void remember(mez_set_argument *set, mez_arg_kind kind, size_t size, const void *value)
{
    if (size > sizeof set->value)
        return;
    memcpy(set->value, value, size);
    set->kind = kind;
    set->size = (uint32_t)size;
}

// The user allocates without us: the same address may be another allocation at the next launch.
static bool may_change_unseen(const mez_kernel_use *use)
{
    const mez_platform *platform = use->kernel->image->platform;
    return atomic_load_explicit(&platform->shares_ze, memory_order_relaxed);
}

// What the driver is told differs from what the user gave: a null pointer and local memory are told by a value of NULL.
static mez_error set_argument(mez_kernel_use *use, uint32_t index, const mez_arg *argument)
{
    const void *given = argument->data, *told = argument->data;
    size_t given_size = argument->size, told_size = argument->size;
    if (argument->kind == MEZ_ARG_POINTER) {
        given = &argument->data;
        given_size = told_size = sizeof argument->data;
        told = argument->data ? given : NULL;
    } else if (argument->kind == MEZ_ARG_LOCAL) {
        given = &argument->size;
        given_size = sizeof argument->size;
        told = NULL;
    }
    mez_set_argument *set = &use->arguments[index];
    set->size = 0; // a failed call may have set anything
    const mez_error error = ZE(zeKernelSetArgumentValue, use->ze, index, told_size, told);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_error_add(error, "argument", "number %u", (unsigned)index);
    if (argument->kind != MEZ_ARG_POINTER || !may_change_unseen(use))
        remember(set, argument->kind, given_size, given);
    return mez_ok();
}

static void forget_stale(mez_kernel_use *use)
{
    if (!mez_kernel_use_is_stale(use))
        return;
    use->allocations = atomic_load_explicit(use->allocations_now, memory_order_acquire);
    for (uint32_t i = 0; i < use->argument_count; i++)
        use->arguments[i].size = 0;
}

mez_error mez_kernel_use_prepare(
    mez_kernel_use *use, const mez_device *device, const mez_range *range, const mez_args *args)
{
    MEZ_TRY(mez_arguments_check(use->kernel, args, &device->info));
    MEZ_TRY(mez_range_plan(range, device, use));
    MEZ_TRY(set_group_size(use, use->plan.group_size));
    forget_stale(use);
    for (uint32_t i = 0; args && i < args->count; i++)
        if (!mez_is_set(&use->arguments[i], &args->items[i]))
            MEZ_TRY(set_argument(use, i, &args->items[i]));
    return mez_ok();
}
