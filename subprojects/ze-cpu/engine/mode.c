// SPDX-License-Identifier: MIT
//
// The mode's name.

#include "mode.h"

#include <stdlib.h>
#include <string.h>

bool zc_mode_read(enum zc_mode *mode)
{
    static const char *const names[] = {[ZC_MODE_FISSION] = "fission",
        [ZC_MODE_COROUTINE] = "coroutine",
        [ZC_MODE_SCALAR] = "scalar"};
    const char *name = getenv(ZC_MODE_VARIABLE);
    if (name == NULL || *name == '\0')
        name = names[ZC_MODE_FISSION];
    for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *mode = (enum zc_mode)i;
        return true;
    }
    return false;
}
