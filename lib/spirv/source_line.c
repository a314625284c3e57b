// SPDX-License-Identifier: MIT
//
// Following OpLine through a function.

#include "spirv/source_line.h"

static const char *file_name(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def)
        return NULL;
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    return in.opcode == MEZ_OP_String ? (const char *)(in.words + 2) : NULL;
}

static bool ends_block(uint16_t opcode)
{
    return (opcode >= MEZ_OP_Branch && opcode <= MEZ_OP_Unreachable) || opcode == MEZ_OP_NoLine;
}

// What an OpLine says. llvm-spirv writes line 0 for code that no line of the source stands for.
static struct mez_spirv_source_line read_line(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.words[2] == 0)
        return (struct mez_spirv_source_line){0};
    return (struct mez_spirv_source_line){file_name(module, in.words[1]), in.words[2], in.words[3]};
}

struct mez_spirv_source_line mez_spirv_source_line(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function, uint32_t word)
{
    struct mez_spirv_source_line line = {0};
    mez_spirv_each_instruction(module, in, function->first, word)
    {
        if (in.opcode == MEZ_OP_Line)
            line = read_line(module, in);
        else if (ends_block(in.opcode))
            line = (struct mez_spirv_source_line){0};
    }
    return line;
}

struct mez_spirv_source_line mez_spirv_first_line(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    struct mez_spirv_source_line line = {0};
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        if (in.opcode == MEZ_OP_Line)
            line = read_line(module, in);
        if (line.file)
            break;
    }
    return line;
}
