// SPDX-License-Identifier: MIT
//
// A breadth-first walk over functions and what stands at module scope. It keeps its own list, so
// recursion in the kernel or a deep chain of calls costs no stack.

#include "spirv/reach.h"

#include "base/alloc.h"
#include "spirv/follow.h"

#define NOT_REACHED UINT32_MAX

static uint32_t index_of(const struct mez_spirv_reach *reach, const struct mez_spirv_def *def)
{
    return (uint32_t)(def - reach->module->defs);
}

// Where the parent of a definition at module scope is kept.
static uint32_t *parent_of(const struct mez_spirv_reach *reach, uint32_t index)
{
    return &reach->parents[reach->module->defs[index].global];
}

static void reach_node(struct mez_spirv_reach *reach, uint32_t node, uint32_t parent)
{
    if (reach->parents[node] != NOT_REACHED)
        return;
    reach->parents[node] = parent;
    reach->order[reach->count++] = reach->module->globals[node];
}

// What a call through a pointer of no known type may call has no definition of its own.
static void reach_any_callee(struct mez_spirv_reach *reach, uint32_t parent)
{
    if (reach->calls_anything)
        return;
    reach->calls_anything = true;
    struct mez_spirv_follow follow =
        mez_spirv_follow(reach->module, mez_spirv_any_callee(reach->module));
    uint32_t used;
    while (mez_spirv_follow_next(&follow, &used))
        reach_node(reach, used, parent);
}

static void reach_from(struct mez_spirv_reach *reach, uint32_t index)
{
    const uint32_t node = reach->module->defs[index].global;
    struct mez_spirv_follow follow = mez_spirv_follow(reach->module, node);
    uint32_t used;
    while (mez_spirv_follow_next(&follow, &used)) {
        if (used == mez_spirv_any_callee(reach->module))
            reach_any_callee(reach, index);
        else
            reach_node(reach, used, index);
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
    reach->parents = mez_alloc_array(count ? count : 1, sizeof *reach->parents);
    if (!reach->order || !reach->parents) {
        mez_spirv_reach_destroy(&reach);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        reach->parents[i] = NOT_REACHED;
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
        reach_node(*reach, def->global, index_of(*reach, def));
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
    mez_free_memory(old->parents);
    mez_free_memory(old);
}

bool mez_spirv_reaches(const struct mez_spirv_reach *reach, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(reach->module, id);
    return def && def->global != MEZ_SPIRV_NO_INDEX && reach->parents[def->global] != NOT_REACHED;
}

// The function at `index` in the definitions; NULL: something else.
static const struct mez_spirv_function *function_at(
    const struct mez_spirv_reach *reach, uint32_t index)
{
    return mez_spirv_find_function(reach->module, reach->module->defs[index].id);
}

static uint32_t chain_length(const struct mez_spirv_reach *reach, uint32_t index)
{
    uint32_t length = function_at(reach, index) != NULL;
    for (; *parent_of(reach, index) != index; length += function_at(reach, index) != NULL)
        index = *parent_of(reach, index);
    return length;
}

uint32_t mez_spirv_reach_chain(const struct mez_spirv_reach *reach, uint32_t id,
    const struct mez_spirv_function **chain, uint32_t room)
{
    if (!mez_spirv_reaches(reach, id))
        return 0;

    uint32_t index = index_of(reach, mez_spirv_find_def(reach->module, id));
    const uint32_t length = chain_length(reach, index);
    for (uint32_t place = length; place > 0;) {
        const struct mez_spirv_function *function = function_at(reach, index);
        if (function && --place < room)
            chain[place] = function;
        index = *parent_of(reach, index);
    }
    return length;
}

const struct mez_spirv_type *mez_spirv_called_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction call)
{
    const struct mez_spirv_type *pointer =
        call.length > 3 ? mez_spirv_value_type(module, call.words[3]) : NULL;
    const struct mez_spirv_type *type =
        pointer ? mez_spirv_find_type(module, pointer->component) : NULL;
    return type && type->opcode == MEZ_OP_TypeFunction ? type : NULL;
}
