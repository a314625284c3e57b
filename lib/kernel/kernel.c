// SPDX-License-Identifier: MIT

#include "kernel/kernel.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "device/lost.h"
#include "image/requirements.h"
#include "kernel/use.h"
#include "spirv/pointers.h"

static atomic_uint_fast64_t last_id;

static mez_error no_such_kernel(const mez_image *image, const char *name)
{
    mez_text names = {0};
    const uint32_t count = mez_image_kernel_count(image);
    for (uint32_t i = 0; i < count; i++)
        mez_text_add(&names, "%s%s", i ? ", " : "", mez_image_kernel_name(image, i));
    mez_error error =
        mez_error_make(MEZ_ERRC_KERNEL, "\"%s\" has no kernel \"%s\"", image->name, name);
    error = mez_error_add(error, "its kernels", "%s", count > 0 ? mez_text_get(&names) : "none");
    mez_text_finish(&names);
    return error;
}

static mez_error from_status(enum mez_spirv_status status, const struct mez_spirv_problem *problem)
{
    if (status == MEZ_SPIRV_OK)
        return mez_ok();
    if (status == MEZ_SPIRV_NO_MEMORY)
        return mez_error_no_memory("a kernel");
    return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s", problem->text);
}

static void kernel_free(mez_kernel *kernel)
{
    mez_kernel_uses_destroy_of_kernel(kernel);
    mez_spirv_signature_finish(&kernel->signature);
    mez_image_unref(kernel->image);
    mez_free_memory(kernel);
}

static mez_error kernel_init(mez_kernel *kernel, const char *name)
{
    const struct mez_spirv_module *spirv = kernel->image->spirv;
    struct mez_spirv_problem problem;
    kernel->entry = mez_spirv_find_entry_point(spirv, name);
    if (!kernel->entry || kernel->entry->model != MEZ_MODEL_KERNEL)
        return no_such_kernel(kernel->image, name);
    MEZ_TRY(from_status(
        mez_spirv_signature_init(spirv, kernel->entry, &problem, &kernel->signature), &problem));
    kernel->finds_pointers = mez_spirv_finds_pointers(spirv);
    kernel->needs = mez_spirv_survey_find_kernel(kernel->image->survey, name);
    return mez_ok();
}

static mez_error kernel_create(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **created)
{
    mez_kernel *kernel = mez_new(mez_kernel);
    if (!kernel)
        return mez_error_no_memory("a kernel");
    mez_ref_init(&kernel->ref);
    kernel->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    kernel->image = image;
    mez_image_ref(image);
    const mez_error error = kernel_init(kernel, name);
    if (mez_failed(error)) {
        kernel_free(kernel);
        return error;
    }
    mez_object_add(image->platform, &kernel->object, MEZ_OBJECT_KERNEL, kernel->entry->name);
    mez_object_set_place(image->platform, &kernel->object, where);
    *created = kernel;
    return error;
}

mez_error mez_kernel_create_at(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **kernel)
{
    MEZ_REQUIRE(kernel, where);
    *kernel = NULL;
    MEZ_REQUIRE(image, where);
    MEZ_REQUIRE(name, where);
    return mez_error_add_place(kernel_create(where, image, name, kernel), where);
}

mez_error mez_kernel_load_at(const mez_location *where, mez_context *context, const char *path,
    const char *name, mez_kernel **kernel)
{
    MEZ_REQUIRE(kernel, where);
    *kernel = NULL;
    MEZ_REQUIRE(name, where);
    mez_image *image;
    MEZ_TRY(mez_image_load_at(where, context, path, &image));
    const mez_error error = mez_kernel_create_at(where, image, name, kernel);
    mez_image_destroy(&image);
    return error;
}

mez_error mez_kernel_build_at(const mez_location *where, mez_kernel *kernel, mez_device *device)
{
    MEZ_REQUIRE(kernel, where);
    mez_error error = mez_platform_device(kernel->image->platform, device, &device);
    if (!mez_failed(error))
        error = mez_kernel_build_for(kernel, device);
    return mez_platform_note_loss(kernel->image->platform, mez_error_add_place(error, where));
}

// Whoever asks for many kernels and wants no words does not push out the stories of others.
static mez_error check_support(const mez_kernel *kernel, mez_device *device, bool wants_words)
{
    if (!kernel)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "mez_kernel_is_supported needs a kernel");
    MEZ_TRY(mez_platform_device(kernel->image->platform, device, &device));
    if (wants_words)
        return mez_requirements_check(kernel->image, kernel->needs, device);
    const mez_error wordless = {
        .value = MEZ_ERRC_KERNEL_NOT_SUPPORTED, .origin = MEZ_CATEGORY_RUNTIME};
    return mez_requirements_pass(kernel->image, kernel->needs, device) ? mez_ok() : wordless;
}

bool mez_kernel_is_supported(const mez_kernel *kernel, mez_device *device, mez_error *reason)
{
    const mez_error error = check_support(kernel, device, reason != NULL);
    if (reason)
        *reason = error;
    return !mez_failed(error);
}

mez_platform *mez_kernel_platform(const mez_kernel *kernel)
{
    return kernel->image->platform;
}

void mez_kernel_free(mez_kernel *kernel)
{
    mez_object_remove(kernel->image->platform, &kernel->object);
    kernel_free(kernel);
}

void mez_kernel_destroy(mez_kernel **kernel)
{
    if (!kernel || !*kernel)
        return;
    mez_kernel_unref(*kernel);
    *kernel = NULL;
}

uint32_t mez_kernel_argument_count(const mez_kernel *kernel)
{
    return kernel ? kernel->signature.count : 0;
}

const char *mez_kernel_name(const mez_kernel *kernel)
{
    return kernel ? kernel->entry->name : NULL;
}

bool mez_kernel_uses_assert(const mez_kernel *kernel)
{
    return kernel && kernel->needs->may_assert;
}

bool mez_kernel_required_group_size(const mez_kernel *kernel, uint32_t size[3])
{
    const struct mez_spirv_modes *modes = kernel->needs->modes;
    if (modes->has_local_size)
        memcpy(size, modes->local_size, sizeof modes->local_size);
    return modes->has_local_size;
}
