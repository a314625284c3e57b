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
    mez_code_unit *listed_units; // one for each of the units
    MEZ_VECTOR(mez_code_requirement) requirements;
    const char **unit_kernels; // what the units' lists are parts of
};

// How code is read; zero is the usual way.
typedef struct mez_code_reading {
    enum mez_spirv_survey_mode mode;
    bool unreadable_allowed; // a binary that is alone may be one that can't be read
    uint64_t unpack_limit;
} mez_code_reading;

// Makes code of a bundle and of the bytes that it points into, which may be NULL. Both belong to the code then, also after an error,
// which frees them. Errors: as mez_code_read.
mez_error mez_code_of_bundle(
    mez_bundle *bundle, void *bytes, const mez_code_reading *reading, mez_code **code);

// --- requirements.c

// Fills what programs see of the units and of what they require. MEZ_ERRC_OUT_OF_HOST_MEMORY; the rest is freed with the code.
mez_error mez_code_list_requirements(mez_code *code);
void mez_code_forget_requirements(mez_code *code);

// The requirement with that number, as it is judged; there is one.
const mez_requirement *mez_code_find_requirement(const mez_code *code, uint32_t number);

#endif
