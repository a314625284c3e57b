// SPDX-License-Identifier: MIT

#include "task/command.h"

#include <string.h>

#include "base/alloc.h"
#include "task/readback.h"

const char mez_command_kind_names[][12] = {
    [MEZ_COMMAND_KERNEL] = "kernel",
    [MEZ_COMMAND_COPY] = "copy",
    [MEZ_COMMAND_FILL] = "fill",
    [MEZ_COMMAND_COPY_2D] = "2D copy",
    [MEZ_COMMAND_PREFETCH] = "prefetch",
    [MEZ_COMMAND_ADVISE] = "advice",
    [MEZ_COMMAND_NOTHING] = "barrier",
    [MEZ_COMMAND_LIST] = "native task",
    [MEZ_COMMAND_HOST] = "host task",
    [MEZ_COMMAND_REPLAY] = "replay",
    [MEZ_COMMAND_COPY_3D] = "3D copy",
};

static mez_error prepare_launch(const mez_command *command, const mez_device *device)
{
    mez_kernel_use *use = command->launch.use;
    const mez_range *range = command->launch.range;
    const mez_args *args = command->launch.args;
    if (__builtin_expect(mez_kernel_use_is_same(use, range, args), 1))
        return mez_ok();
    return mez_kernel_use_prepare(use, device, range, args);
}

// Work-groups that wait for each other hang unless the device runs all of them at once.
static mez_error check_cooperative(const mez_kernel_use *use, const mez_device *device)
{
    if (!device->cooperative)
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "device \"%s\" has no cooperative launches", device->info.name);
    uint32_t most;
    MEZ_TRY(ZE(zeKernelSuggestMaxCooperativeGroupCount, use->ze, &most));
    const ze_group_count_t *count = &use->plan.group_count;
    const uint64_t plane = (uint64_t)count->groupCountX * count->groupCountY;
    if (plane <= most && plane * count->groupCountZ <= most)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_ND_RANGE,
        "a cooperative launch of %u x %u x %u work-groups: device \"%s\" runs at most %u of this "
        "kernel and size at the same time",
        count->groupCountX, count->groupCountY, count->groupCountZ, device->info.name, most);
}

mez_error mez_command_prepare(const mez_command *command, const mez_device *device)
{
    if (command->kind != MEZ_COMMAND_KERNEL)
        return mez_ok();
    MEZ_TRY(prepare_launch(command, device));
    return command->launch.cooperative ? check_cooperative(command->launch.use, device) : mez_ok();
}

// Drivers want a rectangle to be one slice deep; its pitch means nothing then.
static mez_error append_copy_2d(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait)
{
    const ze_copy_region_t region = {
        .width = command->copy_2d.width, .height = command->copy_2d.rows, .depth = 1};
    return ZE(zeCommandListAppendMemoryCopyRegion, list, command->copy_2d.to, &region,
        command->copy_2d.to_pitch, 0, command->copy_2d.from, &region, command->copy_2d.from_pitch,
        0, signal, wait_count, wait);
}

static mez_error append_copy_3d(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait)
{
    const mez_box *box = command->copy_3d.box;
    const ze_copy_region_t region = {
        .width = box->width, .height = box->rows, .depth = box->slices};
    return ZE(zeCommandListAppendMemoryCopyRegion, list, command->copy_3d.to, &region,
        box->to_row_pitch, box->to_slice_pitch, command->copy_3d.from, &region, box->from_row_pitch,
        box->from_slice_pitch, signal, wait_count, wait);
}

mez_error mez_command_append(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait)
{
    switch (command->kind) {
    case MEZ_COMMAND_KERNEL:;
        mez_kernel_use *use = command->launch.use;
        if (command->launch.cooperative)
            return ZE(zeCommandListAppendLaunchCooperativeKernel, list, use->ze,
                &use->plan.group_count, signal, wait_count, wait);
        return ZE(zeCommandListAppendLaunchKernel, list, use->ze, &use->plan.group_count, signal,
            wait_count, wait);
    case MEZ_COMMAND_COPY:
        return ZE(zeCommandListAppendMemoryCopy, list, command->copy.to, command->copy.from,
            command->copy.size, signal, wait_count, wait);
    case MEZ_COMMAND_FILL:
        return ZE(zeCommandListAppendMemoryFill, list, command->fill.to, command->fill.pattern,
            command->fill.pattern_size, command->fill.size, signal, wait_count, wait);
    case MEZ_COMMAND_COPY_2D:
        return append_copy_2d(command, list, signal, wait_count, wait);
    case MEZ_COMMAND_COPY_3D:
        return append_copy_3d(command, list, signal, wait_count, wait);
    case MEZ_COMMAND_PREFETCH:
        return ZE(
            zeCommandListAppendMemoryPrefetch, list, command->hint.memory, command->hint.size);
    case MEZ_COMMAND_ADVISE:
        return ZE(zeCommandListAppendMemAdvise, list, command->hint.device, command->hint.memory,
            command->hint.size, command->hint.advice);
    default:
        return ZE(zeCommandListAppendBarrier, list, signal, wait_count, wait);
    }
}

// --- Copies

typedef struct command_copy {
    mez_command command; // its pointers lead into what follows it in memory
    mez_location where;
    mez_range range;
    mez_args args;
} command_copy;

#define ALIGNMENT 16u // of values, for whoever reads them where they lie

static size_t align(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t size_of_values(const mez_args *args)
{
    size_t size = 0;
    for (size_t i = 0; i < args->count; i++)
        if (args->items[i].kind == MEZ_ARG_VALUE)
            size += align(args->items[i].size);
    return size;
}

static size_t size_of_items(const mez_args *args)
{
    return align(args->count * sizeof *args->items);
}

// What stands behind the struct: the list of arguments and their values, or a pattern.
static size_t size_behind(const mez_command *command)
{
    if (command->kind == MEZ_COMMAND_FILL)
        return command->fill.pattern_size;
    if (command->kind == MEZ_COMMAND_COPY_3D)
        return sizeof *command->copy_3d.box;
    if (command->kind != MEZ_COMMAND_KERNEL || !command->launch.args)
        return 0;
    return size_of_items(command->launch.args) + size_of_values(command->launch.args);
}

static unsigned char *behind(command_copy *copy)
{
    return (unsigned char *)copy + align(sizeof *copy);
}

static void copy_arguments(command_copy *copy, const mez_args *args)
{
    mez_arg *items = (mez_arg *)behind(copy);
    unsigned char *values = behind(copy) + size_of_items(args);
    for (size_t i = 0; i < args->count; i++) {
        items[i] = args->items[i];
        if (items[i].kind != MEZ_ARG_VALUE)
            continue;
        memcpy(values, items[i].data, items[i].size);
        items[i].data = values;
        values += align(items[i].size);
    }
    copy->args = (mez_args){.count = args->count, .items = items};
}

static void copy_launch(command_copy *copy, const mez_command *command)
{
    mez_kernel_ref(command->launch.kernel);
    copy->range = *command->launch.range;
    copy->command.launch.range = &copy->range;
    copy->command.launch.args = &copy->args;
    if (command->launch.args)
        copy_arguments(copy, command->launch.args);
    else
        copy->args = (mez_args){.count = 0}; // the memory may have had others
}

size_t mez_command_copy_size(const mez_command *command)
{
    return align(sizeof(command_copy)) + size_behind(command);
}

mez_command *mez_command_copy_to(const mez_command *command, void *memory)
{
    command_copy *copy = memory;
    copy->command = *command;
    if (command->where) {
        copy->where = *command->where;
        copy->command.where = &copy->where;
    }
    if (command->kind == MEZ_COMMAND_KERNEL) {
        copy_launch(copy, command);
    } else if (command->kind == MEZ_COMMAND_FILL) {
        memcpy(behind(copy), command->fill.pattern, command->fill.pattern_size);
        copy->command.fill.pattern = behind(copy);
    } else if (command->kind == MEZ_COMMAND_COPY_3D) {
        memcpy(behind(copy), command->copy_3d.box, sizeof *command->copy_3d.box);
        copy->command.copy_3d.box = (const mez_box *)behind(copy);
    } else if (command->kind == MEZ_COMMAND_REPLAY) {
        mez_encoding_ref(command->replay);
    }
    return &copy->command;
}

mez_error mez_command_copy(const mez_command *command, mez_command **created)
{
    void *memory = mez_alloc_array(1, mez_command_copy_size(command));
    if (!memory)
        return mez_error_no_memory("a command to keep");
    *created = mez_command_copy_to(command, memory);
    return mez_ok();
}

void mez_command_finish(mez_command *copy)
{
    if (copy->kind == MEZ_COMMAND_KERNEL)
        mez_kernel_unref(copy->launch.kernel);
    else if (copy->kind == MEZ_COMMAND_REPLAY)
        mez_encoding_unref(copy->replay);
}

void mez_command_free(mez_command *copy)
{
    if (!copy)
        return;
    mez_command_finish(copy);
    mez_free_memory(copy);
}
