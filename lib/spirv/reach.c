// SPDX-License-Identifier: MIT

#include "spirv/reach.h"

#include "base/alloc.h"

// --- Steps

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
    const struct mez_spirv_type *type = mez_spirv_component(module, pointer);
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

// --- All that is reached
//
// A walk over functions and what stands at module scope. It keeps its own list, so
// recursion in the kernel or a deep chain of calls costs no stack.

static void reach_node(struct mez_spirv_reach *reach, uint32_t node)
{
    if (reach->reached[node])
        return;
    reach->reached[node] = true;
    reach->order[reach->count++] = reach->module->globals[node];
}

// What a call through a pointer of no known type may call has no definition of its own.
static void reach_any_callee(struct mez_spirv_reach *reach)
{
    if (reach->calls_anything)
        return;
    reach->calls_anything = true;
    struct mez_spirv_follow follow =
        mez_spirv_follow(reach->module, mez_spirv_any_callee(reach->module));
    uint32_t used;
    while (mez_spirv_follow_next(&follow, &used))
        reach_node(reach, used);
}

static void reach_from(struct mez_spirv_reach *reach, uint32_t index)
{
    const uint32_t node = reach->module->defs[index].global;
    struct mez_spirv_follow follow = mez_spirv_follow(reach->module, node);
    uint32_t used;
    while (mez_spirv_follow_next(&follow, &used)) {
        if (used == mez_spirv_any_callee(reach->module))
            reach_any_callee(reach);
        else
            reach_node(reach, used);
    }
}

static struct mez_spirv_reach *make_reach(const struct mez_spirv_module *module)
{
    struct mez_spirv_reach *reach = mez_alloc_array(1, sizeof *reach);
    if (!reach)
        return NULL;

    const uint32_t count = module->global_count;
    reach->module = module;
    reach->order = mez_alloc_array(count ? count : 1, sizeof *reach->order);
    reach->reached = mez_alloc_array(count ? count : 1, sizeof *reach->reached);
    if (!reach->order || !reach->reached) {
        mez_spirv_reach_destroy(&reach);
        return NULL;
    }
    return reach;
}

enum mez_spirv_status mez_spirv_reach_create(const struct mez_spirv_module *module,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem,
    struct mez_spirv_reach **reach)
{
    *reach = make_reach(module);
    if (!*reach)
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to follow a kernel's calls");

    for (uint32_t i = 0; i < root_count; i++) {
        const struct mez_spirv_def *def =
            mez_spirv_find_def(module, module->functions[roots[i]].id);
        reach_node(*reach, def->global);
    }
    for (uint32_t i = 0; i < (*reach)->count; i++)
        reach_from(*reach, (*reach)->order[i]);
    return MEZ_SPIRV_OK;
}

void mez_spirv_reach_destroy(struct mez_spirv_reach **reach)
{
    struct mez_spirv_reach *old = *reach;
    *reach = NULL;
    if (!old)
        return;
    mez_free_memory(old->order);
    mez_free_memory(old->reached);
    mez_free_memory(old);
}

bool mez_spirv_reaches(const struct mez_spirv_reach *reach, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(reach->module, id);
    return def && def->global != MEZ_SPIRV_NO_INDEX && reach->reached[def->global];
}
