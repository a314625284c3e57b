// SPDX-License-Identifier: MIT

#include "kernel/use.h"

#include "base/alloc.h"
#include "kernel/choose.h"

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

static mez_error use_init(mez_kernel_use *use, mez_kernel *kernel, mez_device *device)
{
    use->kernel = kernel;
    MEZ_TRY(mez_kernel_use_choose(use, device));
    MEZ_TRY(make_room_for_arguments(use));
    mez_kernel_use_forget_arguments(use);
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

void mez_kernel_use_give_back(mez_kernel_use *use)
{
    mez_platform *platform = use->kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    use->next_of_kernel = use->kernel->spare_uses;
    use->kernel->spare_uses = use;
    pthread_mutex_unlock(&platform->uses_lock);
}

mez_error mez_kernel_use_borrow(mez_kernel *kernel, mez_device *device, mez_kernel_use **use)
{
    *use = take_spare(kernel, device);
    return *use ? mez_ok() : use_new(kernel, device, use);
}

mez_error mez_kernel_build_for(mez_kernel *kernel, mez_device *device)
{
    mez_kernel_use *use;
    MEZ_TRY(mez_kernel_use_borrow(kernel, device, &use));
    mez_kernel_use_give_back(use);
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
    MEZ_TRY(mez_kernel_use_borrow(kernel, device, use));
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
