// SPDX-License-Identifier: MIT

#include "ze/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/beside.h"

static bool is_beside(const char *name, char *path, size_t size)
{
    return mez_path_beside(name, path, size) && access(path, F_OK) == 0;
}

bool mez_ze_cpu_driver_path(char *path, size_t size)
{
    const char *chosen = getenv("MEZ_CPU_DRIVER");
    if (chosen && *chosen)
        return (size_t)snprintf(path, size, "%s", chosen) < size;
    return is_beside(MEZ_CPU_DRIVER_LIBRARY, path, size) ||
           is_beside(MEZ_LIBRARY_FROM_PROGRAM "/" MEZ_CPU_DRIVER_LIBRARY, path, size) ||
           mez_path_beside(MEZ_CPU_DRIVER_LIBRARY, path, size);
}
