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

static void keep_name(char kept[MEZ_HISTORY_NAME], const char *name)
{
    size_t length = 0;
    while (name && length < MEZ_HISTORY_NAME - 1 && name[length]) {
        kept[length] = name[length];
        length++;
    }
    kept[length] = '\0';
}

static void note_rest(mez_history *history, uint64_t number, const char *name, size_t size)
{
    mez_history_task *task = mez_history_at(history, number);
    keep_name(history->names[mez_history_slot(number)], name);
    if (task->known == MEZ_HISTORY_KIND)
        task->where = (mez_location){0};
    task->size = size;
    task->since = 0;
    task->known = MEZ_HISTORY_ALL;
}

void mez_command_describe(const mez_command *command, mez_text *text)
{
    const size_t size = size_of(command);
    if (command->kind == MEZ_COMMAND_KERNEL)
        mez_text_add(text, "kernel \"%s\"", mez_kernel_get_name(command->launch.kernel));
    else
        mez_text_add(text, "%s", mez_command_kind_names[command->kind]);
    if (size > 0)
        mez_text_add(text, " of %zu bytes", size);
    if (command->where && command->where->file)
        mez_text_add(text, ", submitted at %s:%d", command->where->file, command->where->line);
}

void mez_history_add(mez_history *history, uint64_t number, const mez_command *command, bool timed)
{
    const bool launch = command->kind == MEZ_COMMAND_KERNEL;
    mez_history_note(
        history, number, command->kind, launch ? command->launch.kernel : NULL, command->where);
    const size_t size = size_of(command);
    if (command->debug_name || size > 0 || timed)
        note_rest(history, number, command->debug_name, size);
    if (timed)
        mez_history_at(history, number)->since = coarse_time();
}

void mez_history_name(mez_history *history, uint64_t number, const char *name)
{
    note_rest(history, number, name, 0);
    mez_history_at(history, number)->since = coarse_time();
}

void mez_history_stamp(mez_history *history, uint64_t number)
{
    mez_history_task *task = mez_history_at(history, number);
    if (task->number != number)
        return;
    if (task->known != MEZ_HISTORY_ALL)
        note_rest(history, number, NULL, 0);
    task->since = coarse_time();
}

const mez_history_task *mez_history_find(const mez_history *history, uint64_t number)
{
    const mez_history_task *task = &history->tasks[mez_history_slot(number)];
    return number > 0 && task->number == number ? task : NULL;
}

uint64_t mez_history_since(const mez_history *history, uint64_t number, bool *exact)
{
    for (uint64_t later = number; later < number + MEZ_HISTORY_TASKS; later++) {
        const mez_history_task *task = mez_history_find(history, later);
        *exact = later == number;
        if (task && task->known == MEZ_HISTORY_ALL && task->since > 0)
            return task->since;
    }
    *exact = false;
    return 0;
}

static void add_operation(const mez_history_task *task, bool with_kernel, mez_text *text)
{
    if (task->kind == MEZ_COMMAND_KERNEL && with_kernel)
        mez_text_add(text, "kernel \"%s\"", mez_kernel_get_name(task->kernel));
    else
        mez_text_add(text, "%s", mez_command_kind_names[task->kind]);
    if (task->known == MEZ_HISTORY_ALL && task->size > 0)
        mez_text_add(text, " of %zu bytes", task->size);
}

static void describe(const mez_history *history, uint64_t number, bool with_kernel, mez_text *text)
{
    const mez_history_task *task = mez_history_find(history, number);
    mez_text_add(text, "task %llu", (unsigned long long)number);
    if (!task)
        return;
    const char *name =
        task->known == MEZ_HISTORY_ALL ? history->names[mez_history_slot(number)] : "";
    if (*name)
        mez_text_add(text, " \"%s\"", name);
    mez_text_add(text, " (");
    add_operation(task, with_kernel, text);
    if (task->known != MEZ_HISTORY_KIND && task->where.file)
        mez_text_add(text, ", submitted at %s:%d", task->where.file, task->where.line);
    mez_text_add(text, ")");
}

void mez_history_describe(const mez_history *history, uint64_t number, mez_text *text)
{
    describe(history, number, true, text);
}

void mez_history_describe_ended(const mez_history *history, uint64_t number, mez_text *text)
{
    describe(history, number, false, text);
}
