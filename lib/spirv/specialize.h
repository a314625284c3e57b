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
// that number. What the reader has worked out of the old value, such as sizes of arrays, stays: read the words again.
void mez_spirv_specialize(struct mez_spirv_module *module, uint32_t number, const void *value);

// --- Work-group sizes
//
// Work-group sizes that a kernel gives by the ids of constants (OpExecutionModeId LocalSizeId). Intel's compilers of 2022 refuse the
// instruction, and with it the module; the same size in numbers they take.

#define MEZ_SPIRV_GROUP_SIZE_WORDS 6 // of either instruction

// Whether the instruction gives a size by constants that nobody can give another value; `words` is then the instruction that gives
// it in numbers. Else `words` is left as it is.
bool mez_spirv_literal_group_size(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS]);

// Writes all sizes of the module in numbers, for a module whose specialization constants have the values that they will keep. Those
// that are results of operations stay. What the reader knows of the module stays right.
//
// Thread-safety: nobody else may be using the module.
void mez_spirv_write_group_sizes(struct mez_spirv_module *module);

#endif
