// SPDX-License-Identifier: MIT

#include "check/units.h"

#include <string.h>

#include "base/alloc.h"
#include "spirv/module.h"

static mez_error from_status(
    enum mez_spirv_status status, const struct mez_spirv_problem *problem, const mez_binary *binary)
{
    if (status == MEZ_SPIRV_OK)
        return mez_ok();
    if (status == MEZ_SPIRV_NO_MEMORY)
        return mez_error_no_memory("a survey of code");
    return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: %s", binary->source, problem->text);
}

static mez_error survey_code(mez_check_binary *checked, enum mez_spirv_survey_mode mode)
{
    const mez_binary *binary = checked->binary;
    struct mez_spirv_problem problem;
    enum mez_spirv_status status =
        mez_spirv_module_create(binary->code, binary->code_size, &problem, &checked->module);
    if (!status)
        status = mez_spirv_survey_create(checked->module, mode, &problem, &checked->survey);
    return from_status(status, &problem, binary);
}

static mez_error read_code(
    mez_bundle *bundle, mez_check_binary *checked, enum mez_spirv_survey_mode mode)
{
    MEZ_TRY(mez_binary_unpack(bundle, checked->binary));
    return checked->binary->format == MEZ_CODE_SPIRV ? survey_code(checked, mode) : mez_ok();
}

static mez_error read_properties(const mez_bundle *bundle, mez_check_binary *checked)
{
    const mez_requirements_reading reading = {
        .numbering = bundle->numbering,
        .doc_forms = bundle->doc_forms,
        .source = checked->binary->source,
    };
    checked->numbering = bundle->numbering;
    MEZ_TRY(mez_device_requirements_read(&checked->binary->properties, &reading, &checked->stated));
    checked->states = checked->stated.stated;
    return mez_ok();
}

// Only a lack of memory ends everything. What a binary requires by properties that nobody understands is in no code, so the code
// is not read then.
static mez_error read_binary(
    mez_bundle *bundle, mez_check_binary *checked, enum mez_spirv_survey_mode mode)
{
    mez_error error = read_properties(bundle, checked);
    if (!mez_failed(error))
        error = read_code(bundle, checked, mode);
    if (mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
        return error;
    checked->unreadable = mez_error_retain(error);
    return mez_ok();
}

static mez_error add_unit(
    mez_check_units *units, mez_check_binary *checked, const char *kernel, mez_check_unit **added)
{
    if (!mez_array_reserve(units->units, units->count, units->capacity))
        return mez_error_no_memory("a list of kernels");
    *added = &units->units[units->count++];
    **added = (mez_check_unit){
        .binary = checked,
        .kernel = kernel,
        .requirements = {.image = checked->binary->source,
            .kernel = kernel,
            .numbering = checked->numbering},
    };
    checked->unit_count++;
    return mez_ok();
}

static mez_error add_kernels(mez_check_units *units, mez_check_binary *checked)
{
    const struct mez_spirv_survey *survey = checked->survey;
    for (uint32_t i = 0; survey && i < survey->module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *needs = &survey->kernels[i];
        mez_check_unit *unit = NULL;
        if (needs->kernel->model != MEZ_MODEL_KERNEL)
            continue;
        MEZ_TRY(add_unit(units, checked, needs->kernel->name, &unit));
        MEZ_TRY(mez_requirements_add_kernel(&unit->requirements, survey, needs));
        if (checked->stated.esimd)
            mez_requirements_drop(&unit->requirements, MEZ_REQUIRES_SUB_GROUP_SIZE);
    }
    return mez_ok();
}

// "": it is not native, or nobody says.
static const char *architecture_of(const mez_binary *binary)
{
    return binary->format == MEZ_CODE_NATIVE ? mez_binary_native_target(binary) : "";
}

// What no property says.
static mez_error add_asserts(mez_check_unit *unit, const mez_check_binary *checked)
{
    const struct mez_spirv_survey *survey = checked->survey;
    for (uint32_t i = 0; survey && i < survey->module->entry_point_count; i++)
        MEZ_TRY(mez_requirements_add_assert(
            &unit->requirements, survey, survey->kernels[i].kernel->function));
    return mez_ok();
}

static mez_error add_whole(mez_check_units *units, mez_check_binary *checked)
{
    mez_check_unit *unit = NULL;
    const mez_requirement compiled_for = {
        .kind = MEZ_REQUIRES_ARCHITECTURE, .architecture = architecture_of(checked->binary)};
    MEZ_TRY(add_unit(units, checked, NULL, &unit));
    if (*compiled_for.architecture)
        MEZ_TRY(mez_requirements_add(&unit->requirements, &compiled_for));
    MEZ_TRY(mez_requirements_add_stated(&unit->requirements, &checked->stated));
    return add_asserts(unit, checked);
}

static bool speaks_as_a_whole(const mez_check_binary *checked)
{
    return checked->states || *architecture_of(checked->binary);
}

static mez_error add_binary(
    mez_bundle *bundle, mez_binary *binary, mez_check_units *units, enum mez_spirv_survey_mode mode)
{
    mez_check_binary *checked = &units->binaries[units->binary_count++];
    checked->binary = binary;
    checked->first_unit = units->count;
    MEZ_TRY(read_binary(bundle, checked, mode));
    return speaks_as_a_whole(checked) ? add_whole(units, checked) : add_kernels(units, checked);
}

static mez_error fill(mez_bundle *bundle, mez_check_units *units, enum mez_spirv_survey_mode mode)
{
    units->binaries = mez_alloc_array(bundle->count + 1, sizeof *units->binaries);
    if (!units->binaries)
        return mez_error_no_memory("a list of binaries");
    for (size_t i = 0; i < bundle->count; i++)
        MEZ_TRY(add_binary(bundle, &bundle->binaries[i], units, mode));
    return mez_ok();
}

mez_error mez_check_units_create(
    mez_bundle *bundle, enum mez_spirv_survey_mode mode, mez_check_units **units)
{
    *units = mez_new(mez_check_units);
    if (!*units)
        return mez_error_no_memory("a list of kernels");
    const mez_error error = fill(bundle, *units, mode);
    if (mez_failed(error))
        mez_check_units_destroy(units);
    return error;
}

// --- Imports

static bool exports(const mez_check_binary *checked, const char *symbol)
{
    const mez_property_set *listed = mez_binary_exports(checked->binary);
    if (listed && mez_property_set_find(listed, symbol))
        return true;
    for (uint32_t i = 0; checked->module && i < checked->module->export_count; i++)
        if (strcmp(checked->module->exports[i].name, symbol) == 0)
            return true;
    return false;
}

static bool is_defined(const mez_check_units *units, const char *symbol)
{
    for (uint32_t i = 0; i < units->binary_count; i++)
        if (exports(&units->binaries[i], symbol))
            return true;
    return false;
}

static mez_error add_imports(const mez_check_units *units, bool (*supplies)(const char *symbol),
    uint32_t function, mez_check_unit *unit)
{
    const struct mez_spirv_survey *survey = unit->binary->survey;
    const struct mez_spirv_symbol **imports;
    uint32_t count;
    if (mez_spirv_survey_list_imports(survey, function, &imports, &count) != MEZ_SPIRV_OK)
        return mez_error_no_memory("what a kernel imports");
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < count && !mez_failed(error); i++) {
        const mez_requirement requirement = {.kind = MEZ_REQUIRES_DEFINITION,
            .import = imports[i],
            .survey = survey,
            .function = function};
        if (!supplies(imports[i]->name) && !is_defined(units, imports[i]->name))
            error = mez_requirements_add(&unit->requirements, &requirement);
    }
    mez_free_memory(imports);
    return error;
}

mez_error mez_check_units_add_imports(mez_check_units *units, bool (*supplies)(const char *symbol))
{
    for (uint32_t u = 0; u < units->count; u++) {
        mez_check_unit *unit = &units->units[u];
        const struct mez_spirv_survey *survey = unit->binary->survey;
        for (uint32_t i = 0; survey && i < survey->module->entry_point_count; i++) {
            const struct mez_spirv_entry_point *kernel = survey->kernels[i].kernel;
            const bool its_own = !unit->kernel || unit->kernel == kernel->name; // not a copy
            if (its_own && survey->kernels[i].reaches_imports)
                MEZ_TRY(add_imports(units, supplies, kernel->function, unit));
        }
    }
    return mez_ok();
}

static void finish_binary(mez_check_binary *checked)
{
    mez_spirv_survey_destroy(&checked->survey);
    mez_spirv_module_destroy(&checked->module);
    mez_device_requirements_finish(&checked->stated);
    mez_error_release(checked->unreadable);
}

void mez_check_units_destroy(mez_check_units **units)
{
    mez_check_units *old = *units;
    *units = NULL;
    if (!old)
        return;
    for (uint32_t i = 0; i < old->count; i++)
        mez_requirements_finish(&old->units[i].requirements);
    for (uint32_t i = 0; i < old->binary_count; i++)
        finish_binary(&old->binaries[i]);
    mez_free_memory(old->units);
    mez_free_memory(old->binaries);
    mez_free_memory(old);
}

static const char *find_entry_point(const struct mez_spirv_module *module, uint32_t index)
{
    for (uint32_t i = 0; i < module->entry_point_count; i++)
        if (module->entry_points[i].model == MEZ_MODEL_KERNEL && index-- == 0)
            return module->entry_points[i].name;
    return NULL;
}

const char *mez_check_binary_kernel(const mez_check_binary *binary, uint32_t index)
{
    if (binary->binary->lists_kernels)
        return index < binary->binary->kernel_count ? binary->binary->kernels[index] : NULL;
    return binary->module ? find_entry_point(binary->module, index) : NULL;
}
