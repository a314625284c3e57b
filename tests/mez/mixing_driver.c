// SPDX-License-Identifier: MIT
//
// A Level Zero driver, of one function, that loads two copies of its compiler: both names stand in MIXING_DRIVER_LOADS, with a
// comma between them.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int zeGetGlobalProcAddrTable(int version, void *table);

// As drivers do that don't take a loader's version.
int zeGetGlobalProcAddrTable(int version, void *table)
{
    (void)version, (void)table;
    return 0x78000002;
}

__attribute__((constructor)) static void load(void)
{
    const char *names = getenv("MIXING_DRIVER_LOADS");
    char *copy = strdup(names ? names : "");
    char *rest = copy;
    for (char *name; copy && (name = strsep(&rest, ","));)
        if (*name)
            dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    free(copy);
}
