// SPDX-License-Identifier: MIT
//
// Which driver and which devices a context takes.

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/text.h"
#include "context/context.h"
#include "ze/loader.h"

#define MOST_DRIVERS 16

static bool is_gpu(const char *filter)
{
    return strcmp(filter, "gpu") == 0;
}

static bool is_cpu(const char *filter)
{
    return strcmp(filter, "cpu") == 0;
}

static mez_driver_set wanted_set(const char *filter)
{
    if (filter && is_gpu(filter))
        return MEZ_DRIVER_SET_GPU;
    if (filter && is_cpu(filter))
        return MEZ_DRIVER_SET_CPU;
    return MEZ_DRIVER_SET_ANY;
}

static bool fits(const mez_device_info *device, const char *filter)
{
    if (!filter)
        return true;
    if (is_gpu(filter))
        return device->type == MEZ_DEVICE_GPU;
    if (is_cpu(filter))
        return device->type == MEZ_DEVICE_CPU;
    return strcasestr(device->name, filter) != NULL;
}

// GPUs before others, discrete before integrated, then by size.
static int rank(const mez_device_info *device)
{
    if (device->type != MEZ_DEVICE_GPU)
        return 0;
    return device->integrated ? 1 : 2;
}

static int better_first(const void *left, const void *right)
{
    const mez_device_info *a = &((const mez_device *)left)->info;
    const mez_device_info *b = &((const mez_device *)right)->info;
    if (rank(a) != rank(b))
        return rank(b) - rank(a);
    if (a->compute_units != b->compute_units)
        return a->compute_units < b->compute_units ? 1 : -1;
    return 0;
}

static mez_error read_device(mez_platform *platform, mez_device *device, ze_device_handle_t handle)
{
    *device = (mez_device){.platform = platform};
    MEZ_TRY(mez_device_init(device, handle));
    device->info.api_version = platform->caps.api_version;
    device->info.driver_version = platform->caps.driver_version;
    return mez_ok();
}

static mez_error read_devices(
    mez_platform *platform, const ze_device_handle_t *handles, uint32_t count, const char *filter)
{
    for (uint32_t i = 0; i < count; i++) {
        mez_device *device = &platform->devices[platform->device_count];
        MEZ_TRY(read_device(platform, device, handles[i]));
        platform->device_count += fits(&device->info, filter);
    }
    qsort(platform->devices, platform->device_count, sizeof *platform->devices, better_first);
    for (uint32_t i = 0; i < platform->device_count; i++)
        platform->devices[i].index = platform->devices[i].parent = i;
    platform->device_total = platform->device_count;
    return mez_ok();
}

static mez_error append_sub_devices(
    mez_platform *platform, uint32_t parent, const ze_device_handle_t *handles, uint32_t count)
{
    mez_device *devices =
        mez_realloc_array(platform->devices, platform->device_total + count, sizeof *devices);
    if (!devices)
        return mez_error_no_memory("sub-devices");
    platform->devices = devices;
    devices[parent].first_sub_device = platform->device_total;
    devices[parent].sub_device_count = count;
    for (uint32_t i = 0; i < count; i++) {
        mez_device *device = &devices[platform->device_total];
        MEZ_TRY(read_device(platform, device, handles[i]));
        device->index = platform->device_total++;
        device->parent = parent;
    }
    return mez_ok();
}

static mez_error take_sub_devices(mez_platform *platform, uint32_t parent)
{
    const ze_device_handle_t device = platform->devices[parent].ze;
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDeviceGetSubDevices, device, &count, NULL));
    if (count == 0)
        return mez_ok();
    ze_device_handle_t *handles = mez_alloc_array(count, sizeof *handles);
    if (!handles)
        return mez_error_no_memory("sub-devices");
    mez_error error = ZE(zeDeviceGetSubDevices, device, &count, handles);
    if (!mez_failed(error))
        error = append_sub_devices(platform, parent, handles, count);
    mez_free_memory(handles);
    return error;
}

// Parts may have parts: the loop comes to those that it has appended.
static mez_error take_all_sub_devices(mez_platform *platform)
{
    for (uint32_t i = 0; i < platform->device_total; i++)
        MEZ_TRY(take_sub_devices(platform, i));
    for (uint32_t i = 0; i < platform->device_total; i++)
        platform->devices[i].info.name = platform->devices[i].name; // they have been moved
    return mez_ok();
}

static mez_error take_devices(mez_platform *platform, const char *filter)
{
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDeviceGet, platform->driver, &count, NULL));
    if (count == 0)
        return mez_ok();
    ze_device_handle_t *handles = mez_alloc_array(count, sizeof *handles);
    platform->devices = mez_alloc_array(count, sizeof *platform->devices);
    mez_error error = handles && platform->devices ? mez_ok() : mez_error_no_memory("devices");
    if (!mez_failed(error))
        error = ZE(zeDeviceGet, platform->driver, &count, handles);
    if (!mez_failed(error))
        error = read_devices(platform, handles, count, filter);
    mez_free_memory(handles);
    return mez_failed(error) ? error : take_all_sub_devices(platform);
}

static mez_error try_driver(
    mez_platform *platform, ze_driver_handle_t driver, bool wrapped, const char *filter)
{
    mez_free_memory(platform->devices);
    platform->devices = NULL;
    platform->device_count = platform->device_total = 0;
    platform->driver = driver;
    MEZ_TRY(mez_caps_read(driver, wrapped, &platform->caps));
    return take_devices(platform, filter);
}

// The driver of a GPU wins over others.
static mez_error choose_driver(
    mez_platform *platform, const ze_driver_handle_t *drivers, uint32_t count, const char *filter)
{
    const bool wrapped = mez_ze_wraps_handles(count);
    ze_driver_handle_t chosen = NULL;
    int best = -1;
    for (uint32_t i = 0; i < count; i++) {
        MEZ_TRY(try_driver(platform, drivers[i], wrapped, filter));
        const int first = platform->device_count > 0 ? rank(&platform->devices[0].info) : -1;
        if (first > best) {
            best = first;
            chosen = drivers[i];
        }
    }
    if (chosen && chosen != platform->driver)
        return try_driver(platform, chosen, wrapped, filter);
    return mez_ok();
}

static mez_error nothing_fits(const char *filter)
{
    mez_error error = mez_error_make(MEZ_ERRC_PLATFORM, "no device fits \"%s\"", filter);
    return mez_error_add(error, "what helps",
        "use gpu, cpu or part of a device's name; `mez info` lists the devices, and "
        "MEZ_DRIVERS=gpu,cpu loads both drivers");
}

mez_error mez_select_devices(mez_platform *platform, const char *filter)
{
    const char *override = mez_setting(MEZ_VARIABLE_DEVICE);
    if (override)
        filter = override;
    MEZ_TRY(mez_ze_open(wanted_set(filter)));
    ze_driver_handle_t drivers[MOST_DRIVERS];
    uint32_t count = MOST_DRIVERS;
    MEZ_TRY(mez_ze_get_drivers(&count, drivers));
    MEZ_TRY(choose_driver(platform, drivers, count, filter));
    if (platform->device_count > 0)
        return mez_ok();
    const mez_error error = nothing_fits(filter ? filter : "any device");
    return filter && filter == override ? mez_error_add(error, "from", "MEZ_DEVICE=%s", filter)
                                        : error;
}
