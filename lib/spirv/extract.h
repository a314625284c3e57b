// SPDX-License-Identifier: MIT
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

#ifndef MEZ_SPIRV_EXTRACT_H
#define MEZ_SPIRV_EXTRACT_H

#include "spirv/module.h"
#include "spirv/pieces.h"

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
