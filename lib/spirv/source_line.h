// SPDX-License-Identifier: MIT
//
// From an instruction back to the line of source it was compiled from, where the module carries
// OpLine (clang -g).
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_SOURCE_LINE_H
#define MEZ_SPIRV_SOURCE_LINE_H

#include "spirv/module.h"

struct mez_spirv_source_line {
    const char *file; // NULL: not known; lives as long as the module
    uint32_t line, column;
};

// The line of the instruction that begins at `word` of `function`.
struct mez_spirv_source_line mez_spirv_source_line(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, uint32_t word);

// The first line that a function has.
struct mez_spirv_source_line mez_spirv_first_line(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function);

#endif
