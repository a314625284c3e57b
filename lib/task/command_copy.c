// SPDX-License-Identifier: MIT

#include "task/command_copy.h"

#include <string.h>

#include "base/alloc.h"
#include "task/encoding.h"

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

static unsigned char *behind(mez_command_copy *copy)
{
    return (unsigned char *)copy + align(sizeof *copy);
}

static void copy_arguments(mez_command_copy *copy, const mez_args *args)
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
    copy->command.launch.args = &copy->args;
}

static void copy_launch(mez_command_copy *copy, const mez_command *command)
{
    mez_kernel_ref(command->launch.kernel);
    copy->range = *command->launch.range;
    copy->command.launch.range = &copy->range;
    if (command->launch.args)
        copy_arguments(copy, command->launch.args);
}

mez_arg *mez_command_copy_items(mez_command_copy *copy)
{
    return (mez_arg *)behind(copy);
}

mez_error mez_command_copy_create(const mez_command *command, mez_command_copy **created)
{
    const size_t size = align(sizeof(mez_command_copy)) + size_behind(command);
    mez_command_copy *copy = mez_alloc_array(1, size);
    if (!copy)
        return mez_error_no_memory("a command to keep");
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
    *created = copy;
    return mez_ok();
}

void mez_command_copy_destroy(mez_command_copy *copy)
{
    if (!copy)
        return;
    if (copy->command.kind == MEZ_COMMAND_KERNEL)
        mez_kernel_unref(copy->command.launch.kernel);
    else if (copy->command.kind == MEZ_COMMAND_REPLAY)
        mez_encoding_unref(copy->command.replay);
    mez_free_memory(copy);
}
