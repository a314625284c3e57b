// SPDX-License-Identifier: MIT
//
// Types, constants and variables of several modules: which are the same, and in which order they stand.

#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "spirv/link_parts.h"
#include "spirv/reader.h"

// --- What becomes of ids

uint32_t mez_spirv_linked_as(
    const struct mez_spirv_link_part *part, const uint32_t *list, uint32_t id)
{
    const struct mez_spirv_def *def = list ? mez_spirv_find_def(part->module, id) : NULL;
    return def ? list[mez_spirv_def_index(part->module, def)] : 0;
}

bool mez_spirv_is_linked(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def && !part->is_other[mez_spirv_def_index(part->module, def)];
}

// Ids of a part follow each other, behind those of the part before.
const struct mez_spirv_def *mez_spirv_linked_def(
    const struct mez_spirv_linker *linker, uint32_t id, uint32_t *part)
{
    uint32_t low = 0, high = linker->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (linker->parts[middle].first_id <= id)
            low = middle;
        else
            high = middle;
    }
    const struct mez_spirv_link_part *found = &linker->parts[low];
    *part = low;
    if (low == 0)
        return mez_spirv_find_def(found->module, id);
    return id - found->first_id < found->module->def_count
               ? &found->module->defs[id - found->first_id]
               : NULL;
}

static uint32_t count_pieces(const struct mez_spirv_linker *linker)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++)
        count += linker->parts[p].pieces->count;
    return count;
}

enum mez_spirv_status mez_spirv_link_no_memory(const struct mez_spirv_linker *linker)
{
    return mez_spirv_fail(linker->problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to link modules");
}

void mez_spirv_link_as(
    struct mez_spirv_link_part *part, const struct mez_spirv_def *def, uint32_t id)
{
    const uint32_t index = mez_spirv_def_index(part->module, def);
    const struct mez_spirv_function *function = mez_spirv_find_function(part->module, def->id);
    part->ids[index] = id;
    part->is_other[index] = true;
    for (uint32_t i = index + 1; function && i < part->module->def_count; i++) {
        if (part->module->defs[i].function != def->index)
            break;
        part->is_other[i] = true;
    }
}

// --- A dictionary of what modules say in the same way
//
// Each entry is a row of words, such as an instruction and what is said about it, and has the number of whoever said it first.
// Words are added at the end, and looked up from where they start.

struct entry {
    uint32_t start, length; // in `words`
    uint32_t id;            // of who said it first; 0: a free slot
    uint32_t part;          // whose that is
};

struct dictionary {
    struct entry *slots;
    uint32_t slot_count; // a power of two, at least twice the entries
    MEZ_VECTOR(uint32_t) words;
    bool out_of_memory; // from then on nothing in it means anything
};

// Makes one with room for `entries`. To be finished, also where there was no memory.
static void dictionary_init(struct dictionary *dictionary, uint32_t entries)
{
    *dictionary = (struct dictionary){.slot_count = 2};
    while (dictionary->slot_count / 2 < entries)
        dictionary->slot_count *= 2;
    dictionary->slots = mez_alloc_array(dictionary->slot_count, sizeof *dictionary->slots);
    dictionary->out_of_memory = !dictionary->slots;
}

static void dictionary_finish(struct dictionary *dictionary)
{
    mez_free_memory(dictionary->slots);
    mez_vector_finish(&dictionary->words);
}

static void add_word(struct dictionary *dictionary, uint32_t word)
{
    if (!mez_vector_push(&dictionary->words, word))
        dictionary->out_of_memory = true;
}

static void add_instruction(struct dictionary *dictionary, const struct mez_spirv_link_part *part,
    struct mez_spirv_instruction in, const uint32_t *numbers, uint32_t self)
{
    const uint32_t start = dictionary->words.count;
    for (uint32_t i = 0; i < in.length; i++)
        add_word(dictionary, in.words[i]);
    if (dictionary->out_of_memory)
        return;
    struct mez_spirv_id_iter iter = mez_spirv_ids(part->module, in);
    struct mez_spirv_id id;
    while (mez_spirv_next_id(&iter, &id)) {
        const uint32_t number = id.value == self ? 0 : mez_spirv_linked_as(part, numbers, id.value);
        dictionary->words.items[start + (id.at - in.at)] = number;
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

// Adds what defines something and what is said about it, except for names. Ids become what `numbers` has for their definitions, and
// the own one 0. False: it can't be compared.
static bool add_piece(struct dictionary *dictionary, const struct mez_spirv_link_part *part,
    uint32_t piece, const uint32_t *numbers)
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
    const uint32_t *words = dictionary->words.items + start;
    const uint32_t length = dictionary->words.count - start;
    uint32_t slot = hash_words(words, length) & (dictionary->slot_count - 1);
    for (;; slot = (slot + 1) & (dictionary->slot_count - 1)) {
        struct entry *entry = &dictionary->slots[slot];
        if (!entry->id)
            return entry;
        if (entry->length == length &&
            memcmp(dictionary->words.items + entry->start, words, length * sizeof *words) == 0)
            return entry;
    }
}

// Ends the row that begins at `start`. Returns the entry that says the same: a new one with this part and id, or an old one.
static const struct entry *find_or_add(
    struct dictionary *dictionary, uint32_t start, uint32_t part, uint32_t id)
{
    struct entry *entry = find_slot(dictionary, start);
    if (entry->id)
        dictionary->words.count = start;
    else
        *entry = (struct entry){start, dictionary->words.count - start, id, part};
    return entry;
}

// --- Types, constants and texts that several modules have become those of the first
//
// Operands stand before what uses them, so equal entries of the dictionary mean the same.

// The id that another module has given to what says the same; 0: none has, and the entry stands for itself from now on as `id`.
// What one module says twice stays two.
static uint32_t same_elsewhere(
    struct dictionary *dictionary, uint32_t start, uint32_t part, uint32_t id)
{
    const struct entry *entry = find_or_add(dictionary, start, part, id);
    return entry->part == part ? 0 : entry->id;
}

static void join_definition(
    struct mez_spirv_linker *linker, struct dictionary *dictionary, uint32_t part, uint32_t piece)
{
    struct mez_spirv_link_part *ours = &linker->parts[part];
    const uint32_t start = dictionary->words.count;
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(ours->module, ours->pieces->pieces[piece].first);
    if (!add_piece(dictionary, ours, piece, ours->ids) || dictionary->out_of_memory) {
        dictionary->words.count = start;
        return;
    }
    const struct mez_spirv_def *def = mez_spirv_find_def(ours->module, mez_spirv_result_of(in));
    const uint32_t own = mez_spirv_own_id(ours, def);
    const uint32_t same = same_elsewhere(dictionary, start, part, own);
    if (same)
        mez_spirv_link_as(ours, def, same);
    else
        ours->ids[mez_spirv_def_index(ours->module, def)] = own; // where a guess was wrong
}

// A pointer that is used before it is declared, because its struct holds one: it is taken for the one of another module that
// points to a struct of the same name. Its declaration shows whether that was right.
static void guess_pointer(struct mez_spirv_linker *linker, struct dictionary *dictionary,
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
    const uint32_t start = dictionary->words.count;
    // No other entry is that short in its length.
    add_word(dictionary, MEZ_OP_TypeForwardPointer);
    add_word(dictionary, type->storage);
    for (uint32_t i = 0; i < mez_spirv_string_words(name, UINT16_MAX); i++)
        add_word(dictionary, name[i]);
    if (dictionary->out_of_memory)
        return;
    const uint32_t same = same_elsewhere(dictionary, start, part, mez_spirv_own_id(ours, pointer));
    if (same)
        ours->ids[mez_spirv_def_index(ours->module, pointer)] = same;
}

static void join_piece(
    struct mez_spirv_linker *linker, struct dictionary *dictionary, uint32_t part, uint32_t piece)
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
    struct dictionary dictionary;
    dictionary_init(&dictionary, count_pieces(linker));
    for (uint32_t p = 0; p < linker->count && !dictionary.out_of_memory; p++) {
        for (uint32_t i = 0; i < linker->parts[p].pieces->count && !dictionary.out_of_memory; i++)
            join_piece(linker, &dictionary, p, i);
    }
    dictionary_finish(&dictionary);
    return dictionary.out_of_memory ? mez_spirv_link_no_memory(linker) : MEZ_SPIRV_OK;
}

// --- Shapes: what types say where all pointers of a storage class are the same
//
// Compilers whose own pointers have no type guess what each points to, one module this and another module that; older ones know,
// and give it the type of the source.

static bool copy_ids(struct mez_spirv_link_part *part)
{
    const uint32_t count = part->module->def_count;
    part->shapes = mez_alloc_array(count + 1, sizeof *part->shapes);
    part->passes_to = mez_alloc_array(count + 1, sizeof *part->passes_to);
    if (part->shapes && part->passes_to)
        memcpy(part->shapes, part->ids, count * sizeof *part->ids);
    return part->shapes && part->passes_to;
}

static void note(struct dictionary *dictionary, struct mez_spirv_link_part *part, uint32_t start,
    const struct mez_spirv_def *def)
{
    const uint32_t index = mez_spirv_def_index(part->module, def);
    if (dictionary->out_of_memory)
        return;
    part->shapes[index] = find_or_add(dictionary, start, 0, mez_spirv_own_id(part, def))->id;
}

// First, because structs may use them before they are declared.
static void note_pointers(struct dictionary *dictionary, struct mez_spirv_link_part *part)
{
    for (uint32_t i = 0; i < part->module->type_count && !dictionary->out_of_memory; i++) {
        const struct mez_spirv_type *type = &part->module->types[i];
        const uint32_t start = dictionary->words.count;
        if (type->opcode != MEZ_OP_TypePointer)
            continue;
        add_word(dictionary, MEZ_OP_TypePointer); // of no length, as no entry else
        add_word(dictionary, type->storage);
        note(dictionary, part, start, mez_spirv_find_def(part->module, type->id));
    }
}

static void note_others(struct dictionary *dictionary, struct mez_spirv_link_part *part)
{
    for (uint32_t i = 0; i < part->pieces->count && !dictionary->out_of_memory; i++) {
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(part->module, part->pieces->pieces[i].first);
        const uint32_t start = dictionary->words.count;
        if (in.opcode == MEZ_OP_TypePointer)
            continue;
        if (add_piece(dictionary, part, i, part->shapes))
            note(
                dictionary, part, start, mez_spirv_find_def(part->module, mez_spirv_result_of(in)));
        else
            dictionary->words.count = start;
    }
}

enum mez_spirv_status mez_spirv_link_shapes(struct mez_spirv_linker *linker)
{
    struct dictionary dictionary;
    dictionary_init(&dictionary, count_pieces(linker));
    for (uint32_t i = 0; i < linker->count && !dictionary.out_of_memory; i++) {
        dictionary.out_of_memory = !copy_ids(&linker->parts[i]);
        if (!dictionary.out_of_memory)
            note_pointers(&dictionary, &linker->parts[i]);
    }
    for (uint32_t i = 0; i < linker->count && !dictionary.out_of_memory; i++)
        note_others(&dictionary, &linker->parts[i]);
    dictionary_finish(&dictionary);
    return dictionary.out_of_memory ? mez_spirv_link_no_memory(linker) : MEZ_SPIRV_OK;
}

// --- Order: definitions at module scope, each behind those that it uses, else in the order of the modules
//
// A walk along the uses, without recursion: constants may be nested as deeply as a file is long.

enum state { STATE_NEW, STATE_OPEN, STATE_DONE };

struct walk {
    const struct mez_spirv_linker *linker;
    uint8_t **states;                              // for each part: of its pieces
    MEZ_VECTOR(struct mez_spirv_link_place) stack; // what is to be visited, the next one last
    struct mez_spirv_link_place *places;           // the result
    uint32_t count;
    bool out_of_memory;
};

static struct mez_spirv_instruction first_of(
    const struct mez_spirv_linker *linker, struct mez_spirv_link_place place)
{
    const struct mez_spirv_link_part *part = &linker->parts[place.part];
    return mez_spirv_instruction_at(part->module, part->pieces->pieces[place.piece].first);
}

static bool is_global(const struct mez_spirv_linker *linker, struct mez_spirv_link_place place)
{
    const struct mez_spirv_pieces *pieces = linker->parts[place.part].pieces;
    return place.piece != MEZ_SPIRV_NO_PIECE &&
           pieces->pieces[place.piece].section == MEZ_SPIRV_SECTION_GLOBALS;
}

static void push(struct walk *walk, struct mez_spirv_link_place place)
{
    if (!is_global(walk->linker, place) || walk->states[place.part][place.piece] != STATE_NEW)
        return;
    if (!mez_vector_push(&walk->stack, place))
        walk->out_of_memory = true;
}

// What announces a pointer that is used before it is defined.
static void push_announcement(struct walk *walk, struct mez_spirv_link_place pointer)
{
    const struct mez_spirv_pieces *pieces = walk->linker->parts[pointer.part].pieces;
    for (uint32_t i = pieces->about_first[pointer.piece];
         i < pieces->about_first[pointer.piece + 1]; i++) {
        const struct mez_spirv_link_place place = {pointer.part, pieces->about[i]};
        if (first_of(walk->linker, place).opcode == MEZ_OP_TypeForwardPointer)
            push(walk, place);
    }
}

// Within a module the order of the file is right: what comes later need not be there.
static void push_use(struct walk *walk, struct mez_spirv_link_place user, uint32_t linked_id)
{
    struct mez_spirv_link_place used;
    const struct mez_spirv_def *def = mez_spirv_linked_def(walk->linker, linked_id, &used.part);
    if (!def || def->function != MEZ_SPIRV_NO_INDEX)
        return;
    used.piece = mez_spirv_piece_of(walk->linker->parts[used.part].pieces, def->id);
    if (used.part != user.part || used.piece < user.piece)
        push(walk, used);
    else if (used.piece != MEZ_SPIRV_NO_PIECE && used.piece > user.piece)
        push_announcement(walk, used);
}

static void push_uses_of(struct walk *walk, struct mez_spirv_link_place user)
{
    const struct mez_spirv_link_part *part = &walk->linker->parts[user.part];
    const struct mez_spirv_piece *piece = &part->pieces->pieces[user.piece];
    mez_spirv_each_instruction(part->module, in, piece->first, piece->end)
    {
        struct mez_spirv_id_iter iter = mez_spirv_ids(part->module, in);
        struct mez_spirv_id id;
        while (mez_spirv_next_id(&iter, &id)) {
            const uint32_t linked = mez_spirv_linked_id(part, id.value);
            if (id.kind != MEZ_ID_RESULT && linked)
                push_use(walk, user, linked);
        }
    }
}

// An adapted variable uses the one that it stands for, and what it was itself defined by is not written.
static void push_what_comes_first(struct walk *walk, struct mez_spirv_link_place place)
{
    const struct mez_spirv_link_part *part = &walk->linker->parts[place.part];
    const struct mez_spirv_instruction in = first_of(walk->linker, place);
    const uint32_t result = mez_spirv_result_of(in);
    const uint32_t target = result ? mez_spirv_passes_to(part, result) : 0;
    if (in.opcode == MEZ_OP_TypeForwardPointer)
        return;
    if (target) {
        push_use(walk, place, mez_spirv_linked_id(part, in.words[1]));
        push_use(walk, place, target);
    } else if (!result || mez_spirv_is_linked(part, result)) {
        push_uses_of(walk, place);
    }
}

static void visit_all(struct walk *walk)
{
    while (walk->stack.count > 0 && !walk->out_of_memory) {
        const struct mez_spirv_link_place place = walk->stack.items[walk->stack.count - 1];
        uint8_t *state = &walk->states[place.part][place.piece];
        if (*state == STATE_NEW) {
            *state = STATE_OPEN;
            push_what_comes_first(walk, place);
            continue;
        }
        if (*state == STATE_OPEN)
            walk->places[walk->count++] = place;
        *state = STATE_DONE;
        walk->stack.count--;
    }
}

static bool make_states(struct walk *walk)
{
    const uint32_t count = walk->linker->count;
    walk->states = mez_alloc_array(count, sizeof *walk->states);
    for (uint32_t i = 0; walk->states && i < count; i++) {
        walk->states[i] = mez_alloc_array(walk->linker->parts[i].pieces->count + 1, 1);
        if (!walk->states[i])
            return false;
    }
    return walk->states != NULL;
}

static void finish(struct walk *walk)
{
    for (uint32_t i = 0; walk->states && i < walk->linker->count; i++)
        mez_free_memory(walk->states[i]);
    mez_free_memory(walk->states);
    mez_vector_finish(&walk->stack);
}

enum mez_spirv_status mez_spirv_link_order(
    const struct mez_spirv_linker *linker, struct mez_spirv_link_place **places, uint32_t *count)
{
    struct walk walk = {.linker = linker};
    walk.out_of_memory = !make_states(&walk) || !mez_spirv_make_list(&walk.places,
                                                    count_pieces(linker), sizeof *walk.places);
    for (uint32_t p = 0; p < linker->count && !walk.out_of_memory; p++) {
        for (uint32_t i = 0; i < linker->parts[p].pieces->count; i++) {
            push(&walk, (struct mez_spirv_link_place){p, i});
            visit_all(&walk);
        }
    }
    finish(&walk);
    *count = walk.count;
    if (!walk.out_of_memory) {
        *places = walk.places;
        return MEZ_SPIRV_OK;
    }
    mez_free_memory(walk.places);
    *places = NULL;
    return mez_spirv_link_no_memory(linker);
}
