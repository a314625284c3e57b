// SPDX-License-Identifier: MIT

#include "spirv/follow.h"

uint32_t mez_spirv_function_node(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    return mez_spirv_find_def(module, function->id)->global;
}

static const struct mez_spirv_def *node_def(const struct mez_spirv_module *module, uint32_t node)
{
    return node < module->global_count ? &module->defs[module->globals[node]] : NULL;
}

const struct mez_spirv_function *mez_spirv_node_function(
    const struct mez_spirv_module *module, uint32_t node)
{
    const struct mez_spirv_def *def = node_def(module, node);
    return def ? mez_spirv_find_function(module, def->id) : NULL;
}

// Where functions of the type, or of a type with a larger id, begin in module->address_taken.
static uint32_t first_of_type(const struct mez_spirv_module *module, uint32_t type)
{
    uint32_t low = 0, high = module->address_taken_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (module->functions[module->address_taken[middle]].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t mez_spirv_called_through_pointer(
    const struct mez_spirv_module *module, struct mez_spirv_instruction call)
{
    const struct mez_spirv_type *pointer =
        call.length > 3 ? mez_spirv_value_type(module, call.words[3]) : NULL;
    const struct mez_spirv_type *type =
        pointer ? mez_spirv_find_type(module, pointer->component) : NULL;
    return type && type->opcode == MEZ_OP_TypeFunction
               ? mez_spirv_find_def(module, type->id)->global
               : mez_spirv_any_callee(module);
}

static void look_at(struct mez_spirv_follow *follow, uint32_t at)
{
    follow->in = mez_spirv_instruction_at(follow->module, at);
    follow->callees = MEZ_SPIRV_NO_INDEX;
    if (at >= follow->end)
        return;
    follow->operands = mez_spirv_operands(follow->module, follow->in);
    if (follow->in.opcode == MEZ_OP_FunctionPointerCallINTEL)
        follow->callees = mez_spirv_called_through_pointer(follow->module, follow->in);
}

struct mez_spirv_follow mez_spirv_follow(const struct mez_spirv_module *module, uint32_t node)
{
    struct mez_spirv_follow follow = {.module = module};
    const struct mez_spirv_def *def = node_def(module, node);
    const struct mez_spirv_function *function =
        def ? mez_spirv_find_function(module, def->id) : NULL;
    if (!def) {
        follow.taken_end = module->address_taken_count;
    } else if (function) {
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, function->first);
        follow.end = function->end;
        look_at(&follow, in.at + in.length); // OpFunction itself names nothing but types
    } else if (mez_spirv_find_type(module, def->id)) {
        follow.taken = first_of_type(module, def->id);
        follow.taken_end = first_of_type(module, def->id + 1);
    } else {
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
        follow.end = in.at + in.length;
        look_at(&follow, in.at);
    }
    return follow;
}

static bool next_taken(struct mez_spirv_follow *follow, uint32_t *used)
{
    const struct mez_spirv_module *module = follow->module;
    if (follow->taken >= follow->taken_end)
        return false;
    const uint32_t function = module->address_taken[follow->taken++];
    *used = mez_spirv_function_node(module, &module->functions[function]);
    return true;
}

// Ids inside a function are reached with the function.
static bool next_operand(struct mez_spirv_follow *follow, uint32_t *used)
{
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&follow->operands, &operand)) {
        if (operand.kind != MEZ_OPERAND_ID && operand.kind != MEZ_OPERAND_MAYBE_ID)
            continue;
        const struct mez_spirv_def *def = mez_spirv_find_def(follow->module, operand.value);
        if (def && def->global != MEZ_SPIRV_NO_INDEX) {
            *used = def->global;
            return true;
        }
    }
    return false;
}

static bool next_of_instruction(struct mez_spirv_follow *follow, uint32_t *used)
{
    if (mez_spirv_is_debug(follow->module, follow->in))
        return false;
    if (follow->callees != MEZ_SPIRV_NO_INDEX) {
        *used = follow->callees;
        follow->callees = MEZ_SPIRV_NO_INDEX;
        return true;
    }
    return next_operand(follow, used);
}

bool mez_spirv_follow_next(struct mez_spirv_follow *follow, uint32_t *used)
{
    while (follow->in.at < follow->end) {
        if (next_of_instruction(follow, used))
            return true;
        look_at(follow, follow->in.at + follow->in.length);
    }
    return next_taken(follow, used);
}
