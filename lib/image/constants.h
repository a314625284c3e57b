// SPDX-License-Identifier: MIT
//
// Values that the user gave to specialization constants.
//
// Thread-safety: constant once initialised.

#ifndef MEZ_IMAGE_CONSTANTS_H
#define MEZ_IMAGE_CONSTANTS_H

#include <mezzanine/image.h>

#include "ze/call.h"

struct mez_spirv_module;

typedef struct mez_constants {
    uint32_t *sizes;  // bytes
    uint64_t *values; // each in its first bytes
    const void **pointers;
    uint32_t *numbers;        // SpecIds
    ze_module_constants_t ze; // all of them, as drivers want them
} mez_constants;

// Copies what the user gave. MEZ_ERRC_INVALID_PARAMETER: a NULL, a size that no constant has, a number that is given twice.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. To be finished also after a failure.
mez_error mez_constants_init(
    const mez_spec_constant *given, uint32_t count, mez_constants *constants);
void mez_constants_finish(mez_constants *constants);

// Puts a module with the values in the place of *module: sizes of arrays and work-groups follow from them. Marks in `found`,
// which has an item for each value, those that the module has.
// MEZ_ERRC_INVALID_PARAMETER: a value has another size than its constant; the story names both. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_constants_apply(
    const mez_constants *constants, struct mez_spirv_module **module, bool *found);

// MEZ_ERRC_INVALID_PARAMETER for the values that were not found; the story lists the constants that the modules have.
mez_error mez_constants_check_found(const mez_constants *constants, const bool *found,
    const struct mez_spirv_module *const *modules, uint32_t count);

// For compilers. They ignore numbers that the code in front of them does not have. NULL: there are none.
static inline const ze_module_constants_t *mez_constants_get(const mez_constants *constants)
{
    return constants->ze.numConstants > 0 ? &constants->ze : NULL;
}

#endif
