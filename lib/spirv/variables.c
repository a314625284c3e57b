// SPDX-License-Identifier: MIT
//
// Which variables of functions are only loaded and stored as a whole: compilers do without them.

#include "spirv/contents.h"

bool mez_spirv_is_volatile(struct mez_spirv_instruction in)
{
    const uint32_t access = in.opcode == MEZ_OP_Load ? 4 : 3; // where the optional mask stands
    return in.length > access && in.words[access] & MEZ_ACCESS_VOLATILE;
}

// Whether the instruction loads or stores the whole variable that the operand names.
static bool is_whole_access(
    struct mez_spirv_instruction in, const struct mez_spirv_operand *operand)
{
    const uint32_t pointer = in.opcode == MEZ_OP_Load ? 3 : 1;
    return (in.opcode == MEZ_OP_Load || in.opcode == MEZ_OP_Store) &&
           operand->at == in.at + pointer && !mez_spirv_is_volatile(in);
}

static void look_at_operand(struct mez_spirv_module *module, struct mez_spirv_instruction in,
    const struct mez_spirv_operand *operand)
{
    if (operand->kind != MEZ_OPERAND_ID && operand->kind != MEZ_OPERAND_MAYBE_ID)
        return;
    struct mez_spirv_def *def = mez_spirv_edit_def(module, operand->value);
    if (def && !is_whole_access(in, operand))
        def->escapes = true;
}

void mez_spirv_collect_escapes(struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        mez_spirv_each_instruction(module, in, function->first, function->end)
        {
            struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
            struct mez_spirv_operand operand;
            while (!mez_spirv_is_debug(module, in) && mez_spirv_next_operand(&iter, &operand))
                look_at_operand(module, in, &operand);
        }
    }
}
