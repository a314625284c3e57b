// SPDX-License-Identifier: MIT
//
// A dictionary of what modules say in the same way: each entry is an instruction with the ids of the result in it, and what is
// said about it. Operands stand before what uses them, so equal entries mean the same.

#include <string.h>

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/id_operands.h"
#include "spirv/ids.h"
#include "spirv/link_parts.h"

struct entry {
    uint32_t start, length; // in `words`
    uint32_t id;            // in the result; 0: a free slot
    uint32_t part;          // whose it is
};

struct dictionary {
    struct mez_spirv_linker *linker;
    struct entry *slots;
    uint32_t slot_count; // a power of two, at least twice the entries
    uint32_t *words;
    uint32_t count, capacity; // of words
    bool out_of_memory;
};

// --- What one entry says

static void add_word(struct dictionary *dictionary, uint32_t word)
{
    if (dictionary->count == dictionary->capacity) {
        const uint32_t capacity = dictionary->capacity ? dictionary->capacity * 2 : 1024;
        uint32_t *words = mez_realloc_array(dictionary->words, capacity, sizeof *dictionary->words);
        if (!words) {
            dictionary->out_of_memory = true;
            return;
        }
        dictionary->words = words;
        dictionary->capacity = capacity;
    }
    dictionary->words[dictionary->count++] = word;
}

// The instruction with linked ids; where it names `self`, 0.
static void add_instruction(struct dictionary *dictionary, const struct mez_spirv_link_part *part,
    struct mez_spirv_instruction in, uint32_t self)
{
    const uint32_t start = dictionary->count;
    for (uint32_t i = 0; i < in.length; i++)
        add_word(dictionary, in.words[i]);
    if (dictionary->out_of_memory)
        return;
    struct mez_spirv_id_iter iter = mez_spirv_ids(part->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&iter, &id)) {
        const uint32_t linked = id.value == self ? 0 : mez_spirv_linked_id(part, id.value);
        dictionary->words[start + (id.at - in.at)] = linked;
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

// Adds the piece and what is said about it, but for names. False: it can't be compared.
static bool add_entry(
    struct dictionary *dictionary, const struct mez_spirv_link_part *part, uint32_t piece)
{
    const struct mez_spirv_pieces *pieces = part->pieces;
    const struct mez_spirv_module *module = part->module;
    const struct mez_spirv_instruction first =
        mez_spirv_instruction_at(module, pieces->pieces[piece].first);
    const uint32_t self = mez_spirv_result_of(first);
    if (!is_interchangeable(first.opcode))
        return false;

    mez_spirv_each_instruction(module, in, first.at, pieces->pieces[piece].end)
        add_instruction(dictionary, part, in, self);
    for (uint32_t i = pieces->about_first[piece]; i < pieces->about_first[piece + 1]; i++) {
        const struct mez_spirv_instruction statement =
            mez_spirv_instruction_at(module, pieces->pieces[pieces->about[i]].first);
        const bool decorates =
            statement.opcode == MEZ_OP_Decorate || statement.opcode == MEZ_OP_MemberDecorate;
        if (!decorates && !names_only(statement.opcode))
            return false;
        if (decorates)
            add_instruction(dictionary, part, statement, self);
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
static struct entry *find_slot(const struct dictionary *dictionary, uint32_t start)
{
    const uint32_t *words = dictionary->words + start;
    const uint32_t length = dictionary->count - start;
    uint32_t slot = hash_words(words, length) & (dictionary->slot_count - 1);
    for (;; slot = (slot + 1) & (dictionary->slot_count - 1)) {
        struct entry *entry = &dictionary->slots[slot];
        if (!entry->id)
            return entry;
        if (entry->length == length &&
            memcmp(dictionary->words + entry->start, words, length * sizeof *words) == 0)
            return entry;
    }
}

// The id that another module has given to what says the same; 0: none has, and the entry stands for itself from now on as `id`.
// What one module says twice stays two.
static uint32_t find_or_add(
    struct dictionary *dictionary, uint32_t start, uint32_t part, uint32_t id)
{
    struct entry *entry = find_slot(dictionary, start);
    if (entry->id) {
        dictionary->count = start;
        return entry->part == part ? 0 : entry->id;
    }
    *entry = (struct entry){start, dictionary->count - start, id, part};
    return 0;
}

static void join_definition(struct dictionary *dictionary, uint32_t part, uint32_t piece)
{
    struct mez_spirv_link_part *ours = &dictionary->linker->parts[part];
    const uint32_t start = dictionary->count;
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(ours->module, ours->pieces->pieces[piece].first);
    if (!add_entry(dictionary, ours, piece) || dictionary->out_of_memory) {
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
static void guess_pointer(struct dictionary *dictionary, uint32_t part, uint32_t pointer_id)
{
    struct mez_spirv_link_part *ours = &dictionary->linker->parts[part];
    const struct mez_spirv_def *pointer = mez_spirv_find_def(ours->module, pointer_id);
    const struct mez_spirv_type *type = mez_spirv_find_type(ours->module, pointer_id);
    const struct mez_spirv_def *target =
        type ? mez_spirv_find_def(ours->module, type->component) : NULL;
    if (!target || !target->name)
        return;

    const uint32_t *name = ours->module->words + target->name;
    const uint32_t start = dictionary->count;
    add_word(dictionary, MEZ_OP_TypeForwardPointer); // no other entry is that short in its length
    add_word(dictionary, type->storage);
    for (uint32_t i = 0; i < mez_spirv_string_words(name, UINT16_MAX); i++)
        add_word(dictionary, name[i]);
    if (dictionary->out_of_memory)
        return;
    const uint32_t same = find_or_add(dictionary, start, part, mez_spirv_own_id(ours, pointer));
    if (same)
        ours->ids[mez_spirv_def_index(ours->module, pointer)] = same;
}

static void join_piece(struct dictionary *dictionary, uint32_t part, uint32_t piece)
{
    const struct mez_spirv_link_part *ours = &dictionary->linker->parts[part];
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(ours->module, ours->pieces->pieces[piece].first);
    if (in.opcode == MEZ_OP_TypeForwardPointer)
        guess_pointer(dictionary, part, in.words[1]);
    else
        join_definition(dictionary, part, piece);
}

static bool make_slots(struct dictionary *dictionary)
{
    uint32_t pieces = 1;
    for (uint32_t p = 0; p < dictionary->linker->count; p++)
        pieces += dictionary->linker->parts[p].pieces->count;
    dictionary->slot_count = 2;
    while (dictionary->slot_count / 2 < pieces)
        dictionary->slot_count *= 2;
    dictionary->slots = mez_alloc_array(dictionary->slot_count, sizeof *dictionary->slots);
    return dictionary->slots != NULL;
}

enum mez_spirv_status mez_spirv_link_types(struct mez_spirv_linker *linker)
{
    struct dictionary dictionary = {.linker = linker};
    dictionary.out_of_memory = !make_slots(&dictionary);
    for (uint32_t p = 0; p < linker->count && !dictionary.out_of_memory; p++) {
        for (uint32_t i = 0; i < linker->parts[p].pieces->count; i++)
            join_piece(&dictionary, p, i);
    }
    mez_free_memory(dictionary.slots);
    mez_free_memory(dictionary.words);
    return dictionary.out_of_memory ? mez_spirv_fail(linker->problem, MEZ_SPIRV_NO_MEMORY, 0,
                                          "no memory to link modules")
                                    : MEZ_SPIRV_OK;
}
