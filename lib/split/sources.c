// SPDX-License-Identifier: MIT
//
// Reading the sources, and making one module of them.

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/link.h"
#include "spirv/module.h"
#include "spirv/survey.h"
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

// --- Fixed targets as numbers: an ip version without its revision, or where a target has none the aspect that it is

#define IP_REVISION 0x3Fu

static bool value_of(const mez_target *target, mez_aspect_numbering numbering, uint32_t *value)
{
    if (target->ip_version_count) {
        *value = target->ip_versions[0] & ~IP_REVISION;
        return true;
    }
    return mez_target_has(target, MEZ_ASPECT_cpu) && !mez_target_has(target, MEZ_ASPECT_gpu) &&
           mez_aspect_get_number(MEZ_ASPECT_cpu, numbering, value);
}

static int compare_values(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void sort_values(mez_fixed_set *set)
{
    uint32_t kept = 0;
    qsort(set->values, set->count, sizeof *set->values, compare_values);
    for (uint32_t i = 0; i < set->count; i++) {
        if (kept == 0 || set->values[kept - 1] != set->values[i])
            set->values[kept++] = set->values[i];
    }
    set->count = kept;
}

static mez_error fixed_set_make(
    const mez_split_source *source, mez_aspect_numbering numbering, mez_fixed_set *set)
{
    set->values = mez_alloc_array(source->fixed_target_count + 1, sizeof *set->values);
    if (!set->values)
        return mez_error_no_memory("fixed targets");
    for (uint32_t i = 0; i < source->fixed_target_count; i++) {
        const mez_target *target = source->fixed_targets[i];
        if (!value_of(target, numbering, &set->values[set->count++]))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "\"%s\" can't be a fixed target: it is not a single architecture that a property "
                "can name",
                target->name);
    }
    sort_values(set);
    return mez_ok();
}

static bool fixed_set_equal(const mez_fixed_set *a, const mez_fixed_set *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->values, b->values, a->count * sizeof *a->values) == 0);
}

mez_error mez_fixed_set_copy(const mez_fixed_set *from, mez_fixed_set *copy)
{
    copy->values = mez_alloc_array(from->count + 1, sizeof *copy->values);
    if (!copy->values)
        return mez_error_no_memory("fixed targets");
    copy->count = from->count;
    if (from->count)
        memcpy(copy->values, from->values, from->count * sizeof *copy->values);
    return mez_ok();
}

void mez_fixed_set_cut(mez_fixed_set *set, const mez_fixed_set *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (other->count && bsearch(&set->values[i], other->values, other->count,
                                sizeof *other->values, compare_values))
            set->values[kept++] = set->values[i];
    }
    set->count = kept;
}

// --- Sources

static void number_fixed_targets(mez_split *split)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < split->input_count; i++) {
        mez_split_input *input = &split->inputs[i];
        for (uint32_t j = 0; j < i && input->fixed.count && !input->fixed_number; j++) {
            if (fixed_set_equal(&split->inputs[j].fixed, &input->fixed))
                input->fixed_number = split->inputs[j].fixed_number;
        }
        if (input->fixed.count && !input->fixed_number)
            input->fixed_number = ++numbers;
    }
}

static mez_error read_source(
    const mez_split_source *source, const mez_requirements_writing *writing, mez_split_input *input)
{
    struct mez_spirv_problem problem = {0};
    input->name = mez_copy_string(source->name);
    if (!input->name)
        return mez_error_no_memory("splitting device code");
    MEZ_TRY(fixed_set_make(source, writing->numbering, &input->fixed));
    enum mez_spirv_status status =
        mez_spirv_module_create(source->code, source->size, &problem, &input->module);
    if (status == MEZ_SPIRV_OK)
        status =
            mez_spirv_survey_create(input->module, MEZ_SURVEY_VALUES, &problem, &input->survey);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, source->name);
}

static mez_error warn_of_uses(const mez_split *split, const mez_split_params *params)
{
    struct mez_spirv_problem problem = {0};
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 0; params->warn && i < split->input_count && !status; i++)
        status =
            mez_spirv_survey_warn(split->inputs[i].survey, params->warn, params->user, &problem);
    return mez_split_spirv_error(status, &problem, MEZ_ERRC_INVALID_IMAGE, "");
}

mez_error mez_split_read_sources(mez_split *split, const mez_split_params *params)
{
    split->inputs = mez_alloc_array(params->source_count, sizeof *split->inputs);
    if (!split->inputs)
        return mez_error_no_memory("splitting device code");
    split->input_count = params->source_count;
    for (uint32_t i = 0; i < split->input_count; i++)
        MEZ_TRY(read_source(&params->sources[i], &split->writing, &split->inputs[i]));
    number_fixed_targets(split);
    return warn_of_uses(split, params);
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

mez_error mez_split_link_sources(mez_split *split)
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
