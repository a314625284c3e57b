// SPDX-License-Identifier: MIT
//
// A Level Zero driver, of one function, that does odd things when it is loaded, as the environment says: ODD_DRIVER_LOADS names
// libraries that it opens, with commas between them, such as two copies of a compiler; with ODD_DRIVER_EXITS it prints a line and
// ends the process with that code.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int zeGetGlobalProcAddrTable(int version, void *table);

// As drivers do that don't take a loader's version.
int zeGetGlobalProcAddrTable(int version, void *table)
{
    (void)version, (void)table;
    return 0x78000002;
}

static void load_all(const char *names)
{
    char *copy = strdup(names);
    char *rest = copy;
    for (char *name; copy && (name = strsep(&rest, ","));)
        dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    free(copy);
}

__attribute__((constructor)) static void be_odd(void)
{
    const char *loads = getenv("ODD_DRIVER_LOADS");
    const char *exits = getenv("ODD_DRIVER_EXITS");
    if (loads)
        load_all(loads);
    if (!exits)
        return;
    fputs("odd: this machine won't do\n", stderr);
    _Exit(atoi(exits));
}
