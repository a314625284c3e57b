// SPDX-License-Identifier: MIT

#include "spirv/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/debug.h"
#include "spirv/reader.h"

// --- Cutting
//
// Cutting a module into pieces: one walk in the order of the file finds them, a stable sort puts them into the order of a
// module.

static bool is_global(uint16_t opcode)
{
    return mez_spirv_is_type(opcode) || opcode == MEZ_OP_TypeForwardPointer ||
           (opcode >= MEZ_OP_ConstantTrue && opcode <= MEZ_OP_SpecConstantOp) ||
           opcode == MEZ_OP_Variable || opcode == MEZ_OP_Undef || opcode == MEZ_OP_ExtInst ||
           opcode == MEZ_OP_ConstantPipeStorage || opcode == MEZ_OP_ConstantFunctionPointerINTEL;
}

// Where an instruction stands that may only stand there; other ones keep to what they stood behind.
static enum mez_spirv_section section_of(uint16_t opcode, enum mez_spirv_section previous)
{
    switch (opcode) {
    case MEZ_OP_ExtInstImport:
        return MEZ_SPIRV_SECTION_IMPORTS;
    case MEZ_OP_MemoryModel:
        return MEZ_SPIRV_SECTION_MEMORY_MODEL;
    case MEZ_OP_EntryPoint:
        return MEZ_SPIRV_SECTION_ENTRY_POINTS;
    case MEZ_OP_ExecutionMode:
    case MEZ_OP_ExecutionModeId:
        return MEZ_SPIRV_SECTION_MODES;
    case MEZ_OP_String:
    case MEZ_OP_Source:
    case MEZ_OP_SourceExtension:
        return MEZ_SPIRV_SECTION_SOURCES;
    case MEZ_OP_Name:
    case MEZ_OP_MemberName:
        return MEZ_SPIRV_SECTION_NAMES;
    case MEZ_OP_ModuleProcessed:
        return MEZ_SPIRV_SECTION_PROCESSED;
    case MEZ_OP_Decorate:
    case MEZ_OP_DecorateId:
    case MEZ_OP_DecorateString:
    case MEZ_OP_MemberDecorate:
    case MEZ_OP_MemberDecorateString:
    case MEZ_OP_DecorationGroup:
    case MEZ_OP_GroupDecorate:
    case MEZ_OP_GroupMemberDecorate:
        return MEZ_SPIRV_SECTION_DECORATIONS;
    default:
        return is_global(opcode) ? MEZ_SPIRV_SECTION_GLOBALS : previous;
    }
}

// An instruction that goes on where the one before ended for lack of room.
static bool continues(uint16_t opcode)
{
    return opcode == MEZ_OP_SourceContinued || opcode == MEZ_OP_TypeStructContinuedINTEL ||
           opcode == MEZ_OP_ConstantCompositeContinuedINTEL ||
           opcode == MEZ_OP_SpecConstantCompositeContinuedINTEL;
}

static bool is_no_piece(uint16_t opcode)
{
    return opcode == MEZ_OP_Nop || opcode == MEZ_OP_Line || opcode == MEZ_OP_NoLine ||
           opcode == MEZ_OP_Capability || opcode == MEZ_OP_Extension;
}

// Where the walk through the file stands.
struct cutter {
    struct mez_spirv_piece *pieces; // NULL: only count them
    uint32_t count;
    uint32_t function; // the next one
    uint32_t line;
    enum mez_spirv_section section;
    bool open; // the last instruction was a piece
};

static void cut_piece(struct cutter *cutter, struct mez_spirv_piece piece)
{
    if (cutter->pieces)
        cutter->pieces[cutter->count] = piece;
    cutter->count++;
}

// Returns the word behind it.
static uint32_t cut_function(struct cutter *cutter, const struct mez_spirv_function *function)
{
    cutter->section = MEZ_SPIRV_SECTION_FUNCTIONS;
    cut_piece(cutter, (struct mez_spirv_piece){
                          .first = function->first,
                          .end = function->end,
                          .line = cutter->line,
                          .section = function->has_body ? MEZ_SPIRV_SECTION_FUNCTIONS
                                                        : MEZ_SPIRV_SECTION_DECLARATIONS,
                      });
    cutter->function++;
    cutter->line = 0;
    return function->end;
}

static void cut_instruction(struct cutter *cutter, struct mez_spirv_instruction in)
{
    const bool opens = !is_no_piece(in.opcode) && !continues(in.opcode);
    if (in.opcode == MEZ_OP_Line)
        cutter->line = in.at;
    else if (in.opcode == MEZ_OP_NoLine)
        cutter->line = 0;
    else if (cutter->open && continues(in.opcode) && cutter->pieces)
        cutter->pieces[cutter->count - 1].end = in.at + in.length;

    if (opens) {
        cutter->section = section_of(in.opcode, cutter->section);
        cut_piece(
            cutter, (struct mez_spirv_piece){
                        .first = in.at,
                        .end = in.at + in.length,
                        .line = cutter->section == MEZ_SPIRV_SECTION_GLOBALS ? cutter->line : 0,
                        .section = cutter->section,
                    });
    }
    cutter->open = opens || (cutter->open && continues(in.opcode));
}

// `pieces` NULL: only count them. Returns how many there are.
static uint32_t cut(const struct mez_spirv_module *module, struct mez_spirv_piece *pieces)
{
    struct cutter cutter = {.pieces = pieces};
    for (uint32_t at = MEZ_SPIRV_HEADER_WORDS; at < module->word_count;) {
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, at);
        if (in.opcode == MEZ_OP_Function) {
            at = cut_function(&cutter, &module->functions[cutter.function]);
            cutter.open = false;
        } else {
            cut_instruction(&cutter, in);
            at += in.length;
        }
    }
    return cutter.count;
}

// The pieces of each section in the order of the file.
static void sort_pieces(
    const struct mez_spirv_piece *unsorted, uint32_t count, struct mez_spirv_piece *sorted)
{
    uint32_t next[MEZ_SPIRV_SECTION_COUNT + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        next[unsorted[i].section + 1]++;
    for (uint32_t i = 1; i < MEZ_SPIRV_SECTION_COUNT; i++)
        next[i] += next[i - 1];
    for (uint32_t i = 0; i < count; i++)
        sorted[next[unsorted[i].section]++] = unsorted[i];
}

// Fills the list of pieces (cut.c). False: no memory.
static bool cut_pieces(struct mez_spirv_pieces *pieces)
{
    const uint32_t count = cut(pieces->module, NULL);
    struct mez_spirv_piece *unsorted = NULL;
    const bool ok = mez_spirv_make_list(&unsorted, count, sizeof *unsorted) &&
                    mez_spirv_make_list(&pieces->pieces, count, sizeof *pieces->pieces);
    if (ok) {
        pieces->count = cut(pieces->module, unsorted);
        sort_pieces(unsorted, count, pieces->pieces);
    }
    mez_free_memory(unsorted);
    return ok;
}

// --- Pieces
//
// Where each definition is, and who speaks of whom.

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
    if (*pieces && cut_pieces(*pieces) && index_definitions(*pieces) && index_subjects(*pieces) &&
        list_always_kept(*pieces) && match_bodies(*pieces) && order_blocks(*pieces))
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
