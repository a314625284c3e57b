// SPDX-License-Identifier: MIT
//
// Definitions at module scope, each behind those that it uses, else in the order of the modules. A walk along the uses, without
// recursion: constants may be nested as deeply as a file is long.

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/id_operands.h"
#include "spirv/ids.h"
#include "spirv/link_parts.h"

enum state { STATE_NEW, STATE_OPEN, STATE_DONE };

struct walk {
    const struct mez_spirv_linker *linker;
    uint8_t **states;                   // for each part: of its pieces
    struct mez_spirv_link_place *stack; // what is to be visited, the next one last
    uint32_t depth, capacity;
    struct mez_spirv_link_place *places; // the result
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
    if (mez_grow(&walk->stack, walk->depth, &walk->capacity))
        walk->stack[walk->depth++] = place;
    else
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
    while (walk->depth > 0 && !walk->out_of_memory) {
        const struct mez_spirv_link_place place = walk->stack[walk->depth - 1];
        uint8_t *state = &walk->states[place.part][place.piece];
        if (*state == STATE_NEW) {
            *state = STATE_OPEN;
            push_what_comes_first(walk, place);
            continue;
        }
        if (*state == STATE_OPEN)
            walk->places[walk->count++] = place;
        *state = STATE_DONE;
        walk->depth--;
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
    mez_free_memory(walk->stack);
}

enum mez_spirv_status mez_spirv_link_order(
    const struct mez_spirv_linker *linker, struct mez_spirv_link_place **places, uint32_t *count)
{
    struct walk walk = {.linker = linker};
    walk.out_of_memory =
        !make_states(&walk) ||
        !mez_spirv_make_list(&walk.places, mez_spirv_count_pieces(linker), sizeof *walk.places);
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
