// SPDX-License-Identifier: MIT
//
// Device code as programs see it: a bundle, what was read from its binaries, and lists of both to look at.

#ifndef MEZ_TOOLCHAIN_CODE_H
#define MEZ_TOOLCHAIN_CODE_H

#include <mezzanine/code.h>

#include "base/vector.h"
#include "check/units.h"
#include "spirv/signature.h"

typedef struct mez_code_listed_kernel {
    mez_code_kernel kernel;
    struct mez_spirv_signature signature; // of SPIR-V
} mez_code_listed_kernel;

struct mez_code {
    void *bytes; // that the bundle points into; NULL: the bundle has its own
    mez_bundle *bundle;
    mez_check_units *units;
    mez_code_binary *binaries; // one for each of the units' binaries
    MEZ_VECTOR(mez_code_listed_kernel) kernels;
};

// Makes code of a bundle and of the bytes that it points into, which may be NULL. Both belong to the code then, also after an error,
// which frees them. Errors: as mez_code_read.
mez_error mez_code_create(mez_bundle *bundle, void *bytes, mez_code **code);

#endif
