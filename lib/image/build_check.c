// SPDX-License-Identifier: MIT

#include "image/build_check.h"

#include "image/build.h"
#include "image/supports.h"

mez_error mez_build_find_kernel(const mez_part *part, const char *name, uint32_t *kernel)
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
    if (link->unresolved_count == 0)
        return mez_ok();
    if (!words)
        return (mez_error){.value = MEZ_ERRC_LINK_PROGRAM, .origin = MEZ_CATEGORY_DEVICE};
    return mez_link_add_unresolved(
        mez_error_make(MEZ_ERRC_LINK_PROGRAM,
            "kernel \"%s\" of \"%s\" uses symbols that nothing defines",
            part->code.survey->kernels[kernel].kernel->name, part->image->name),
        link);
}

mez_error mez_build_check_kernel(
    mez_part *part, uint32_t kernel, const mez_device *device, bool words)
{
    mez_link link;
    mez_error error = mez_link_of_kernels(part, &kernel, 1, &link);
    if (!mez_failed(error))
        error = mez_supports_kernel(part, kernel, &link, device, words);
    if (!mez_failed(error))
        error = check_resolved(part, kernel, &link, words);
    mez_link_finish(&link);
    return error;
}

mez_error mez_build_check(mez_part *part, const char *name, mez_device *device, bool words)
{
    MEZ_TRY(mez_supports_stated(part, name, device, words));
    const mez_part_code *code;
    uint32_t kernel = 0;
    MEZ_TRY(mez_part_read(part, &code));
    if (!code) // packed native code is known as such only now
        return mez_supports_stated(part, name, device, words);
    MEZ_TRY(mez_build_find_kernel(part, name, &kernel));
    return mez_build_check_kernel(part, kernel, device, words);
}
