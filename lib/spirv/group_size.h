// SPDX-License-Identifier: MIT
//
// Work-group sizes that a kernel gives by the ids of constants (OpExecutionModeId LocalSizeId). Intel's compilers of 2022 refuse the
// instruction, and with it the module; the same size in numbers they take.

#ifndef MEZ_SPIRV_GROUP_SIZE_H
#define MEZ_SPIRV_GROUP_SIZE_H

#include "spirv/module.h"

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
