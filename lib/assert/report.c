// SPDX-License-Identifier: MIT

#include "assert/report.h"

#include <string.h>

#include "assert/collection.h"
#include "assert/record.h"

#define MOST_NAMED 4 // tasks

static bool is_of_module(const mez_history_task *task, const mez_module *module)
{
    if (task->kind == MEZ_COMMAND_REPLAY)
        return true;
    return task->kind == MEZ_COMMAND_KERNEL && task->kernel->may_assert &&
           (!module || task->kernel->image == module->image);
}

bool mez_assert_may_be_of(const mez_failed_assert *failed, uint64_t task)
{
    const mez_history_task *known = mez_history_find(&failed->queue->history, task);
    return !known || is_of_module(known, failed->module);
}

static bool is_in_list(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

static void add_kernel(mez_text *kernels, const mez_history_task *task)
{
    if (!task || task->kind != MEZ_COMMAND_KERNEL)
        return;
    const char *name = mez_kernel_name(task->kernel);
    if (!is_in_list(mez_text_get(kernels), name))
        mez_text_add(kernels, "%s%s", kernels->length > 0 ? ", " : "", name);
}

void mez_assert_describe(const mez_failed_assert *failed, mez_assert_words *words)
{
    const mez_history *recent = &failed->queue->history;
    uint64_t count = 0;
    *words = (mez_assert_words){0};
    if (failed->record->flag == MEZ_ASSERT_FAILED)
        mez_assert_format(failed->record, &words->message);
    else
        mez_text_add(&words->message,
            "a device-side assert failed in queue \"%s\": the driver tells no more\n",
            failed->queue->name);
    for (uint64_t task = failed->first_task; task <= failed->last_task; task++) {
        if (!mez_assert_may_be_of(failed, task))
            continue;
        add_kernel(&words->kernel, mez_history_find(recent, task));
        if (++count > MOST_NAMED)
            continue;
        mez_text_add(&words->task, "%s", count > 1 ? ", or " : "");
        mez_history_describe(recent, task, &words->task);
    }
    if (count > MOST_NAMED)
        mez_text_add(&words->task, ", or one of %llu more", (unsigned long long)count - MOST_NAMED);
}

void mez_assert_words_finish(mez_assert_words *words)
{
    mez_text_finish(&words->message);
    mez_text_finish(&words->kernel);
    mez_text_finish(&words->task);
}

mez_error mez_assert_make_error(const mez_failed_assert *failed, const mez_assert_words *words)
{
    const char *line = mez_text_get(&words->message);
    mez_error error = mez_error_make(MEZ_ERRC_ASSERT, "%.*s", (int)strcspn(line, "\n"), line);
    if (words->kernel.length > 0)
        error = mez_error_add(error, "kernel", "%s", mez_text_get(&words->kernel));
    if (failed->module)
        error = mez_error_add(error, "image", "\"%s\"", failed->module->image->name);
    error = mez_error_add(error, "queue", "\"%s\"", failed->queue->name);
    error = mez_error_add(error, "task", "%s", mez_text_get(&words->task));
    const bool known = failed->record->flag == MEZ_ASSERT_FAILED;
    return known ? mez_collection_attach(error, 1, failed->record, 1) : error;
}
