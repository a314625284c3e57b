// SPDX-License-Identifier: MIT
//
// Types, constants and texts that several modules have become those of the first. Operands stand before what uses them, so equal
// entries of the dictionary mean the same.

#include "spirv/contents.h"
#include "spirv/ids.h"
#include "spirv/link_dictionary.h"

// The id that another module has given to what says the same; 0: none has, and the entry stands for itself from now on as `id`.
// What one module says twice stays two.
static uint32_t find_or_add(
    struct mez_spirv_dictionary *dictionary, uint32_t start, uint32_t part, uint32_t id)
{
    const struct mez_spirv_entry *entry =
        mez_spirv_dictionary_find_or_add(dictionary, start, part, id);
    return entry->part == part ? 0 : entry->id;
}

static void join_definition(struct mez_spirv_linker *linker,
    struct mez_spirv_dictionary *dictionary, uint32_t part, uint32_t piece)
{
    struct mez_spirv_link_part *ours = &linker->parts[part];
    const uint32_t start = dictionary->count;
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(ours->module, ours->pieces->pieces[piece].first);
    if (!mez_spirv_dictionary_add_piece(dictionary, ours, piece, ours->ids) ||
        dictionary->out_of_memory) {
        dictionary->count = start;
        return;
    }
    const struct mez_spirv_def *def = mez_spirv_find_def(ours->module, mez_spirv_result_of(in));
    const uint32_t own = mez_spirv_own_id(ours, def);
    const uint32_t same = find_or_add(dictionary, start, part, own);
    if (same)
        mez_spirv_link_as(ours, def, same);
    else
        ours->ids[mez_spirv_def_index(ours->module, def)] = own; // where a guess was wrong
}

// A pointer that is used before it is declared, because its struct holds one: it is taken for the one of another module that
// points to a struct of the same name. Its declaration tells whether that was right.
static void guess_pointer(struct mez_spirv_linker *linker, struct mez_spirv_dictionary *dictionary,
    uint32_t part, uint32_t pointer_id)
{
    struct mez_spirv_link_part *ours = &linker->parts[part];
    const struct mez_spirv_def *pointer = mez_spirv_find_def(ours->module, pointer_id);
    const struct mez_spirv_type *type = mez_spirv_find_type(ours->module, pointer_id);
    const struct mez_spirv_def *target =
        type ? mez_spirv_find_def(ours->module, type->component) : NULL;
    if (!target || !target->name)
        return;

    const uint32_t *name = ours->module->words + target->name;
    const uint32_t start = dictionary->count;
    // No other entry is that short in its length.
    mez_spirv_dictionary_add(dictionary, MEZ_OP_TypeForwardPointer);
    mez_spirv_dictionary_add(dictionary, type->storage);
    for (uint32_t i = 0; i < mez_spirv_string_words(name, UINT16_MAX); i++)
        mez_spirv_dictionary_add(dictionary, name[i]);
    if (dictionary->out_of_memory)
        return;
    const uint32_t same = find_or_add(dictionary, start, part, mez_spirv_own_id(ours, pointer));
    if (same)
        ours->ids[mez_spirv_def_index(ours->module, pointer)] = same;
}

static void join_piece(struct mez_spirv_linker *linker, struct mez_spirv_dictionary *dictionary,
    uint32_t part, uint32_t piece)
{
    const struct mez_spirv_link_part *ours = &linker->parts[part];
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(ours->module, ours->pieces->pieces[piece].first);
    if (in.opcode == MEZ_OP_TypeForwardPointer)
        guess_pointer(linker, dictionary, part, in.words[1]);
    else
        join_definition(linker, dictionary, part, piece);
}

enum mez_spirv_status mez_spirv_link_types(struct mez_spirv_linker *linker)
{
    struct mez_spirv_dictionary dictionary;
    mez_spirv_dictionary_init(&dictionary, mez_spirv_count_pieces(linker));
    for (uint32_t p = 0; p < linker->count && !dictionary.out_of_memory; p++) {
        for (uint32_t i = 0; i < linker->parts[p].pieces->count && !dictionary.out_of_memory; i++)
            join_piece(linker, &dictionary, p, i);
    }
    mez_spirv_dictionary_finish(&dictionary);
    return dictionary.out_of_memory ? mez_spirv_link_no_memory(linker) : MEZ_SPIRV_OK;
}
