// SPDX-License-Identifier: MIT

#include "task/history.h"

#include <time.h>

// Right to a few milliseconds, for a fifth of what the exact time costs.
static uint64_t coarse_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static size_t size_of(const mez_command *command)
{
    switch (command->kind) {
    case MEZ_COMMAND_COPY:
        return command->copy.size;
    case MEZ_COMMAND_FILL:
        return command->fill.size;
    case MEZ_COMMAND_COPY_2D:
        return (size_t)command->copy_2d.width * command->copy_2d.rows;
    case MEZ_COMMAND_COPY_3D:
        return mez_box_size(command->copy_3d.box);
    default:
        return 0;
    }
}

static void keep_name(char kept[MEZ_RECENT_NAME], const char *name)
{
    size_t length = 0;
    while (name && length < MEZ_RECENT_NAME - 1 && name[length]) {
        kept[length] = name[length];
        length++;
    }
    kept[length] = '\0';
}

static void note_rest(mez_recent *recent, uint64_t number, const char *name, size_t size)
{
    mez_recent_task *task = mez_recent_at(recent, number);
    keep_name(recent->names[mez_recent_slot(number)], name);
    if (task->known == MEZ_RECENT_KIND)
        task->where = (mez_location){0};
    task->size = size;
    task->since = 0;
    task->known = MEZ_RECENT_ALL;
}

void mez_recent_add(mez_recent *recent, uint64_t number, const mez_command *command, bool timed)
{
    const bool launch = command->kind == MEZ_COMMAND_KERNEL;
    mez_recent_note(
        recent, number, command->kind, launch ? command->launch.kernel : NULL, command->where);
    const size_t size = size_of(command);
    if (command->debug_name || size > 0 || timed)
        note_rest(recent, number, command->debug_name, size);
    if (timed)
        mez_recent_at(recent, number)->since = coarse_time();
}

void mez_recent_name(mez_recent *recent, uint64_t number, const char *name)
{
    note_rest(recent, number, name, 0);
    mez_recent_at(recent, number)->since = coarse_time();
}

void mez_recent_stamp(mez_recent *recent, uint64_t number)
{
    mez_recent_task *task = mez_recent_at(recent, number);
    if (task->number != number)
        return;
    if (task->known != MEZ_RECENT_ALL)
        note_rest(recent, number, NULL, 0);
    task->since = coarse_time();
}

const mez_recent_task *mez_recent_find(const mez_recent *recent, uint64_t number)
{
    const mez_recent_task *task = &recent->tasks[mez_recent_slot(number)];
    return number > 0 && task->number == number ? task : NULL;
}

uint64_t mez_recent_since(const mez_recent *recent, uint64_t number, bool *exact)
{
    for (uint64_t later = number; later < number + MEZ_RECENT_TASKS; later++) {
        const mez_recent_task *task = mez_recent_find(recent, later);
        *exact = later == number;
        if (task && task->known == MEZ_RECENT_ALL && task->since > 0)
            return task->since;
    }
    *exact = false;
    return 0;
}

static void add_operation(const mez_recent_task *task, mez_text *text)
{
    if (task->kind == MEZ_COMMAND_KERNEL)
        mez_text_add(text, "kernel \"%s\"", mez_kernel_name(task->kernel));
    else
        mez_text_add(text, "%s", mez_command_kind_names[task->kind]);
    if (task->known == MEZ_RECENT_ALL && task->size > 0)
        mez_text_add(text, " of %zu bytes", task->size);
}

void mez_recent_describe(const mez_recent *recent, uint64_t number, mez_text *text)
{
    const mez_recent_task *task = mez_recent_find(recent, number);
    mez_text_add(text, "task %llu", (unsigned long long)number);
    if (!task)
        return;
    const char *name = task->known == MEZ_RECENT_ALL ? recent->names[mez_recent_slot(number)] : "";
    if (*name)
        mez_text_add(text, " \"%s\"", name);
    mez_text_add(text, " (");
    add_operation(task, text);
    if (task->known != MEZ_RECENT_KIND && task->where.file)
        mez_text_add(text, ", submitted at %s:%d", task->where.file, task->where.line);
    mez_text_add(text, ")");
}
