// SPDX-License-Identifier: MIT
//
// Kernels and exported functions, with what decides where they may go.

#include <string.h>

#include "base/alloc.h"
#include "spirv/closure.h"
#include "spirv/declarations.h"
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
        for (uint32_t i = 0; i < closure.count && !status; i++) {
            const struct mez_spirv_function *function =
                mez_spirv_piece_function(split->pieces, closure.found[i]);
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

mez_error mez_split_list_roots(mez_split *split, bool kernels_only)
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
