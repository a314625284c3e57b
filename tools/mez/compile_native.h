// SPDX-License-Identifier: MIT
//
// What `mez build` does, for SPIR-V that was just compiled: a table or SYCLBIN with native code.

#ifndef COMPILE_NATIVE_H
#define COMPILE_NATIVE_H

#include <mezzanine/compile.h>

#include "compile_request.h"

// Builds for the request's targets and writes `path`. What a target can't run is left out for it, which is reported on stderr. Errors as
// mez_build_create's and mez_build_write's.
mez_error compile_native(const struct compile_request *request, const char *path,
    const mez_compilation *compilation, mez_stop *stop);

#endif
