// SPDX-License-Identifier: MIT

#include "device/platform.h"

static const char *const kind_names[MEZ_OBJECT_KINDS] = {
    [MEZ_OBJECT_IMAGE] = "images",
    [MEZ_OBJECT_KERNEL] = "kernels",
    [MEZ_OBJECT_QUEUE] = "queues",
    [MEZ_OBJECT_EVENT] = "events",
    [MEZ_OBJECT_ALLOCATION] = "allocations",
};

void mez_platform_report_leaks(mez_platform *platform, const char *context_name)
{
    for (size_t kind = 0; kind < MEZ_OBJECT_KINDS; kind++) {
        const unsigned count = atomic_load(&platform->live[kind]);
        if (count > 0)
            mez_log(CONTEXT, WARN, "context \"%s\" is destroyed with %u %s alive", context_name,
                count, kind_names[kind]);
    }
}

mez_error mez_platform_device(mez_platform *platform, mez_device *wanted, mez_device **device)
{
    *device = wanted ? wanted : &platform->devices[0];
    if ((*device)->platform == platform)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "device \"%s\" belongs to another context",
        (*device)->info.name);
}
