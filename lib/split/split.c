// SPDX-License-Identifier: MIT
//
// Reading the sources, making one module of them, and the order of the steps.

#include "split/split.h"

#include <string.h>

#include "base/alloc.h"
#include "spirv/link.h"
#include "spirv/reader.h"
#include "spirv/warnings.h"
#include "split/parts.h"

mez_error mez_split_spirv_error(enum mez_spirv_status status,
    const struct mez_spirv_problem *problem, mez_condition condition, const char *what)
{
    if (status == MEZ_SPIRV_OK)
        return mez_ok();
    if (status == MEZ_SPIRV_NO_MEMORY)
        return mez_error_no_memory("splitting device code");
    const mez_error error =
        mez_error_make(condition, "%s%s%s", what, *what ? ": " : "", problem->text);
    return problem->word ? mez_error_add(error, "place", "word %zu", problem->word) : error;
}

// --- Sources

static mez_error number_fixed_targets(mez_split *split)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < split->input_count; i++) {
        mez_split_input *input = &split->inputs[i];
        for (uint32_t j = 0; j < i && input->fixed.count && !input->fixed_number; j++) {
            if (mez_fixed_set_equal(&split->inputs[j].fixed, &input->fixed))
                input->fixed_number = split->inputs[j].fixed_number;
        }
        if (input->fixed.count && !input->fixed_number)
            input->fixed_number = ++numbers;
    }
    return mez_ok();
}

static mez_error read_source(
    const mez_split_source *source, const mez_requirements_writing *writing, mez_split_input *input)
{
    struct mez_spirv_problem problem = {0};
    input->name = mez_copy_string(source->name);
    if (!input->name)
        return mez_error_no_memory("splitting device code");
    MEZ_TRY(mez_fixed_set_make(source, writing->numbering, &input->fixed));
    enum mez_spirv_status status =
        mez_spirv_module_create(source->code, source->size, &problem, &input->module);
    if (status == MEZ_SPIRV_OK)
        status =
            mez_spirv_survey_create(input->module, MEZ_SURVEY_VALUES, &problem, &input->survey);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, source->name);
}

static mez_error read_sources(mez_split *split, const mez_split_params *params)
{
    split->inputs = mez_alloc_array(params->source_count, sizeof *split->inputs);
    if (!split->inputs)
        return mez_error_no_memory("splitting device code");
    split->input_count = params->source_count;
    for (uint32_t i = 0; i < split->input_count; i++)
        MEZ_TRY(read_source(&params->sources[i], &split->writing, &split->inputs[i]));
    return number_fixed_targets(split);
}

// --- One module

static enum mez_spirv_status link_inputs(mez_split *split, struct mez_spirv_link_input *parts,
    uint32_t *first_ids, struct mez_spirv_problem *problem)
{
    uint32_t *words, count;
    for (uint32_t i = 0; i < split->input_count; i++)
        parts[i] = (struct mez_spirv_link_input){split->inputs[i].module, split->inputs[i].name};
    enum mez_spirv_status status =
        mez_spirv_link(parts, split->input_count, problem, first_ids, &words, &count);
    if (!status)
        status = mez_spirv_module_create(
            words, (size_t)count * sizeof *words, problem, &split->linked_module);
    if (!status)
        status = mez_spirv_survey_create(
            split->linked_module, MEZ_SURVEY_VALUES, problem, &split->linked_survey);
    for (uint32_t i = 0; i < split->input_count && !status; i++)
        split->inputs[i].first_id = first_ids[i];
    mez_free_memory(words);
    return status;
}

static mez_error link_sources(mez_split *split)
{
    if (split->input_count == 1) {
        split->module = split->inputs[0].module;
        split->survey = split->inputs[0].survey;
        return mez_ok();
    }
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_link_input *parts = mez_alloc_array(split->input_count, sizeof *parts);
    uint32_t *first_ids = mez_alloc_array(split->input_count, sizeof *first_ids);
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    if (parts && first_ids)
        status = link_inputs(split, parts, first_ids, &problem);
    mez_free_memory(first_ids);
    mez_free_memory(parts);
    split->module = split->linked_module;
    split->survey = split->linked_survey;
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_LINK_PROGRAM, "");
}

uint32_t mez_split_input_of(const mez_split *split, uint32_t id)
{
    uint32_t low = 0, high = split->input_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (split->inputs[middle].first_id <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t mez_split_function_in(const mez_split *split, uint32_t input, uint32_t id)
{
    const mez_split_input *from = &split->inputs[input];
    const struct mez_spirv_module *module = from->module;
    const struct mez_spirv_def *def =
        from->first_id ? &module->defs[id - from->first_id] : mez_spirv_find_def(module, id);
    return (uint32_t)(mez_spirv_find_function(module, def->id) - module->functions);
}

// --- Warnings of each source by itself

typedef struct listener {
    const mez_split_params *params;
} listener;

static void pass_on(void *context, const char *text)
{
    const mez_split_params *params = ((const listener *)context)->params;
    params->warn(params->context, text);
}

static mez_error warn_of_uses(const mez_split *split, const mez_split_params *params)
{
    listener listener = {params};
    struct mez_spirv_problem problem = {0};
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 0; params->warn && i < split->input_count && !status; i++)
        status = mez_spirv_survey_warn(split->inputs[i].survey, pass_on, &listener, &problem);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, "");
}

// --- All of it

static mez_error make_split(mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_problem problem = {0};
    MEZ_TRY(read_sources(split, params));
    MEZ_TRY(warn_of_uses(split, params));
    MEZ_TRY(link_sources(split));
    MEZ_TRY(mez_split_spirv_error(mez_spirv_pieces_create(split->module, &problem, &split->pieces),
        &problem, MEZ_ERRC_INVALID_IMAGE, ""));
    MEZ_TRY(mez_split_list_roots(split, params->kernels_only));
    MEZ_TRY(mez_split_find_sharing(split));
    MEZ_TRY(mez_split_bundle(split, params->mode));
    MEZ_TRY(mez_split_group_roots(split));
    MEZ_TRY(mez_split_check_images(split, params));
    mez_split_warn_of_sharing(split, params);
    return mez_split_warn_of_variables(split, params);
}

mez_error mez_split_create(const mez_split_params *params, mez_split **split)
{
    *split = mez_new(mez_split);
    if (!*split)
        return mez_error_no_memory("splitting device code");
    (*split)->writing = params->writing;
    (*split)->without_debug_info = params->without_debug_info;
    const mez_error error = make_split(*split, params);
    mez_free_memory((*split)->sharing);
    mez_free_memory((*split)->shared_variables);
    (*split)->sharing = (*split)->shared_variables = NULL;
    if (mez_failed(error))
        mez_split_destroy(split);
    return error;
}

static void finish_input(mez_split_input *input)
{
    mez_spirv_survey_destroy(&input->survey);
    mez_spirv_module_destroy(&input->module);
    mez_free_memory(input->fixed.values);
    mez_free_memory(input->name);
}

void mez_split_destroy(mez_split **split)
{
    mez_split *old = *split;
    *split = NULL;
    if (!old)
        return;
    for (uint32_t i = 0; i < old->image_count; i++)
        mez_free_memory(old->images[i].fixed.values);
    mez_free_memory(old->images);
    mez_free_memory(old->order);
    mez_free_memory(old->roots);
    mez_spirv_pieces_destroy(&old->pieces);
    mez_spirv_survey_destroy(&old->linked_survey);
    mez_spirv_module_destroy(&old->linked_module);
    for (uint32_t i = 0; i < old->input_count; i++)
        finish_input(&old->inputs[i]);
    mez_free_memory(old->inputs);
    mez_free_memory(old);
}

uint32_t mez_split_image_count(const mez_split *split)
{
    return split->image_count;
}

const struct mez_spirv_survey *mez_split_survey(const mez_split *split, uint32_t source)
{
    return split->inputs[source].survey;
}
