// SPDX-License-Identifier: MIT
//
// Specialization constants: constants of a module that whoever compiles it may give other values than those it was written with.
//
// Thread-safety: reading is safe; mez_spirv_specialize changes the module, which nobody else may read meanwhile.

#ifndef MEZ_SPIRV_SPECIALIZE_H
#define MEZ_SPIRV_SPECIALIZE_H

#include "spirv/module.h"

struct mez_spirv_spec_constant {
    uint32_t number;  // SpecId, by which it is given a value
    uint32_t id;      // of the result
    uint32_t size;    // bytes of its value: 1, 2, 4 or 8; of a bool 1
    const char *name; // NULL: none; lives as long as the module
};

// Visits them in the order of the file: *at is 0 before the first. False behind the last.
bool mez_spirv_next_spec_constant(
    const struct mez_spirv_module *module, uint32_t *at, struct mez_spirv_spec_constant *constant);

// The first of that number. False: the module has none.
bool mez_spirv_find_spec_constant(const struct mez_spirv_module *module, uint32_t number,
    struct mez_spirv_spec_constant *constant);

// Writes the value, of the constant's size, into the module's words as the one that it was written with, for every constant of
// that number. What the reader has worked out of the old value, such as sizes of arrays, stays: read the words anew.
void mez_spirv_specialize(struct mez_spirv_module *module, uint32_t number, const void *value);

#endif
