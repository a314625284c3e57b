// SPDX-License-Identifier: MIT
//
// What some functions and variables of a module need to stand alone: which of its pieces have to be kept. Unlike reach.h,
// which asks what code can do, this one asks what a module must hold: types, names and debug information too.
//
// Thread-safety: a closure is used by one thread at a time.

#ifndef MEZ_SPIRV_CLOSURE_H
#define MEZ_SPIRV_CLOSURE_H

#include "spirv/capabilities.h"
#include "spirv/pieces.h"

struct mez_spirv_closure {
    const struct mez_spirv_pieces *pieces;
    // Set before the run: leave out what is said about the pieces, such as names; leave out debug information.
    bool code_only, without_debug_info;

    // A bit for each piece. `called`: types of functions whose address-taken functions are kept.
    uint64_t *kept, *roots, *called;
    uint32_t *found; // kept pieces in the order in which they were found
    uint32_t count, capacity;

    struct mez_spirv_code_use use;
    uint32_t entry_point_count;
    bool keeps_unknown; // an instruction we do not know
    uint32_t
        unknown_use; // word of an instruction that uses an id which nothing we know defines; 0: none
    uint32_t
        debug_use; // word of an instruction that uses what debug information defines and is left out; 0: none
    bool out_of_memory;
};

// The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_closure_init(const struct mez_spirv_pieces *pieces,
    struct mez_spirv_problem *problem, struct mez_spirv_closure *closure);
void mez_spirv_closure_finish(struct mez_spirv_closure *closure);

// Finds what the functions and variables with these ids need, forgetting an earlier run. NOT_FOUND: an id is no function or
// variable at module scope; MALFORMED: an id that is needed can only be defined by an instruction that is left out; NO_MEMORY.
enum mez_spirv_status mez_spirv_closure_run(struct mez_spirv_closure *closure,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem);

static inline bool mez_spirv_closure_has(const uint64_t *bits, uint32_t piece)
{
    return bits[piece / 64] >> (piece % 64) & 1;
}

// Whether the definition of the id is kept.
bool mez_spirv_closure_keeps(const struct mez_spirv_closure *closure, uint32_t id);

#endif
