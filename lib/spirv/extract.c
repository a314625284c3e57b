// SPDX-License-Identifier: MIT
//
// Writing the pieces that a closure keeps: once to measure, once into the words.

#include "spirv/extract.h"

#include "base/alloc.h"
#include "spirv/debug.h"
#include "spirv/rewrite.h"

struct writer {
    const struct mez_spirv_closure *closure;
    const struct mez_spirv_module *module;
    struct mez_spirv_words out;
    uint32_t line;         // word of the OpLine that holds, 0: none
    uint32_t bound;        // of ids
    const uint32_t *merge; // held back until the branch that it belongs to; NULL: none
};

static void write_words(struct writer *writer, const uint32_t *words, size_t length)
{
    mez_spirv_add_words(&writer->out, words, length);
}

// Capabilities and extensions come first, each as the module has it.
static void write_declarations(struct writer *writer)
{
    const struct mez_spirv_module *module = writer->module;
    const struct mez_spirv_code_use *use = &writer->closure->use;
    for (uint32_t i = 0; i < module->capability_count; i++) {
        const uint32_t words[] = {2u << 16 | MEZ_OP_Capability, module->capabilities[i]};
        if (mez_spirv_needs_capability(module, use, module->capabilities[i]))
            write_words(writer, words, 2);
    }
    for (uint32_t i = 0; i < module->extension_count; i++) {
        const uint32_t *name = (const uint32_t *)module->extensions[i];
        if (mez_spirv_needs_extension(module, use, module->extensions[i]))
            write_words(writer, name - 1, name[-1] >> 16);
    }
}

#define MINOR_OF_WHOLE_INTERFACES \
    4 // from 1.4 on an interface has all variables, not only those for input and output

static bool belongs_to_interface(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Variable)
        return false;
    return module->minor_version >= MINOR_OF_WHOLE_INTERFACES || in.words[3] == MEZ_STORAGE_INPUT ||
           in.words[3] == MEZ_STORAGE_OUTPUT;
}

// A kernel by itself uses every variable that stays, also those that its producer forgot to list.
static void write_whole_interface(struct writer *writer)
{
    const struct mez_spirv_closure *closure = writer->closure;
    for (uint32_t i = 0; i < closure->found.count; i++) {
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(
            writer->module, closure->pieces->pieces[closure->found.items[i]].first);
        if (belongs_to_interface(writer->module, in))
            write_words(writer, &in.words[2], 1);
    }
}

static void write_listed_interface(
    struct writer *writer, struct mez_spirv_instruction in, uint32_t first)
{
    for (uint32_t i = first; i < in.length; i++) {
        if (mez_spirv_closure_keeps(writer->closure, in.words[i]))
            write_words(writer, in.words + i, 1);
    }
}

static void write_entry_point(struct writer *writer, struct mez_spirv_instruction in)
{
    const size_t start = writer->out.count;
    const uint32_t head = 3 + mez_spirv_string_words(in.words + 3, in.length - 3u);
    write_words(writer, in.words, head);
    const bool has_room = writer->closure->found.count <= UINT16_MAX - head;
    if (writer->closure->entry_point_count == 1 && has_room)
        write_whole_interface(writer);
    else
        write_listed_interface(writer, in, head);
    mez_spirv_close_instruction(&writer->out, start, in.opcode);
}

// The group, then its targets with what belongs to each.
static void write_group(
    struct writer *writer, struct mez_spirv_instruction in, struct mez_spirv_subjects subjects)
{
    const size_t start = writer->out.count;
    write_words(writer, in.words, subjects.first);
    for (uint32_t i = subjects.first; i + subjects.step <= in.length; i += subjects.step) {
        if (mez_spirv_closure_keeps(writer->closure, in.words[i]))
            write_words(writer, in.words + i, subjects.step);
    }
    mez_spirv_close_instruction(&writer->out, start, in.opcode);
}

// A function that was put into its callers may be gone while their debug information still names it.
static void write_debug_function(
    struct writer *writer, struct mez_spirv_instruction in, uint32_t function)
{
    if (mez_spirv_closure_keeps(writer->closure, in.words[function])) {
        write_words(writer, in.words, in.length);
        return;
    }
    const uint32_t nothing[] = {5u << 16 | MEZ_OP_ExtInst, in.words[1], writer->bound, in.words[3],
        MEZ_SPIRV_DEBUG_INFO_NONE};
    write_words(writer, nothing, sizeof nothing / sizeof nothing[0]);
    write_words(writer, in.words, function);
    write_words(writer, &writer->bound, 1);
    write_words(writer, in.words + function + 1, in.length - function - 1u);
    writer->bound++;
}

static void write_ext_inst(struct writer *writer, struct mez_spirv_instruction in)
{
    const uint32_t function = mez_spirv_debug_function(writer->module, in);
    if (function)
        write_debug_function(writer, in, function);
    else
        write_words(writer, in.words, in.length);
}

static void write_mode_by_ids(struct writer *writer, struct mez_spirv_instruction in)
{
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS];
    if (mez_spirv_literal_group_size(writer->module, in, words))
        write_words(writer, words, MEZ_SPIRV_GROUP_SIZE_WORDS);
    else
        write_words(writer, in.words, in.length);
}

static void write_line(struct writer *writer, uint32_t line)
{
    static const uint32_t no_line = 1u << 16 | MEZ_OP_NoLine;
    if (line == writer->line)
        return;
    if (line) {
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(writer->module, line);
        write_words(writer, in.words, in.length);
    } else {
        write_words(writer, &no_line, 1);
    }
    writer->line = line;
}

static void release_merge(struct writer *writer)
{
    if (writer->merge)
        write_words(writer, writer->merge, writer->merge[0] >> 16);
    writer->merge = NULL;
}

static bool ends_block(uint16_t opcode)
{
    return (opcode >= MEZ_OP_Branch && opcode <= MEZ_OP_Unreachable) ||
           opcode == MEZ_OP_FunctionEnd;
}

// A merge instruction has to stand right before the branch; llvm-spirv 15 puts some in front of the comparison.
static void write_code(struct writer *writer, struct mez_spirv_instruction in)
{
    const bool merges = in.opcode == MEZ_OP_LoopMerge || in.opcode == MEZ_OP_SelectionMerge;
    if (merges || ends_block(in.opcode))
        release_merge(writer);
    if (merges)
        writer->merge = in.words;
    else
        write_words(writer, in.words, in.length);
}

static void write_range(struct writer *writer, uint32_t first, uint32_t end)
{
    const bool drop_debug = writer->closure->without_debug_info;
    mez_spirv_each_instruction(writer->module, in, first, end)
    {
        if (!drop_debug || !mez_spirv_is_debug_ext_inst(writer->module, in))
            write_code(writer, in);
    }
}

// Everything before the first block, the blocks in order, and the function's end.
static void write_ordered(
    struct writer *writer, const struct mez_spirv_function *function, uint32_t first_block)
{
    const struct mez_spirv_block *blocks = writer->closure->pieces->blocks + first_block;
    const uint32_t count = mez_spirv_count_blocks(writer->module, function);
    uint32_t head = function->end, last = function->first;
    for (uint32_t i = 0; i < count; i++) {
        head = blocks[i].first < head ? blocks[i].first : head;
        last = blocks[i].end > last ? blocks[i].end : last;
    }
    write_range(writer, function->first, head);
    for (uint32_t i = 0; i < count; i++)
        write_range(writer, blocks[i].first, blocks[i].end);
    write_range(writer, last, function->end);
}

// A line holds to the function's end.
static void write_function(struct writer *writer, const struct mez_spirv_piece *piece)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(writer->module, piece->first);
    const struct mez_spirv_function *function =
        mez_spirv_find_function(writer->module, in.words[2]);
    const uint32_t first_block =
        writer->closure->pieces->first_block[function - writer->module->functions];
    writer->line = 0;
    if (first_block == MEZ_SPIRV_NO_INDEX)
        write_range(writer, piece->first, piece->end);
    else
        write_ordered(writer, function, first_block);
}

static void write_piece(struct writer *writer, const struct mez_spirv_piece *piece)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(writer->module, piece->first);
    write_line(writer, piece->line);
    switch (in.opcode) {
    case MEZ_OP_EntryPoint:
        write_entry_point(writer, in);
        break;
    case MEZ_OP_ExecutionModeId:
        write_mode_by_ids(writer, in);
        break;
    case MEZ_OP_GroupDecorate:
    case MEZ_OP_GroupMemberDecorate:
        write_group(writer, in, mez_spirv_subjects(writer->module, in));
        break;
    case MEZ_OP_ExtInst:
        write_ext_inst(writer, in);
        break;
    case MEZ_OP_Function:
        write_function(writer, piece);
        break;
    default:
        write_words(writer, in.words, piece->end - piece->first);
        break;
    }
}

static void write_module(struct writer *writer)
{
    const struct mez_spirv_pieces *pieces = writer->closure->pieces;
    const uint64_t *kept = writer->closure->kept;
    writer->bound = writer->module->bound;
    write_words(writer, writer->module->words, MEZ_SPIRV_HEADER_WORDS);
    write_declarations(writer);
    for (uint32_t i = 0; i < pieces->count; i += 64) {
        for (uint64_t bits = kept[i / 64]; bits; bits &= bits - 1)
            write_piece(writer, &pieces->pieces[i + (uint32_t)__builtin_ctzll(bits)]);
    }
    if (writer->out.words)
        writer->out.words[3] = writer->bound;
}

static enum mez_spirv_status write_out(const struct mez_spirv_closure *closure,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *word_count)
{
    struct writer writer = {.closure = closure, .module = closure->pieces->module};
    write_module(&writer);
    if (writer.out.count > UINT32_MAX - UINT16_MAX || writer.bound > MEZ_SPIRV_LARGEST_BOUND)
        return mez_spirv_fail(problem, MEZ_SPIRV_TOO_LARGE, 0,
            "what a kernel needs has more words or ids than SPIR-V allows");

    uint32_t *room = mez_alloc_array(writer.out.count, sizeof *room);
    if (!room)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0,
            "no memory for a module of %zu words", writer.out.count);
    writer = (struct writer){.closure = closure, .module = writer.module, .out.words = room};
    write_module(&writer);
    *words = room;
    *word_count = (uint32_t)writer.out.count;
    return MEZ_SPIRV_OK;
}

enum mez_spirv_status mez_spirv_extract(const struct mez_spirv_pieces *pieces,
    const uint32_t *roots, uint32_t root_count, const struct mez_spirv_extract_options *options,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *word_count)
{
    struct mez_spirv_closure closure;
    *words = NULL;
    enum mez_spirv_status status = mez_spirv_closure_init(pieces, problem, &closure);
    if (status)
        return status;
    closure.without_debug_info = options && options->without_debug_info;
    status = mez_spirv_closure_run(&closure, roots, root_count, problem);
    if (!status && !closure.entry_point_count)
        mez_spirv_use_linkage(&closure.use);
    if (!status)
        status = write_out(&closure, problem, words, word_count);
    mez_spirv_closure_finish(&closure);
    return status;
}
