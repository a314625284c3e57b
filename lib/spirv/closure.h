// SPDX-License-Identifier: MIT
//
// What some functions and variables of a module need to stand alone: which of its pieces have to be kept. Unlike reach.h,
// which asks what code can do, this one asks what a module must hold: types, names and debug information too.
//
// Thread-safety: a closure is used by one thread at a time.

#ifndef MEZ_SPIRV_CLOSURE_H
#define MEZ_SPIRV_CLOSURE_H

#include "base/vector.h"
#include "spirv/capabilities.h"
#include "spirv/pieces.h"

struct mez_spirv_closure {
    const struct mez_spirv_pieces *pieces;
    // Set before the run: leave out what is said about the pieces, such as names; leave out debug information.
    bool code_only, without_debug_info;

    // A bit for each piece. `called`: types of functions whose address-taken functions are kept.
    uint64_t *kept, *roots, *called;
    MEZ_VECTOR(uint32_t) found; // kept pieces in the order in which they were found

    struct mez_spirv_code_use use;
    uint32_t entry_point_count;
    bool keeps_unknown; // an instruction we do not know
    // Words of instructions, 0: none: one that uses an id which nothing we know defines, and one that uses what debug information
    // defines and is left out.
    uint32_t unknown_use, debug_use;
    bool out_of_memory;
};

// The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_closure_init(const struct mez_spirv_pieces *pieces,
    struct mez_spirv_problem *problem, struct mez_spirv_closure *closure);
void mez_spirv_closure_finish(struct mez_spirv_closure *closure);

// Finds what the functions and variables with these ids need, forgetting an earlier run. NOT_FOUND: an id is neither a function nor a
// variable at module scope; MALFORMED: an id that is needed can only be defined by an instruction that is left out; NO_MEMORY.
enum mez_spirv_status mez_spirv_closure_run(struct mez_spirv_closure *closure,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem);

static inline bool mez_spirv_closure_has(const uint64_t *bits, uint32_t piece)
{
    return bits[piece / 64] >> (piece % 64) & 1;
}

// Whether the definition of the id is kept.
bool mez_spirv_closure_keeps(const struct mez_spirv_closure *closure, uint32_t id);

// --- Shared variables
//
// Kernels that talk to each other through memory of their module. In modules of their own each would see a copy.

// Whether the id is memory of that kind: a program-scope variable in global memory that is not constant. Memory that belongs to the
// reporting of asserts is none: each module has its own.
bool mez_spirv_can_share(const struct mez_spirv_module *module, uint32_t id);

// Finds which of the functions with the ids `roots` share such a variable.
//
// For each root: groups[i] is the index of the first root of its group (its own where it shares with none before it), and
// variables[i] the id of a variable that it shares with another root; 0: none. Both arrays have room for root_count items.
//
// Takes time and memory in proportion to what the roots need, taken one by one. NOT_FOUND and MALFORMED as of
// mez_spirv_extract; else the only failure is NO_MEMORY.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_shared_variables(const struct mez_spirv_pieces *pieces,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem, uint32_t *groups,
    uint32_t *variables);

#endif
