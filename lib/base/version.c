// SPDX-License-Identifier: MIT
//
// The version, and refusing what a newer one may know.

#include "base/version.h"

#include <mezzanine/version.h>

const char *mez_version(void)
{
    return MEZ_VERSION;
}

mez_error mez_reserved_used(const char *type)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s.reserved is not zero: either the program was built for a newer Mezzanine than this "
        "one, "
        "%d.%d.%d, and the library has to be updated, or the struct was not initialised",
        type, MEZ_VERSION_MAJOR, MEZ_VERSION_MINOR, MEZ_VERSION_PATCH);
}
