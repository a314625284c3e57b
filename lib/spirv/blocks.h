// SPDX-License-Identifier: MIT
//
// The order of a function's blocks. SPIR-V asks that a block stands before those that can only be reached through it. llvm-spirv
// keeps LLVM's order, where it need not.

#ifndef MEZ_SPIRV_BLOCKS_H
#define MEZ_SPIRV_BLOCKS_H

#include "spirv/module.h"
#include "spirv/problem.h"

struct mez_spirv_block {
    uint32_t first, end; // words
};

// Whether something before each block but the first leads there: then the order is one that SPIR-V allows. (A block that stood
// before its only way in would have to be reached from one that stands there too, and so on to the first.) `seen` has a zeroed byte
// for each definition of the module; it keeps what one function's blocks leave in it.
//
// Thread-safety: safe.
bool mez_spirv_blocks_are_ordered(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, uint8_t *seen);

uint32_t mez_spirv_count_blocks(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function);

// Fills `blocks`, which has room for all of them, with the function's blocks in an order that SPIR-V allows, close to the one they
// have. The only failure is NO_MEMORY.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_order_blocks(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, struct mez_spirv_problem *problem,
    struct mez_spirv_block *blocks);

#endif
