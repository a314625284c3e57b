// SPDX-License-Identifier: MIT

#include "image/image.h"

#include <string.h>

#include "base/alloc.h"
#include "image/build.h"

static mez_named_items named(const mez_image *image)
{
    return (mez_named_items){image->kernels, image->kernel_count, sizeof *image->kernels};
}

static mez_error add(mez_image *image, const char *name)
{
    if (mez_image_find_kernel(image, name))
        return mez_ok();
    if (!mez_named_grow(
            &image->kernel_index, &image->kernels, image->kernel_count, &image->kernel_capacity))
        return mez_error_no_memory("the names of kernels");
    image->kernels[image->kernel_count++] = (mez_image_kernel){.name = name};
    const mez_named_items items = named(image);
    mez_name_index_add(&image->kernel_index, &items);
    return mez_ok();
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
        const mez_error error = mez_build_get(part, NULL, device, &module);
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

void mez_image_kernels_finish(mez_image *image)
{
    mez_name_index_finish(&image->kernel_index);
    mez_free_memory(image->kernels);
}

// --- Asking

const char *mez_image_find_kernel(const mez_image *image, const char *name)
{
    const mez_named_items items = named(image);
    const size_t at = mez_name_index_find(&image->kernel_index, &items, name, strlen(name));
    return at == MEZ_NAME_NOT_FOUND ? NULL : image->kernels[at].name;
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
    return image ? image->kernel_count : 0;
}

const char *mez_image_get_kernel_name(const mez_image *image, uint32_t index)
{
    return image && index < image->kernel_count ? image->kernels[index].name : NULL;
}
