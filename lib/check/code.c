// SPDX-License-Identifier: MIT
//
// Requirements that a survey of the code finds.

#include "check/requirements.h"

#include "spirv/aspects.h"
#include "spirv/asserts.h"
#include "spirv/capabilities.h"
#include "spirv/signature.h"

bool mez_aspect_is_reported(mez_aspect aspect)
{
    switch (aspect) {
    case MEZ_ASPECT_fp16:
    case MEZ_ASPECT_fp64:
    case MEZ_ASPECT_atomic64:
    case MEZ_ASPECT_image:
    case MEZ_ASPECT_ext_intel_legacy_image:
    case MEZ_ASPECT_ext_intel_esimd:
    case MEZ_ASPECT_ext_intel_matrix:
        return true;
    default:
        return false;
    }
}

// A note in the code is a declaration as well. Asked only where it matters: the place has to be looked for.
static bool is_only_used(mez_aspect aspect, const mez_aspects *declared,
    const struct mez_spirv_survey *survey, uint32_t function)
{
    struct mez_spirv_place place = {0};
    if (mez_aspects_has(declared, aspect))
        return false;
    if (mez_aspect_is_reported(aspect))
        return true;
    mez_spirv_survey_find_use(survey, function, aspect, &place);
    const bool noted = place.declared;
    mez_spirv_place_finish(&place);
    return !noted;
}

// Which compilers need the doubles that code uses: what the first generation refuses is in the survey. 0: all of them.
static enum mez_spirv_status find_compilers(
    const struct mez_spirv_survey *survey, uint32_t function, bool by_first, uint32_t *compilers)
{
    struct mez_spirv_problem problem;
    bool by_second;
    *compilers = 0;
    const enum mez_spirv_status status = mez_spirv_uses_doubles(
        survey->module, function, MEZ_SURVEY_VALUES_OF_IGC_2, &problem, &by_second);
    if (!status && by_first != by_second)
        *compilers = MEZ_IGC_BIT(by_first ? MEZ_IGC_1 : MEZ_IGC_2);
    return status;
}

// What a note in the code says it uses is the author's word.
static bool is_noted(const struct mez_spirv_survey *survey, uint32_t function, mez_aspect aspect)
{
    struct mez_spirv_place place = {0};
    mez_spirv_survey_find_use(survey, function, aspect, &place);
    const bool noted = place.declared;
    mez_spirv_place_finish(&place);
    return noted;
}

static mez_error add_aspects(mez_requirements *requirements, const mez_aspects *required,
    const mez_aspects *declared, const struct mez_spirv_survey *survey, uint32_t function)
{
    mez_aspects_each(required, aspect)
    {
        mez_requirement requirement = {
            .kind = MEZ_REQUIRES_ASPECT,
            .aspect.name = aspect,
            .aspect.only_used = is_only_used(aspect, declared, survey, function),
            .survey = survey,
            .function = function,
        };
        const bool differs = aspect == MEZ_ASPECT_fp64 && requirement.aspect.only_used &&
                             survey->mode == MEZ_SURVEY_VALUES &&
                             !is_noted(survey, function, aspect);
        if (differs && find_compilers(survey, function, true, &requirement.aspect.compilers))
            return mez_error_no_memory("what a kernel requires");
        MEZ_TRY(mez_requirements_add(requirements, &requirement));
    }
    return mez_ok();
}

// Doubles that only later generations see.
static mez_error add_later_doubles(mez_requirements *requirements, const mez_aspects *required,
    const struct mez_spirv_survey *survey, uint32_t function)
{
    mez_requirement requirement = {
        .kind = MEZ_REQUIRES_ASPECT,
        .aspect.name = MEZ_ASPECT_fp64,
        .aspect.only_used = true,
        .survey = survey,
        .function = function,
    };
    if (mez_aspects_has(required, MEZ_ASPECT_fp64) || survey->mode != MEZ_SURVEY_VALUES)
        return mez_ok();
    if (find_compilers(survey, function, false, &requirement.aspect.compilers))
        return mez_error_no_memory("what a kernel requires");
    return requirement.aspect.compilers ? mez_requirements_add(requirements, &requirement)
                                        : mez_ok();
}

// `compilers`: those that may need doubles for arrays of vectors as well; 0: structs, for which any may.
static mez_error add_kept_doubles_for(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs,
    uint32_t compilers)
{
    struct mez_spirv_problem problem;
    bool has;
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_ASPECT,
        .aspect.name = MEZ_ASPECT_fp64,
        .aspect.perhaps = true,
        .aspect.compilers = compilers,
        .survey = survey,
        .function = needs->kernel->function,
    };
    if (mez_spirv_has_double_variables(
            survey->module, requirement.function, compilers != 0, &problem, &has) != MEZ_SPIRV_OK)
        return mez_error_no_memory("what a kernel requires");
    return has ? mez_requirements_add(requirements, &requirement) : mez_ok();
}

static mez_error add_kept_doubles(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs)
{
    const uint32_t before = requirements->count;
    if (mez_aspects_has(&needs->required, MEZ_ASPECT_fp64))
        return mez_ok();
    MEZ_TRY(add_kept_doubles_for(requirements, survey, needs, 0));
    if (requirements->count > before)
        return mez_ok();
    return add_kept_doubles_for(requirements, survey, needs, MEZ_IGC_BIT(MEZ_IGC_2));
}

static mez_error add_sub_group_size(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs)
{
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_SUB_GROUP_SIZE,
        .sub_group_size = needs->modes->sub_group_size,
        .survey = survey,
        .function = needs->kernel->function,
    };
    const bool formality = mez_aspects_has(&needs->required, MEZ_ASPECT_ext_intel_esimd);
    if (requirement.sub_group_size == 0 || formality)
        return mez_ok();
    return mez_requirements_add(requirements, &requirement);
}

static mez_error add_group_size(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs)
{
    const uint32_t *size = needs->modes->local_size;
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_GROUP_SIZE,
        .group.sizes = {size[0], size[1], size[2]}, // SPIR-V always has three
        .survey = survey,
        .function = needs->kernel->function,
    };
    if (!needs->modes->has_local_size)
        return mez_ok();
    return mez_requirements_add(requirements, &requirement);
}

// The whole module is summed up once; most have less than would matter.
static mez_error add_local_memory(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs)
{
    struct mez_spirv_problem problem;
    mez_requirement requirement = {
        .kind = MEZ_REQUIRES_LOCAL_MEMORY,
        .survey = survey,
        .function = needs->kernel->function,
    };
    if (survey->local_memory <= MEZ_LEAST_LOCAL_MEMORY)
        return mez_ok();
    if (mez_spirv_local_memory(
            survey->module, requirement.function, &problem, &requirement.bytes) != MEZ_SPIRV_OK)
        return mez_error_no_memory("what a kernel requires");
    if (requirement.bytes <= MEZ_LEAST_LOCAL_MEMORY)
        return mez_ok();
    return mez_requirements_add(requirements, &requirement);
}

// As Intel's compiler adds them up: one behind the other, without holes; an image or a sampler takes the room of a pointer.
static uint64_t sum_arguments(
    const struct mez_spirv_module *module, const struct mez_spirv_signature *signature)
{
    const uint64_t pointer = module->addressing_model == MEZ_ADDRESSING_PHYSICAL32 ? 4 : 8;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct mez_spirv_argument *argument = &signature->arguments[i];
        const bool handle =
            argument->kind == MEZ_ARGUMENT_IMAGE || argument->kind == MEZ_ARGUMENT_SAMPLER;
        const uint64_t size = handle ? pointer : argument->size;
        sum = size <= UINT64_MAX - sum ? sum + size : UINT64_MAX;
    }
    return sum;
}

static mez_error add_arguments(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs)
{
    struct mez_spirv_problem problem;
    struct mez_spirv_signature signature;
    if (mez_spirv_signature_init(survey->module, needs->kernel, &problem, &signature) !=
        MEZ_SPIRV_OK)
        return mez_error_no_memory("what a kernel requires");
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_ARGUMENTS,
        .bytes = sum_arguments(survey->module, &signature),
        .survey = survey,
        .function = needs->kernel->function,
    };
    mez_spirv_signature_finish(&signature);
    if (requirement.bytes <= MEZ_LEAST_ARGUMENTS)
        return mez_ok();
    return mez_requirements_add(requirements, &requirement);
}

static mez_error add_version(
    mez_requirements *requirements, const struct mez_spirv_survey *survey, uint32_t function)
{
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_SPIRV_VERSION,
        .spirv_version = UINT32_C(1) << 16 | survey->module->minor_version,
        .survey = survey,
        .function = function,
    };
    return mez_requirements_add(requirements, &requirement);
}

static mez_error add_features(
    mez_requirements *requirements, const struct mez_spirv_survey *survey, uint32_t function)
{
    const struct mez_spirv_module *module = survey->module;
    mez_requirement requirement = {.survey = survey, .function = function};
    requirement.kind = MEZ_REQUIRES_CAPABILITY;
    for (uint32_t i = 0; i < module->capability_count; i++) {
        requirement.capability = module->capabilities[i];
        if (mez_spirv_capability_is_unmapped(requirement.capability))
            MEZ_TRY(mez_requirements_add(requirements, &requirement));
    }
    requirement.kind = MEZ_REQUIRES_EXTENSION;
    for (uint32_t i = 0; i < module->extension_count; i++) {
        requirement.extension = module->extensions[i];
        if (mez_spirv_extension_is_unmapped(requirement.extension))
            MEZ_TRY(mez_requirements_add(requirements, &requirement));
    }
    return mez_ok();
}

static const struct mez_spirv_symbol *find_import(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    for (uint32_t i = 0; i < module->import_count; i++)
        if (module->imports[i].id == function->id)
            return &module->imports[i];
    return NULL;
}

mez_error mez_requirements_add_assert(
    mez_requirements *requirements, const struct mez_spirv_survey *survey, uint32_t function)
{
    const struct mez_spirv_module *module = survey->module;
    const struct mez_spirv_function *called = mez_spirv_find_assert(module);
    char deviation[MEZ_ASSERT_DEVIATION_ROOM];
    if (!called || !survey->functions[function].may_assert ||
        !mez_spirv_assert_deviates(module, called, deviation))
        return mez_ok();
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_ASSERT_FUNCTION,
        .import = find_import(module, called),
        .survey = survey,
        .function = function,
    };
    return mez_requirements_add(requirements, &requirement);
}

mez_error mez_requirements_add_kernel(mez_requirements *requirements,
    const struct mez_spirv_survey *survey, const struct mez_spirv_kernel_needs *needs)
{
    const uint32_t function = needs->kernel->function;
    MEZ_TRY(add_aspects(requirements, &needs->required, &needs->declared, survey, function));
    MEZ_TRY(add_later_doubles(requirements, &needs->required, survey, function));
    MEZ_TRY(add_kept_doubles(requirements, survey, needs));
    MEZ_TRY(add_sub_group_size(requirements, survey, needs));
    MEZ_TRY(add_group_size(requirements, survey, needs));
    MEZ_TRY(add_local_memory(requirements, survey, needs));
    MEZ_TRY(add_arguments(requirements, survey, needs));
    MEZ_TRY(mez_requirements_add_assert(requirements, survey, function));
    MEZ_TRY(add_version(requirements, survey, function));
    return add_features(requirements, survey, function);
}

mez_error mez_requirements_add_function(
    mez_requirements *requirements, const struct mez_spirv_survey *survey, uint32_t function)
{
    const struct mez_spirv_function_needs *needs = &survey->functions[function];
    MEZ_TRY(add_aspects(requirements, &needs->required, &needs->declared, survey, function));
    MEZ_TRY(add_later_doubles(requirements, &needs->required, survey, function));
    return mez_requirements_add_assert(requirements, survey, function);
}
