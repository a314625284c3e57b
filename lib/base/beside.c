// SPDX-License-Identifier: MIT

#include "base/beside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char here; // an address in this library, or in the program that it is part of

bool mez_path_beside(const char *name, char *path, size_t size)
{
    Dl_info self;
    if (!dladdr(&here, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname) : 1;
    const char *own = slash ? self.dli_fname : ".";
    return (size_t)snprintf(path, size, "%.*s/%s", folder, own, name) < size;
}
