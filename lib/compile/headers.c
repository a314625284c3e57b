// SPDX-License-Identifier: MIT

#include "compile/headers.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/beside.h"

// From the folder of this library, and from that of a program that it is part of: where they are built, and where they are
// installed.
static const char *const built[] = {"../devicelib", "../../devicelib"};
static const char *const installed[] = {MEZ_DEVICELIB_FROM_LIBRARY, MEZ_DEVICELIB_FROM_PROGRAM};

#define A_HEADER "mezzanine/assert.h"

static bool has_header(const char *folder)
{
    char header[PATH_MAX];
    return (size_t)snprintf(header, sizeof header, "%s/" A_HEADER, folder) < sizeof header &&
           access(header, R_OK) == 0;
}

bool mez_kernel_headers_find(char *folder, size_t size)
{
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        if (mez_path_in_build_tree(built[i], folder, size) && has_header(folder))
            return true;
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
        if (mez_path_beside(installed[i], folder, size) && has_header(folder))
            return true;
    return false;
}
