// SPDX-License-Identifier: MIT

#include "ze/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

static const char here; // an address in this library, or in the program that it is part of

static bool place_beside(const char *name, int folder, const char *between, char *path, size_t size)
{
    return (size_t)snprintf(path, size, "%.*s/%s" MEZ_CPU_DRIVER_LIBRARY, folder, name, between) <
           size;
}

static bool is_beside(const char *name, int folder, const char *between, char *path, size_t size)
{
    return place_beside(name, folder, between, path, size) && access(path, F_OK) == 0;
}

bool mez_ze_cpu_driver_path(char *path, size_t size)
{
    const char *chosen = mez_setting(MEZ_VARIABLE_CPU_DRIVER);
    if (chosen)
        return (size_t)snprintf(path, size, "%s", chosen) < size;
    Dl_info self;
    if (!dladdr(&here, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname) : 1;
    const char *name = slash ? self.dli_fname : ".";
    return is_beside(name, folder, "", path, size) ||
           is_beside(name, folder, MEZ_LIBRARY_FROM_PROGRAM "/", path, size) ||
           place_beside(name, folder, "", path, size);
}
