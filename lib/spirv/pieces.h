// SPDX-License-Identifier: MIT
//
// A module cut into what can be kept or left out as a whole: a definition at module scope, a function, or an instruction
// that says something about one of these. Made once, so that taking a kernel out does not look at all the others.
//
// Pieces stand in the order that SPIR-V asks for, also where the module's differs.
//
// Thread-safety: pieces never change after their creation; any thread may read them.

#ifndef MEZ_SPIRV_PIECES_H
#define MEZ_SPIRV_PIECES_H

#include "spirv/module.h"

// --- Blocks
//
// The order of a function's blocks. SPIR-V asks that a block stands before those that can only be reached through it. llvm-spirv
// keeps LLVM's order, where it need not.

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

// --- Pieces

#define MEZ_SPIRV_NO_PIECE UINT32_MAX

// The order of a module's parts. Capabilities and extensions come before all of it and are not pieces.
enum mez_spirv_section {
    MEZ_SPIRV_SECTION_HEAD, // what we do not know and stands before everything else
    MEZ_SPIRV_SECTION_IMPORTS,
    MEZ_SPIRV_SECTION_MEMORY_MODEL,
    MEZ_SPIRV_SECTION_ENTRY_POINTS,
    MEZ_SPIRV_SECTION_MODES,
    MEZ_SPIRV_SECTION_SOURCES,
    MEZ_SPIRV_SECTION_NAMES,
    MEZ_SPIRV_SECTION_PROCESSED,
    MEZ_SPIRV_SECTION_DECORATIONS,
    MEZ_SPIRV_SECTION_GLOBALS,
    MEZ_SPIRV_SECTION_DECLARATIONS,
    MEZ_SPIRV_SECTION_FUNCTIONS,
    MEZ_SPIRV_SECTION_COUNT,
};

struct mez_spirv_piece {
    uint32_t first, end; // words
    uint32_t line;       // word of the OpLine that holds for it; 0: none
    enum mez_spirv_section section;
};

struct mez_spirv_pieces {
    const struct mez_spirv_module *module; // borrowed: must outlive this
    struct mez_spirv_piece *pieces;
    uint32_t *by_global; // for each definition at module scope, by its `global`: its piece

    // Pieces that speak of piece i, or of something in that function: about[about_first[i]] up to about_first[i + 1].
    uint32_t *about_first, *about;
    uint32_t *always; // pieces that speak of the whole module

    // For each function: the index of the function of the kernel whose body it is by its linkage name;
    // MEZ_SPIRV_NO_INDEX: of none.
    uint32_t *body_of;

    // Functions whose blocks stand in an order that SPIR-V does not allow: for each function, where its blocks in a better one
    // begin in `blocks`; MEZ_SPIRV_NO_INDEX: they are fine as they are.
    uint32_t *first_block;
    struct mez_spirv_block *blocks; // of such functions, one behind the other

    uint32_t count, always_count;
};

// The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_pieces_create(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, struct mez_spirv_pieces **pieces);
void mez_spirv_pieces_destroy(struct mez_spirv_pieces **pieces);

// The piece in which the id is defined; MEZ_SPIRV_NO_PIECE: no instruction that we know defines it.
uint32_t mez_spirv_piece_of(const struct mez_spirv_pieces *pieces, uint32_t id);

// Which words of an instruction name what it speaks of: `first`, and each `step` words further. step 0: it speaks of nothing.
struct mez_spirv_subjects {
    uint32_t first, step;
};

struct mez_spirv_subjects mez_spirv_subjects(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);

// The function that the piece is; NULL: it is something else.
const struct mez_spirv_function *mez_spirv_piece_function(
    const struct mez_spirv_pieces *pieces, uint32_t piece);

#endif
