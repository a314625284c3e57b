// SPDX-License-Identifier: MIT
//
// To be preloaded: a machine without the Level Zero loader.

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

typedef void *dlopen_function(const char *name, int flags);

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    dlopen_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    const bool wanted = name && strcmp(name, "libze_loader.so.1") == 0;
    return next(wanted ? "libze_loader.so.1.not-here" : name, flags);
}
