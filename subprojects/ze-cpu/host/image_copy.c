// SPDX-License-Identifier: MIT
//
// Commands that copy texels: from image to image, and between images and memory.
#include "check.h"
#include "image_handle.h"
#include "image_shape.h"
#include "list.h"
#include "unwritten.h"

#include <string.h>

// More bytes than this are not copied inside an append to an asynchronous list.
#define MAX_INLINE_BYTES ((uint64_t)64 << 10)

// A part of an image, in texels; layers of arrays count as slices.
struct box {
    uint32_t x, y, z;
    uint32_t width, height, depth;
};

// Where the texels of one side lie.
struct side {
    ze_image_handle_t image; // with a reference; NULL: memory of the program's
    char *first;
    uint64_t row_pitch, slice_pitch;
};

struct image_copy {
    struct zc_command command;
    struct side to, from;
    uint64_t row_size; // bytes
    uint32_t rows, slices;
};

// ---- boxes ----

static struct box whole(const struct zc_image *seen)
{
    return (struct box){
        .width = seen->width, .height = seen->height, .depth = zc_image_slices(seen)};
}

static uint32_t at_least_one(uint32_t extent)
{
    return extent ? extent : 1;
}

// A one-dimensional array has its layers where other images have rows, as Intel's driver has it, or slices.
static struct box box_of(const struct _ze_image_handle_t *image, const ze_image_region_t *region)
{
    if (!region)
        return whole(&image->seen);
    struct box box = {region->originX, region->originY, region->originZ, region->width,
        at_least_one(region->height), at_least_one(region->depth)};
    if (image->type == ZE_IMAGE_TYPE_1DARRAY && box.z == 0 && box.depth == 1) {
        box.z = box.y;
        box.depth = box.height;
        box.y = 0;
        box.height = 1;
    }
    return box;
}

static bool is_within(uint32_t origin, uint32_t extent, uint32_t limit)
{
    return extent && (uint64_t)origin + extent <= limit;
}

static bool is_in_image(const struct box *box, const struct zc_image *seen)
{
    return is_within(box->x, box->width, seen->width) &&
           is_within(box->y, box->height, seen->height) &&
           is_within(box->z, box->depth, zc_image_slices(seen));
}

static ze_result_t get_box(
    const struct _ze_image_handle_t *image, const ze_image_region_t *region, struct box *box)
{
    *box = box_of(image, region);
    ZC_REQUIRE(is_in_image(box, &image->seen), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

static bool have_same_extents(const struct box *a, const struct box *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth;
}

static bool meet(uint32_t a, uint32_t b, uint32_t extent)
{
    return a < (uint64_t)b + extent && b < (uint64_t)a + extent;
}

// Of two boxes of the same extents.
static bool overlap(const struct box *a, const struct box *b)
{
    return meet(a->x, b->x, a->width) && meet(a->y, b->y, a->height) && meet(a->z, b->z, a->depth);
}

// ---- the command ----

static char *first_texel(const struct zc_image *seen, const struct box *box)
{
    const uint64_t offset =
        box->z * seen->slice_pitch + box->y * seen->row_pitch + (uint64_t)box->x * seen->texel_size;
    return (char *)(uintptr_t)(seen->texels + offset);
}

static struct side image_side(ze_image_handle_t image, const struct box *box)
{
    const struct zc_image *seen = &image->seen;
    return (struct side){image, first_texel(seen, box), seen->row_pitch, seen->slice_pitch};
}

static void copy_row(char *to, const char *from, size_t size)
{
    zc_note_copied(to, from, size);
    memmove(to, from, size);
}

static bool is_destroyed(const struct side *side)
{
    return side->image && zc_image_is_destroyed(side->image);
}

static bool run_image_copy(const struct zc_command *command, struct zc_runner *runner)
{
    const struct image_copy *copy = (const void *)command;
    if (zc_settings.strict && (is_destroyed(&copy->to) || is_destroyed(&copy->from))) {
        zc_image_note_destroyed(runner, NULL);
        return false;
    }
    for (uint32_t z = 0; z < copy->slices; z++)
        for (uint32_t y = 0; y < copy->rows; y++)
            copy_row(copy->to.first + z * copy->to.slice_pitch + y * copy->to.row_pitch,
                copy->from.first + z * copy->from.slice_pitch + y * copy->from.row_pitch,
                (size_t)copy->row_size);
    return true;
}

static void for_images(const struct image_copy *copy, void (*what)(ze_image_handle_t image))
{
    if (copy->to.image)
        what(copy->to.image);
    if (copy->from.image)
        what(copy->from.image);
}

static void begin_image_copy(struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    for_images((const void *)command, zc_image_use_begin);
}

static bool end_image_copy(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    for_images((const void *)command, zc_image_use_end);
    return true;
}

static void finish_image_copy(struct zc_command *command)
{
    for_images((const void *)command, zc_image_unref);
}

static ze_result_t append_copy(const struct zc_append *append, const struct box *box,
    uint32_t texel_size, const struct side *to, const struct side *from)
{
    struct image_copy *copy = zc_command_create(sizeof *copy, append);
    ZC_REQUIRE(copy, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    copy->to = *to;
    copy->from = *from;
    copy->row_size = (uint64_t)box->width * texel_size;
    copy->rows = box->height;
    copy->slices = box->depth;
    copy->command.run = run_image_copy;
    copy->command.finish = finish_image_copy;
    copy->command.may_block = copy->row_size * copy->rows * copy->slices > MAX_INLINE_BYTES;
    if (zc_settings.strict) {
        copy->command.begun = begin_image_copy;
        copy->command.ended = end_image_copy;
    }
    for_images(copy, zc_image_ref);
    return zc_list_append(append->list, &copy->command);
}

// ---- from image to image ----

static bool have_same_format(const ze_image_format_t *a, const ze_image_format_t *b)
{
    return a->layout == b->layout && a->type == b->type && a->x == b->x && a->y == b->y &&
           a->z == b->z && a->w == b->w;
}

// The specification wants the same format on both sides. Intel's driver moves texels of the same size.
static ze_result_t check_formats(
    const struct _ze_image_handle_t *to, const struct _ze_image_handle_t *from)
{
    ZC_REQUIRE(to->seen.texel_size == from->seen.texel_size, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(!zc_settings.strict || have_same_format(&to->format, &from->format),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t copy_held(const struct zc_append *append, ze_image_handle_t to,
    const ze_image_region_t *to_region, ze_image_handle_t from,
    const ze_image_region_t *from_region)
{
    struct box to_box, from_box;
    ze_result_t result;
    if ((result = check_formats(to, from)) || (result = get_box(to, to_region, &to_box)) ||
        (result = get_box(from, from_region, &from_box)))
        return result;
    const bool same_texels = to->seen.texels == from->seen.texels;
    ZC_REQUIRE(have_same_extents(&to_box, &from_box), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(!same_texels || !overlap(&to_box, &from_box), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
    const struct side to_side = image_side(to, &to_box), from_side = image_side(from, &from_box);
    return append_copy(append, &to_box, to->seen.texel_size, &to_side, &from_side);
}

ze_result_t zeCommandListAppendImageCopyRegion(ze_command_list_handle_t list, ze_image_handle_t to,
    ze_image_handle_t from, const ze_image_region_t *to_region,
    const ze_image_region_t *from_region, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_HANDLE(to);
    ZC_REQUIRE_HANDLE(from);
    ze_image_handle_t held_to = zc_image_hold(to), held_from = zc_image_hold(from);
    ze_result_t result = ZE_RESULT_ERROR_INVALID_ARGUMENT; // one is not an image
    if (held_to && held_from)
        result = copy_held(&append, held_to, to_region, held_from, from_region);
    if (held_to)
        zc_image_unref(held_to);
    if (held_from)
        zc_image_unref(held_from);
    return result;
}

ze_result_t zeCommandListAppendImageCopy(ze_command_list_handle_t list, ze_image_handle_t to,
    ze_image_handle_t from, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    return zeCommandListAppendImageCopyRegion(
        list, to, from, NULL, NULL, signal, wait_count, waits);
}

// ---- between an image and memory ----

struct pitches {
    uint32_t row, slice; // 0: nothing lies between rows, or slices
};

static ze_result_t memory_side(const void *memory, const struct box *box, uint32_t texel_size,
    const struct pitches *pitches, struct side *side)
{
    const uint64_t row_size = (uint64_t)box->width * texel_size;
    const uint64_t row_pitch = pitches->row ? pitches->row : row_size;
    const uint64_t slice_size = row_pitch * box->height;
    const uint64_t slice_pitch = pitches->slice ? pitches->slice : slice_size;
    ZC_REQUIRE(row_pitch >= row_size, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(slice_pitch >= slice_size, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *side = (struct side){NULL, (char *)(uintptr_t)memory, row_pitch, slice_pitch};
    return ZE_RESULT_SUCCESS;
}

struct memory_copy {
    ze_image_handle_t image;
    const ze_image_region_t *region;
    const void *memory;
    struct pitches pitches;
    bool to_memory;
};

static ze_result_t copy_memory_held(
    const struct zc_append *append, const struct memory_copy *copy, ze_image_handle_t image)
{
    struct box box;
    struct side memory;
    ze_result_t result;
    if ((result = get_box(image, copy->region, &box)) ||
        (result = memory_side(copy->memory, &box, image->seen.texel_size, &copy->pitches, &memory)))
        return result;
    const struct side texels = image_side(image, &box);
    return append_copy(append, &box, image->seen.texel_size, copy->to_memory ? &memory : &texels,
        copy->to_memory ? &texels : &memory);
}

static ze_result_t append_memory_copy(
    const struct zc_append *append, const struct memory_copy *copy)
{
    const ze_result_t checked = zc_check_append(append);
    ZC_PASS(checked);
    ZC_REQUIRE_HANDLE(copy->image);
    ZC_REQUIRE_POINTER(copy->memory);
    ze_image_handle_t image = zc_image_hold(copy->image);
    ZC_REQUIRE(image, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t result = copy_memory_held(append, copy, image);
    zc_image_unref(image);
    return result;
}

ze_result_t zeCommandListAppendImageCopyToMemoryExt(ze_command_list_handle_t list, void *to,
    ze_image_handle_t from, const ze_image_region_t *region, uint32_t row_pitch,
    uint32_t slice_pitch, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    return append_memory_copy(
        &append, &(struct memory_copy){from, region, to, {row_pitch, slice_pitch}, true});
}

ze_result_t zeCommandListAppendImageCopyFromMemoryExt(ze_command_list_handle_t list,
    ze_image_handle_t to, const void *from, const ze_image_region_t *region, uint32_t row_pitch,
    uint32_t slice_pitch, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    return append_memory_copy(
        &append, &(struct memory_copy){to, region, from, {row_pitch, slice_pitch}, false});
}

ze_result_t zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *to,
    ze_image_handle_t from, const ze_image_region_t *region, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    return zeCommandListAppendImageCopyToMemoryExt(
        list, to, from, region, 0, 0, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
    ze_image_handle_t to, const void *from, const ze_image_region_t *region,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    return zeCommandListAppendImageCopyFromMemoryExt(
        list, to, from, region, 0, 0, signal, wait_count, waits);
}
