// SPDX-License-Identifier: MIT
//
// Tarjan's strongly connected components, which come up callees first: when one is complete,
// everything it leads to is. Its members share one result.

#include "spirv/walk.h"

#include "base/alloc.h"
#include "spirv/follow.h"

struct frame {
    uint32_t node;
    struct mez_spirv_follow follow;
};

struct walk {
    struct mez_spirv_survey *survey;
    struct frame *frames; // the way from the root to where we stand
    uint32_t frame_count, frame_room;
    uint32_t *open; // nodes whose component is not complete
    uint32_t open_count;
    uint32_t last_order;
};

static struct mez_spirv_function_needs *needs_of(const struct walk *walk, uint32_t node)
{
    const struct mez_spirv_module *module = walk->survey->module;
    const struct mez_spirv_function *function = mez_spirv_node_function(module, node);
    return function ? &walk->survey->functions[function - module->functions] : NULL;
}

static bool enter(struct walk *walk, uint32_t node)
{
    struct mez_spirv_survey_node *entered = &walk->survey->nodes[node];
    if (!mez_grow(&walk->frames, walk->frame_count, &walk->frame_room))
        return false;
    const struct mez_spirv_function_needs *needs = needs_of(walk, node);
    if (needs)
        entered->required = needs->own;
    entered->order = entered->low = ++walk->last_order;
    entered->is_open = true;
    walk->open[walk->open_count++] = node;
    walk->frames[walk->frame_count++] = (struct frame){
        .node = node,
        .follow = mez_spirv_follow(walk->survey->module, node),
    };
    return true;
}

static void absorb(struct mez_spirv_survey_node *node, const struct mez_spirv_survey_node *used)
{
    mez_aspects_unite(&node->required, &used->required);
    node->may_assert |= used->may_assert;
    node->reaches_imports |= used->reaches_imports;
}

// A member of a cycle reaches itself, and with it its own declaration.
static void unite_cycle(const struct walk *walk, uint32_t first, struct mez_spirv_survey_node *all)
{
    for (uint32_t i = first; i < walk->open_count; i++) {
        const struct mez_spirv_function_needs *needs = needs_of(walk, walk->open[i]);
        absorb(all, &walk->survey->nodes[walk->open[i]]);
        if (needs)
            mez_aspects_unite(&all->required, &needs->declared);
    }
}

static void complete_node(
    const struct walk *walk, uint32_t node, const struct mez_spirv_survey_node *all)
{
    struct mez_spirv_survey_node *member = &walk->survey->nodes[node];
    struct mez_spirv_function_needs *needs = needs_of(walk, node);
    absorb(member, all);
    member->is_open = false;
    if (!needs)
        return;
    needs->used = member->required;
    mez_aspects_unite(&member->required, &needs->declared);
    needs->required = member->required;
    needs->may_assert = member->may_assert;
    needs->reaches_imports = member->reaches_imports;
}

static void complete_component(struct walk *walk, uint32_t root)
{
    uint32_t first = walk->open_count;
    while (walk->open[--first] != root)
        continue;
    struct mez_spirv_survey_node all = {0};
    if (walk->open_count - first > 1)
        unite_cycle(walk, first, &all);
    for (uint32_t i = first; i < walk->open_count; i++)
        complete_node(walk, walk->open[i], &all);
    walk->open_count = first;
}

static void lower(struct mez_spirv_survey_node *node, uint32_t order)
{
    if (order < node->low)
        node->low = order;
}

static void leave(struct walk *walk)
{
    const uint32_t node = walk->frames[--walk->frame_count].node;
    struct mez_spirv_survey_node *nodes = walk->survey->nodes, *left = &nodes[node];
    if (left->low == left->order)
        complete_component(walk, node);
    if (walk->frame_count == 0)
        return;
    struct mez_spirv_survey_node *caller = &nodes[walk->frames[walk->frame_count - 1].node];
    lower(caller, left->low);
    absorb(caller, left);
}

// One step from where the walk stands: down, or back up.
static bool step(struct walk *walk)
{
    struct frame *frame = &walk->frames[walk->frame_count - 1];
    struct mez_spirv_survey_node *nodes = walk->survey->nodes, *from = &nodes[frame->node];
    uint32_t used;
    if (!mez_spirv_follow_next(&frame->follow, &used)) {
        leave(walk);
        return true;
    }
    if (nodes[used].order == 0)
        return enter(walk, used);
    if (nodes[used].is_open)
        lower(from, nodes[used].order);
    else
        absorb(from, &nodes[used]);
    return true;
}

static bool walk_from(struct walk *walk, uint32_t root)
{
    bool ok = enter(walk, root);
    while (ok && walk->frame_count > 0)
        ok = step(walk);
    return ok;
}

enum mez_spirv_status mez_spirv_walk(
    struct mez_spirv_survey *survey, struct mez_spirv_problem *problem)
{
    const struct mez_spirv_module *module = survey->module;
    struct walk walk = {
        .survey = survey,
        .open = mez_alloc_array(mez_spirv_node_count(module), sizeof *walk.open),
    };
    bool ok = walk.open != NULL;
    for (uint32_t i = 0; ok && i < module->function_count; i++) {
        const uint32_t node = mez_spirv_function_node(module, &module->functions[i]);
        if (survey->nodes[node].order == 0)
            ok = walk_from(&walk, node);
    }
    mez_free_memory(walk.frames);
    mez_free_memory(walk.open);
    return ok ? MEZ_SPIRV_OK
              : mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to follow calls");
}
