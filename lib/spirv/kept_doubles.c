// SPDX-License-Identifier: MIT

#include "spirv/kept_doubles.h"

#include "spirv/reach.h"

static bool holds_doubles(const struct mez_spirv_type *type)
{
    return type->holds & MEZ_HOLDS_LONE_DOUBLE && type->opcode != MEZ_OP_TypeFloat;
}

// Most modules have none, and need no further look.
static bool knows_any(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->type_count; i++)
        if (holds_doubles(&module->types[i]))
            return true;
    return false;
}

static bool is_kept(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Variable)
        return false;
    const struct mez_spirv_type *pointer = mez_spirv_find_type(module, in.words[1]);
    const struct mez_spirv_type *type =
        pointer ? mez_spirv_find_type(module, pointer->component) : NULL;
    return type && holds_doubles(type);
}

static bool function_keeps(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        if (is_kept(module, in))
            return true;
    }
    return false;
}

static bool any_keeps(const struct mez_spirv_reach *reach)
{
    for (uint32_t i = 0; i < reach->count; i++) {
        const struct mez_spirv_function *function =
            mez_spirv_find_function(reach->module, reach->module->defs[reach->order[i]].id);
        if (function && function_keeps(reach->module, function))
            return true;
    }
    return false;
}

enum mez_spirv_status mez_spirv_keeps_doubles(const struct mez_spirv_module *module,
    uint32_t function, struct mez_spirv_problem *problem, bool *keeps)
{
    struct mez_spirv_reach *reach;
    *keeps = false;
    if (!knows_any(module))
        return MEZ_SPIRV_OK;
    const enum mez_spirv_status status =
        mez_spirv_reach_create(module, &function, 1, problem, &reach);
    if (status)
        return status;
    *keeps = any_keeps(reach);
    mez_spirv_reach_destroy(&reach);
    return status;
}
