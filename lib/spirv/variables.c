// SPDX-License-Identifier: MIT
//
// What code keeps in variables of its own.

#include "spirv/aspects.h"

#include "spirv/reach.h"
#include "spirv/reader.h"

// --- Variables of functions
//
// Which variables of functions are only loaded and stored as a whole: compilers do without them.

// Whether an OpLoad or OpStore says so.
static bool is_volatile(struct mez_spirv_instruction in)
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
           operand->at == in.at + pointer && !is_volatile(in);
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

// --- Local memory

// 0: it is not a variable in local memory.
static uint64_t size_of(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    if (in.opcode != MEZ_OP_Variable || in.words[3] != MEZ_STORAGE_WORKGROUP)
        return 0;
    const struct mez_spirv_type *pointer = mez_spirv_find_type(module, def->type);
    const struct mez_spirv_type *type = mez_spirv_component(module, pointer);
    return type ? type->size : 0;
}

static uint64_t add(uint64_t sum, uint64_t size)
{
    return size <= UINT64_MAX - sum ? sum + size : UINT64_MAX;
}

uint64_t mez_spirv_all_local_memory(const struct mez_spirv_module *module)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < module->global_count; i++)
        sum = add(sum, size_of(module, &module->defs[module->globals[i]]));
    return sum;
}

enum mez_spirv_status mez_spirv_local_memory(const struct mez_spirv_module *module,
    uint32_t function, struct mez_spirv_problem *problem, uint64_t *bytes)
{
    struct mez_spirv_reach *reach;
    *bytes = 0;
    const enum mez_spirv_status status =
        mez_spirv_reach_create(module, &function, 1, problem, &reach);
    if (status)
        return status;
    for (uint32_t i = 0; i < reach->count; i++)
        *bytes = add(*bytes, size_of(module, &module->defs[reach->order[i]]));
    mez_spirv_reach_destroy(&reach);
    return status;
}

// --- Doubles

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
    const struct mez_spirv_type *type = mez_spirv_component(module, pointer);
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

enum mez_spirv_status mez_spirv_has_double_variables(const struct mez_spirv_module *module,
    uint32_t function, bool vectors, struct mez_spirv_problem *problem, bool *has)
{
    const struct search search = {.is_found = is_kept, .vectors = vectors};
    return search_from(module, function, &search, problem, has);
}

enum mez_spirv_status mez_spirv_uses_doubles(const struct mez_spirv_module *module,
    uint32_t function, enum mez_spirv_survey_mode mode, struct mez_spirv_problem *problem,
    bool *uses)
{
    const struct search search = {.is_found = is_used, .mode = mode};
    return search_from(module, function, &search, problem, uses);
}
