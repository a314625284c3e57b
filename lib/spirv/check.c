// SPDX-License-Identifier: MIT
//
// Refusing modules that break the binary form, before anything else reads them.

#include "spirv/check.h"

#include <inttypes.h>
#include <string.h>

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
            "%s LinkageAttributes has no whole name and kind", info->name);
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

enum mez_spirv_status mez_spirv_check_shape(
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

enum mez_spirv_status mez_spirv_check_uses(
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
