// SPDX-License-Identifier: MIT

#include "ze/gpu.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <level_zero/ze_ddi.h>

#include "ze/call.h"
#include "ze/library.h"

const char *const mez_ze_gpu_drivers[] = {
    MEZ_INTEL_DRIVER_LIBRARY, MEZ_INTEL_OLDER_DRIVER_LIBRARY, NULL};

// Some drivers give their tables only to those that know as much as they, and nothing to those of another major version.
#define NEWEST_API ((ze_api_version_t)ZE_MAKE_VERSION(1, 99))
#define MOST_ENTRIES 256 // a driver fills in what it has, which may be more than our headers know

typedef union table {
    ze_global_dditable_t global;
    ze_driver_dditable_t driver;
    ze_device_dditable_t device;
    void *entries[MOST_ENTRIES];
} table;

typedef struct driver_tables {
    const char *name;
    table global, driver, device;
} driver_tables;

static bool read_table(void *library, const char *getter, table *table)
{
    ze_result_t (*get)(ze_api_version_t version, void *table);
    *(void **)&get = dlsym(library, getter);
    memset(table, 0, sizeof *table);
    return get && get(NEWEST_API, table) == ZE_RESULT_SUCCESS;
}

static mez_error read_tables(void *library, driver_tables *tables)
{
    if (read_table(library, "zeGetGlobalProcAddrTable", &tables->global) &&
        read_table(library, "zeGetDriverProcAddrTable", &tables->driver) &&
        read_table(library, "zeGetDeviceProcAddrTable", &tables->device) &&
        tables->global.global.pfnInit && tables->driver.driver.pfnGet &&
        tables->device.device.pfnGet && tables->device.device.pfnGetProperties)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_PLATFORM, "%s does not give its functions", tables->name);
}

#define CALL(tables, group, entry, ...)                                                  \
    mez_ze_checked(mez_ze_traced((tables)->group.group.entry(__VA_ARGS__),               \
                       #entry "(" #__VA_ARGS__ ") of a GPU driver", __FILE__, __LINE__), \
        #entry "(" #__VA_ARGS__ ") of a GPU driver", __FILE__, __LINE__)

static mez_error find_in_devices(
    const driver_tables *tables, const ze_device_handle_t *devices, uint32_t count, bool *found)
{
    for (uint32_t i = 0; i < count && !*found; i++) {
        ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        MEZ_TRY(CALL(tables, device, pfnGetProperties, devices[i], &properties));
        *found = properties.type == ZE_DEVICE_TYPE_GPU;
    }
    return mez_ok();
}

static mez_error find_in_drivers(const driver_tables *tables, bool *found)
{
    ze_driver_handle_t drivers[16];
    ze_device_handle_t devices[64];
    uint32_t driver_count = 16;
    MEZ_TRY(CALL(tables, driver, pfnGet, &driver_count, drivers));
    for (uint32_t i = 0; i < driver_count && !*found; i++) {
        uint32_t count = 64;
        MEZ_TRY(CALL(tables, device, pfnGet, drivers[i], &count, devices));
        MEZ_TRY(find_in_devices(tables, devices, count, found));
    }
    return mez_ok();
}

static mez_error find_in_library(void *library, const char *name)
{
    driver_tables tables = {.name = name};
    bool found = false;
    MEZ_TRY(read_tables(library, &tables));
    MEZ_TRY(CALL(&tables, global, pfnInit, 0));
    MEZ_TRY(find_in_drivers(&tables, &found));
    return found ? mez_ok() : mez_error_make(MEZ_ERRC_PLATFORM, "%s reports no GPU", name);
}

static mez_error try_driver(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return mez_error_make(MEZ_ERRC_PLATFORM, "%s", dlerror());
    const mez_error error = find_in_library(library, name);
    if (mez_failed(error))
        dlclose(library);
    return error;
}

static bool adds_driver(void)
{
    const char *null_driver = getenv("ZE_ENABLE_NULL_DRIVER");
    return null_driver && strcmp(null_driver, "1") == 0;
}

static mez_error add_driver(mez_error none, const char *name, mez_error error)
{
    char story[1024];
    mez_error_get_story(error, story, sizeof story);
    if (!mez_failed(none))
        none = mez_error_make(MEZ_ERRC_PLATFORM, "the installed drivers report no GPU");
    return mez_error_add(none, name, "%s", story);
}

mez_error mez_ze_find_gpu(void)
{
    mez_error none = mez_ok();
    if (adds_driver())
        return mez_ok();
    for (const char *const *name = mez_ze_gpu_drivers; *name; name++) {
        const mez_error error = try_driver(*name);
        if (!mez_failed(error))
            return error;
        none = add_driver(none, *name, error);
    }
    return none;
}
