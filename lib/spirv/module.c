// SPDX-License-Identifier: MIT
//
// What a module that was read can be asked: its instructions and their operands, by the layouts of the grammar, and what defines an
// id. And saying what is wrong with one.

#include "spirv/module.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/opcodes.h"
#include "spirv/reader.h"

// --- Failures

enum mez_spirv_status mez_spirv_fail(struct mez_spirv_problem *problem,
    enum mez_spirv_status status, size_t word, const char *format, ...)
{
    if (!problem)
        return status;

    problem->status = status;
    problem->word = word;

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return status;
}

// --- Files by their first bytes

static const struct signature {
    const char *start;
    size_t length;
    const char *meaning;
} signatures[] = {
#define STARTS_WITH(text, meaning)     \
    {                                  \
        text, sizeof text - 1, meaning \
    }
    STARTS_WITH("BC\xC0\xDE", "LLVM bitcode; translate it with llvm-spirv"),
    STARTS_WITH("\xDE\xC0\x17\x0B", "LLVM bitcode; translate it with llvm-spirv"),
    STARTS_WITH("; ModuleID", "LLVM assembly; run llvm-as, then llvm-spirv"),
    STARTS_WITH("target datalayout", "LLVM assembly; run llvm-as, then llvm-spirv"),
    STARTS_WITH("119734787 ", "llvm-spirv's text form; run llvm-spirv -to-binary"),
    STARTS_WITH("; SPIR-V", "SPIR-V assembly; run spirv-as"),
    STARTS_WITH("\x7F"
                "ELF",
        "an ELF file, such as an object file or a native device binary"),
    STARTS_WITH("__CLANG_OFFLOAD_BUNDLE__",
        "a bundle of device images; take it apart with clang-offload-bundler"),
    STARTS_WITH(
        "CCOB", "a compressed bundle of device images; take it apart with clang-offload-bundler"),
    STARTS_WITH("\x10\xFF\x10\xAD", "an offload binary; take it apart with clang-offload-packager"),
    STARTS_WITH("PK\x03\x04", "a zip archive; unpack it first"),
    STARTS_WITH("\x1F\x8B", "compressed by gzip; unpack it first"),
    STARTS_WITH("\x28\xB5\x2F\xFD", "compressed by zstd; unpack it first"),
    STARTS_WITH("!<arch>\n", "an archive of object files; unpack it with ar"),
#undef STARTS_WITH
};

static bool is_text(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const bool space = bytes[i] >= '\t' && bytes[i] <= '\r';
        if (!space && (bytes[i] < ' ' || bytes[i] == 0x7F))
            return false;
    }
    return true;
}

static bool contains(const unsigned char *bytes, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(bytes + i, word, length) == 0)
            return true;
    }
    return false;
}

const char *mez_spirv_recognise(const void *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        if (size >= signatures[i].length &&
            memcmp(bytes, signatures[i].start, signatures[i].length) == 0)
            return signatures[i].meaning;
    }
    if (size == 0 || !is_text(bytes, size))
        return NULL;
    if (contains(bytes, size, "kernel"))
        return "OpenCL C: mez_image_load compiles it where the file is called *.cl, "
               "mez_image_create a text that is given as .source; else compile it first, with "
               "\"mez compile FILE -o OUT.spv\"";
    return "a text file";
}

// --- The table of instructions

static const struct mez_spirv_opcode_info infos[] = {
#define OP(number, name, layout, feature) {number, "Op" #name, layout},
#include "spirv/grammar.def"
};

// Where each stands in `infos`. Every instruction of a module is looked up many times.
enum {
#define OP(number, name, layout, feature) AT_##name,
#include "spirv/grammar.def"
};

// By number: one more than the place; 0: an instruction we do not know.
static const uint16_t places[] = {
#define OP(number, name, layout, feature) [number] = AT_##name + 1,
#include "spirv/grammar.def"
};

const struct mez_spirv_opcode_info *mez_spirv_opcode_info(uint16_t opcode)
{
    const bool known = opcode < sizeof places / sizeof places[0] && places[opcode];
    return known ? &infos[places[opcode] - 1] : NULL;
}

// The table has every number of the range, so each of these has a result id.
bool mez_spirv_is_type(uint16_t opcode)
{
    return (opcode >= MEZ_OP_TypeVoid && opcode <= MEZ_OP_TypePipe) ||
           opcode == MEZ_OP_TypePipeStorage || opcode == MEZ_OP_TypeNamedBarrier ||
           opcode == MEZ_OP_TypeBufferSurfaceINTEL || opcode == MEZ_OP_TypeJointMatrixINTEL ||
           opcode == MEZ_OP_TypeJointMatrixINTELv2 || opcode == MEZ_OP_TypeCooperativeMatrixKHR;
}

// The layout of an OpenCL.std instruction's operands, behind its number.
static const char *opencl_layout(uint32_t number)
{
    switch (number) {
    case 171: // vloadn
    case 174: // vload_halfn
    case 179: // vloada_halfn
        return "iil";
    case 176: // vstore_half_r
    case 178: // vstore_halfn_r
    case 181: // vstorea_halfn_r
        return "iiil";
    default:
        return "I";
    }
}

// --- Operands

// Literal strings hold their first character in the low byte of their first word, so on a
// little-endian host they can be read where they stand.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "strings are read in place");

struct mez_spirv_instruction mez_spirv_instruction_at(
    const struct mez_spirv_module *module, uint32_t at)
{
    if (at >= module->word_count)
        return (struct mez_spirv_instruction){.at = at};

    const uint32_t *words = module->words + at;
    return (struct mez_spirv_instruction){
        .words = words,
        .at = at,
        .opcode = (uint16_t)(words[0] & 0xFFFF),
        .length = (uint16_t)(words[0] >> 16),
    };
}

uint32_t mez_spirv_string_words(const uint32_t *words, uint32_t available)
{
    const char *text = (const char *)words;
    const char *end = memchr(text, '\0', (size_t)available * sizeof *words);
    return end ? (uint32_t)((size_t)(end - text) / sizeof *words) + 1 : 0;
}

const char *mez_spirv_opcode_name(uint16_t opcode, char room[MEZ_SPIRV_OPCODE_ROOM])
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(opcode);
    if (info)
        return info->name;
    snprintf(room, MEZ_SPIRV_OPCODE_ROOM, "opcode %u", (unsigned)opcode);
    return room;
}

// "M" (any number of words that may be ids) is not a layout of the grammar: it stands for what we do
// not know.
struct mez_spirv_operand_iter mez_spirv_operands(
    const struct mez_spirv_module *module, struct mez_spirv_instruction instruction)
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(instruction.opcode);
    return (struct mez_spirv_operand_iter){
        .module = module,
        .instruction = instruction,
        .layout = info ? info->layout : "M",
        .next = 1,
    };
}

static const char *ext_inst_layout(
    const struct mez_spirv_module *module, uint32_t set, uint32_t number)
{
    switch (mez_spirv_ext_set(module, set)) {
    case MEZ_EXT_SET_OPENCL:
        return opencl_layout(number);
    case MEZ_EXT_SET_DEBUG:
        return "L";
    default:
        return "M";
    }
}

// OpSpecConstantOp has an opcode and then that instruction's operands without its result.
static const char *spec_op_layout(uint32_t opcode)
{
    const struct mez_spirv_opcode_info *info =
        opcode <= UINT16_MAX ? mez_spirv_opcode_info((uint16_t)opcode) : NULL;
    return info && strncmp(info->layout, "tr", 2) == 0 && !strpbrk(info->layout, "EO")
               ? info->layout + 2
               : "M";
}

// The kind of operand that the layout announces next; moves on in the layout.
static enum mez_spirv_operand_kind next_kind(struct mez_spirv_operand_iter *iter, uint32_t value)
{
    if (*iter->layout == '?')
        iter->layout++;

    switch (*iter->layout) {
    case 'I': // stays: any number of them
        return MEZ_OPERAND_ID;
    case 'L':
        return MEZ_OPERAND_LITERAL;
    case 'E':
        iter->layout =
            ext_inst_layout(iter->module, iter->instruction.words[iter->next - 1], value);
        return MEZ_OPERAND_LITERAL;
    case 'O':
        iter->layout = spec_op_layout(value);
        return MEZ_OPERAND_LITERAL;
    case 't':
        iter->layout++;
        return MEZ_OPERAND_TYPE;
    case 'r':
        iter->layout++;
        return MEZ_OPERAND_RESULT;
    case 'i':
        iter->layout++;
        return MEZ_OPERAND_ID;
    case 'l':
        iter->layout++;
        return MEZ_OPERAND_LITERAL;
    case 's':
        iter->layout++;
        return MEZ_OPERAND_STRING;
    default: // 'M', and operands that a newer specification added behind those we know
        return MEZ_OPERAND_MAYBE_ID;
    }
}

bool mez_spirv_next_operand(struct mez_spirv_operand_iter *iter, struct mez_spirv_operand *operand)
{
    const struct mez_spirv_instruction *in = &iter->instruction;
    if (iter->next >= in->length)
        return false;

    const uint32_t value = in->words[iter->next];
    operand->kind = next_kind(iter, value);
    operand->value = value;
    operand->at = in->at + iter->next;

    const uint32_t left = in->length - iter->next;
    const uint32_t words = operand->kind == MEZ_OPERAND_STRING
                               ? mez_spirv_string_words(in->words + iter->next, left)
                               : 1;
    iter->next += words ? words : left; // an endless string, which reader.c refuses, ends the walk
    return true;
}

// OpExtInstImport's name, compared without trusting that it ends.
static bool import_starts_with(struct mez_spirv_instruction import, const char *prefix)
{
    const size_t room = (size_t)(import.length - 2) * sizeof(uint32_t);
    return strlen(prefix) < room && memcmp(import.words + 2, prefix, strlen(prefix)) == 0;
}

enum mez_spirv_ext_set mez_spirv_ext_set(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def)
        return MEZ_EXT_SET_UNKNOWN;

    const struct mez_spirv_instruction import = mez_spirv_instruction_at(module, def->word);
    if (import.opcode != MEZ_OP_ExtInstImport)
        return MEZ_EXT_SET_UNKNOWN;
    if (import_starts_with(import, "OpenCL.std"))
        return MEZ_EXT_SET_OPENCL;
    if (import_starts_with(import, "OpenCL.DebugInfo.") ||
        import_starts_with(import, "SPIRV.debug") || import_starts_with(import, "DebugInfo") ||
        import_starts_with(import, "NonSemantic."))
        return MEZ_EXT_SET_DEBUG;
    return MEZ_EXT_SET_UNKNOWN;
}

bool mez_spirv_is_debug(
    const struct mez_spirv_module *module, struct mez_spirv_instruction instruction)
{
    switch (instruction.opcode) {
    case MEZ_OP_Nop:
    case MEZ_OP_Line:
    case MEZ_OP_NoLine:
        return true;
    case MEZ_OP_ExtInst:
        return mez_spirv_ext_set(module, instruction.words[3]) == MEZ_EXT_SET_DEBUG;
    default:
        return false;
    }
}

// --- Definitions
//
// The table of definitions: an array in file order and an open-addressing hash table over it.

// Where an instruction keeps its result id: 2 behind a result type, else 1; 0: it has none (or we
// do not know).
static uint32_t result_position(uint16_t opcode)
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(opcode);
    if (!info)
        return 0;
    if (info->layout[0] == 't')
        return 2;
    return info->layout[0] == 'r' ? 1 : 0;
}

uint32_t mez_spirv_result_of(struct mez_spirv_instruction in)
{
    const uint32_t position = result_position(in.opcode);
    return position ? in.words[position] : 0;
}

static uint32_t count_results(const struct mez_spirv_module *module)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        result_position(in.opcode) != 0;
    return count;
}

// Producers hand out ids one after the other, so their low bits spread them evenly.
static uint32_t first_slot(const struct mez_spirv_module *module, uint32_t id)
{
    return id & (module->def_slot_count - 1);
}

// The slot that holds `id`, or the free one where it belongs. The table is at most half full, so
// the walk ends.
static uint32_t *find_slot(const struct mez_spirv_module *module, uint32_t id)
{
    uint32_t slot = first_slot(module, id);
    while (module->def_slots[slot] != MEZ_SPIRV_NO_INDEX &&
           module->defs[module->def_slots[slot]].id != id)
        slot = (slot + 1) & (module->def_slot_count - 1);
    return &module->def_slots[slot];
}

static bool make_table(struct mez_spirv_module *module, uint32_t count)
{
    uint32_t slots = 2;
    while (slots / 2 < count)
        slots *= 2;

    module->def_slot_count = slots;
    module->def_slots = mez_alloc_array(slots, sizeof *module->def_slots);
    module->defs = mez_alloc_array(count ? count : 1, sizeof *module->defs);
    if (!module->def_slots || !module->defs)
        return false;

    for (uint32_t i = 0; i < slots; i++)
        module->def_slots[i] = MEZ_SPIRV_NO_INDEX;
    return true;
}

static enum mez_spirv_status add_def(struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t position, uint32_t function,
    struct mez_spirv_problem *problem)
{
    const uint32_t id = in.words[position];
    char room[MEZ_SPIRV_OPCODE_ROOM];
    const char *name = mez_spirv_opcode_name(in.opcode, room);

    if (id == 0 || id >= module->bound)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s defines id %" PRIu32 ", outside the bound of %" PRIu32, name, id, module->bound);

    uint32_t *slot = find_slot(module, id);
    if (*slot != MEZ_SPIRV_NO_INDEX)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s defines id %" PRIu32 ", which is defined at word %" PRIu32 " already", name, id,
            module->defs[*slot].word);

    const bool is_global = in.opcode == MEZ_OP_Function || function == MEZ_SPIRV_NO_INDEX;
    *slot = module->def_count;
    module->defs[module->def_count++] = (struct mez_spirv_def){
        .id = id,
        .word = in.at,
        .type = position == 2 ? in.words[1] : 0,
        .function = is_global ? MEZ_SPIRV_NO_INDEX : function,
        .global = is_global ? module->global_count++ : MEZ_SPIRV_NO_INDEX,
        .index = MEZ_SPIRV_NO_INDEX,
        .linkage = MEZ_LINKAGE_NONE,
    };
    return MEZ_SPIRV_OK;
}

static bool list_globals(struct mez_spirv_module *module)
{
    const uint32_t count = module->global_count;
    module->globals = mez_alloc_array(count ? count : 1, sizeof *module->globals);
    for (uint32_t i = 0; module->globals && i < module->def_count; i++) {
        if (module->defs[i].global != MEZ_SPIRV_NO_INDEX)
            module->globals[module->defs[i].global] = i;
    }
    return module->globals != NULL;
}

static enum mez_spirv_status no_memory(struct mez_spirv_problem *problem)
{
    return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's ids");
}

enum mez_spirv_status mez_spirv_collect_ids(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    if (!make_table(module, count_results(module)))
        return no_memory(problem);

    uint32_t functions = 0, function = MEZ_SPIRV_NO_INDEX;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_Function)
            function = functions++;

        const uint32_t position = result_position(in.opcode);
        const enum mez_spirv_status status =
            position ? add_def(module, in, position, function, problem) : MEZ_SPIRV_OK;
        if (status)
            return status;

        if (in.opcode == MEZ_OP_FunctionEnd)
            function = MEZ_SPIRV_NO_INDEX;
    }
    return list_globals(module) ? MEZ_SPIRV_OK : no_memory(problem);
}

const struct mez_spirv_def *mez_spirv_find_def(const struct mez_spirv_module *module, uint32_t id)
{
    const uint32_t index = *find_slot(module, id);
    return index == MEZ_SPIRV_NO_INDEX ? NULL : &module->defs[index];
}
