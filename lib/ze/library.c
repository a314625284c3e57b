// SPDX-License-Identifier: MIT

#include "ze/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char here; // an address in this library

bool mez_ze_cpu_driver_path(char *path, size_t size)
{
    const char *chosen = getenv("MEZ_CPU_DRIVER");
    if (chosen && *chosen)
        return (size_t)snprintf(path, size, "%s", chosen) < size;
    Dl_info self;
    if (!dladdr(&here, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname) : 1;
    const char *name = slash ? self.dli_fname : ".";
    return (size_t)snprintf(path, size, "%.*s/" MEZ_CPU_DRIVER_LIBRARY, folder, name) < size;
}
