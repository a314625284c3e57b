// SPDX-License-Identifier: MIT

#include "open.h"

#include <stdlib.h>

mez_error open_device(const char *command, const char *device, mez_context **context)
{
    // The library lets MEZ_DEVICE win over its params; a command line wins over the environment.
    if (device)
        setenv("MEZ_DEVICE", device, 1);
    const mez_context_params params = {.debug_name = command, .device = device};
    return mez_context_create_at(NULL, &params, context);
}
