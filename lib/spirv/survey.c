// SPDX-License-Identifier: MIT

#include "spirv/survey.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "spirv/aspects.h"
#include "spirv/asserts.h"
#include "spirv/declarations.h"
#include "spirv/reach.h"
#include "spirv/signature.h"

// --- The graph
//
// Tarjan's strongly connected components, which come up callees first: when one is complete,
// everything it leads to is. Its members share one result.

struct frame {
    uint32_t node;
    struct mez_spirv_follow follow;
};

struct walk {
    struct mez_spirv_survey *survey;
    MEZ_VECTOR(struct frame) frames; // the way from the root to where we stand
    uint32_t *open;                  // nodes whose component is not complete
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
    if (!mez_vector_reserve(&walk->frames))
        return false;
    const struct mez_spirv_function_needs *needs = needs_of(walk, node);
    if (needs)
        entered->required = needs->own;
    entered->order = entered->low = ++walk->last_order;
    entered->is_open = true;
    walk->open[walk->open_count++] = node;
    walk->frames.items[walk->frames.count++] = (struct frame){
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
    node->finds_pointers |= used->finds_pointers;
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
    needs->finds_pointers = member->finds_pointers;
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
    const uint32_t node = walk->frames.items[--walk->frames.count].node;
    struct mez_spirv_survey_node *nodes = walk->survey->nodes, *left = &nodes[node];
    if (left->low == left->order)
        complete_component(walk, node);
    if (walk->frames.count == 0)
        return;
    struct mez_spirv_survey_node *caller = &nodes[walk->frames.items[walk->frames.count - 1].node];
    lower(caller, left->low);
    absorb(caller, left);
}

// One step from where the walk stands: down, or back up.
static bool step(struct walk *walk)
{
    struct frame *frame = &walk->frames.items[walk->frames.count - 1];
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
    while (ok && walk->frames.count > 0)
        ok = step(walk);
    return ok;
}

// Takes survey->functions with `own` and `declared`, and nodes with the flags of those that
// assert, are imported, or find pointers, themselves; completes all, whatever the order and the cycles of calls.
// Costs no stack. The only failure is NO_MEMORY.
static enum mez_spirv_status walk_graph(
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
    mez_vector_finish(&walk.frames);
    mez_free_memory(walk.open);
    return ok ? MEZ_SPIRV_OK
              : mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to follow calls");
}

// --- The survey
//
// Judging every function, reading what is declared, and summing up per kernel.

static enum mez_spirv_status no_memory(struct mez_spirv_problem *problem)
{
    return mez_spirv_fail(
        problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to find out what kernels need");
}

// --- What functions ask for themselves

static void judge_function(struct mez_spirv_survey *survey, uint32_t index)
{
    const struct mez_spirv_module *module = survey->module;
    const struct mez_spirv_function *function = &module->functions[index];
    mez_aspects *own = &survey->functions[index].own;
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        const mez_aspects asked = mez_spirv_instruction_aspects(module, survey->mode, in);
        mez_aspects_unite(own, &asked);
    }
    if (mez_spirv_vector_compute_word(module, function))
        mez_aspects_add(own, MEZ_ASPECT_ext_intel_esimd);
}

// Names that are not aspects are reported by place.c.
static void note_declaration(void *context, const struct mez_spirv_declaration *declaration)
{
    struct mez_spirv_survey *survey = context;
    mez_aspects listed = {0};
    const char *rest = declaration->list, *name;
    size_t length;
    while ((name = mez_spirv_next_name(&rest, &length))) {
        const mez_aspect aspect = mez_aspect_find(name, length);
        if (aspect != MEZ_ASPECT_NONE)
            mez_aspects_add(&listed, aspect);
    }
    for (uint32_t i = 0; i < declaration->found_count; i++) {
        struct mez_spirv_function_needs *needs = &survey->functions[declaration->found[i]];
        needs->has_declaration |= declaration->limits;
        mez_aspects_unite(declaration->limits ? &needs->declared : &needs->own, &listed);
    }
}

static struct mez_spirv_survey_node *node_of(struct mez_spirv_survey *survey, uint32_t id)
{
    return &survey->nodes[mez_spirv_find_def(survey->module, id)->global];
}

static void mark_symbols(struct mez_spirv_survey *survey)
{
    const struct mez_spirv_module *module = survey->module;
    for (uint32_t i = 0; i < module->import_count; i++)
        node_of(survey, module->imports[i].id)->reaches_imports = true;
    for (uint32_t i = 0; i < module->export_count; i++) {
        if (mez_spirv_symbol_asserts(&module->exports[i]))
            node_of(survey, module->exports[i].id)->may_assert = true;
    }
    for (uint32_t i = 0; i < module->function_count; i++) {
        if (mez_spirv_function_asserts(&module->functions[i]))
            node_of(survey, module->functions[i].id)->may_assert = true;
    }
}

static struct mez_spirv_survey_node *node_around(
    struct mez_spirv_survey *survey, const struct mez_spirv_def *def)
{
    const struct mez_spirv_module *module = survey->module;
    const bool is_global = def->function == MEZ_SPIRV_NO_INDEX;
    return is_global ? &survey->nodes[def->global]
                     : node_of(survey, module->functions[def->function].id);
}

static void mark_pointers(struct mez_spirv_survey *survey)
{
    const struct mez_spirv_module *module = survey->module;
    for (uint32_t i = 0; i < module->def_count; i++) {
        if (mez_spirv_finds_pointer(module, &module->defs[i]))
            node_around(survey, &module->defs[i])->finds_pointers = true;
    }
    for (uint32_t i = 0; i < module->import_count; i++) {
        const struct mez_spirv_function *function =
            mez_spirv_find_function(module, module->imports[i].id);
        if (function && !mez_spirv_function_asserts(function))
            node_of(survey, function->id)->finds_pointers = true;
    }
}

// --- Kernels

// The index of the only function that an entry point calls, if that bears its name; else its own.
static uint32_t find_body(
    const struct mez_spirv_module *module, const struct mez_spirv_entry_point *entry)
{
    const struct mez_spirv_function *wrapper = &module->functions[entry->function];
    const struct mez_spirv_function *body = NULL;
    uint32_t calls = 0;
    mez_spirv_each_instruction(module, in, wrapper->first, wrapper->end)
    {
        if (in.opcode != MEZ_OP_FunctionCall)
            continue;
        body = mez_spirv_find_function(module, in.words[3]);
        calls++;
    }
    const bool is_wrapper = calls == 1 && body && body != wrapper && body->has_body &&
                            strcmp(body->name, entry->name) == 0;
    return is_wrapper ? (uint32_t)(body - module->functions) : entry->function;
}

static bool pointed_at_may_assert(const struct mez_spirv_survey *survey)
{
    bool may_assert = false;
    for (uint32_t i = 0; i < survey->module->address_taken_count; i++)
        may_assert |= survey->functions[survey->module->address_taken[i]].may_assert;
    return may_assert;
}

static struct mez_spirv_kernel_needs sum_up(const struct mez_spirv_survey *survey,
    const struct mez_spirv_entry_point *entry, bool all_may_assert)
{
    const struct mez_spirv_module *module = survey->module;
    const struct mez_spirv_function_needs *function = &survey->functions[entry->function];
    const uint32_t body = find_body(module, entry);
    struct mez_spirv_kernel_needs needs = {
        .kernel = entry,
        .body = body,
        .used = function->used,
        .declared = function->declared,
        .required = function->required,
        .has_declaration = function->has_declaration,
        .may_assert = function->may_assert || all_may_assert,
        .reaches_imports = function->reaches_imports,
        .finds_pointers = function->finds_pointers || module->has_unknown_opcodes,
        .modes = &module->functions[entry->function].modes,
    };
    if (body == entry->function)
        return needs;
    const struct mez_spirv_function_needs *inner = &survey->functions[body];
    needs.used = function->own;
    mez_aspects_unite(&needs.used, &inner->used);
    mez_aspects_unite(&needs.declared, &inner->declared);
    needs.has_declaration |= inner->has_declaration;
    return needs;
}

// --- All of it

static bool make_arrays(struct mez_spirv_survey *survey)
{
    const struct mez_spirv_module *module = survey->module;
    const uint32_t functions = module->function_count, kernels = module->entry_point_count;
    survey->functions = mez_alloc_array(functions ? functions : 1, sizeof *survey->functions);
    survey->kernels = mez_alloc_array(kernels ? kernels : 1, sizeof *survey->kernels);
    survey->nodes = mez_alloc_array(mez_spirv_node_count(module), sizeof *survey->nodes);
    return survey->functions && survey->kernels && survey->nodes;
}

static enum mez_spirv_status fill(
    struct mez_spirv_survey *survey, struct mez_spirv_problem *problem)
{
    const struct mez_spirv_module *module = survey->module;
    if (!make_arrays(survey))
        return no_memory(problem);
    for (uint32_t i = 0; i < module->function_count; i++)
        judge_function(survey, i);
    mark_symbols(survey);
    mark_pointers(survey);
    enum mez_spirv_status status =
        mez_spirv_each_declaration(module, note_declaration, survey, problem);
    if (!status)
        status = walk_graph(survey, problem);

    for (uint32_t i = 0; i < module->function_count; i++)
        survey->functions[i].is_copy = module->functions[i].is_kernel_code;

    const bool all_may_assert = pointed_at_may_assert(survey);
    for (uint32_t i = 0; !status && i < module->entry_point_count; i++) {
        const struct mez_spirv_entry_point *entry = &module->entry_points[i];
        survey->kernels[i] = sum_up(survey, entry, all_may_assert);
        survey->functions[entry->function].is_wrapper = survey->kernels[i].body != entry->function;
        survey->functions[survey->kernels[i].body].is_copy = false;
    }
    return status;
}

enum mez_spirv_status mez_spirv_survey_create(const struct mez_spirv_module *module,
    enum mez_spirv_survey_mode mode, struct mez_spirv_problem *problem,
    struct mez_spirv_survey **survey)
{
    *survey = mez_new(struct mez_spirv_survey);
    if (!*survey)
        return no_memory(problem);
    (*survey)->module = module;
    (*survey)->mode = mode;
    (*survey)->local_memory = mez_spirv_all_local_memory(module);
    const enum mez_spirv_status status = fill(*survey, problem);
    if (status)
        mez_spirv_survey_destroy(survey);
    return status;
}

void mez_spirv_survey_destroy(struct mez_spirv_survey **survey)
{
    struct mez_spirv_survey *old = *survey;
    *survey = NULL;
    if (!old)
        return;
    mez_free_memory(old->functions);
    mez_free_memory(old->kernels);
    mez_free_memory(old->nodes);
    mez_free_memory(old);
}

const struct mez_spirv_kernel_needs *mez_spirv_survey_find_kernel(
    const struct mez_spirv_survey *survey, const char *name)
{
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(survey->module, name);
    return entry ? &survey->kernels[entry - survey->module->entry_points] : NULL;
}
