// SPDX-License-Identifier: MIT

#include "submit/ranges.h"

#include <string.h>

#include "base/environment.h"
#include "memory/memory.h"
#include "ze/caps.h"

mez_error mez_ranges_read_setting(bool *validates)
{
    const char *text = mez_setting(MEZ_VARIABLE_VALIDATE);
    *validates = text ? strcmp(text, "1") == 0 : mez_ze_loader_validates();
    if (!text || *validates || strcmp(text, "0") == 0)
        return mez_ok();
    return mez_setting_refused(MEZ_VARIABLE_VALIDATE);
}

// --- One range

static const char *const verbs[] = {"writes", "reads", "is for"};
static const char *const arguments[] = {"to", "from", "memory"};

static mez_error add_memory(
    mez_error error, mez_platform *platform, const char *name, const void *address)
{
    mez_text text = {0};
    mez_address_describe(platform, address, &text);
    error = mez_error_add(error, name, "%s", mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

static mez_error refuse(
    mez_error error, mez_platform *platform, mez_side side, const void *pointer, size_t size)
{
    error = mez_error_add(error, "argument", "%s", arguments[side]);
    error = add_memory(error, platform, "its first byte", pointer);
    return add_memory(error, platform, "its last byte", (const char *)pointer + size - 1);
}

static mez_error refuse_no_allocation(
    const mez_command *command, mez_side side, const void *pointer, size_t size)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a %s %s %zu bytes from %p on, where no allocation is",
        mez_command_kind_names[command->kind], verbs[side], size, pointer);
}

static mez_error refuse_past_end(const mez_memory_info *info, const mez_command *command,
    mez_side side, const void *pointer, size_t size)
{
    const char *name = info->debug_name;
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a %s %s %zu bytes from %p on, at offset %zu of an allocation of %zu bytes%s%s%s, which "
        "has %zu from there on",
        mez_command_kind_names[command->kind], verbs[side], size, pointer, info->offset, info->size,
        name ? " (\"" : "", name ? name : "", name ? "\")" : "", info->size - info->offset);
}

mez_error mez_range_check(mez_platform *platform, const mez_memory_info *info,
    const mez_command *command, mez_side side, const void *pointer, size_t size)
{
    if (info->origin == MEZ_POINTER_FREED)
        return refuse(
            refuse_no_allocation(command, side, pointer, size), platform, side, pointer, size);
    if (info->origin == MEZ_POINTER_PLAIN || size <= info->size - info->offset)
        return mez_ok();
    return refuse(
        refuse_past_end(info, command, side, pointer, size), platform, side, pointer, size);
}

// Memory outside of all allocations must not have one in it.
static mez_error check_plain(mez_platform *platform, const mez_command *command, mez_side side,
    const void *pointer, size_t size)
{
    const void *inside = mez_memory_find_within(platform->memory, pointer, size);
    if (!inside)
        return mez_ok();
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a %s %s %zu bytes from %p on, outside of all allocations, and goes into one at %p",
        mez_command_kind_names[command->kind], verbs[side], size, pointer, inside);
    return refuse(error, platform, side, pointer, size);
}

static mez_error look_up_and_check(mez_platform *platform, const mez_command *command,
    mez_side side, const void *pointer, size_t size)
{
    mez_memory_info info;
    MEZ_TRY(mez_memory_find_info(platform, pointer, &info));
    return info.origin == MEZ_POINTER_PLAIN
               ? check_plain(platform, command, side, pointer, size)
               : mez_range_check(platform, &info, command, side, pointer, size);
}

// --- What commands read and write

static mez_error check_sides(mez_platform *platform, const mez_command *command, const void *to,
    size_t to_size, const void *from, size_t from_size)
{
    MEZ_TRY(look_up_and_check(platform, command, MEZ_SIDE_TO, to, to_size));
    return look_up_and_check(platform, command, MEZ_SIDE_FROM, from, from_size);
}

// From the first byte of a rectangle to its last: it has been described, so the sum fits.
static size_t span(size_t pitch, size_t width, size_t rows)
{
    return pitch * (rows - 1) + width;
}

static mez_error check_rectangles(mez_platform *platform, const mez_command *command)
{
    const size_t width = command->copy_2d.width, rows = command->copy_2d.rows;
    return check_sides(platform, command, command->copy_2d.to,
        span(command->copy_2d.to_pitch, width, rows), command->copy_2d.from,
        span(command->copy_2d.from_pitch, width, rows));
}

static mez_error check_boxes(mez_platform *platform, const mez_command *command)
{
    const mez_box *box = command->copy_3d.box;
    const size_t to = span(box->to_row_pitch, box->width, box->rows);
    const size_t from = span(box->from_row_pitch, box->width, box->rows);
    return check_sides(platform, command, command->copy_3d.to,
        span(box->to_slice_pitch, to, box->slices), command->copy_3d.from,
        span(box->from_slice_pitch, from, box->slices));
}

mez_error mez_ranges_check_all(mez_platform *platform, const mez_command *command)
{
    switch (command->kind) {
    case MEZ_COMMAND_COPY:
        return check_sides(platform, command, command->copy.to, command->copy.size,
            command->copy.from, command->copy.size);
    case MEZ_COMMAND_COPY_2D:
        return check_rectangles(platform, command);
    case MEZ_COMMAND_COPY_3D:
        return check_boxes(platform, command);
    case MEZ_COMMAND_FILL:
        return look_up_and_check(
            platform, command, MEZ_SIDE_TO, command->fill.to, command->fill.size);
    default:
        return mez_ok();
    }
}
