// SPDX-License-Identifier: MIT
//
// Reading a module.

#include "spirv/module.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/reader.h"

// --- Checks
//
// Refusing modules that break the binary form, before anything else reads them.

// Where the walk stands between OpFunction and OpFunctionEnd.
enum place { OUTSIDE, IN_HEAD, IN_BODY };

// Words that an instruction must have at least: one for each operand before the optional and the
// repeated ones.
static uint32_t least_words(const struct mez_spirv_opcode_info *info)
{
    return 1 + (uint32_t)strcspn(info->layout, "?IL");
}

// What is wrong with the strings of an instruction, or with what is required behind them; NULL:
// nothing. A string fills at least the one word that least_words counted, so the operands have to
// be walked.
static const char *wrong_strings(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&iter, &operand)) {
        if (operand.kind == MEZ_OPERAND_STRING &&
            mez_spirv_string_words(module->words + operand.at, in.at + in.length - operand.at) == 0)
            return "has a string that does not end inside it";
    }
    return strcspn(iter.layout, "?IL") ? "ends before its last required operand" : NULL;
}

// LinkageAttributes is the one decoration whose string we read.
static bool linkage_is_whole(struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Decorate || in.words[2] != MEZ_DECORATION_LINKAGE_ATTRIBUTES)
        return true;
    const uint32_t available = (uint32_t)in.length - 3;
    const uint32_t words = available ? mez_spirv_string_words(in.words + 3, available) : 0;
    return words && words < available;
}

static uint32_t least_mode_words(uint32_t mode)
{
    switch (mode) {
    case MEZ_MODE_LOCAL_SIZE:
    case MEZ_MODE_LOCAL_SIZE_HINT:
    case MEZ_MODE_LOCAL_SIZE_ID:
        return 6;
    case MEZ_MODE_SUBGROUP_SIZE:
        return 4;
    default:
        return 3;
    }
}

static bool mode_is_whole(struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_ExecutionMode && in.opcode != MEZ_OP_ExecutionModeId)
        return true;
    return in.length >= least_mode_words(in.words[2]);
}

static enum mez_spirv_status check_operands(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, struct mez_spirv_problem *problem)
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(in.opcode);

    if (in.length < least_words(info))
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s has %u words and needs at least %" PRIu32, info->name, (unsigned)in.length,
            least_words(info));

    const char *wrong = strchr(info->layout, 's') ? wrong_strings(module, in) : NULL;
    if (wrong)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at, "%s %s", info->name, wrong);
    if (!linkage_is_whole(in))
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s LinkageAttributes has no complete name and kind", info->name);
    if (!mode_is_whole(in))
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at, "%s %" PRIu32 " lacks operands",
            info->name, in.words[2]);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status check_nesting(
    struct mez_spirv_instruction in, enum place *place, struct mez_spirv_problem *problem)
{
    const char *wrong = NULL;
    switch (in.opcode) {
    case MEZ_OP_Function:
        wrong = *place == OUTSIDE ? NULL : "OpFunction stands inside another function";
        *place = IN_HEAD;
        break;
    case MEZ_OP_FunctionParameter:
        wrong = *place == IN_HEAD ? NULL
                                  : "OpFunctionParameter does not stand at the head of a function";
        break;
    case MEZ_OP_Label:
        wrong = *place == OUTSIDE ? "OpLabel stands outside a function" : NULL;
        *place = IN_BODY;
        break;
    case MEZ_OP_FunctionEnd:
        wrong = *place == OUTSIDE ? "OpFunctionEnd stands outside a function" : NULL;
        *place = OUTSIDE;
        break;
    default:
        if (mez_spirv_is_type(in.opcode) && *place != OUTSIDE)
            wrong = "a type is declared inside a function";
        break;
    }
    return wrong ? mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at, "%s", wrong) : MEZ_SPIRV_OK;
}

static enum mez_spirv_status check_length(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, struct mez_spirv_problem *problem)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    if (in.length == 0)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "an instruction (%s) has a length of zero words",
            mez_spirv_opcode_name(in.opcode, room));
    if (in.length > module->word_count - in.at)
        return mez_spirv_fail(problem, MEZ_SPIRV_TRUNCATED, in.at,
            "the last instruction (%s) has %u words, but the module ends after %" PRIu32,
            mez_spirv_opcode_name(in.opcode, room), (unsigned)in.length,
            module->word_count - in.at);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status check_instruction(struct mez_spirv_module *module,
    struct mez_spirv_instruction in, enum place *place, struct mez_spirv_problem *problem)
{
    enum mez_spirv_status status = check_length(module, in, problem);
    if (status)
        return status;
    if (!mez_spirv_opcode_info(in.opcode)) {
        module->has_unknown_opcodes = true;
        return MEZ_SPIRV_OK;
    }
    status = check_operands(module, in, problem);
    return status ? status : check_nesting(in, place, problem);
}

// Lengths of instructions, required operands, strings, nesting of functions. Before ids are
// collected.
static enum mez_spirv_status check_shape(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    enum place place = OUTSIDE;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        const enum mez_spirv_status status = check_instruction(module, in, &place, problem);
        if (status)
            return status;
    }
    if (place != OUTSIDE)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_TRUNCATED, module->word_count, "the module ends inside a function");
    return MEZ_SPIRV_OK;
}

// Names, decorations and source lines: their ids are only checked for the bound.
bool mez_spirv_may_dangle(uint16_t opcode)
{
    switch (opcode) {
    case MEZ_OP_Name:
    case MEZ_OP_MemberName:
    case MEZ_OP_Line:
    case MEZ_OP_Source:
    case MEZ_OP_Decorate:
    case MEZ_OP_MemberDecorate:
    case MEZ_OP_DecorateId:
    case MEZ_OP_DecorateString:
    case MEZ_OP_MemberDecorateString:
    case MEZ_OP_GroupDecorate:
    case MEZ_OP_GroupMemberDecorate:
        return true;
    default:
        return false;
    }
}

static enum mez_spirv_status check_use(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t id, struct mez_spirv_problem *problem)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    const char *name = mez_spirv_opcode_name(in.opcode, room);

    if (id == 0 || id >= module->bound)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s uses id %" PRIu32 ", outside the bound of %" PRIu32, name, id, module->bound);
    if (!module->has_unknown_opcodes && !mez_spirv_may_dangle(in.opcode) &&
        !mez_spirv_find_def(module, id))
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s uses id %" PRIu32 ", which nothing defines", name, id);
    return MEZ_SPIRV_OK;
}

// Every id that is used lies inside the bound and is defined. After ids are collected.
static enum mez_spirv_status check_uses(
    const struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
        struct mez_spirv_operand operand;
        while (mez_spirv_next_operand(&iter, &operand)) {
            if (operand.kind != MEZ_OPERAND_ID && operand.kind != MEZ_OPERAND_TYPE)
                continue;
            const enum mez_spirv_status status = check_use(module, in, operand.value, problem);
            if (status)
                return status;
        }
    }
    return MEZ_SPIRV_OK;
}

// --- Reading
//
// The header of a module, its copy in host byte order, and the order in which the module is checked
// and read.

#define WORD sizeof(uint32_t)

static enum mez_spirv_status refuse(
    const void *bytes, size_t size, struct mez_spirv_problem *problem)
{
    const char *guess = mez_spirv_recognise(bytes, size);
    if (guess)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NOT_SPIRV, 0, "this is not SPIR-V: it is %s", guess);
    return mez_spirv_fail(problem, MEZ_SPIRV_NOT_SPIRV, 0,
        "this is not SPIR-V: it does not begin with its magic number 0x07230203");
}

// Whether the bytes begin with the magic number, in host byte order or swapped.
static bool find_magic(const void *bytes, size_t size, bool *swapped)
{
    uint32_t magic = 0;
    if (size < sizeof magic)
        return false;
    memcpy(&magic, bytes, sizeof magic);
    *swapped = magic == __builtin_bswap32(MEZ_SPIRV_MAGIC);
    return magic == MEZ_SPIRV_MAGIC || *swapped;
}

static enum mez_spirv_status check_bytes(
    const void *bytes, size_t size, struct mez_spirv_problem *problem, bool *swapped)
{
    if (size == 0)
        return mez_spirv_fail(problem, MEZ_SPIRV_NOT_SPIRV, 0, "this is not SPIR-V: it is empty");
    if (!find_magic(bytes, size, swapped))
        return refuse(bytes, size, problem);
    if (size < MEZ_SPIRV_HEADER_WORDS * WORD)
        return mez_spirv_fail(problem, MEZ_SPIRV_TRUNCATED, 0,
            "the module ends in its header: it has %zu bytes of at least %zu", size,
            MEZ_SPIRV_HEADER_WORDS * WORD);
    if (size % WORD)
        return mez_spirv_fail(problem, MEZ_SPIRV_TRUNCATED, size / WORD,
            "the module ends inside a word: %zu bytes are not a multiple of %zu", size, WORD);
    // Room above the last word keeps at + length below 2^32.
    if (size / WORD > UINT32_MAX - UINT16_MAX)
        return mez_spirv_fail(problem, MEZ_SPIRV_TOO_LARGE, 0, "the module is larger than 16 GiB");
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status copy_words(struct mez_spirv_module *module, const void *bytes,
    size_t size, bool swapped, struct mez_spirv_problem *problem)
{
    module->words = mez_alloc_array(size / WORD, WORD);
    if (!module->words)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for a module of %zu bytes", size);

    module->word_count = (uint32_t)(size / WORD);
    memcpy(module->words, bytes, size);
    for (uint32_t i = 0; swapped && i < module->word_count; i++)
        module->words[i] = __builtin_bswap32(module->words[i]);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status read_header(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    const uint32_t version = module->words[1];
    const uint32_t major = version >> 16 & 0xFF, minor = version >> 8 & 0xFF;

    module->minor_version = minor;
    module->generator = module->words[2];
    module->bound = module->words[3];

    if ((version & 0xFF0000FFu) || major != 1 || minor > MEZ_SPIRV_NEWEST_MINOR)
        return mez_spirv_fail(problem, MEZ_SPIRV_BAD_VERSION, 1,
            "the module claims to be SPIR-V %" PRIu32 ".%" PRIu32 " (version word 0x%08" PRIx32
            "); known are 1.0 to 1.%u",
            major, minor, version, MEZ_SPIRV_NEWEST_MINOR);
    if (module->bound == 0 || module->bound > MEZ_SPIRV_LARGEST_BOUND)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, 3,
            "the bound of ids is %" PRIu32 "; allowed are 1 to %u", module->bound,
            MEZ_SPIRV_LARGEST_BOUND);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status read_module(struct mez_spirv_module *module, const void *bytes,
    size_t size, struct mez_spirv_problem *problem)
{
    bool swapped = false;
    enum mez_spirv_status status = check_bytes(bytes, size, problem, &swapped);
    if (!status)
        status = copy_words(module, bytes, size, swapped, problem);
    if (!status)
        status = read_header(module, problem);
    if (!status)
        status = check_shape(module, problem);
    if (!status)
        status = mez_spirv_collect_ids(module, problem);
    if (!status)
        status = check_uses(module, problem);
    if (!status)
        status = mez_spirv_collect_contents(module, problem);
    if (!status)
        status = mez_spirv_collect_decorations(module, problem);
    if (!status)
        status = mez_spirv_collect_types(module, problem);
    if (!status)
        status = mez_spirv_collect_symbols(module, problem);
    if (!status)
        mez_spirv_collect_escapes(module);
    return status;
}

enum mez_spirv_status mez_spirv_module_create(const void *bytes, size_t size,
    struct mez_spirv_problem *problem, struct mez_spirv_module **module)
{
    *module = mez_alloc_array(1, sizeof **module);
    if (!*module)
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to read a module");

    const enum mez_spirv_status status = read_module(*module, bytes, size, problem);
    if (status)
        mez_spirv_module_destroy(module);
    return status;
}

void mez_spirv_module_destroy(struct mez_spirv_module **module)
{
    struct mez_spirv_module *old = *module;
    *module = NULL;
    if (!old)
        return;

    mez_free_memory(old->words);
    mez_free_memory(old->capabilities);
    mez_free_memory(old->extensions);
    mez_free_memory(old->defs);
    mez_free_memory(old->def_slots);
    mez_free_memory(old->globals);
    mez_free_memory(old->types);
    mez_free_memory(old->decorations);
    mez_free_memory(old->functions);
    mez_free_memory(old->address_taken);
    mez_free_memory(old->params);
    mez_free_memory(old->entry_points);
    mez_free_memory(old->imports);
    mez_free_memory(old->exports);
    mez_free_memory(old);
}
