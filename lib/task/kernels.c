// SPDX-License-Identifier: MIT

#include "task/kernels.h"

static mez_kernel_use *walk(mez_uses *uses, const mez_kernel *kernel)
{
    mez_platform *platform = kernel->image->platform;
    pthread_mutex_lock(&platform->uses_lock);
    mez_kernel_use *use = uses->all;
    while (use && use->kernel != kernel)
        use = use->next_of_queue;
    pthread_mutex_unlock(&platform->uses_lock);
    return use;
}

mez_error mez_uses_find(
    mez_uses *uses, mez_kernel *kernel, mez_device *device, mez_kernel_use **use)
{
    *use = walk(uses, kernel);
    return *use ? mez_ok() : mez_kernel_use_create(kernel, device, &uses->all, use);
}

void mez_uses_show(mez_uses *uses, mez_kernel_use *use)
{
    const uint64_t id = use->kernel->id;
    uses->slots[id % MEZ_FEW_USES] = (mez_use_slot){.kernel_id = id, .use = use};
}
