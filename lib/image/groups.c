// SPDX-License-Identifier: MIT

#include "image/part.h"

#include "base/alloc.h"
#include "base/vector.h"
#include "image/image.h"
#include "image/link.h"
#include "spirv/extract.h"
#include "spirv/module.h"
#include "spirv/reach.h"

static mez_error make_lists(mez_groups *groups, const mez_part_code *code)
{
    const uint32_t count = code->spirv->entry_point_count;
    groups->count = count;
    groups->roots = mez_alloc_array(count + 1u, sizeof *groups->roots);
    groups->firsts = mez_alloc_array(count + 1u, sizeof *groups->firsts);
    groups->variables = mez_alloc_array(count + 1u, sizeof *groups->variables);
    if (!groups->roots || !groups->firsts || !groups->variables)
        return mez_error_no_memory("an image's kernels");
    for (uint32_t i = 0; i < count; i++)
        groups->roots[i] = code->spirv->functions[code->survey->kernels[i].kernel->function].id;
    return mez_ok();
}

static mez_error find_shared(mez_groups *groups, const mez_part_code *code)
{
    struct mez_spirv_problem problem;
    MEZ_TRY(mez_spirv_to_error(mez_spirv_pieces_create(code->spirv, &problem, &groups->pieces),
        &problem, "an image's kernels"));
    return mez_spirv_to_error(mez_spirv_shared_variables(groups->pieces, groups->roots,
                                  groups->count, &problem, groups->firsts, groups->variables),
        &problem, "an image's kernels");
}

// --- Memory of what is linked in

// A variable of a part that is linked, and the first kernel that reaches it.
typedef struct linked_variable {
    const mez_part *part;
    uint32_t id;
    uint32_t kernel;
} linked_variable;

typedef struct linked_memory {
    mez_groups *groups;
    MEZ_VECTOR(linked_variable) variables;
} linked_memory;

// The lower number leads, as everywhere.
static void join(mez_groups *groups, uint32_t a, uint32_t b)
{
    const uint32_t first =
        groups->firsts[a] < groups->firsts[b] ? groups->firsts[a] : groups->firsts[b];
    const uint32_t last = groups->firsts[a] + groups->firsts[b] - first;
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->firsts[i] == last)
            groups->firsts[i] = first;
}

static mez_error note_variable(
    linked_memory *memory, const mez_part *part, uint32_t id, uint32_t kernel)
{
    for (uint32_t i = 0; i < memory->variables.count; i++)
        if (memory->variables.items[i].part == part && memory->variables.items[i].id == id) {
            join(memory->groups, memory->variables.items[i].kernel, kernel);
            return mez_ok();
        }
    if (!mez_vector_push(&memory->variables, (linked_variable){part, id, kernel}))
        return mez_error_no_memory("an image's kernels");
    return mez_ok();
}

static mez_error note_function(linked_memory *memory, const mez_link_input *input,
    const struct mez_spirv_function *function, uint32_t kernel)
{
    const struct mez_spirv_module *spirv = input->code->spirv;
    const uint32_t root = (uint32_t)(function - spirv->functions);
    struct mez_spirv_problem problem;
    struct mez_spirv_reach *reach;
    MEZ_TRY(mez_spirv_to_error(
        mez_spirv_reach_create(spirv, &root, 1, &problem, &reach), &problem, "an image's kernels"));
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < reach->count && !mez_failed(error); i++) {
        const uint32_t id = spirv->defs[reach->order[i]].id;
        if (mez_spirv_can_share(spirv, id))
            error = note_variable(memory, input->part, id, kernel);
    }
    mez_spirv_reach_destroy(&reach);
    return error;
}

static mez_error note_input(linked_memory *memory, const mez_link_input *input, uint32_t kernel)
{
    const struct mez_spirv_module *spirv = input->code->spirv;
    for (size_t i = 0; i < input->roots.count; i++) {
        const uint32_t root = input->roots.items[i];
        const struct mez_spirv_function *function = mez_spirv_find_function(spirv, root);
        if (function)
            MEZ_TRY(note_function(memory, input, function, kernel));
        else if (mez_spirv_can_share(spirv, root))
            MEZ_TRY(note_variable(memory, input->part, root, kernel));
    }
    return mez_ok();
}

static mez_error note_kernel(linked_memory *memory, mez_part *part, uint32_t kernel)
{
    mez_link link;
    mez_error error = mez_link_of_kernels(part, &kernel, 1, &link);
    for (uint32_t i = 0; i < link.inputs.count && !mez_failed(error); i++)
        error = note_input(memory, &link.inputs.items[i], kernel);
    mez_link_finish(&link);
    return error;
}

// Kernels that are linked with the same variable see one of it only in one module.
static mez_error join_linked(mez_part *part, mez_groups *groups)
{
    linked_memory memory = {.groups = groups};
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < groups->count && !mez_failed(error); i++)
        if (part->code.survey->kernels[i].reaches_imports)
            error = note_kernel(&memory, part, i);
    mez_vector_finish(&memory.variables);
    return error;
}

static mez_error groups_init(mez_groups *groups, mez_part *part)
{
    MEZ_TRY(make_lists(groups, &part->code));
    MEZ_TRY(find_shared(groups, &part->code));
    MEZ_TRY(join_linked(part, groups));
    for (uint32_t i = 0; i < groups->count; i++)
        groups->group_count += groups->firsts[i] == i;
    return mez_ok();
}

void mez_groups_destroy(mez_groups **groups)
{
    if (!*groups)
        return;
    mez_spirv_pieces_destroy(&(*groups)->pieces);
    mez_free_memory((*groups)->roots);
    mez_free_memory((*groups)->firsts);
    mez_free_memory((*groups)->variables);
    mez_free_memory(*groups);
    *groups = NULL;
}

static mez_error groups_create(mez_part *part, mez_groups **created)
{
    mez_groups *groups = mez_new(mez_groups);
    if (!groups)
        return mez_error_no_memory("an image's kernels");
    const mez_error error = groups_init(groups, part);
    if (mez_failed(error))
        mez_groups_destroy(&groups);
    *created = groups;
    return error;
}

// Made without the lock, which reading what is linked takes; who comes second drops his.
mez_error mez_groups_get(mez_part *part, const mez_groups **groups)
{
    pthread_mutex_t *lock = &part->image->lock;
    pthread_mutex_lock(lock);
    *groups = part->groups;
    pthread_mutex_unlock(lock);
    if (*groups)
        return mez_ok();
    mez_groups *made = NULL;
    MEZ_TRY(groups_create(part, &made));
    pthread_mutex_lock(lock);
    if (!part->groups) {
        part->groups = made;
        made = NULL;
    }
    *groups = part->groups;
    pthread_mutex_unlock(lock);
    mez_groups_destroy(&made);
    return mez_ok();
}

const char *mez_groups_shared_name(const mez_part *part, const mez_groups *groups, uint32_t kernel)
{
    const struct mez_spirv_module *spirv = part->code.spirv;
    const struct mez_spirv_def *def = mez_spirv_find_def(spirv, groups->variables[kernel]);
    if (!def)
        return "of linked code";
    const uint32_t name = def->link ? def->link : def->name;
    return name ? (const char *)(spirv->words + name) : "without a name";
}

static mez_error extract(const struct mez_spirv_pieces *pieces, const uint32_t *roots,
    uint32_t count, struct mez_spirv_module **module)
{
    struct mez_spirv_problem problem;
    uint32_t *words, word_count;
    *module = NULL;
    MEZ_TRY(mez_spirv_to_error(
        mez_spirv_extract(pieces, roots, count, NULL, &problem, &words, &word_count), &problem,
        "a part of an image"));
    const enum mez_spirv_status status =
        mez_spirv_module_create(words, (size_t)word_count * sizeof *words, &problem, module);
    mez_free_memory(words);
    return mez_spirv_to_error(status, &problem, "a part of an image");
}

mez_error mez_groups_extract(
    const mez_groups *groups, uint32_t first, struct mez_spirv_module **module)
{
    *module = NULL;
    uint32_t *roots = mez_alloc_array(groups->count, sizeof *roots), count = 0;
    if (!roots)
        return mez_error_no_memory("a part of an image");
    for (uint32_t i = first; i < groups->count; i++)
        if (groups->firsts[i] == first)
            roots[count++] = groups->roots[i];
    const mez_error error = extract(groups->pieces, roots, count, module);
    mez_free_memory(roots);
    return error;
}

mez_error mez_part_extract(
    mez_part *part, const uint32_t *roots, uint32_t count, struct mez_spirv_module **module)
{
    const mez_groups *groups;
    MEZ_TRY(mez_groups_get(part, &groups));
    return extract(groups->pieces, roots, count, module);
}
