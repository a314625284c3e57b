// SPDX-License-Identifier: MIT

#include "base/installed.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char here; // an address in this library, or in the program that it is part of

static bool find_program(char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return true;
}

// Of a program dladdr knows what it was called by, which is a bare name where a shell has looked for it; the link map names only
// libraries.
static bool find_self(char path[PATH_MAX])
{
    Dl_info self;
    struct link_map *map;
    if (!dladdr1(&here, &self, (void **)&map, RTLD_DL_LINKMAP))
        return false;
    if (!*map->l_name)
        return find_program(path);
    return (size_t)snprintf(path, PATH_MAX, "%s", map->l_name) < PATH_MAX;
}

bool mez_path_beside(const char *name, char *path, size_t size)
{
    char self[PATH_MAX];
    if (!find_self(self))
        return false;
    const char *slash = strrchr(self, '/');
    const int folder = slash ? (int)(slash - self) : 1;
    const char *own = slash ? self : ".";
    return (size_t)snprintf(path, size, "%.*s/%s", folder, own, name) < size;
}

bool mez_path_in_build_tree(const char *name, char *path, size_t size)
{
    char marker[PATH_MAX];
    return mez_path_beside("mezzanine-is-built-here", marker, sizeof marker) &&
           access(marker, F_OK) == 0 && mez_path_beside(name, path, size);
}
