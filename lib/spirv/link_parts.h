// SPDX-License-Identifier: MIT
//
// What the steps of linking (link.c) share.

#ifndef MEZ_SPIRV_LINK_PARTS_H
#define MEZ_SPIRV_LINK_PARTS_H

#include "spirv/link.h"
#include "spirv/pieces.h"

struct mez_spirv_link_part {
    const struct mez_spirv_module *module;
    const char *name;
    struct mez_spirv_pieces *pieces;
    uint32_t *ids; // for each definition of the module, by its index there: its id in the result
    uint32_t first_id; // that its own definitions have; the first module keeps its numbers
    bool *is_other;    // likewise: it is the same as another one and left out; `ids` has that one's
};

struct mez_spirv_linker {
    struct mez_spirv_link_part *parts;
    uint32_t count;
    uint32_t bound; // of ids so far
    struct mez_spirv_problem *problem;
};

static inline uint32_t mez_spirv_def_index(
    const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return (uint32_t)(def - module->defs);
}

// The id in the result; 0: nothing defines it.
uint32_t mez_spirv_linked_id(const struct mez_spirv_link_part *part, uint32_t id);

// Whether the id's definition is part of the result by itself.
bool mez_spirv_is_linked(const struct mez_spirv_link_part *part, uint32_t id);

// The id that a definition has where it is not joined with another one.
static inline uint32_t mez_spirv_own_id(
    const struct mez_spirv_link_part *part, const struct mez_spirv_def *def)
{
    return part->first_id ? part->first_id + mez_spirv_def_index(part->module, def) : def->id;
}

// Leaves a definition, with a function's all that is in it, out in favour of what has `id` in the result.
void mez_spirv_link_as(
    struct mez_spirv_link_part *part, const struct mez_spirv_def *def, uint32_t id);

// Joins imports with exports, and finds what does not fit.
enum mez_spirv_status mez_spirv_link_symbols(struct mez_spirv_linker *linker);

// Joins types, constants and texts that are the same.
enum mez_spirv_status mez_spirv_link_types(struct mez_spirv_linker *linker);

// Writes the result, as mez_spirv_link gives it.
enum mez_spirv_status mez_spirv_link_write(
    struct mez_spirv_linker *linker, uint32_t **words, uint32_t *word_count);

#endif
