// SPDX-License-Identifier: MIT
//
// Where each definition is, and who speaks of whom.

#include "spirv/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/debug_operands.h"
#include "spirv/ids.h"

// Pieces come in the order of the file within a section only, so each definition is looked up by its place.
static bool index_definitions(struct mez_spirv_pieces *pieces)
{
    const struct mez_spirv_module *module = pieces->module;
    if (!mez_spirv_make_list(&pieces->by_global, module->global_count, sizeof *pieces->by_global))
        return false;
    for (uint32_t i = 0; i < module->global_count; i++)
        pieces->by_global[i] = MEZ_SPIRV_NO_PIECE;
    for (uint32_t i = 0; i < pieces->count; i++) {
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(module, pieces->pieces[i].first);
        const uint32_t id = mez_spirv_result_of(in);
        const struct mez_spirv_def *def = id ? mez_spirv_find_def(module, id) : NULL;
        if (def && def->global != MEZ_SPIRV_NO_INDEX)
            pieces->by_global[def->global] = i;
    }
    return true;
}

uint32_t mez_spirv_piece_of(const struct mez_spirv_pieces *pieces, uint32_t id)
{
    const struct mez_spirv_module *module = pieces->module;
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (def && def->function != MEZ_SPIRV_NO_INDEX)
        def = mez_spirv_find_def(module, module->functions[def->function].id);
    return def ? pieces->by_global[def->global] : MEZ_SPIRV_NO_PIECE;
}

const struct mez_spirv_function *mez_spirv_piece_function(
    const struct mez_spirv_pieces *pieces, uint32_t piece)
{
    const struct mez_spirv_instruction in =
        mez_spirv_instruction_at(pieces->module, pieces->pieces[piece].first);
    return in.opcode == MEZ_OP_Function ? mez_spirv_find_function(pieces->module, in.words[2])
                                        : NULL;
}

// What we do not know goes with the function that its first word names: execution modes and decorations of newer
// specifications look like this.
static bool speaks_of_function(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return !mez_spirv_opcode_info(in.opcode) && in.length > 1 &&
           mez_spirv_find_function(module, in.words[1]);
}

struct mez_spirv_subjects mez_spirv_subjects(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    const uint32_t once = UINT16_MAX;
    switch (in.opcode) {
    case MEZ_OP_EntryPoint:
        return (struct mez_spirv_subjects){2, once};
    case MEZ_OP_ExecutionMode:
    case MEZ_OP_ExecutionModeId:
    case MEZ_OP_Name:
    case MEZ_OP_MemberName:
    case MEZ_OP_Decorate:
    case MEZ_OP_DecorateId:
    case MEZ_OP_DecorateString:
    case MEZ_OP_MemberDecorate:
    case MEZ_OP_MemberDecorateString:
    case MEZ_OP_TypeForwardPointer:
        return (struct mez_spirv_subjects){1, once};
    case MEZ_OP_GroupDecorate:
        return (struct mez_spirv_subjects){2, 1};
    case MEZ_OP_GroupMemberDecorate:
        return (struct mez_spirv_subjects){2, 2};
    case MEZ_OP_ExtInst: {
        const uint32_t function = mez_spirv_debug_function(module, in);
        const uint32_t described = function ? function : mez_spirv_debug_variable(module, in);
        return (struct mez_spirv_subjects){described, described ? once : 0};
    }
    default:
        return (struct mez_spirv_subjects){1, speaks_of_function(module, in) ? once : 0};
    }
}

static bool is_always_kept(uint16_t opcode)
{
    return opcode == MEZ_OP_MemoryModel || opcode == MEZ_OP_Source ||
           opcode == MEZ_OP_SourceExtension || opcode == MEZ_OP_ModuleProcessed ||
           !mez_spirv_opcode_info(opcode);
}

// Counts (about NULL) or notes who speaks of whom. `next` has an item for each piece.
static void note_subjects(struct mez_spirv_pieces *pieces, uint32_t *next, uint32_t *about)
{
    for (uint32_t i = 0; i < pieces->count; i++) {
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(pieces->module, pieces->pieces[i].first);
        const struct mez_spirv_subjects subjects = mez_spirv_subjects(pieces->module, in);
        for (uint32_t at = subjects.first; subjects.step && at < in.length; at += subjects.step) {
            const uint32_t subject = mez_spirv_piece_of(pieces, in.words[at]);
            if (subject == MEZ_SPIRV_NO_PIECE)
                continue;
            if (about)
                about[next[subject]] = i;
            next[subject]++;
        }
    }
}

static bool index_subjects(struct mez_spirv_pieces *pieces)
{
    uint32_t *first = NULL, *next = NULL;
    if (!mez_spirv_make_list(&first, pieces->count + 1, sizeof *first))
        return false;
    pieces->about_first = first;
    note_subjects(pieces, first + 1, NULL);
    for (uint32_t i = 1; i <= pieces->count; i++)
        first[i] += first[i - 1];

    const bool ok = mez_spirv_make_list(&pieces->about, first[pieces->count], sizeof *next) &&
                    mez_spirv_make_list(&next, pieces->count, sizeof *next);
    if (ok) {
        memcpy(next, first, pieces->count * sizeof *next);
        note_subjects(pieces, next, pieces->about);
    }
    mez_free_memory(next);
    return ok;
}

static bool list_always_kept(struct mez_spirv_pieces *pieces)
{
    if (!mez_spirv_make_list(&pieces->always, pieces->count, sizeof *pieces->always))
        return false;
    for (uint32_t i = 0; i < pieces->count; i++) {
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(pieces->module, pieces->pieces[i].first);
        if (is_always_kept(in.opcode) && !mez_spirv_subjects(pieces->module, in).step)
            pieces->always[pieces->always_count++] = i;
    }
    return true;
}

// Marks functions whose blocks have to be put in order, and counts these.
static uint32_t find_disorder(struct mez_spirv_pieces *pieces, uint8_t *seen)
{
    const struct mez_spirv_module *module = pieces->module;
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        pieces->first_block[i] = MEZ_SPIRV_NO_INDEX;
        if (mez_spirv_blocks_are_ordered(module, function, seen))
            continue;
        pieces->first_block[i] = blocks;
        blocks += mez_spirv_count_blocks(module, function);
    }
    return blocks;
}

static bool fill_blocks(struct mez_spirv_pieces *pieces)
{
    const struct mez_spirv_module *module = pieces->module;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const uint32_t first = pieces->first_block[i];
        if (first != MEZ_SPIRV_NO_INDEX &&
            mez_spirv_order_blocks(module, &module->functions[i], NULL, pieces->blocks + first))
            return false;
    }
    return true;
}

static bool order_blocks(struct mez_spirv_pieces *pieces)
{
    const struct mez_spirv_module *module = pieces->module;
    uint8_t *seen;
    if (!mez_spirv_make_list(&seen, module->def_count, sizeof *seen))
        return false;
    bool ok = mez_spirv_make_list(
        &pieces->first_block, module->function_count, sizeof *pieces->first_block);
    ok = ok &&
         mez_spirv_make_list(&pieces->blocks, find_disorder(pieces, seen), sizeof *pieces->blocks);
    mez_free_memory(seen);
    return ok && fill_blocks(pieces);
}

static int compare_names(const void *a, const void *b)
{
    const struct mez_spirv_entry_point *const *left = a, *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

static bool match_bodies(struct mez_spirv_pieces *pieces)
{
    const struct mez_spirv_module *module = pieces->module;
    const uint32_t count = module->entry_point_count;
    const struct mez_spirv_entry_point **entries = NULL;
    if (!mez_spirv_make_list(&pieces->body_of, module->function_count, sizeof *pieces->body_of) ||
        !mez_spirv_make_list(&entries, count, sizeof *entries))
        return false;

    for (uint32_t i = 0; i < count; i++)
        entries[i] = &module->entry_points[i];
    qsort(entries, count, sizeof *entries, compare_names);
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_def *def = mez_spirv_find_def(module, module->functions[i].id);
        const struct mez_spirv_entry_point key = {.name = module->functions[i].name};
        const struct mez_spirv_entry_point *wanted = &key;
        const struct mez_spirv_entry_point **found =
            bsearch(&wanted, entries, count, sizeof *entries, compare_names);
        pieces->body_of[i] = found && def->link ? (*found)->function : MEZ_SPIRV_NO_INDEX;
    }
    mez_free_memory(entries);
    return true;
}

enum mez_spirv_status mez_spirv_pieces_create(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, struct mez_spirv_pieces **pieces)
{
    *pieces = mez_alloc_array(1, sizeof **pieces);
    if (*pieces)
        (*pieces)->module = module;
    if (*pieces && mez_spirv_cut_pieces(*pieces) && index_definitions(*pieces) &&
        index_subjects(*pieces) && list_always_kept(*pieces) && match_bodies(*pieces) &&
        order_blocks(*pieces))
        return MEZ_SPIRV_OK;
    mez_spirv_pieces_destroy(pieces);
    return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to take a module apart");
}

void mez_spirv_pieces_destroy(struct mez_spirv_pieces **pieces)
{
    struct mez_spirv_pieces *old = *pieces;
    *pieces = NULL;
    if (!old)
        return;
    mez_free_memory(old->pieces);
    mez_free_memory(old->by_global);
    mez_free_memory(old->about_first);
    mez_free_memory(old->about);
    mez_free_memory(old->always);
    mez_free_memory(old->body_of);
    mez_free_memory(old->first_block);
    mez_free_memory(old->blocks);
    mez_free_memory(old);
}
