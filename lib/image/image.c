// SPDX-License-Identifier: MIT

#include "image/image.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "image/module.h"
#include "spirv/reader.h"

static mez_error read_spirv(const mez_image_params *params, mez_image *image)
{
    struct mez_spirv_problem problem;
    enum mez_spirv_status status =
        mez_spirv_module_create(params->code, params->size, &problem, &image->spirv);
    if (!status)
        status = mez_spirv_survey_create(image->spirv, MEZ_SURVEY_VALUES, &problem, &image->survey);
    switch (status) {
    case MEZ_SPIRV_OK:
        return mez_ok();
    case MEZ_SPIRV_NO_MEMORY:
        return mez_error_no_memory("an image");
    default:
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s", problem.text);
    }
}

// A toolchain has linked a device library, with a variable that we do not know or with none.
static void tell_of_silent_asserts(const mez_image *image)
{
    if (image->asserts.defines && !image->asserts.own_record)
        mez_log(IMAGE, INFO,
            "\"%s\" brings its own " MEZ_ASSERT_FAIL " and no " MEZ_ASSERT_VARIABLE
            " or " MEZ_ASSERT_VARIABLE_LATER ": what its asserts say can't be read",
            image->name);
}

// 22.43 reports 1.2 and compiles 1.4, so a newer version is no reason to refuse.
static void warn_of_version(const mez_image *image)
{
    const uint32_t version = 1u << 16 | image->spirv->minor_version;
    const mez_device_info *device = &image->platform->devices[0].info;
    if (version > device->spirv_version)
        mez_log(IMAGE, INFO, "\"%s\" is SPIR-V 1.%u, device \"%s\" promises only 1.%u", image->name,
            image->spirv->minor_version, device->name, device->spirv_version & 0xffff);
}

static void image_free(mez_image *image)
{
    mez_modules_destroy(image);
    mez_spirv_survey_destroy(&image->survey);
    mez_spirv_module_destroy(&image->spirv);
    mez_free_memory(image->build_flags);
    mez_free_memory(image->name);
    mez_free_memory(image);
}

// The compiler's half of mez_context_params.large_buffers.
#define LARGE_BUFFERS "-ze-opt-greater-than-4GB-buffer-required"

static char *make_build_flags(const mez_platform *platform, const char *flags)
{
    if (!flags)
        flags = "";
    if (!platform->large_buffers)
        return mez_copy_string(flags);
    const size_t size = strlen(flags) + sizeof " " LARGE_BUFFERS;
    char *all = mez_alloc_array(size, 1);
    if (all)
        snprintf(all, size, "%s " LARGE_BUFFERS, flags);
    return all;
}

static mez_error image_init(mez_image *image, const mez_image_params *params)
{
    image->name = mez_copy_string(params->debug_name ? params->debug_name : "image");
    image->build_flags = make_build_flags(image->platform, params->build_flags);
    if (!image->name || !image->build_flags)
        return mez_error_no_memory("an image");
    MEZ_TRY(read_spirv(params, image));
    mez_image_asserts_read(image->spirv, &image->asserts);
    tell_of_silent_asserts(image);
    warn_of_version(image);
    return mez_modules_create(image);
}

static mez_error image_create(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **created)
{
    mez_image *image = mez_new(mez_image);
    if (!image)
        return mez_error_no_memory("an image");
    mez_ref_init(&image->ref);
    image->platform = mez_platform_of(context);
    mez_error error = image_init(image, params);
    if (mez_failed(error)) {
        if (image->name)
            error = mez_error_headline(error, "\"%s\" can't be used as an image", image->name);
        image_free(image);
        return error;
    }
    mez_platform_ref(image->platform);
    mez_object_add(image->platform, &image->object, MEZ_OBJECT_IMAGE, image->name);
    mez_object_set_place(image->platform, &image->object, where);
    *created = image;
    return error;
}

mez_error mez_image_create_at(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **image)
{
    MEZ_REQUIRE(image, where);
    *image = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(params, where);
    MEZ_REQUIRE(params->code, where);
    return mez_error_add_place(image_create(where, context, params, image), where);
}

mez_error mez_image_load_at(
    const mez_location *where, mez_context *context, const char *path, mez_image **image)
{
    MEZ_REQUIRE(image, where);
    *image = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(path, where);
    mez_file file;
    mez_error error = mez_file_read(path, &file);
    if (!mez_failed(error)) {
        const mez_image_params params = {.code = file.bytes, .size = file.size, .debug_name = path};
        error = image_create(where, context, &params, image);
        mez_file_finish(&file);
    }
    return mez_error_add_place(error, where);
}

void mez_image_ref(mez_image *image)
{
    mez_ref_get(&image->ref);
}

void mez_image_unref(mez_image *image)
{
    if (!mez_ref_put(&image->ref))
        return;
    mez_platform *platform = image->platform;
    mez_object_remove(platform, &image->object);
    image_free(image);
    mez_platform_unref(platform);
}

void mez_image_destroy(mez_image **image)
{
    if (!image || !*image)
        return;
    mez_image_unref(*image);
    *image = NULL;
}

static bool is_kernel(const struct mez_spirv_entry_point *entry)
{
    return entry->model == MEZ_MODEL_KERNEL;
}

uint32_t mez_image_kernel_count(const mez_image *image)
{
    uint32_t count = 0;
    for (uint32_t i = 0; image && i < image->spirv->entry_point_count; i++)
        count += is_kernel(&image->spirv->entry_points[i]);
    return count;
}

const char *mez_image_kernel_name(const mez_image *image, uint32_t index)
{
    for (uint32_t i = 0; image && i < image->spirv->entry_point_count; i++) {
        const struct mez_spirv_entry_point *entry = &image->spirv->entry_points[i];
        if (is_kernel(entry) && index-- == 0)
            return entry->name;
    }
    return NULL;
}
