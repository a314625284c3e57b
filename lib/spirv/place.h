// SPDX-License-Identifier: MIT
//
// The place in a module that asks a device for something, with the calls that lead there.

#ifndef MEZ_SPIRV_PLACE_H
#define MEZ_SPIRV_PLACE_H

#include <stdbool.h>

#include "spirv/module.h"
#include "spirv/source_line.h"

// A function on the way to a place.
struct mez_spirv_step {
    const struct mez_spirv_function *function;
    // In the function before it, where that calls it (or takes its address); nothing for the first.
    struct mez_spirv_source_line call;
};

struct mez_spirv_place {
    const struct mez_spirv_function *function; // that asks: the last of `steps`
    uint32_t word;   // of the instruction that asks; a declaration's is its function's first
    uint16_t opcode; // for mez_spirv_opcode_name; of a decoration or execution mode where one asks
    bool declared;   // asked for by MEZ_DEVICE_HAS or MEZ_USES_ASPECTS, not by code
    struct mez_spirv_source_line line; // of the instruction; of a declared function's first line
    // From the function that was asked about to `function`, both included; a kernel's wrapper and its
    // body, which have one name, are one step.
    struct mez_spirv_step *steps;
    uint32_t step_count;
};

// Frees the steps and zeroes the place; a zeroed one is fine.
void mez_spirv_place_finish(struct mez_spirv_place *place);

#endif
