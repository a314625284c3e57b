// SPDX-License-Identifier: MIT

#include <mezzanine/version.h>

const char *mez_version(void)
{
    return MEZ_VERSION;
}
