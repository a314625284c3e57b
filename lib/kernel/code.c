// SPDX-License-Identifier: MIT

#include "kernel/code.h"

#include <string.h>

static mez_error ask_whether_it_asserts(
    mez_kernel_code *code, const struct mez_spirv_kernel_needs *needs, uint32_t kernel)
{
    code->may_assert = needs->may_assert;
    if (code->may_assert || !needs->reaches_imports)
        return mez_ok();
    mez_link link;
    const mez_error error = mez_link_of_kernels(code->part, &kernel, 1, &link);
    code->may_assert = !mez_failed(error) && mez_link_may_assert(&link);
    mez_link_finish(&link);
    return error;
}

static void take_modes(mez_kernel_code *code, const struct mez_spirv_modes *modes)
{
    code->requires_group = modes->has_local_size;
    memcpy(code->group_size, modes->local_size, sizeof code->group_size);
}

// Sizes that a property set states bind code that says nothing itself.
static void take_stated_group(mez_kernel_code *code)
{
    const mez_device_requirements *stated = &code->part->stated;
    if (code->requires_group || stated->work_group_size_count != 1)
        return;
    for (int i = 0; i < 3; i++) {
        const uint64_t size = stated->work_group_sizes[0].size[i];
        code->group_size[i] = size <= UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    }
    code->requires_group = true;
}

static mez_error learn(mez_kernel_code *code, const mez_part_code *read, const char *name)
{
    const struct mez_spirv_kernel_needs *needs = mez_spirv_survey_find_kernel(read->survey, name);
    if (!needs)
        return mez_error_make(MEZ_ERRC_KERNEL,
            "%s lists kernel \"%s\", which its code does not have", code->part->binary->source,
            name);
    struct mez_spirv_problem problem;
    MEZ_TRY(mez_spirv_to_error(
        mez_spirv_signature_init(read->spirv, needs->kernel, &problem, &code->signature), &problem,
        "a kernel"));
    code->argument_count = code->signature.count;
    code->finds_pointers = needs->finds_pointers;
    take_modes(code, needs->modes);
    take_stated_group(code);
    return ask_whether_it_asserts(code, needs, (uint32_t)(needs - read->survey->kernels));
}

static bool is_stated_to_assert(const mez_kernel_code *code, const char *kernel)
{
    return mez_properties_assert_use(&code->part->binary->properties, kernel) == MEZ_ASSERTS_USED;
}

mez_error mez_kernel_code_learn(mez_kernel_code *code, const char *kernel)
{
    const mez_part_code *read;
    if (code->known)
        return mez_ok();
    MEZ_TRY(mez_part_read(code->part, &read));
    mez_error error = mez_ok();
    if (read)
        error = learn(code, read, kernel);
    if (mez_failed(error)) {
        mez_kernel_code_finish(code);
        return error;
    }
    code->may_assert |= is_stated_to_assert(code, kernel);
    code->known = read != NULL;
    return error;
}

// What a native kernel reaches besides its arguments is not known: it may be anything.
mez_error mez_kernel_code_ask(mez_kernel_code *code, ze_kernel_handle_t kernel)
{
    if (code->known)
        return mez_ok();
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    MEZ_TRY(ZE(zeKernelGetProperties, kernel, &properties));
    code->argument_count = properties.numKernelArgs;
    code->finds_pointers = true;
    code->group_size[0] = properties.requiredGroupSizeX;
    code->group_size[1] = properties.requiredGroupSizeY;
    code->group_size[2] = properties.requiredGroupSizeZ;
    code->requires_group = code->group_size[0] > 0;
    take_stated_group(code);
    code->known = true;
    return mez_ok();
}

void mez_kernel_code_finish(mez_kernel_code *code)
{
    mez_spirv_signature_finish(&code->signature);
    *code = (mez_kernel_code){.part = code->part};
}
