// SPDX-License-Identifier: MIT
//
// What the steps of linking share: link.c, which finds out what is joined, link_types.c, and link_write.c. The linker goes from
// step to step. Arrows: link.c uses both others, and link_write.c uses link_types.c.

#ifndef MEZ_SPIRV_LINK_PARTS_H
#define MEZ_SPIRV_LINK_PARTS_H

#include "base/vector.h"
#include "spirv/link.h"
#include "spirv/pieces.h"
#include "spirv/rewrite.h"

struct mez_spirv_link_part {
    const struct mez_spirv_module *module;
    const char *name;
    struct mez_spirv_pieces *pieces;
    uint32_t *ids; // for each definition of the module, by its index there: its id in the result
    uint32_t first_id; // that its own definitions have; the first module keeps its numbers
    bool *is_other;    // likewise: it is the same as another one and left out; `ids` has that one's
    bool *is_renamed;  // likewise: a function whose name another one has

    // NULL until some symbol has two types. For each definition: what its type says where all
    // pointers of a storage class are the same, and the id that it passes everything on to; 0: it stands for itself.
    uint32_t *shapes, *passes_to;
};

// A function with the type that one module knows, and nothing in it but a call of the function that another module defines.
struct mez_spirv_link_adapter {
    uint32_t part, function; // index in that module's functions
    uint32_t first_id;       // of its own
};

// How many ids an adapter needs: for its label and its call, and for its result and each parameter.
enum { MEZ_SPIRV_IDS_OF_ADAPTER = 2, MEZ_SPIRV_IDS_OF_VALUE = 5 };

struct mez_spirv_linker {
    struct mez_spirv_link_part *parts;
    uint32_t count;
    uint32_t bound; // of ids so far
    MEZ_VECTOR(struct mez_spirv_link_adapter) adapters;
    struct mez_spirv_problem *problem;
};

static inline uint32_t mez_spirv_def_index(
    const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return (uint32_t)(def - module->defs);
}

// What a list of the part's, such as `ids`, has for an id's definition; 0: nothing defines it, or there is no list.
uint32_t mez_spirv_linked_as(
    const struct mez_spirv_link_part *part, const uint32_t *list, uint32_t id);

// The id in the result; 0: nothing defines it.
static inline uint32_t mez_spirv_linked_id(const struct mez_spirv_link_part *part, uint32_t id)
{
    return mez_spirv_linked_as(part, part->ids, id);
}

// What the definition of an id passes everything on to; 0: it stands for itself.
static inline uint32_t mez_spirv_passes_to(const struct mez_spirv_link_part *part, uint32_t id)
{
    return mez_spirv_linked_as(part, part->passes_to, id);
}

// Whether the id's definition is part of the result by itself.
bool mez_spirv_is_linked(const struct mez_spirv_link_part *part, uint32_t id);

// The id that a definition has where it is not joined with another one.
static inline uint32_t mez_spirv_own_id(
    const struct mez_spirv_link_part *part, const struct mez_spirv_def *def)
{
    return part->first_id ? part->first_id + mez_spirv_def_index(part->module, def) : def->id;
}

// The definition that an id of the result stands for, and whose it is; NULL: it is a new one.
const struct mez_spirv_def *mez_spirv_linked_def(
    const struct mez_spirv_linker *linker, uint32_t id, uint32_t *part);

// Leaves a definition, with a function's all that is in it, out in favour of what has `id` in the result.
void mez_spirv_link_as(
    struct mez_spirv_link_part *part, const struct mez_spirv_def *def, uint32_t id);

// The OpTypeFunction of a function.
static inline struct mez_spirv_instruction mez_spirv_type_of_function(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    const struct mez_spirv_def *type = mez_spirv_find_def(module, function->type);
    return mez_spirv_instruction_at(module, type ? type->word : module->word_count);
}

// The failure of every step without memory.
enum mez_spirv_status mez_spirv_link_no_memory(const struct mez_spirv_linker *linker);

// --- Types (link_types.c)

// Joins types, constants and texts that are the same.
enum mez_spirv_status mez_spirv_link_types(struct mez_spirv_linker *linker);

// Fills `shapes` of all parts, of types that are joined already.
enum mez_spirv_status mez_spirv_link_shapes(struct mez_spirv_linker *linker);

struct mez_spirv_link_place {
    uint32_t part, piece;
};

// The types, constants and variables of all parts, each behind those that it uses: what one module imports another may define
// that comes later. The list is the caller's, to be given back to mez_free_memory.
enum mez_spirv_status mez_spirv_link_order(
    const struct mez_spirv_linker *linker, struct mez_spirv_link_place **places, uint32_t *count);

// --- Writing (link_write.c)

// Writes the result, as mez_spirv_link gives it.
enum mez_spirv_status mez_spirv_link_write(
    struct mez_spirv_linker *linker, uint32_t **words, uint32_t *word_count);

#endif
