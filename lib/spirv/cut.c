// SPDX-License-Identifier: MIT
//
// Cutting a module into pieces: one walk in the order of the file finds them, a stable sort puts them into the order of a
// module.

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/pieces.h"

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

// An instruction that goes on where the one before ended for want of room.
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

bool mez_spirv_cut_pieces(struct mez_spirv_pieces *pieces)
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
