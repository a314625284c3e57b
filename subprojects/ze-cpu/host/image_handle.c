// SPDX-License-Identifier: MIT
//
// Life of images. Their texels are a block of our own (block.h), zeroed as the memory of programs is, which views share, or the
// program's memory (pitched images).
#include "image_handle.h"

#include "block.h"
#include "check.h"
#include "context.h"
#include "device.h"
#include "device_memory.h"
#include "image_format.h"
#include "image_shape.h"
#include "live.h"
#include "loss.h"
#include "own.h"
#include "stray.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <ze_newer.h>

static struct zc_live images = ZC_LIVE_INIT;

struct zc_texels {
    atomic_uint references; // of the image and its views
    struct zc_memory_map *map;
    struct zc_allocation block; // without a base: the memory is the program's
};

// ---- references ----

static void ref(void *image, void *user)
{
    (void)user;
    zc_image_ref(image);
}

ze_image_handle_t zc_image_hold(const void *handle)
{
    return zc_live_visit(&images, handle, ref, NULL) ? (ze_image_handle_t)(uintptr_t)handle : NULL;
}

void zc_image_ref(ze_image_handle_t image)
{
    atomic_fetch_add(&image->references, 1);
}

static void texels_unref(struct zc_texels *texels)
{
    if (atomic_fetch_sub(&texels->references, 1) != 1)
        return;
    if (texels->block.base) {
        zc_memory_map_return_one(texels->map, texels, texels->block.base);
        zc_device_memory_give(texels->block.device, texels->block.size);
        zc_stray_report_write(&texels->block);
        zc_block_unmap(&texels->block);
    }
    free(texels);
}

void zc_image_unref(ze_image_handle_t image)
{
    if (atomic_fetch_sub(&image->references, 1) != 1)
        return;
    zc_memory_map_return_one(image->map, image, &image->seen);
    texels_unref(image->texels);
    free(image);
}

bool zc_image_is_destroyed(const struct _ze_image_handle_t *image)
{
    return atomic_load(&image->destroyed);
}

void zc_image_note_destroyed(struct zc_runner *runner, const char *kernel)
{
    char story[ZC_LOSS_TEXT];
    if (kernel)
        snprintf(story, sizeof story,
            "kernel \"%s\" uses an image that was destroyed (ZE_CPU_STRICT)", kernel);
    else
        snprintf(story, sizeof story, "a copy uses an image that was destroyed (ZE_CPU_STRICT)");
    zc_runner_note_loss(runner, zc_loss_note(story));
}

void zc_image_use_begin(ze_image_handle_t image)
{
    atomic_fetch_add(&image->commands, 1);
}

void zc_image_use_end(ze_image_handle_t image)
{
    atomic_fetch_sub(&image->commands, 1);
}

// ---- descriptions ----

// What changes where texels lie, or who may reach them.
static ze_result_t check_chain(const void *chain)
{
    static const ze_structure_type_t external[] = {ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
        ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
        ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32};
    for (size_t i = 0; i < sizeof external / sizeof *external; i++) {
        const bool has_external_memory = zc_find_next(chain, external[i]) != NULL;
        ZC_REQUIRE(!has_external_memory, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
    const bool is_planar = zc_find_next(chain, ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXP_DESC) ||
                           zc_find_next(chain, ZE_NEWER_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC);
    ZC_REQUIRE(!is_planar, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    const ze_srgb_ext_desc_t *srgb = zc_find_next(chain, ZE_STRUCTURE_TYPE_SRGB_EXT_DESC);
    ZC_REQUIRE(!srgb || !srgb->sRGB, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    const ze_newer_image_bindless_exp_desc_t *bindless =
        zc_find_next(chain, ZE_NEWER_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC);
    const bool is_bindless = zc_settings.newer && bindless && bindless->flags;
    ZC_REQUIRE(!is_bindless, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t check_desc(ze_device_handle_t device, const ze_image_desc_t *desc)
{
    // Intel's driver does not look at the number of levels; one level is the image itself.
    const uint32_t levels = zc_settings.strict ? 0 : 1;
    ZC_REQUIRE_FLAGS(desc->flags, ZE_IMAGE_FLAG_KERNEL_WRITE | ZE_IMAGE_FLAG_BIAS_UNCACHED);
    ZC_REQUIRE((uint32_t)desc->type <= ZE_IMAGE_TYPE_BUFFER, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE(device->persona->image_size, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ZC_REQUIRE(desc->miplevels <= levels, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return check_chain(desc->pNext);
}

// All that kernels see but where the texels are.
static ze_result_t describe(
    ze_device_handle_t device, const ze_image_desc_t *desc, struct zc_image *seen)
{
    const ze_result_t checked = check_desc(device, desc);
    ZC_PASS(checked);
    *seen = (struct zc_image){.texels = 0};
    ZC_REQUIRE(zc_image_format_fill(&desc->format, seen), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    return zc_image_shape_fill(device, desc, seen);
}

// ---- texels ----

static struct zc_texels *create_texels(struct zc_memory_map *map)
{
    struct zc_texels *texels = calloc(1, sizeof *texels);
    if (!texels)
        return NULL;
    texels->map = map;
    atomic_init(&texels->references, 1);
    return texels;
}

static struct zc_allocation part_of_image(
    ze_context_handle_t context, ze_device_handle_t device, const void *owner, size_t size)
{
    return (struct zc_allocation){
        .size = size,
        .type = ZE_MEMORY_TYPE_DEVICE,
        .device = device,
        .context = context,
        .owner = owner,
        .of_image = true,
    };
}

static ze_result_t allocate_texels(ze_context_handle_t context, ze_device_handle_t device,
    struct zc_texels *texels, struct zc_image *seen)
{
    struct zc_allocation block =
        part_of_image(context, device, texels, (size_t)zc_image_bytes(seen));
    zc_stray_watch(context->memory);
    ZC_REQUIRE(zc_device_memory_map(&block, 0), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    texels->block = block;
    ZC_REQUIRE(zc_memory_map_add(context->memory, block), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    seen->texels = (uintptr_t)block.base;
    return ZE_RESULT_SUCCESS;
}

// The last row need not be as long as the others.
static ze_result_t use_memory(
    ze_context_handle_t context, const void *memory, struct zc_image *seen)
{
    struct zc_allocation allocation;
    const uint64_t unused = seen->row_pitch - (uint64_t)seen->width * seen->texel_size;
    const uint64_t needed = zc_image_bytes(seen) - unused;
    ZC_REQUIRE_POINTER(memory);
    ZC_REQUIRE(
        zc_memory_map_look_up(context, memory, &allocation), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const size_t room = (size_t)(allocation.base + allocation.size - (const char *)memory);
    ZC_REQUIRE(needed <= room, ZE_RESULT_ERROR_INVALID_SIZE);
    seen->texels = (uintptr_t)memory;
    return ZE_RESULT_SUCCESS;
}

// As Intel's 22.43 the default mode does not see the extension.
static ze_result_t place_texels(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, struct zc_texels *texels, struct zc_image *seen)
{
    const ze_newer_image_pitched_exp_desc_t *pitched =
        zc_find_next(desc->pNext, ZE_NEWER_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC);
    return pitched && zc_settings.newer ? use_memory(context, pitched->ptr, seen)
                                        : allocate_texels(context, device, texels, seen);
}

// ---- images ----

// Takes the reference to the texels, also when it fails.
static ze_result_t create_image(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, struct zc_texels *texels, const struct zc_image *seen,
    ze_image_handle_t *image)
{
    ze_image_handle_t new = calloc(1, sizeof *new);
    if (!new) {
        texels_unref(texels);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    new->seen = *seen;
    new->format = desc->format;
    new->type = desc->type;
    new->kernels_write = (desc->flags & ZE_IMAGE_FLAG_KERNEL_WRITE) != 0;
    new->texels = texels;
    new->map = context->memory;
    atomic_init(&new->references, 1);
    struct zc_allocation seen_there = part_of_image(context, device, new, sizeof new->seen);
    seen_there.base = (char *)&new->seen;
    if (!zc_memory_map_add(context->memory, seen_there) || !zc_live_add(&images, new)) {
        zc_image_unref(new);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    *image = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t *image)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(image);
    ZC_REQUIRE(zc_context_has(context, device), ZE_RESULT_ERROR_DEVICE_LOST); // as for allocations
    struct zc_image seen;
    const ze_result_t described = describe(device, desc, &seen);
    ZC_PASS(described);
    struct zc_texels *texels = create_texels(context->memory);
    ZC_REQUIRE(texels, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    const ze_result_t placed = place_texels(context, device, desc, texels, &seen);
    if (placed) {
        texels_unref(texels);
        return placed;
    }
    return create_image(context, device, desc, texels, &seen, image);
}

ze_result_t zeImageDestroy(ze_image_handle_t image)
{
    ZC_REQUIRE_HANDLE(image);
    ze_image_handle_t held = zc_image_hold(image);
    ZC_REQUIRE(held, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const bool is_in_use = atomic_load(&held->commands) != 0;
    const bool is_ours = !is_in_use && zc_live_remove(&images, held);
    if (is_ours) {
        atomic_store(&held->destroyed, true);
        zc_image_unref(held);
    }
    zc_image_unref(held);
    ZC_REQUIRE(!is_in_use, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
    ZC_REQUIRE(is_ours, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

// ---- views ----

static bool have_same_extents(const struct zc_image *a, const struct zc_image *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth &&
           a->layers == b->layers;
}

static ze_result_t create_view(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t image, ze_image_handle_t *view)
{
    struct zc_image seen;
    const ze_result_t described = describe(device, desc, &seen);
    ZC_PASS(described);
    ZC_REQUIRE(seen.texel_size == image->seen.texel_size, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    ZC_REQUIRE(desc->type == image->type, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(have_same_extents(&seen, &image->seen), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    seen.texels = image->seen.texels;
    seen.row_pitch = image->seen.row_pitch;
    seen.slice_pitch = image->seen.slice_pitch;
    atomic_fetch_add(&image->texels->references, 1);
    return create_image(context, device, desc, image->texels, &seen, view);
}

ze_result_t zeImageViewCreateExp(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t image, ze_image_handle_t *view)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_HANDLE(image);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(view);
    ZC_REQUIRE(zc_context_has(context, device), ZE_RESULT_ERROR_DEVICE_LOST); // as for images
    ze_image_handle_t held = zc_image_hold(image);
    ZC_REQUIRE(held, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t result = create_view(context, device, desc, held, view);
    zc_image_unref(held);
    return result;
}

ze_result_t zc_image_view_create(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t image, ze_image_handle_t *view)
    ZC_ENTRY_POINT(zeImageViewCreateExt);

ze_result_t zc_image_view_create(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t image, ze_image_handle_t *view)
{
    ZC_REQUIRE_NEWER();
    return zeImageViewCreateExp(context, device, desc, image, view);
}
