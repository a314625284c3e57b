// SPDX-License-Identifier: MIT

#include "check/igc.h"

#include <stdio.h>
#include <string.h>

// Intel's drivers number themselves so, with their build in the lower half.
#define INTEL_DRIVER 0x0103u

// The first release with the second generation: its manifest (manifests/manifest.yml of tag 24.45.31740.8 in intel/compute-runtime)
// names igc v2.1.12, that of the release before (24.39.31294.21) igc-1.0.17791.16. Later releases of the branch 24.35, which is kept
// for older GPUs, stay with the first.
#define FIRST_BUILD_OF_IGC_2 31740u
#define FIRST_RELEASE_OF_IGC_2 2445u

const char *mez_igc_name(mez_igc compiler)
{
    static const char *const names[] = {
        [MEZ_IGC_UNKNOWN] = "an unknown compiler",
        [MEZ_IGC_1] = "IGC 1",
        [MEZ_IGC_2] = "IGC 2",
    };
    return names[compiler];
}

bool mez_igc_find(const char *version, mez_igc *compiler)
{
    const bool is_version = (*version == '1' || *version == '2') &&
                            (version[1] == '\0' || version[1] == '.') &&
                            version[strspn(version, "0123456789.")] == '\0';
    if (is_version)
        *compiler = *version == '1' ? MEZ_IGC_1 : MEZ_IGC_2;
    return is_version;
}

mez_igc mez_igc_of_driver(uint32_t driver_version)
{
    if (driver_version >> 16 != INTEL_DRIVER)
        return MEZ_IGC_UNKNOWN;
    return (driver_version & 0xffff) < FIRST_BUILD_OF_IGC_2 ? MEZ_IGC_1 : MEZ_IGC_2;
}

mez_igc mez_igc_of_release(const char *release)
{
    unsigned year, week;
    if (sscanf(release, "%2u.%2u.", &year, &week) != 2)
        return MEZ_IGC_UNKNOWN;
    return year * 100 + week < FIRST_RELEASE_OF_IGC_2 ? MEZ_IGC_1 : MEZ_IGC_2;
}
