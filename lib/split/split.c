// SPDX-License-Identifier: MIT
//
// The order of the steps.

#include "split/split.h"

#include "base/alloc.h"
#include "base/reserved.h"
#include "check/check.h"
#include "spirv/module.h"
#include "split/parts.h"

static mez_error warn_of_source(
    const mez_split_input *input, const mez_split_source *source, const mez_split_params *params)
{
    mez_fixed_targets targets;
    if (source->fixed_target_count == 0)
        return mez_ok();
    MEZ_TRY(mez_fixed_targets_of(source->fixed_targets, source->fixed_target_count, &targets));
    const mez_error error =
        mez_fixed_targets_warn(&targets, input->survey, params->warn, params->user);
    mez_fixed_targets_finish(&targets);
    return error;
}

// What the fixed targets of each source lack, as far as that source knows by itself.
static mez_error warn_of_fixed_targets(const mez_split *split, const mez_split_params *params)
{
    for (uint32_t i = 0; params->warn && i < split->input_count; i++)
        MEZ_TRY(warn_of_source(&split->inputs[i], &params->sources[i], params));
    return mez_ok();
}

static mez_error make_split(mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_problem problem = {0};
    MEZ_TRY(mez_split_read_sources(split, params));
    MEZ_TRY(mez_split_link_sources(split));
    MEZ_TRY(mez_split_spirv_error(mez_spirv_pieces_create(split->module, &problem, &split->pieces),
        &problem, MEZ_ERRC_INVALID_IMAGE, ""));
    MEZ_TRY(mez_split_place_roots(split, params));
    MEZ_TRY(mez_split_check(split, params));
    return warn_of_fixed_targets(split, params);
}

static mez_error check_source(const mez_split_source *source, uint32_t index)
{
    MEZ_TRY_RESERVED(mez_split_source, source);
    const char *missing = !source->code ? "code" : (!source->name ? "name" : NULL);
    if (source->fixed_target_count > 0 && !source->fixed_targets)
        missing = "fixed_targets";
    for (uint32_t i = 0; !missing && i < source->fixed_target_count; i++)
        if (!source->fixed_targets[i])
            missing = "fixed target";
    return missing ? mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                         "mez_split_create: %s of source %u is NULL", missing, (unsigned)index)
                   : mez_ok();
}

static mez_error check_params(const mez_split_params *params)
{
    MEZ_REQUIRE_OF("mez_split_create", params, NULL);
    MEZ_REQUIRE_OF("mez_split_create", params->sources, NULL);
    MEZ_TRY_RESERVED(mez_split_params, params);
    for (uint32_t i = 0; i < params->source_count; i++)
        MEZ_TRY(check_source(&params->sources[i], i));
    if (params->mode > MEZ_SPLIT_OFF)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "mez_split_create: %u is not a mez_split_mode", (unsigned)params->mode);
    return params->source_count > 0 ? mez_ok()
                                    : mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                                          "mez_split_create needs at least one source");
}

mez_error mez_split_create(const mez_split_params *params, mez_split **split)
{
    MEZ_REQUIRE(split, NULL);
    *split = NULL;
    MEZ_TRY(check_params(params));
    *split = mez_new(mez_split);
    if (!*split)
        return mez_error_no_memory("splitting device code");
    (*split)->writing = (mez_requirements_writing){
        .numbering = params->renumbered_aspects ? MEZ_ASPECTS_RENUMBERED : MEZ_ASPECTS_CLASSIC,
        .doc_names = params->doc_names,
    };
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
    if (!split)
        return;
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

uint32_t mez_split_get_image_count(const mez_split *split)
{
    return split ? split->image_count : 0;
}

const mez_requirements_writing *mez_split_get_writing(const mez_split *split)
{
    return &split->writing;
}
