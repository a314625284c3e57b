// SPDX-License-Identifier: MIT

#include "image/image.h"

#include <string.h>

#include "base/alloc.h"
#include "image/build.h"

static mez_error add(mez_image *image, const char *name)
{
    if (mez_image_find_kernel(image, name))
        return mez_ok();
    return mez_named_push(&image->kernels, name) ? mez_ok()
                                                 : mez_error_no_memory("the names of kernels");
}

// --- Where a part's names come from

static mez_error add_listed(mez_image *image, const mez_binary *binary)
{
    for (size_t i = 0; i < binary->kernel_count; i++)
        MEZ_TRY(add(image, binary->kernels[i]));
    return mez_ok();
}

static mez_error add_of_code(mez_image *image, const struct mez_spirv_module *spirv)
{
    for (uint32_t i = 0; i < spirv->entry_point_count; i++)
        if (spirv->entry_points[i].model == MEZ_MODEL_KERNEL)
            MEZ_TRY(add(image, spirv->entry_points[i].name));
    return mez_ok();
}

// Only a driver can look into native code; any device that takes it will do.
static mez_error ask_driver(mez_part *part)
{
    mez_platform *platform = part->image->platform;
    for (uint32_t i = 0; i < platform->device_count && !part->kernels; i++) {
        mez_device *device = &platform->devices[i];
        mez_module *module;
        if (mez_supports_native(part, device) == MEZ_NATIVE_MISFIT)
            continue;
        const mez_error error = mez_part_build_get(part, NULL, device, &module);
        if (mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
            return error;
        if (mez_failed(error))
            mez_log_error(MEZ_TOPIC_IMAGE, error);
        else
            MEZ_TRY(mez_kernel_names_list(module->ze, &part->kernels, &part->kernel_count));
    }
    return mez_ok();
}

static mez_error add_native(mez_image *image, mez_part *part)
{
    MEZ_TRY(ask_driver(part));
    if (!part->kernels)
        mez_log(IMAGE, INFO,
            "%s is a native binary without a list of kernels, and no device here accepts it",
            part->binary->source);
    for (uint32_t i = 0; i < part->kernel_count; i++)
        MEZ_TRY(add(image, part->kernels[i]));
    return mez_ok();
}

static mez_error look_into(mez_image *image, mez_part *part)
{
    const mez_part_code *code;
    const mez_error error = mez_part_read(part, &code);
    if (mez_failed(error) && image->part_count > 1 &&
        !mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY)) {
        mez_log_error(MEZ_TOPIC_IMAGE, error);
        return mez_ok();
    }
    if (mez_failed(error))
        return error;
    return code ? add_of_code(image, code->spirv) : add_native(image, part);
}

mez_error mez_image_kernels_find(mez_image *image)
{
    for (uint32_t i = 0; i < image->part_count; i++) {
        mez_part *part = &image->parts[i];
        if (part->binary->lists_kernels)
            MEZ_TRY(add_listed(image, part->binary));
        else
            MEZ_TRY(look_into(image, part));
    }
    return mez_ok();
}

// --- Asking

const char *mez_image_find_kernel(const mez_image *image, const char *name)
{
    const size_t at = mez_named_find(&image->kernels, name, strlen(name));
    return at == MEZ_NAME_NOT_FOUND ? NULL : image->kernels.items[at];
}

bool mez_part_has_kernel(const mez_part *part, const char *name)
{
    if (part->binary->lists_kernels)
        return mez_binary_has_kernel(part->binary, name);
    for (uint32_t i = 0; i < part->kernel_count; i++)
        if (strcmp(part->kernels[i], name) == 0)
            return true;
    const struct mez_spirv_entry_point *entry =
        part->code.spirv ? mez_spirv_find_entry_point(part->code.spirv, name) : NULL;
    return entry && entry->model == MEZ_MODEL_KERNEL;
}

uint32_t mez_image_get_kernel_count(const mez_image *image)
{
    return image ? image->kernels.count : 0;
}

const char *mez_image_get_kernel_name(const mez_image *image, uint32_t index)
{
    return image && index < image->kernels.count ? image->kernels.items[index] : NULL;
}
