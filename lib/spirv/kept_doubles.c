// SPDX-License-Identifier: MIT

#include "spirv/kept_doubles.h"

#include "spirv/reach.h"
#include "spirv/rules.h"

// Is an instruction of a function what is looked for?
struct search {
    bool (*is_found)(const struct mez_spirv_module *module, const struct search *search,
        struct mez_spirv_instruction in);
    bool vectors;
    enum mez_spirv_survey_mode mode;
};

static bool holds_doubles(const struct mez_spirv_type *type, bool vectors)
{
    return (type->holds & MEZ_HOLDS_LONE_DOUBLE && type->opcode != MEZ_OP_TypeFloat) ||
           (vectors && type->holds & MEZ_HOLDS_DOUBLE && type->opcode == MEZ_OP_TypeArray);
}

// Most modules have none, and need no further look.
static bool knows_any(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->type_count; i++)
        if (module->types[i].holds & MEZ_HOLDS_DOUBLE)
            return true;
    return false;
}

static bool is_kept(const struct mez_spirv_module *module, const struct search *search,
    struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Variable)
        return false;
    const struct mez_spirv_type *pointer = mez_spirv_find_type(module, in.words[1]);
    const struct mez_spirv_type *type =
        pointer ? mez_spirv_find_type(module, pointer->component) : NULL;
    return type && holds_doubles(type, search->vectors);
}

static bool is_used(const struct mez_spirv_module *module, const struct search *search,
    struct mez_spirv_instruction in)
{
    const mez_aspects aspects = mez_spirv_instruction_aspects(module, search->mode, in);
    return mez_aspects_has(&aspects, MEZ_ASPECT_fp64);
}

static bool search_function(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, const struct search *search)
{
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        if (search->is_found(module, search, in))
            return true;
    }
    return false;
}

static bool search_all(const struct mez_spirv_reach *reach, const struct search *search)
{
    for (uint32_t i = 0; i < reach->count; i++) {
        const struct mez_spirv_function *function =
            mez_spirv_find_function(reach->module, reach->module->defs[reach->order[i]].id);
        if (function && search_function(reach->module, function, search))
            return true;
    }
    return false;
}

static enum mez_spirv_status search_from(const struct mez_spirv_module *module, uint32_t function,
    const struct search *search, struct mez_spirv_problem *problem, bool *found)
{
    struct mez_spirv_reach *reach;
    *found = false;
    if (!knows_any(module))
        return MEZ_SPIRV_OK;
    const enum mez_spirv_status status =
        mez_spirv_reach_create(module, &function, 1, problem, &reach);
    if (status)
        return status;
    *found = search_all(reach, search);
    mez_spirv_reach_destroy(&reach);
    return status;
}

enum mez_spirv_status mez_spirv_keeps_doubles(const struct mez_spirv_module *module,
    uint32_t function, bool vectors, struct mez_spirv_problem *problem, bool *keeps)
{
    const struct search search = {.is_found = is_kept, .vectors = vectors};
    return search_from(module, function, &search, problem, keeps);
}

enum mez_spirv_status mez_spirv_uses_doubles(const struct mez_spirv_module *module,
    uint32_t function, enum mez_spirv_survey_mode mode, struct mez_spirv_problem *problem,
    bool *uses)
{
    const struct search search = {.is_found = is_used, .mode = mode};
    return search_from(module, function, &search, problem, uses);
}
