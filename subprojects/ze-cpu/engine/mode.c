// SPDX-License-Identifier: MIT
//
// The mode's name.

#include "mode.h"

#include <stdlib.h>
#include <string.h>

enum zc_mode zc_mode(void)
{
    const char *name = getenv("ZE_CPU_ENGINE_MODE");
    if (name != NULL && strcmp(name, "coroutine") == 0)
        return ZC_MODE_COROUTINE;
    return name != NULL && strcmp(name, "scalar") == 0 ? ZC_MODE_SCALAR : ZC_MODE_FISSION;
}
