// SPDX-License-Identifier: MIT

#include "spirv/link_dictionary.h"

#include <string.h>

#include "base/alloc.h"
#include "spirv/id_operands.h"
#include "spirv/ids.h"

void mez_spirv_dictionary_init(struct mez_spirv_dictionary *dictionary, uint32_t entries)
{
    *dictionary = (struct mez_spirv_dictionary){.slot_count = 2};
    while (dictionary->slot_count / 2 < entries)
        dictionary->slot_count *= 2;
    dictionary->slots = mez_alloc_array(dictionary->slot_count, sizeof *dictionary->slots);
    dictionary->out_of_memory = !dictionary->slots;
}

void mez_spirv_dictionary_finish(struct mez_spirv_dictionary *dictionary)
{
    mez_free_memory(dictionary->slots);
    mez_free_memory(dictionary->words);
}

// --- What one entry says

void mez_spirv_dictionary_add(struct mez_spirv_dictionary *dictionary, uint32_t word)
{
    if (mez_grow(&dictionary->words, dictionary->count, &dictionary->capacity))
        dictionary->words[dictionary->count++] = word;
    else
        dictionary->out_of_memory = true;
}

static uint32_t number_of(
    const struct mez_spirv_link_part *part, const uint32_t *numbers, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def ? numbers[mez_spirv_def_index(part->module, def)] : 0;
}

static void add_instruction(struct mez_spirv_dictionary *dictionary,
    const struct mez_spirv_link_part *part, struct mez_spirv_instruction in,
    const uint32_t *numbers, uint32_t self)
{
    const uint32_t start = dictionary->count;
    for (uint32_t i = 0; i < in.length; i++)
        mez_spirv_dictionary_add(dictionary, in.words[i]);
    if (dictionary->out_of_memory)
        return;
    struct mez_spirv_id_iter iter = mez_spirv_ids(part->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&iter, &id)) {
        const uint32_t number = id.value == self ? 0 : number_of(part, numbers, id.value);
        dictionary->words[start + (id.at - in.at)] = number;
    }
}

static bool names_only(uint16_t opcode)
{
    return opcode == MEZ_OP_Name || opcode == MEZ_OP_MemberName ||
           opcode == MEZ_OP_TypeForwardPointer || opcode == MEZ_OP_ExtInst;
}

// Constants that users may change are never the same; nor is what has an identity of its own.
static bool is_interchangeable(uint16_t opcode)
{
    return mez_spirv_is_type(opcode) || opcode == MEZ_OP_ExtInstImport || opcode == MEZ_OP_String ||
           (opcode >= MEZ_OP_ConstantTrue && opcode <= MEZ_OP_ConstantNull);
}

bool mez_spirv_dictionary_add_piece(struct mez_spirv_dictionary *dictionary,
    const struct mez_spirv_link_part *part, uint32_t piece, const uint32_t *numbers)
{
    const struct mez_spirv_pieces *pieces = part->pieces;
    const struct mez_spirv_module *module = part->module;
    const struct mez_spirv_instruction first =
        mez_spirv_instruction_at(module, pieces->pieces[piece].first);
    const uint32_t self = mez_spirv_result_of(first);
    if (!is_interchangeable(first.opcode))
        return false;

    mez_spirv_each_instruction(module, in, first.at, pieces->pieces[piece].end)
        add_instruction(dictionary, part, in, numbers, self);
    for (uint32_t i = pieces->about_first[piece]; i < pieces->about_first[piece + 1]; i++) {
        const struct mez_spirv_instruction statement =
            mez_spirv_instruction_at(module, pieces->pieces[pieces->about[i]].first);
        const bool decorates =
            statement.opcode == MEZ_OP_Decorate || statement.opcode == MEZ_OP_MemberDecorate;
        if (!decorates && !names_only(statement.opcode))
            return false;
        if (decorates)
            add_instruction(dictionary, part, statement, numbers, self);
    }
    return true;
}

// --- Finding it

static uint32_t hash_words(const uint32_t *words, uint32_t count)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 16777619u ^ hash >> 15;
    return hash;
}

// The slot of an equal entry, or the free one where the entry that begins at `start` belongs.
static struct mez_spirv_entry *find_slot(
    const struct mez_spirv_dictionary *dictionary, uint32_t start)
{
    const uint32_t *words = dictionary->words + start;
    const uint32_t length = dictionary->count - start;
    uint32_t slot = hash_words(words, length) & (dictionary->slot_count - 1);
    for (;; slot = (slot + 1) & (dictionary->slot_count - 1)) {
        struct mez_spirv_entry *entry = &dictionary->slots[slot];
        if (!entry->id)
            return entry;
        if (entry->length == length &&
            memcmp(dictionary->words + entry->start, words, length * sizeof *words) == 0)
            return entry;
    }
}

const struct mez_spirv_entry *mez_spirv_dictionary_find_or_add(
    struct mez_spirv_dictionary *dictionary, uint32_t start, uint32_t part, uint32_t id)
{
    struct mez_spirv_entry *entry = find_slot(dictionary, start);
    if (entry->id)
        dictionary->count = start;
    else
        *entry = (struct mez_spirv_entry){start, dictionary->count - start, id, part};
    return entry;
}
