// SPDX-License-Identifier: MIT

#include "check/units.h"

#include "base/alloc.h"
#include "spirv/reader.h"

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

// Only a lack of memory ends everything.
static mez_error try_code(
    mez_bundle *bundle, mez_check_binary *checked, enum mez_spirv_survey_mode mode)
{
    const mez_error error = read_code(bundle, checked, mode);
    if (mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
        return error;
    checked->unreadable = mez_error_retain(error);
    return mez_ok();
}

static mez_error read_properties(mez_check_binary *checked)
{
    const mez_requirements_reading reading = {.source = checked->binary->source};
    MEZ_TRY(mez_device_requirements_read(&checked->binary->properties, &reading, &checked->stated));
    checked->states = checked->stated.stated;
    return mez_ok();
}

static mez_error add_unit(
    mez_check_units *units, mez_check_binary *checked, const char *kernel, mez_check_unit **added)
{
    if (units->count == units->capacity) {
        const uint32_t capacity = units->capacity ? units->capacity * 2 : 16;
        mez_check_unit *more = mez_realloc_array(units->units, capacity, sizeof *more);
        if (!more)
            return mez_error_no_memory("a list of kernels");
        units->units = more;
        units->capacity = capacity;
    }
    *added = &units->units[units->count++];
    **added = (mez_check_unit){
        .binary = checked,
        .kernel = kernel,
        .requirements = {.image = checked->binary->source, .kernel = kernel},
    };
    checked->unit_count++;
    return mez_ok();
}

static mez_error add_kernels(mez_check_units *units, mez_check_binary *checked)
{
    const struct mez_spirv_survey *survey = checked->survey;
    for (uint32_t i = 0; survey && i < survey->module->entry_point_count; i++) {
        const struct mez_spirv_kernel_needs *needs = &survey->kernels[i];
        mez_check_unit *unit;
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

static mez_error add_whole(mez_check_units *units, mez_check_binary *checked)
{
    mez_check_unit *unit;
    const mez_requirement compiled_for = {
        .kind = MEZ_REQUIRES_ARCHITECTURE, .architecture = architecture_of(checked->binary)};
    MEZ_TRY(add_unit(units, checked, NULL, &unit));
    if (*compiled_for.architecture)
        MEZ_TRY(mez_requirements_add(&unit->requirements, &compiled_for));
    return mez_requirements_add_stated(&unit->requirements, &checked->stated);
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
    MEZ_TRY(read_properties(checked));
    MEZ_TRY(try_code(bundle, checked, mode));
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
