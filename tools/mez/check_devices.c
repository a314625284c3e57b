// SPDX-License-Identifier: MIT

#include "check_devices.h"

#include <stdlib.h>

#include "base/error.h"
#include "open.h"
#include "target_list.h"

static mez_error add_target(
    struct check_devices *devices, const char *name, const mez_targets *table)
{
    const mez_target *target;
    const mez_error error = target_find(table, name, &target);
    if (!mez_failed(error))
        devices->items[devices->count++] =
            (struct check_device){.name = mez_target_get_name(target), .target = target};
    return error;
}

static mez_error add_targets(
    struct check_devices *devices, const struct check_request *request, const mez_targets *table)
{
    for (unsigned i = 0; i < request->target_count; i++) {
        const mez_error error = add_target(devices, request->targets[i], table);
        if (mez_failed(error))
            return error;
    }
    return mez_ok();
}

static mez_error open_context(struct check_devices *devices, const struct check_request *request)
{
    const mez_error error = open_device("mez check", request->device, false, &devices->context);
    if (mez_failed(error) || !request->has_index)
        return error;
    const uint32_t count = mez_context_get_device_count(devices->context);
    if (request->index < count)
        return error;
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "there is no device %u: the context has %u, numbered from 0", request->index,
        (unsigned)count);
}

static void add_live(struct check_devices *devices, const mez_device *device)
{
    devices->items[devices->count++] = (struct check_device){
        .name = mez_device_get_info(device)->name, .target = mez_device_get_target(device)};
}

static bool make_room(struct check_devices *devices, uint32_t count)
{
    devices->items = calloc((size_t)count + 1, sizeof *devices->items);
    return devices->items != NULL;
}

mez_error check_devices_open(
    struct check_devices *devices, const struct check_request *request, const mez_targets *table)
{
    *devices = (struct check_devices){0};
    if (request->wants_device) {
        const mez_error error = open_context(devices, request);
        if (mez_failed(error))
            return error;
    }
    const uint32_t live = devices->context ? mez_context_get_device_count(devices->context) : 0;
    if (!make_room(devices, live + request->target_count))
        return mez_error_no_memory("a list of devices");
    for (uint32_t i = 0; i < live; i++)
        if (!request->has_index || request->index == i)
            add_live(devices, mez_context_get_device(devices->context, i));
    return add_targets(devices, request, table);
}

void check_devices_finish(struct check_devices *devices)
{
    for (uint32_t i = 0; i < devices->count; i++)
        mez_findings_destroy(&devices->items[i].findings);
    free(devices->items);
    mez_context_destroy(&devices->context);
}
