// SPDX-License-Identifier: MIT
//
// The order of the steps.

#include "split/split.h"

#include "base/alloc.h"
#include "spirv/reader.h"
#include "split/parts.h"

static mez_error make_split(mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_problem problem = {0};
    MEZ_TRY(mez_split_read_sources(split, params));
    MEZ_TRY(mez_split_link_sources(split));
    MEZ_TRY(mez_split_spirv_error(mez_spirv_pieces_create(split->module, &problem, &split->pieces),
        &problem, MEZ_ERRC_INVALID_IMAGE, ""));
    MEZ_TRY(mez_split_place_roots(split, params));
    return mez_split_check(split, params);
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
