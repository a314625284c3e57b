// SPDX-License-Identifier: MIT
//
// Whether a device has what kernels of a part require.

#include "image/build.h"

#include "base/alloc.h"
#include "check/check.h"

// Where no words are wanted, a failure has its code only, and no story.
static mez_error wordless(mez_condition condition)
{
    return (mez_error){.value = (int32_t)condition, .origin = MEZ_CATEGORY_RUNTIME};
}

// With the devices of the context that would do.
static mez_error refuse(const mez_requirements *requirements, const mez_device *device, bool words)
{
    const mez_platform *platform = device->platform;
    const mez_check_device asked = mez_device_to_check(device);
    if (mez_check_passes(requirements, &asked))
        return mez_ok();
    if (!words)
        return wordless(MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    mez_check_device *all = mez_alloc_array(platform->device_count, sizeof *all);
    for (uint32_t i = 0; all && i < platform->device_count; i++)
        all[i] = mez_device_to_check(&platform->devices[i]);
    const mez_check_devices others = {all, all ? platform->device_count : 0};
    const mez_error error = mez_check_refuse(requirements, &asked, &others);
    mez_free_memory(all);
    return error;
}

// --- Stated

mez_native_fit mez_supports_native(const mez_part *part, const mez_device *device)
{
    return mez_native_compare(
        mez_binary_native_target(part->binary), mez_device_get_architecture(device));
}

static mez_error check_target(
    const mez_part *part, const char *kernel, const mez_device *device, bool words)
{
    if (!mez_part_is_native(part) || mez_supports_native(part, device) != MEZ_NATIVE_MISFIT)
        return mez_ok();
    if (!words)
        return wordless(MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    return mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
        "kernel \"%s\" of \"%s\" was compiled for %s, but device \"%s\" is %s", kernel,
        part->image->name, mez_binary_native_target(part->binary), device->info.name,
        mez_device_get_architecture(device));
}

// By what the container says alone: the target that native code was compiled for, and property sets.
// MEZ_ERRC_KERNEL_NOT_SUPPORTED with every reason. MEZ_ERRC_OUT_OF_HOST_MEMORY.
static mez_error check_stated(
    const mez_part *part, const char *kernel, const mez_device *device, bool words)
{
    MEZ_TRY(check_target(part, kernel, device, words));
    if (!part->stated.stated)
        return mez_ok();
    mez_requirements requirements = {.image = part->image->name, .kernel = kernel};
    mez_error error = mez_requirements_add_stated(&requirements, &part->stated);
    if (!mez_failed(error))
        error = refuse(&requirements, device, words);
    mez_requirements_finish(&requirements);
    return error;
}

// --- All that is known

static mez_error add_roots(mez_requirements *requirements, const mez_link_input *input)
{
    const struct mez_spirv_module *spirv = input->code->spirv;
    for (size_t i = 0; i < input->roots.count; i++) {
        const struct mez_spirv_function *function =
            mez_spirv_find_function(spirv, input->roots.items[i]);
        if (function)
            MEZ_TRY(mez_requirements_add_function(
                requirements, input->code->survey, (uint32_t)(function - spirv->functions)));
    }
    return mez_ok();
}

// No property says what an assert calls, so the code is asked for that in any case.
static mez_error add_own(mez_requirements *requirements, const mez_part *part, uint32_t kernel)
{
    const struct mez_spirv_survey *survey = part->code.survey;
    if (!part->stated.stated)
        return mez_requirements_add_kernel(requirements, survey, &survey->kernels[kernel]);
    MEZ_TRY(mez_requirements_add_stated(requirements, &part->stated));
    return mez_requirements_add_assert(
        requirements, survey, survey->kernels[kernel].kernel->function);
}

static mez_error add_all(
    mez_requirements *requirements, const mez_part *part, uint32_t kernel, const mez_link *link)
{
    MEZ_TRY(add_own(requirements, part, kernel));
    for (size_t i = 0; i < link->inputs.count; i++) {
        const mez_part *linked = link->inputs.items[i].part;
        if (linked->stated.stated)
            MEZ_TRY(mez_requirements_add_stated(requirements, &linked->stated));
        else
            MEZ_TRY(add_roots(requirements, &link->inputs.items[i]));
    }
    return mez_ok();
}

// The published rule for properties of images that are linked.
static mez_error check_merge(const mez_part *part, const mez_link *link)
{
    if (link->inputs.count == 0)
        return mez_ok();
    const mez_properties **list = mez_alloc_array(link->inputs.count + 1, sizeof *list);
    if (!list)
        return mez_error_no_memory("properties of linked images");
    list[0] = &part->binary->properties;
    for (size_t i = 0; i < link->inputs.count; i++)
        list[i + 1] = &link->inputs.items[i].part->binary->properties;
    mez_properties merged = {0};
    mez_error error = mez_properties_merge(list, link->inputs.count + 1, &merged);
    mez_properties_finish(&merged);
    mez_free_memory(list);
    for (size_t i = 0; i < link->inputs.count && mez_failed(error); i++)
        error =
            mez_error_add(error, "linked with", "%s", link->inputs.items[i].part->binary->source);
    return error;
}

// By all that is known of a kernel (its number in the survey) and what it is linked with; the part has been read.
// Errors as above, and MEZ_ERRC_LINK_PROGRAM, "Unable to merge incompatible images.", where what is linked states what does not fit
// together.
static mez_error check_kernel(const mez_part *part, uint32_t kernel, const mez_link *link,
    const mez_device *device, bool words)
{
    MEZ_TRY(check_merge(part, link));
    mez_requirements requirements = {
        .image = part->image->name, .kernel = part->code.survey->kernels[kernel].kernel->name};
    mez_error error = add_all(&requirements, part, kernel, link);
    if (!mez_failed(error))
        error = refuse(&requirements, device, words);
    mez_requirements_finish(&requirements);
    return error;
}

// --- Exports

static mez_error add_exports(mez_requirements *requirements, const mez_part_code *code)
{
    const struct mez_spirv_module *spirv = code->spirv;
    for (uint32_t i = 0; i < spirv->export_count; i++) {
        const struct mez_spirv_function *function =
            mez_spirv_find_function(spirv, spirv->exports[i].id);
        if (function)
            MEZ_TRY(mez_requirements_add_function(
                requirements, code->survey, (uint32_t)(function - spirv->functions)));
    }
    return mez_ok();
}

mez_error mez_supports_exports(const mez_part *part, const mez_device *device, bool *can)
{
    const mez_check_device asked = mez_device_to_check(device);
    mez_requirements requirements = {.image = part->image->name};
    const mez_error error = add_exports(&requirements, &part->code);
    *can = !mez_failed(error) && mez_check_passes(&requirements, &asked);
    mez_requirements_finish(&requirements);
    return error;
}

mez_error mez_part_find_kernel(const mez_part *part, const char *name, uint32_t *kernel)
{
    const struct mez_spirv_survey *survey = part->code.survey;
    const struct mez_spirv_kernel_needs *found = mez_spirv_survey_find_kernel(survey, name);
    if (!found)
        return mez_error_make(MEZ_ERRC_KERNEL,
            "%s lists kernel \"%s\", which its code does not have", part->binary->source, name);
    *kernel = (uint32_t)(found - survey->kernels);
    return mez_ok();
}

static mez_error check_resolved(
    const mez_part *part, uint32_t kernel, const mez_link *link, bool words)
{
    if (link->unresolved.count == 0)
        return mez_ok();
    if (!words)
        return (mez_error){.value = MEZ_ERRC_LINK_PROGRAM, .origin = MEZ_CATEGORY_DEVICE};
    return mez_link_add_unresolved(
        mez_error_make(MEZ_ERRC_LINK_PROGRAM,
            "kernel \"%s\" of \"%s\" uses symbols that nothing defines",
            part->code.survey->kernels[kernel].kernel->name, part->image->name),
        link);
}

mez_error mez_part_judge_kernel(
    mez_part *part, uint32_t kernel, const mez_device *device, bool words)
{
    mez_link link;
    mez_error error = mez_link_of_kernels(part, &kernel, 1, &link);
    if (!mez_failed(error))
        error = check_kernel(part, kernel, &link, device, words);
    if (!mez_failed(error))
        error = check_resolved(part, kernel, &link, words);
    mez_link_finish(&link);
    return error;
}

mez_error mez_part_judge(mez_part *part, const char *name, mez_device *device, bool words)
{
    MEZ_TRY(check_stated(part, name, device, words));
    const mez_part_code *code;
    uint32_t kernel = 0;
    MEZ_TRY(mez_part_read(part, &code));
    if (!code) // packed native code is known as such only now
        return check_stated(part, name, device, words);
    MEZ_TRY(mez_part_find_kernel(part, name, &kernel));
    return mez_part_judge_kernel(part, kernel, device, words);
}
