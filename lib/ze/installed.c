// SPDX-License-Identifier: MIT
//
// The drivers that could be used here, for programs to look at.

#include <mezzanine/driver.h>

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/process.h"
#include "base/vector.h"
#include "base/version.h"
#include "ze/drivers.h"
#include "ze/tables.h"

#define ALT_DRIVERS "ZE_ENABLE_ALT_DRIVERS"
#define MOST_DRIVERS 16 // of one library
#define MOST_DEVICES 64 // of one driver

typedef struct found {
    mez_found_driver driver;
    char *name, *path;                        // ours
    ze_driver_extension_properties_t *listed; // names of the next
    mez_driver_extension *extensions;
} found;

struct mez_drivers {
    MEZ_VECTOR(found) list;
};

static mez_error no_memory(void)
{
    return mez_error_no_memory("a list of drivers");
}

// --- Which there are

static mez_error add(
    mez_drivers *drivers, const char *name, mez_driver_source source, found **added)
{
    char *copy = mez_copy_string(name);
    const found item = {.driver = {.name = copy, .source = source}, .name = copy};
    if (!copy || !mez_vector_push(&drivers->list, item)) {
        mez_free_memory(copy);
        return no_memory();
    }
    *added = &drivers->list.items[drivers->list.count - 1];
    return mez_ok();
}

// The loader takes what stands between commas as it is.
static mez_error check_name(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0)
        return mez_error_make(MEZ_ERRC_PLATFORM,
            ALT_DRIVERS " contains an empty name, for which the loader opens the program itself");
    if (isspace((unsigned char)*name) || isspace((unsigned char)name[length - 1]))
        return mez_error_make(MEZ_ERRC_PLATFORM,
            ALT_DRIVERS " has a space beside \"%s\", which the loader takes as part of the name",
            name);
    return mez_ok();
}

static mez_error add_named(mez_drivers *drivers, const char *name)
{
    found *added;
    MEZ_TRY(add(drivers, name, MEZ_DRIVER_OF_VARIABLE, &added));
    added->driver.error = mez_error_retain(check_name(name));
    return mez_ok();
}

// An empty name behind the last comma does not count.
static mez_error add_all_named(mez_drivers *drivers, const char *names)
{
    char *copy = mez_copy_string(names);
    char *rest = copy;
    mez_error error = copy ? mez_ok() : no_memory();
    for (char *name; !mez_failed(error) && (name = strsep(&rest, ","));)
        if (*name || rest)
            error = add_named(drivers, name);
    mez_free_memory(copy);
    return error;
}

static mez_error add_cpu_driver(mez_drivers *drivers)
{
    char path[PATH_MAX];
    found *added = NULL;
    const bool fits = mez_ze_cpu_driver_path(path, sizeof path);
    MEZ_TRY(add(drivers, fits ? path : MEZ_CPU_DRIVER_LIBRARY, MEZ_DRIVER_FOR_CPU, &added));
    if (!fits)
        added->driver.error = mez_error_retain(
            mez_error_make(MEZ_ERRC_PLATFORM, "the path of the CPU driver is too long"));
    return mez_ok();
}

static mez_error add_usual(mez_drivers *drivers)
{
    static const struct {
        const char *name;
        mez_driver_source source;
    } usual[] = {
        {MEZ_INTEL_DRIVER_LIBRARY, MEZ_DRIVER_FOR_GPU},
        {MEZ_INTEL_OLDER_DRIVER_LIBRARY, MEZ_DRIVER_FOR_OLDER_GPU},
        {"libze_intel_vpu.so.1", MEZ_DRIVER_FOR_OTHER_DEVICES},
        {"libze_intel_npu.so.1", MEZ_DRIVER_FOR_OTHER_DEVICES},
    };
    found *added;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        MEZ_TRY(add(drivers, usual[i].name, usual[i].source, &added));
    return add_cpu_driver(drivers);
}

// --- What they answer

static mez_error count_devices(
    found *item, const mez_driver_tables *tables, const ze_device_handle_t *devices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        MEZ_TRY(MEZ_DRIVER_CALL(
            tables, device, pfnGetProperties, zeDeviceGetProperties, devices[i], &properties));
        item->driver.gpu_count += properties.type == ZE_DEVICE_TYPE_GPU;
    }
    item->driver.device_count += count;
    return mez_ok();
}

static mez_error list_extensions(
    found *item, const mez_driver_tables *tables, ze_driver_handle_t driver)
{
    uint32_t count = 0;
    if (!tables->driver.driver.pfnGetExtensionProperties)
        return mez_ok();
    MEZ_TRY(MEZ_DRIVER_CALL(tables, driver, pfnGetExtensionProperties,
        zeDriverGetExtensionProperties, driver, &count, NULL));
    item->listed = mez_alloc_array((size_t)count + 1, sizeof *item->listed);
    item->extensions = mez_alloc_array((size_t)count + 1, sizeof *item->extensions);
    if (!item->listed || !item->extensions)
        return no_memory();
    MEZ_TRY(MEZ_DRIVER_CALL(tables, driver, pfnGetExtensionProperties,
        zeDriverGetExtensionProperties, driver, &count, item->listed));
    for (uint32_t i = 0; i < count; i++)
        item->extensions[i] = (mez_driver_extension){
            .name = item->listed[i].name, .version = item->listed[i].version};
    item->driver.extensions = item->extensions;
    item->driver.extension_count = count;
    return mez_ok();
}

static mez_error read_versions(
    found *item, const mez_driver_tables *tables, ze_driver_handle_t driver)
{
    ze_api_version_t api = 0;
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    if (tables->driver.driver.pfnGetApiVersion)
        MEZ_TRY(
            MEZ_DRIVER_CALL(tables, driver, pfnGetApiVersion, zeDriverGetApiVersion, driver, &api));
    if (tables->driver.driver.pfnGetProperties)
        MEZ_TRY(MEZ_DRIVER_CALL(
            tables, driver, pfnGetProperties, zeDriverGetProperties, driver, &properties));
    item->driver.api_version = (uint32_t)api;
    item->driver.driver_version = properties.driverVersion;
    return list_extensions(item, tables, driver);
}

// A library may have several drivers: the first speaks for it, and the devices of all count.
static mez_error ask(found *item, void *library)
{
    mez_driver_tables tables;
    ze_driver_handle_t drivers[MOST_DRIVERS];
    ze_device_handle_t devices[MOST_DEVICES];
    uint32_t driver_count = MOST_DRIVERS;
    MEZ_TRY(mez_driver_tables_read(library, item->name, &tables));
    MEZ_TRY(MEZ_DRIVER_CALL(&tables, global, pfnInit, zeInit, 0));
    MEZ_TRY(MEZ_DRIVER_CALL(&tables, driver, pfnGet, zeDriverGet, &driver_count, drivers));
    if (driver_count > 0)
        MEZ_TRY(read_versions(item, &tables, drivers[0]));
    for (uint32_t i = 0; i < driver_count; i++) {
        uint32_t count = MOST_DEVICES;
        MEZ_TRY(MEZ_DRIVER_CALL(&tables, device, pfnGet, zeDeviceGet, drivers[i], &count, devices));
        MEZ_TRY(count_devices(item, &tables, devices, count));
    }
    return mez_ok();
}

// --- Opening them

static mez_error find_path(found *item, void *library)
{
    char path[PATH_MAX];
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return mez_ok();
    item->path = mez_copy_string(realpath(map->l_name, path) ? path : map->l_name);
    item->driver.path = item->path;
    return item->path ? mez_ok() : no_memory();
}

static mez_error look_into(found *item, mez_driver_look look)
{
    void *library = dlopen(item->name, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return mez_error_make(MEZ_ERRC_PLATFORM, "%s", dlerror());
    mez_error error = find_path(item, library);
    if (!mez_failed(error) && look == MEZ_DRIVERS_ASK)
        error = ask(item, library);
    if (mez_failed(error) || item->driver.device_count == 0)
        dlclose(library);
    return error;
}

static mez_error look_at(found *item, mez_driver_look look)
{
    if (look == MEZ_DRIVERS_LIST || mez_failed(item->driver.error))
        return mez_ok();
    const mez_error error = look_into(item, look);
    if (mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
        return error;
    item->driver.error = mez_error_retain(error);
    return mez_ok();
}

// --- The list

static mez_error fill(mez_drivers *drivers, mez_driver_look look)
{
    const char *names = secure_getenv(ALT_DRIVERS);
    MEZ_TRY(names && *names ? add_all_named(drivers, names) : add_usual(drivers));
    for (size_t i = 0; i < drivers->list.count; i++)
        MEZ_TRY(look_at(&drivers->list.items[i], look));
    return mez_ok();
}

mez_error mez_drivers_create(const mez_drivers_params *params, mez_drivers **drivers)
{
    static const mez_drivers_params defaults;
    MEZ_REQUIRE(drivers, NULL);
    *drivers = NULL;
    MEZ_REFUSE_CLOSED(__func__, NULL);
    if (!params)
        params = &defaults;
    MEZ_TRY_RESERVED(mez_drivers_params, params);
    if (params->look > MEZ_DRIVERS_ASK)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "drivers can't be looked at in the way %d", (int)params->look);
    mez_drivers *made = mez_new(mez_drivers);
    if (!made)
        return no_memory();
    const mez_error error = fill(made, params->look);
    if (mez_failed(error))
        mez_drivers_destroy(&made);
    *drivers = made;
    return error;
}

uint32_t mez_drivers_get_count(const mez_drivers *drivers)
{
    return drivers ? (uint32_t)drivers->list.count : 0;
}

const mez_found_driver *mez_drivers_get_driver(const mez_drivers *drivers, uint32_t index)
{
    return index < mez_drivers_get_count(drivers) ? &drivers->list.items[index].driver : NULL;
}

static void finish(found *item)
{
    mez_error_release(item->driver.error);
    mez_free_memory(item->name);
    mez_free_memory(item->path);
    mez_free_memory(item->listed);
    mez_free_memory(item->extensions);
}

void mez_drivers_destroy(mez_drivers **drivers)
{
    if (!drivers)
        return;
    mez_drivers *old = *drivers;
    *drivers = NULL;
    if (!old)
        return;
    for (size_t i = 0; i < old->list.count; i++)
        finish(&old->list.items[i]);
    mez_vector_finish(&old->list);
    mez_free_memory(old);
}
