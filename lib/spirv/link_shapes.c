// SPDX-License-Identifier: MIT
//
// What types say where all pointers of a storage class are the same. Compilers whose own pointers have no type guess what each
// points to, one module this and another module that; older ones know, and give it the type of the source.

#include <string.h>

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/ids.h"
#include "spirv/link_dictionary.h"

static bool copy_ids(struct mez_spirv_link_part *part)
{
    const uint32_t count = part->module->def_count;
    part->shapes = mez_alloc_array(count + 1, sizeof *part->shapes);
    part->passes_to = mez_alloc_array(count + 1, sizeof *part->passes_to);
    if (part->shapes && part->passes_to)
        memcpy(part->shapes, part->ids, count * sizeof *part->ids);
    return part->shapes && part->passes_to;
}

static void note(struct mez_spirv_dictionary *dictionary, struct mez_spirv_link_part *part,
    uint32_t start, const struct mez_spirv_def *def)
{
    const uint32_t index = mez_spirv_def_index(part->module, def);
    if (dictionary->out_of_memory)
        return;
    part->shapes[index] =
        mez_spirv_dictionary_find_or_add(dictionary, start, 0, mez_spirv_own_id(part, def))->id;
}

// First, because structs may use them before they are declared.
static void note_pointers(struct mez_spirv_dictionary *dictionary, struct mez_spirv_link_part *part)
{
    for (uint32_t i = 0; i < part->module->type_count && !dictionary->out_of_memory; i++) {
        const struct mez_spirv_type *type = &part->module->types[i];
        const uint32_t start = dictionary->count;
        if (type->opcode != MEZ_OP_TypePointer)
            continue;
        mez_spirv_dictionary_add(dictionary, MEZ_OP_TypePointer); // of no length, as no entry else
        mez_spirv_dictionary_add(dictionary, type->storage);
        note(dictionary, part, start, mez_spirv_find_def(part->module, type->id));
    }
}

static void note_others(struct mez_spirv_dictionary *dictionary, struct mez_spirv_link_part *part)
{
    for (uint32_t i = 0; i < part->pieces->count && !dictionary->out_of_memory; i++) {
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(part->module, part->pieces->pieces[i].first);
        const uint32_t start = dictionary->count;
        if (in.opcode == MEZ_OP_TypePointer)
            continue;
        if (mez_spirv_dictionary_add_piece(dictionary, part, i, part->shapes))
            note(
                dictionary, part, start, mez_spirv_find_def(part->module, mez_spirv_result_of(in)));
        else
            dictionary->count = start;
    }
}

enum mez_spirv_status mez_spirv_link_shapes(struct mez_spirv_linker *linker)
{
    struct mez_spirv_dictionary dictionary;
    mez_spirv_dictionary_init(&dictionary, mez_spirv_count_pieces(linker));
    for (uint32_t i = 0; i < linker->count && !dictionary.out_of_memory; i++) {
        dictionary.out_of_memory = !copy_ids(&linker->parts[i]);
        if (!dictionary.out_of_memory)
            note_pointers(&dictionary, &linker->parts[i]);
    }
    for (uint32_t i = 0; i < linker->count && !dictionary.out_of_memory; i++)
        note_others(&dictionary, &linker->parts[i]);
    mez_spirv_dictionary_finish(&dictionary);
    return dictionary.out_of_memory ? mez_spirv_link_no_memory(linker) : MEZ_SPIRV_OK;
}
