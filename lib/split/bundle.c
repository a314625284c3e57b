// SPDX-License-Identifier: MIT
//
// What the mode puts together.

#include <string.h>

#include "base/alloc.h"
#include "spirv/closure.h"
#include "spirv/shared.h"
#include "split/parts.h"

#define MOST_GROWTH 2 // auto: how often, on average, code may be copied

// Several kernels with one function can't be told apart.
static mez_error bundle_kernels(mez_split *split)
{
    const uint32_t count = split->module->function_count;
    uint32_t *first = mez_alloc_array(count + 1, sizeof *first);
    if (!first)
        return mez_error_no_memory("splitting device code");
    for (uint32_t i = 0; i < split->root_count; i++) {
        mez_split_root *root = &split->roots[i];
        if (!first[root->function])
            first[root->function] = i + 1;
        root->bundle = first[root->function] - 1;
    }
    mez_free_memory(first);
    return mez_ok();
}

static void bundle_sources(mez_split *split)
{
    for (uint32_t i = 0; i < split->root_count; i++)
        split->roots[i].bundle = split->roots[i].input;
}

static void bundle_sharing(mez_split *split)
{
    for (uint32_t i = 0; i < split->root_count; i++)
        split->roots[i].bundle = split->sharing[i];
}

mez_error mez_split_find_sharing(mez_split *split)
{
    const uint32_t count = split->root_count;
    uint32_t *roots = mez_alloc_array(count + 1, sizeof *roots);
    split->sharing = mez_alloc_array(count + 1, sizeof *split->sharing);
    split->shared_variables = mez_alloc_array(count + 1, sizeof *split->shared_variables);
    struct mez_spirv_problem problem = {0};
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    if (roots && split->sharing && split->shared_variables) {
        for (uint32_t i = 0; i < count; i++)
            roots[i] = split->roots[i].id;
        status = mez_spirv_shared_variables(
            split->pieces, roots, count, &problem, split->sharing, split->shared_variables);
    }
    mez_free_memory(roots);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, "");
}

static uint64_t words_found(const struct mez_spirv_closure *closure)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < closure->count; i++) {
        const struct mez_spirv_piece *piece = &closure->pieces->pieces[closure->found[i]];
        words += piece->end - piece->first;
    }
    return words;
}

// Whether images of single kernels would hold little more code than there was.
static mez_error measure_growth(const mez_split *split, bool *is_small)
{
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_closure closure;
    uint64_t words = 0, most = (uint64_t)split->module->word_count * MOST_GROWTH;
    enum mez_spirv_status status = mez_spirv_closure_init(split->pieces, &problem, &closure);
    closure.code_only = true;
    for (uint32_t i = 0; i < split->root_count && !status && words <= most; i++) {
        status = mez_spirv_closure_run(&closure, &split->roots[i].id, 1, &problem);
        words += words_found(&closure);
    }
    mez_spirv_closure_finish(&closure);
    *is_small = words <= most;
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, "");
}

// A function's address is worth nothing in another image, so that those who may hand one on stay together.
static mez_error bundle_automatically(mez_split *split)
{
    bool is_small = false;
    if (split->module->address_taken_count)
        return mez_ok();
    MEZ_TRY(measure_growth(split, &is_small));
    if (is_small)
        bundle_sharing(split);
    else
        bundle_sources(split);
    return mez_ok();
}

mez_error mez_split_bundle(mez_split *split, mez_split_mode mode)
{
    switch (mode) {
    case MEZ_SPLIT_PER_KERNEL:
        return bundle_kernels(split);
    case MEZ_SPLIT_PER_SOURCE:
        bundle_sources(split);
        return mez_ok();
    case MEZ_SPLIT_OFF: // they all have the same
        return mez_ok();
    default:
        return bundle_automatically(split);
    }
}
