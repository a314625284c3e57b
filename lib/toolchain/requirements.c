// SPDX-License-Identifier: MIT
//
// What device code requires, whatever the target, and warnings to its author.

#include "toolchain/code.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/version.h"
#include "check/check.h"
#include "check/describe.h"

static mez_error no_memory(void)
{
    return mez_error_no_memory("what device code requires");
}

// --- Lists

static uint32_t count_kernels(const mez_check_unit *unit)
{
    uint32_t count = 0;
    while (!unit->kernel && mez_check_binary_kernel(unit->binary, count))
        count++;
    return unit->kernel ? 1 : count;
}

static size_t count_all_kernels(const mez_check_units *units)
{
    size_t count = 0;
    for (uint32_t i = 0; i < units->count; i++)
        count += count_kernels(&units->units[i]);
    return count;
}

static void describe_unit(
    mez_code *code, const mez_check_unit *unit, const char **kernels, mez_code_unit *listed)
{
    *listed = (mez_code_unit){
        .binary = (uint32_t)(unit->binary - code->units->binaries),
        .kernel = unit->kernel,
        .kernels = kernels,
        .kernel_count = count_kernels(unit),
        .first_requirement = code->requirements.count,
        .requirement_count = (uint32_t)unit->requirements.count,
    };
    for (uint32_t i = 0; i < listed->kernel_count; i++)
        kernels[i] = unit->kernel ? unit->kernel : mez_check_binary_kernel(unit->binary, i);
}

static mez_error add_requirements(mez_code *code, uint32_t number)
{
    const mez_requirements *all = &code->units->units[number].requirements;
    for (uint32_t i = 0; i < all->count; i++) {
        const mez_requirement *one = &all->items[i];
        const mez_code_requirement listed = {
            .unit = number,
            .kind = one->kind,
            .kind_name = mez_requirement_kind_name(one->kind),
            .of_module = mez_requirement_is_of_module(one->kind),
            .of_compiler = one->kind == MEZ_REQUIRES_ASPECT && one->aspect.compilers,
        };
        if (!mez_vector_push(&code->requirements, listed))
            return no_memory();
    }
    return mez_ok();
}

mez_error mez_code_list_requirements(mez_code *code)
{
    const mez_check_units *units = code->units;
    code->listed_units = mez_alloc_array((size_t)units->count + 1, sizeof *code->listed_units);
    code->unit_kernels = mez_alloc_array(count_all_kernels(units) + 1, sizeof *code->unit_kernels);
    if (!code->listed_units || !code->unit_kernels)
        return no_memory();
    const char **kernels = code->unit_kernels;
    for (uint32_t i = 0; i < units->count; i++) {
        describe_unit(code, &units->units[i], kernels, &code->listed_units[i]);
        kernels += code->listed_units[i].kernel_count;
        MEZ_TRY(add_requirements(code, i));
    }
    return mez_ok();
}

void mez_code_forget_requirements(mez_code *code)
{
    mez_vector_finish(&code->requirements);
    mez_free_memory(code->listed_units);
    mez_free_memory(code->unit_kernels);
}

const mez_requirement *mez_code_find_requirement(const mez_code *code, uint32_t number)
{
    const uint32_t unit = code->requirements.items[number].unit;
    const uint32_t place = number - code->listed_units[unit].first_requirement;
    return &code->units->units[unit].requirements.items[place];
}

// --- Looking at them

uint32_t mez_code_get_unit_count(const mez_code *code)
{
    return code ? code->units->count : 0;
}

const mez_code_unit *mez_code_get_unit(const mez_code *code, uint32_t index)
{
    return index < mez_code_get_unit_count(code) ? &code->listed_units[index] : NULL;
}

uint32_t mez_code_get_requirement_count(const mez_code *code)
{
    return code ? code->requirements.count : 0;
}

const mez_code_requirement *mez_code_get_requirement(const mez_code *code, uint32_t index)
{
    return index < mez_code_get_requirement_count(code) ? &code->requirements.items[index] : NULL;
}

size_t mez_code_get_requirement_value(
    const mez_code *code, uint32_t requirement, char *buffer, size_t size)
{
    mez_text text = {0};
    const mez_code_requirement *listed = mez_code_get_requirement(code, requirement);
    if (listed)
        mez_requirement_add_value(&text, mez_code_find_requirement(code, requirement),
            code->units->units[listed->unit].requirements.numbering);
    mez_bounded copy = mez_bounded_begin(buffer, size);
    mez_bounded_add_string(&copy, mez_text_get(&text));
    mez_text_finish(&text);
    return copy.length;
}

// --- Warnings

static mez_error warn_of(const mez_fixed_targets *fixed, const struct mez_spirv_survey *survey,
    const mez_code_warn_params *params)
{
    struct mez_spirv_problem problem;
    if (mez_spirv_survey_warn(survey, params->warn, params->user, &problem) != MEZ_SPIRV_OK)
        return mez_error_no_memory("warnings");
    return mez_fixed_targets_warn(fixed, survey, params->warn, params->user);
}

static mez_error warn_of_all(
    const mez_code *code, const mez_fixed_targets *fixed, const mez_code_warn_params *params)
{
    for (uint32_t i = 0; i < code->units->binary_count; i++)
        if (code->units->binaries[i].survey)
            MEZ_TRY(warn_of(fixed, code->units->binaries[i].survey, params));
    return mez_ok();
}

mez_error mez_code_warn(const mez_code *code, const mez_code_warn_params *params)
{
    mez_fixed_targets fixed = {0};
    MEZ_REQUIRE(code, NULL);
    MEZ_REQUIRE(params, NULL);
    MEZ_REQUIRE(params->warn, NULL);
    MEZ_TRY_RESERVED(mez_code_warn_params, params);
    if (params->fixed_target_count > 0)
        MEZ_REQUIRE(params->fixed_targets, NULL);
    for (uint32_t i = 0; i < params->fixed_target_count; i++)
        MEZ_REQUIRE(params->fixed_targets[i], NULL);
    MEZ_TRY(mez_fixed_targets_of(params->fixed_targets, params->fixed_target_count, &fixed));
    const mez_error error = warn_of_all(code, &fixed, params);
    mez_fixed_targets_finish(&fixed);
    return error;
}
