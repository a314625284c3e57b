// SPDX-License-Identifier: MIT

#include "ze/diagnose.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "ze/library.h"

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
    const char *named = getenv("ZE_ENABLE_ALT_DRIVERS");
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
