// SPDX-License-Identifier: MIT

#include "image/requirements.h"

#include "base/alloc.h"

mez_check_device mez_device_to_check(const mez_device *device)
{
    mez_check_device checked = mez_check_device_of(device->info.name, &device->target);
    checked.spirv_version = device->info.spirv_version;
    return checked;
}

static mez_error refuse(const mez_requirements *requirements, const mez_platform *platform,
    const mez_check_device *device)
{
    mez_check_devices others = {0};
    mez_check_device *items = mez_alloc_array(platform->device_count, sizeof *items);
    if (!items)
        return mez_error_no_memory("a list of devices");
    for (; others.count < platform->device_count; others.count++)
        items[others.count] = mez_device_to_check(&platform->devices[others.count]);
    others.items = items;
    const mez_error error = mez_check_refuse(requirements, device, &others);
    mez_free_memory(items);
    return error;
}

mez_error mez_requirements_check(
    const mez_image *image, const struct mez_spirv_kernel_needs *needs, const mez_device *device)
{
    const mez_check_device checked = mez_device_to_check(device);
    mez_requirements requirements = {.image = image->name, .kernel = needs->kernel->name};
    mez_error error = mez_requirements_add_kernel(&requirements, image->survey, needs);
    if (!mez_failed(error) && !mez_check_passes(&requirements, &checked))
        error = refuse(&requirements, image->platform, &checked);
    mez_requirements_finish(&requirements);
    return error;
}

bool mez_requirements_pass(
    const mez_image *image, const struct mez_spirv_kernel_needs *needs, const mez_device *device)
{
    const mez_check_device checked = mez_device_to_check(device);
    mez_requirements requirements = {0};
    const mez_error error = mez_requirements_add_kernel(&requirements, image->survey, needs);
    const bool passes = !mez_failed(error) && mez_check_passes(&requirements, &checked);
    mez_requirements_finish(&requirements);
    return passes;
}
