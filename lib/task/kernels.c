// SPDX-License-Identifier: MIT

#include "task/kernels.h"

static mez_kernel_use *walk(mez_used_kernels *kernels, const mez_kernel *kernel)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    mez_kernel_use *use = kernels->all;
    while (use && use->kernel != kernel)
        use = use->next_of_queue;
    pthread_mutex_unlock(&platform->uses_lock);
    return use;
}

mez_error mez_used_kernels_find(
    mez_used_kernels *kernels, mez_kernel *kernel, mez_device *device, mez_kernel_use **use)
{
    *use = walk(kernels, kernel);
    return *use ? mez_ok() : mez_kernel_use_create(kernel, device, &kernels->all, use);
}

void mez_used_kernels_show(mez_used_kernels *kernels, mez_kernel_use *use)
{
    const uint64_t id = use->kernel->id;
    kernels->slots[id % MEZ_FEW_KERNELS] = (mez_used_kernel_slot){.kernel_id = id, .use = use};
}
