// SPDX-License-Identifier: MIT

#include "kernel/handles.h"

#include "base/alloc.h"
#include "image/requirements.h"

mez_error mez_kernel_devices_create(mez_kernel *kernel)
{
    const uint32_t count = kernel->image->platform->device_count;
    kernel->devices = mez_alloc_array(count, sizeof *kernel->devices);
    if (!kernel->devices)
        return mez_error_no_memory("a kernel's devices");
    for (uint32_t i = 0; i < count; i++)
        pthread_mutex_init(&kernel->devices[i].lock, NULL);
    return mez_ok();
}

static void destroy_handle(mez_kernel_handle *handle)
{
    ZE_LOGGED(zeKernelDestroy, handle->ze);
    mez_free_memory(handle);
}

void mez_kernel_devices_destroy(mez_kernel *kernel)
{
    if (!kernel->devices)
        return;
    for (uint32_t i = 0; i < kernel->image->platform->device_count; i++) {
        for (mez_kernel_handle *handle = kernel->devices[i].free; handle;) {
            mez_kernel_handle *next = handle->next;
            destroy_handle(handle);
            handle = next;
        }
        pthread_mutex_destroy(&kernel->devices[i].lock);
    }
    mez_free_memory(kernel->devices);
}

static mez_kernel_handle *take_free(struct mez_kernel_device *on_device)
{
    pthread_mutex_lock(&on_device->lock);
    mez_kernel_handle *handle = on_device->free;
    if (handle)
        on_device->free = handle->next;
    pthread_mutex_unlock(&on_device->lock);
    return handle;
}

static mez_error create_ze_kernel(
    const mez_kernel *kernel, const mez_module *module, ze_kernel_handle_t *ze)
{
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = kernel->entry->name};
    mez_error error = ZE(zeKernelCreate, module->ze, &description, ze);
    if (mez_failed(error))
        return mez_error_headline(error, "the driver built \"%s\", but not its kernel \"%s\"",
            kernel->image->name, kernel->entry->name);
    // Pointers may hide in structs and in memory. Asked for once: per launch it serialises threads (facts: 2.3).
    error = ZE(zeKernelSetIndirectAccess, *ze,
        ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
            ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
    if (mez_failed(error))
        ZE_LOGGED(zeKernelDestroy, *ze);
    return error;
}

static mez_error create_handle(
    const mez_kernel *kernel, const mez_module *module, mez_kernel_handle **created)
{
    mez_kernel_handle *handle = mez_new(mez_kernel_handle);
    if (!handle)
        return mez_error_no_memory("a kernel");
    const mez_error error = create_ze_kernel(kernel, module, &handle->ze);
    if (mez_failed(error))
        mez_free_memory(handle);
    else
        *created = handle;
    return error;
}

// The driver's compiler is asked only after our own check.
static mez_error build(mez_kernel *kernel, mez_device *device, mez_module **module)
{
    MEZ_TRY(mez_requirements_check(kernel->image, kernel->needs, &device->info));
    MEZ_TRY(mez_module_get(kernel->image, device, module));
    struct mez_kernel_device *on_device = &kernel->devices[device->index];
    pthread_mutex_lock(&on_device->lock);
    on_device->module = *module;
    pthread_mutex_unlock(&on_device->lock);
    return mez_ok();
}

mez_error mez_kernel_take(mez_kernel *kernel, mez_device *device, mez_kernel_handle **handle)
{
    *handle = take_free(&kernel->devices[device->index]);
    if (*handle)
        return mez_ok();
    mez_module *module;
    MEZ_TRY(build(kernel, device, &module));
    return create_handle(kernel, module, handle);
}

void mez_kernel_give(mez_kernel *kernel, mez_device *device, mez_kernel_handle *handle)
{
    struct mez_kernel_device *on_device = &kernel->devices[device->index];
    pthread_mutex_lock(&on_device->lock);
    handle->next = on_device->free;
    on_device->free = handle;
    pthread_mutex_unlock(&on_device->lock);
}

mez_module *mez_kernel_asserting_module(const mez_kernel *kernel, const mez_device *device)
{
    if (!kernel->needs->may_assert)
        return NULL;
    struct mez_kernel_device *on_device = &kernel->devices[device->index];
    pthread_mutex_lock(&on_device->lock);
    mez_module *module = on_device->module;
    pthread_mutex_unlock(&on_device->lock);
    return module && module->assert_record ? module : NULL;
}
