// SPDX-License-Identifier: MIT
//
// A walk over functions and what stands at module scope. It keeps its own list, so
// recursion in the kernel or a deep chain of calls costs no stack.

#include "spirv/reach.h"

#include "base/alloc.h"
#include "spirv/follow.h"

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

const struct mez_spirv_type *mez_spirv_called_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction call)
{
    const struct mez_spirv_type *pointer =
        call.length > 3 ? mez_spirv_value_type(module, call.words[3]) : NULL;
    const struct mez_spirv_type *type =
        pointer ? mez_spirv_find_type(module, pointer->component) : NULL;
    return type && type->opcode == MEZ_OP_TypeFunction ? type : NULL;
}
