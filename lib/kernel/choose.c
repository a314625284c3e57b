// SPDX-License-Identifier: MIT

#include "kernel/choose.h"

#include "image/build.h"

// What the kernel reaches without its arguments saying so.
static ze_kernel_indirect_access_flags_t indirect_access(const mez_kernel_use *use)
{
    if (use->code->finds_pointers)
        return ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
               ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
    return use->module->reaches_others ? ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE : 0;
}

static mez_error create_ze_kernel(mez_kernel_use *use, mez_kernel_code *code)
{
    const mez_kernel *kernel = use->kernel;
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = kernel->name};
    const mez_error error = ZE(zeKernelCreate, use->module->ze, &description, &use->ze);
    if (mez_failed(error))
        return mez_error_headline(error, "the driver built \"%s\", but not its kernel \"%s\"",
            kernel->image->name, kernel->name);
    MEZ_TRY(mez_kernel_learn(use->kernel, code, use->ze));
    const ze_kernel_indirect_access_flags_t access = indirect_access(use);
    if (!access)
        return mez_ok();
    // Every allocation is then kept reachable for every submission: 700 instructions each on Intel's driver with a few of them. Asked
    // for once: per launch it serialises threads (docs/internals/drivers.md#memory).
    return ZE(zeKernelSetIndirectAccess, use->ze, access);
}

// The driver's compiler is asked only after our own check.
static mez_error take_code(mez_kernel_use *use, mez_kernel_code *code, mez_device *device)
{
    MEZ_TRY(mez_build_check(code->part, use->kernel->name, device, true));
    MEZ_TRY(mez_kernel_learn(use->kernel, code, NULL));
    MEZ_TRY(mez_build_get(code->part, use->kernel->name, device, &use->module));
    use->code = code;
    return create_ze_kernel(use, code);
}

// --- Of several codes

// Would another code fare better?
static bool is_of_the_code(mez_error error)
{
    return !mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY) &&
           !mez_error_is(error, MEZ_ERRC_MEMORY_ALLOCATION) &&
           !mez_error_is(error, MEZ_ERRC_DEVICE_LOST);
}

// Code that was compiled for another device is not worth a message.
static void tell_of_next(const mez_kernel_use *use, const mez_kernel_code *code, mez_error error)
{
    const bool expected = mez_error_is(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    mez_log(KERNEL, DEBUG, "kernel \"%s\": %s does not do", use->kernel->name,
        code->part->binary->source);
    if (expected)
        return;
    mez_log(KERNEL, WARN, "kernel \"%s\": %s can't be used; trying the next of its codes",
        use->kernel->name, code->part->binary->source);
    mez_log_error(MEZ_TOPIC_KERNEL, error);
}

static void drop_code(mez_kernel_use *use)
{
    if (use->ze)
        ZE_LOGGED(zeKernelDestroy, use->ze);
    use->ze = NULL;
    use->code = NULL;
    use->module = NULL;
}

mez_error mez_kernel_use_choose(mez_kernel_use *use, mez_device *device)
{
    mez_kernel *kernel = use->kernel;
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        error = take_code(use, &kernel->codes[i], device);
        if (!mez_failed(error) || !is_of_the_code(error) || i + 1 == kernel->code_count)
            return error;
        tell_of_next(use, &kernel->codes[i], error);
        drop_code(use);
    }
    return error;
}
