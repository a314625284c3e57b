// SPDX-License-Identifier: MIT
//
// Kernels and exported functions, with what decides where they may go, and the images that they go to.

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/declarations.h"
#include "spirv/extract.h"
#include "split/parts.h"

static const struct mez_spirv_modes no_modes;

static void add_root(mez_split *split, mez_split_root root)
{
    root.input = mez_split_input_of(split, root.id);
    root.fixed_number = split->inputs[root.input].fixed_number;
    root.place = split->root_count;
    split->roots[split->root_count++] = root;
}

static void add_kernels(mez_split *split)
{
    const struct mez_spirv_module *module = split->module;
    for (uint32_t i = 0; i < module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *needs = &split->survey->kernels[i];
        const uint32_t function = module->entry_points[i].function;
        add_root(split, (mez_split_root){
                            .name = module->entry_points[i].name,
                            .id = module->functions[function].id,
                            .function = function,
                            .is_kernel = true,
                            .may_assert = needs->may_assert,
                            .aspects = needs->required,
                            .modes = needs->modes,
                        });
    }
}

static void add_functions(mez_split *split)
{
    const struct mez_spirv_module *module = split->module;
    for (uint32_t i = 0; i < module->export_count; i++) {
        if (!module->exports[i].is_function)
            continue;
        const struct mez_spirv_function *function =
            mez_spirv_find_function(module, module->exports[i].id);
        const uint32_t index = (uint32_t)(function - module->functions);
        if (!function->has_body)
            continue;
        add_root(split, (mez_split_root){
                            .name = module->exports[i].name,
                            .id = function->id,
                            .function = index,
                            .may_assert = split->survey->functions[index].may_assert,
                            .aspects = split->survey->functions[index].required,
                            .modes = &no_modes,
                        });
    }
}

// --- Negative aspects

#define MOST_INTERNAL 64 // a bit each

typedef struct internal_aspects {
    int32_t numbers[MOST_INTERNAL];
    uint32_t count;
    uint64_t *by_function; // of the linked module
    bool too_many;
} internal_aspects;

static uint64_t bit_of(internal_aspects *internal, int32_t number)
{
    uint32_t i = 0;
    while (i < internal->count && internal->numbers[i] != number)
        i++;
    if (i == MOST_INTERNAL) {
        internal->too_many = true;
        return 0;
    }
    if (i == internal->count)
        internal->numbers[internal->count++] = number;
    return UINT64_C(1) << i;
}

static void note_internal(void *context, const struct mez_spirv_declaration *declaration)
{
    internal_aspects *internal = context;
    const char *rest = declaration->list, *name;
    size_t length;
    int32_t number;
    while ((name = mez_spirv_next_name(&rest, &length))) {
        if (!mez_spirv_internal_aspect(name, length, &number))
            continue;
        const uint64_t bit = bit_of(internal, number);
        for (uint32_t i = 0; i < declaration->found_count; i++)
            internal->by_function[declaration->found[i]] |= bit;
    }
}

// What all functions that a root reaches have.
static enum mez_spirv_status spread_internal(
    mez_split *split, const internal_aspects *internal, struct mez_spirv_problem *problem)
{
    struct mez_spirv_closure closure;
    enum mez_spirv_status status = mez_spirv_closure_init(split->pieces, problem, &closure);
    closure.code_only = true;
    for (uint32_t r = 0; r < split->root_count && !status; r++) {
        mez_split_root *root = &split->roots[r];
        status = mez_spirv_closure_run(&closure, &root->id, 1, problem);
        for (uint32_t i = 0; i < closure.found.count && !status; i++) {
            const struct mez_spirv_function *function =
                mez_spirv_piece_function(split->pieces, closure.found.items[i]);
            if (function)
                root->internal |= internal->by_function[function - split->module->functions];
        }
    }
    mez_spirv_closure_finish(&closure);
    return status;
}

static mez_error find_internal(mez_split *split)
{
    struct mez_spirv_problem problem = {0};
    internal_aspects internal = {
        .by_function = mez_alloc_array(split->module->function_count + 1, sizeof(uint64_t))};
    if (!internal.by_function)
        return mez_error_no_memory("splitting device code");
    enum mez_spirv_status status =
        mez_spirv_each_declaration(split->module, note_internal, &internal, &problem);
    if (!status && internal.count)
        status = spread_internal(split, &internal, &problem);
    mez_free_memory(internal.by_function);
    if (internal.too_many)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "device code declares more than %d different negative aspects", MOST_INTERNAL);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, "");
}

static mez_error list_roots(mez_split *split, bool kernels_only)
{
    const struct mez_spirv_module *module = split->module;
    split->roots = mez_alloc_array(
        (size_t)module->entry_point_count + module->export_count + 1, sizeof *split->roots);
    if (!split->roots)
        return mez_error_no_memory("splitting device code");
    add_kernels(split);
    if (!kernels_only)
        add_functions(split);
    return find_internal(split);
}

// --- Bundles: what the mode puts together

#define MOST_GROWTH 2 // auto: how often, on average, code may be copied

// Several kernels with one function can't be distinguished.
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

static mez_error find_sharing(mez_split *split)
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
    for (uint32_t i = 0; i < closure->found.count; i++) {
        const struct mez_spirv_piece *piece = &closure->pieces->pieces[closure->found.items[i]];
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

// A function's address can't be used in another image, so that those who may hand one on stay together.
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

static mez_error bundle(mez_split *split, mez_split_mode mode)
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

// --- Images: sorted by all that distinguishes them, roots that share one are neighbours

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_modes(const struct mez_spirv_modes *a, const struct mez_spirv_modes *b)
{
    int order = compare_numbers(a->has_local_size, b->has_local_size);
    for (uint32_t i = 0; i < 3 && !order && a->has_local_size; i++)
        order = compare_numbers(a->local_size[i], b->local_size[i]);
    return order ? order : compare_numbers(a->sub_group_size, b->sub_group_size);
}

// 0: they share an image.
static int compare_keys(const mez_split_root *a, const mez_split_root *b)
{
    int order = compare_numbers(a->fixed_number, b->fixed_number);
    if (!order)
        order = compare_numbers(a->bundle, b->bundle);
    if (order || a->fixed_number)
        return order;
    order = memcmp(&a->aspects, &b->aspects, sizeof a->aspects);
    if (!order)
        order = compare_numbers(a->internal, b->internal);
    return order ? order : compare_modes(a->modes, b->modes);
}

static int compare_roots(const void *a, const void *b)
{
    const mez_split_root *left = *(mez_split_root *const *)a, *right = *(mez_split_root *const *)b;
    const int order = compare_keys(left, right);
    return order ? order : compare_numbers(left->place, right->place);
}

// Gives equal roots, which are neighbours in `sorted`, the place of their first one as a number.
static void mark_equal(mez_split_root **sorted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const bool same = i && compare_keys(sorted[i - 1], sorted[i]) == 0;
        sorted[i]->image = same ? sorted[i - 1]->image : sorted[i]->place;
    }
}

// Images in the order of their first roots.
static uint32_t number_images(mez_split *split)
{
    uint32_t images = 0;
    for (uint32_t i = 0; i < split->root_count; i++) {
        mez_split_root *root = &split->roots[i];
        root->image = root->image == i ? images++ : split->roots[root->image].image;
    }
    return images;
}

static void fill_images(mez_split *split)
{
    for (uint32_t i = 0; i < split->root_count; i++)
        split->images[split->roots[i].image].count++;
    for (uint32_t i = 1; i < split->image_count; i++)
        split->images[i].first = split->images[i - 1].first + split->images[i - 1].count;
    for (uint32_t i = 0; i < split->image_count; i++)
        split->images[i].count = 0;
    for (uint32_t i = 0; i < split->root_count; i++) {
        mez_split_group *image = &split->images[split->roots[i].image];
        split->order[image->first + image->count++] = i;
    }
}

static mez_error group_roots(mez_split *split)
{
    const uint32_t count = split->root_count;
    mez_split_root **sorted = mez_alloc_array(count + 1, sizeof *sorted);
    split->order = mez_alloc_array(count + 1, sizeof *split->order);
    if (sorted && split->order) {
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = &split->roots[i];
        qsort(sorted, count, sizeof *sorted, compare_roots);
        mark_equal(sorted, count);
        const uint32_t images = number_images(split);
        split->images = mez_alloc_array(images + 1, sizeof *split->images);
        split->image_count = split->images ? images : 0;
    }
    mez_free_memory(sorted);
    if (!split->images)
        return mez_error_no_memory("splitting device code");
    fill_images(split);
    return mez_ok();
}

mez_error mez_split_place_roots(mez_split *split, const mez_split_params *params)
{
    MEZ_TRY(list_roots(split, params->kernels_only));
    MEZ_TRY(find_sharing(split));
    MEZ_TRY(bundle(split, params->mode));
    return group_roots(split);
}
