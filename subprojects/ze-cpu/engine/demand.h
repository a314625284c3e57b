// SPDX-License-Identifier: MIT
//
// Which loads a program asks for. Compilers load ahead of the condition under which the source reads: `i < n ? list[i] : 0` may
// become a load that always happens, and a select. What the source does not read can't be in a race, so such a load counts
// where it is selected, under the select's condition, and a load of which that can't be said does not count.

#ifndef ZC_ENGINE_DEMAND_H
#define ZC_ENGINE_DEMAND_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#define ZC_MAX_DEMANDS 8
#define ZC_MAX_CONDITIONS 4

// The program reads if it comes to `before` and all conditions have the wanted value.
struct zc_demand {
    LLVMValueRef before; // the load itself, or an instruction behind it in its block
    LLVMValueRef conditions[ZC_MAX_CONDITIONS];
    bool wanted[ZC_MAX_CONDITIONS];
    unsigned condition_count;
};

// Returns how many there are; 0: the load does not count.
unsigned zc_demands_find(LLVMValueRef load, struct zc_demand demands[ZC_MAX_DEMANDS]);

#endif
