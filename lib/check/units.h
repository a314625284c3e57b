// SPDX-License-Identifier: MIT
//
// Everything in a bundle that has requirements of its own: each kernel of code without a property set, and each binary that has
// one, for it binds all kernels, or is native code for a device that its container names. For tools that look at images without
// running them.
//
// Thread-safety: as mez_bundle's; a list never changes after its creation.

#ifndef MEZ_CHECK_UNITS_H
#define MEZ_CHECK_UNITS_H

#include "check/requirements.h"
#include "container/bundle.h"

// A binary of the bundle, and what was read from it.
typedef struct mez_check_binary {
    mez_binary *binary;
    bool states;                     // its property set speaks for all of it
    mez_device_requirements stated;  // that
    mez_aspect_numbering numbering;  // of the aspects in it
    struct mez_spirv_module *module; // NULL: its code is not SPIR-V, or can't be read
    struct mez_spirv_survey *survey; // of module
    // Why not, or why its properties can't be read; success for native code, which nobody reads.
    mez_error unreadable;
    uint32_t first_unit, unit_count; // in the list's units
} mez_check_binary;

typedef struct mez_check_unit {
    const mez_check_binary *binary;
    const char *kernel; // NULL: all kernels of the binary
    mez_requirements requirements;
} mez_check_unit;

typedef struct mez_check_units {
    mez_check_binary *binaries; // in the bundle's order
    uint32_t binary_count;
    mez_check_unit *units; // in the order of the binaries, and of the kernels in each
    uint32_t count;
    size_t capacity;
} mez_check_units;

// Reads the properties of every binary, and the code of those that are SPIR-V, unpacking it; properties or code that can't be read
// are not an error of the whole. `bundle` must outlive the list, which is the caller's, to be given back to mez_check_units_destroy;
// NULL on failure.
//
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_check_units_create(
    mez_bundle *bundle, enum mez_spirv_survey_mode mode, mez_check_units **units);

// Adds to each kernel's requirements what its code imports and neither the bundle nor `supplies` defines.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_check_units_add_imports(mez_check_units *units, bool (*supplies)(const char *symbol));

// Sets *units to NULL; NULL inside is fine.
void mez_check_units_destroy(mez_check_units **units);

// The kernels that a binary holds, listed by its container or else found in its code. `index` past the last: NULL.
const char *mez_check_binary_kernel(const mez_check_binary *binary, uint32_t index);

#endif
