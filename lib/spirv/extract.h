// SPDX-License-Identifier: MIT
//
// Parts of a module as modules of their own: what some of its functions and variables need to stand alone, and writing that.

#ifndef MEZ_SPIRV_EXTRACT_H
#define MEZ_SPIRV_EXTRACT_H

#include "base/vector.h"
#include "spirv/capabilities.h"
#include "spirv/module.h"
#include "spirv/pieces.h"

// --- What is needed
//
// What some functions and variables of a module need to stand alone: which of its pieces have to be kept. Unlike reach.h,
// which asks what code can do, this one asks what a module must hold: types, names and debug information too.
//
// Thread-safety: a closure is used by one thread at a time.

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

// --- Modules of their own
//
// A new module that holds only some of a module's kernels and exported functions, with all they need and nothing else.
//
//     mez_spirv_pieces_create(module, &problem, &pieces);
//     for each kernel: mez_spirv_extract(pieces, &root, 1, NULL, &problem, &words, &count);
//     mez_spirv_pieces_destroy(&pieces);
//
// What stays: the roots, what they call, directly or through function pointers (see reach.h), the variables, constants and
// types of all that, its names, decorations, execution modes and debug information. Entry points stay for roots only. Of
// functions that are not roots, "Export" goes: several modules made from one can be linked with each other. The body of a
// kernel that llvm-spirv put a wrapper in front of keeps it with its kernel. Imports and exported variables stay as they are.
//
// The order is the one that SPIR-V asks for, also where the module's was not: declarations of functions stand before
// definitions. Capabilities and extensions that only removed code needed are gone. The version and all ids stay.
//
// Instructions we do not know stay, and so does what their words may name; at module scope one whose first word names a
// function goes with that function.

struct mez_spirv_extract_options {
    // Leave out the instructions of sets such as OpenCL.DebugInfo.100; OpLine stays. Debug information stays word for word
    // otherwise, and that of llvm-spirv 15 is nothing that spirv-val accepts, while Intel's compiler counts on its dialect.
    bool without_debug_info;
};

// Writes the module that holds the functions and variables with the ids `roots`. A function brings its entry points and its
// "Export"; the id of a kernel is module->functions[entry_point->function].id. A root named twice counts once.
// `options` NULL: as if zero.
//
// Takes time and memory in proportion to what it writes (and a bit for each definition at module scope). On success *words
// has *word_count words in host byte order and is the caller's, to be given back to mez_free_memory. Otherwise it is NULL,
// and the status is
//   NOT_FOUND  a root is neither a function nor a variable of the module
//   MALFORMED  what stays uses an id that only a removed instruction we do not know, or left out debug information, defines
//   TOO_LARGE  more ids than SPIR-V allows, because debug information asked for one more
//   NO_MEMORY
//
// Thread-safety: safe, also with the same pieces on several threads.
enum mez_spirv_status mez_spirv_extract(const struct mez_spirv_pieces *pieces,
    const uint32_t *roots, uint32_t root_count, const struct mez_spirv_extract_options *options,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *word_count);

#endif
