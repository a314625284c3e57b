// SPDX-License-Identifier: MIT
//
// Finding drivers, asking them for GPUs, and saying why none can be opened.

#include "ze/drivers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/installed.h"
#include "ze/call.h"
#include "ze/tables.h"

// --- Libraries

static bool is_beside(const char *name, char *path, size_t size)
{
    return mez_path_beside(name, path, size) && access(path, F_OK) == 0;
}

bool mez_ze_cpu_driver_path(char *path, size_t size)
{
    const char *chosen = mez_setting(MEZ_VARIABLE_CPU_DRIVER);
    if (chosen)
        return (size_t)snprintf(path, size, "%s", chosen) < size;
    return is_beside(MEZ_CPU_DRIVER_LIBRARY, path, size) ||
           is_beside(MEZ_LIBRARY_FROM_PROGRAM "/" MEZ_CPU_DRIVER_LIBRARY, path, size) ||
           mez_path_beside(MEZ_CPU_DRIVER_LIBRARY, path, size);
}

// --- GPUs

const char *const mez_ze_gpu_drivers[] = {
    MEZ_INTEL_DRIVER_LIBRARY, MEZ_INTEL_OLDER_DRIVER_LIBRARY, NULL};

static mez_error find_in_devices(
    const mez_driver_tables *tables, const ze_device_handle_t *devices, uint32_t count, bool *found)
{
    for (uint32_t i = 0; i < count && !*found; i++) {
        ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        MEZ_TRY(MEZ_DRIVER_CALL(
            tables, device, pfnGetProperties, zeDeviceGetProperties, devices[i], &properties));
        *found = properties.type == ZE_DEVICE_TYPE_GPU;
    }
    return mez_ok();
}

static mez_error find_in_drivers(const mez_driver_tables *tables, bool *found)
{
    ze_driver_handle_t drivers[16];
    ze_device_handle_t devices[64];
    uint32_t driver_count = 16;
    MEZ_TRY(MEZ_DRIVER_CALL(tables, driver, pfnGet, zeDriverGet, &driver_count, drivers));
    for (uint32_t i = 0; i < driver_count && !*found; i++) {
        uint32_t count = 64;
        MEZ_TRY(MEZ_DRIVER_CALL(tables, device, pfnGet, zeDeviceGet, drivers[i], &count, devices));
        MEZ_TRY(find_in_devices(tables, devices, count, found));
    }
    return mez_ok();
}

static mez_error find_in_library(void *library, const char *name)
{
    mez_driver_tables tables;
    bool found = false;
    MEZ_TRY(mez_driver_tables_read(library, name, &tables));
    MEZ_TRY(MEZ_DRIVER_CALL(&tables, global, pfnInit, zeInit, 0));
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
    return mez_error_add(none, name, "%-s", story);
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

// --- Diagnosis

#define NODE_FOLDER "/dev/dri"

static bool is_render_node(const char *name)
{
    return strncmp(name, "renderD", strlen("renderD")) == 0;
}

bool mez_gpu_node_exists(void)
{
    DIR *folder = opendir(NODE_FOLDER);
    if (!folder)
        return false;
    bool found = false;
    for (const struct dirent *entry; !found && (entry = readdir(folder));)
        found = is_render_node(entry->d_name);
    closedir(folder);
    return found;
}

static mez_error add_node(mez_error error, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, NODE_FOLDER "/%s", name);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0) {
        close(file);
        return mez_error_add(error, "device node", "%s can be opened", path);
    }
    const int reason = errno;
    return mez_error_add(error, "device node", "%s: %s%s", path, strerror(reason),
        reason == EACCES ? " (is the user in the groups render and video?)" : "");
}

static mez_error add_nodes(mez_error error)
{
    DIR *folder = opendir(NODE_FOLDER);
    if (!folder)
        return mez_error_add(error, "device nodes", NODE_FOLDER ": %s", strerror(errno));
    bool found = false;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!is_render_node(entry->d_name))
            continue;
        found = true;
        error = add_node(error, entry->d_name);
    }
    closedir(folder);
    return found ? error : mez_error_add(error, "device nodes", NODE_FOLDER " has no render node");
}

// Opens a library only to learn whether it would.
static bool loads(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library)
        dlclose(library);
    return library != NULL;
}

static mez_error add_library(mez_error error, const char *label, const char *name)
{
    return loads(name) ? mez_error_add(error, label, "%s loads", name)
                       : mez_error_add(error, label, "%s can't be loaded: %s", name, dlerror());
}

static mez_error add_named_drivers(mez_error error, const char *names)
{
    char *copy = mez_copy_string(names);
    char *rest = copy;
    for (char *name; rest && (name = strsep(&rest, ","));)
        if (*name)
            error = add_library(error, "driver in ZE_ENABLE_ALT_DRIVERS", name);
    mez_free_memory(copy);
    return error;
}

static mez_error add_drivers(mez_error error)
{
    const char *named = secure_getenv("ZE_ENABLE_ALT_DRIVERS");
    if (named && *named)
        return add_named_drivers(error, named);
    error = add_library(error, "GPU driver", MEZ_INTEL_DRIVER_LIBRARY);
    char path[PATH_MAX];
    if (!mez_ze_cpu_driver_path(path, sizeof path))
        return mez_error_add(error, "CPU driver", "its path is too long");
    return add_library(error, "CPU driver", path);
}

static bool cpu_driver_loads(void)
{
    char path[PATH_MAX];
    return mez_ze_cpu_driver_path(path, sizeof path) && loads(path);
}

static mez_error add_help(mez_error error, mez_driver_set wanted)
{
    const bool only_gpu = wanted == MEZ_DRIVER_SET_GPU && cpu_driver_loads();
    if (only_gpu && mez_setting(MEZ_VARIABLE_DRIVERS))
        return mez_error_add(error, "what helps",
            "unset MEZ_DRIVERS, or add cpu to it: the CPU driver can be loaded; `mez doctor` shows "
            "why there is no GPU");
    if (only_gpu)
        return mez_error_add(error, "what helps",
            "ask for the device cpu, or for no device: the CPU driver can be loaded; `mez doctor` "
            "shows why there is no GPU");
    return mez_error_add(error, "what helps",
        "install a GPU driver (Debian: intel-opencl-icd libze1), or set MEZ_CPU_DRIVER to the CPU "
        "driver that comes with Mezzanine; `mez doctor` shows more");
}

mez_error mez_ze_diagnose(mez_error error, mez_driver_set wanted)
{
    if (!mez_error_is(error, MEZ_ERRC_PLATFORM))
        return error;
    mez_error whole = mez_error_headline(error, "Level Zero can't be opened");
    whole = add_library(whole, "loader", MEZ_LOADER_LIBRARY);
    whole = add_drivers(whole);
    whole = add_nodes(whole);
    return add_help(whole, wanted);
}
