// SPDX-License-Identifier: MIT

#include "open.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static mez_error no_such_device(mez_error error, const char *device)
{
    if (!mez_error_is(error, MEZ_ERRC_PLATFORM))
        return error;
    if (strcmp(device, "gpu") == 0)
        return mez_error_headline(error, "--device gpu was given, but there is no GPU");
    return mez_error_add(error, "from", "--device %s", device);
}

mez_error open_device(const char *command, const char *device, bool checked, mez_context **context)
{
    // The library lets MEZ_DEVICE win over its params; a command line wins over the environment.
    if (device)
        unsetenv("MEZ_DEVICE");
    const mez_context_params params = {
        .debug_name = command, .device = device, .checked_memory = checked};
    const mez_error error = mez_context_create_at(NULL, &params, context);
    return device && mez_failed(error) ? no_such_device(error, device) : error;
}
