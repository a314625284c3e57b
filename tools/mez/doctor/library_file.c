// SPDX-License-Identifier: MIT

#include "library_file.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *open_library(const char *name, char path[PATH_MAX], char *error, size_t error_size)
{
    struct link_map *map = NULL;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    path[0] = '\0';
    if (!library) {
        snprintf(error, error_size, "%s", dlerror());
        return NULL;
    }
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && !realpath(map->l_name, path))
        snprintf(path, PATH_MAX, "%s", map->l_name);
    return library;
}

const char *library_version(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strstr(slash ? slash : path, ".so.");
    return ending ? ending + strlen(".so.") : "";
}
