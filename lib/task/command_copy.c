// SPDX-License-Identifier: MIT

#include "task/command_copy.h"

#include <string.h>

#include "base/alloc.h"
#include "queue/replay.h"

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

static unsigned char *behind(mez_stored_command *stored)
{
    return (unsigned char *)stored + align(sizeof *stored);
}

static void copy_arguments(mez_stored_command *stored, const mez_args *args)
{
    mez_arg *items = (mez_arg *)behind(stored);
    unsigned char *values = behind(stored) + size_of_items(args);
    for (size_t i = 0; i < args->count; i++) {
        items[i] = args->items[i];
        if (items[i].kind != MEZ_ARG_VALUE)
            continue;
        memcpy(values, items[i].data, items[i].size);
        items[i].data = values;
        values += align(items[i].size);
    }
    stored->args = (mez_args){.count = args->count, .items = items};
    stored->command.launch.args = &stored->args;
}

static void copy_launch(mez_stored_command *stored, const mez_command *command)
{
    mez_kernel_ref(command->launch.kernel);
    stored->range = *command->launch.range;
    stored->command.launch.range = &stored->range;
    if (command->launch.args)
        copy_arguments(stored, command->launch.args);
}

mez_arg *mez_stored_command_items(mez_stored_command *stored)
{
    return (mez_arg *)behind(stored);
}

mez_error mez_stored_command_create(const mez_command *command, mez_stored_command **created)
{
    const size_t size = align(sizeof(mez_stored_command)) + size_behind(command);
    mez_stored_command *stored = mez_alloc_array(1, size);
    if (!stored)
        return mez_error_no_memory("a command to keep");
    stored->command = *command;
    if (command->where) {
        stored->where = *command->where;
        stored->command.where = &stored->where;
    }
    if (command->kind == MEZ_COMMAND_KERNEL) {
        copy_launch(stored, command);
    } else if (command->kind == MEZ_COMMAND_FILL) {
        memcpy(behind(stored), command->fill.pattern, command->fill.pattern_size);
        stored->command.fill.pattern = behind(stored);
    } else if (command->kind == MEZ_COMMAND_COPY_3D) {
        memcpy(behind(stored), command->copy_3d.box, sizeof *command->copy_3d.box);
        stored->command.copy_3d.box = (const mez_box *)behind(stored);
    } else if (command->kind == MEZ_COMMAND_REPLAY) {
        mez_encoding_ref(command->replay);
    }
    *created = stored;
    return mez_ok();
}

void mez_stored_command_destroy(mez_stored_command *stored)
{
    if (!stored)
        return;
    if (stored->command.kind == MEZ_COMMAND_KERNEL)
        mez_kernel_unref(stored->command.launch.kernel);
    else if (stored->command.kind == MEZ_COMMAND_REPLAY)
        mez_encoding_unref(stored->command.replay);
    mez_free_memory(stored);
}
