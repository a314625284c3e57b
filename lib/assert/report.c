// SPDX-License-Identifier: MIT

#include "assert/report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "assert/asserts.h"
#include "base/alloc.h"
#include "completion/completion.h"
#include "trace/probe.h"
#include "trace/trace.h"

#define MOST_NAMED 4 // tasks

// Words for people. The caller holds the queue's lock and finishes the texts.
typedef struct mez_assert_words {
    mez_text message;
    mez_text kernel;
    mez_text task;
} mez_assert_words;

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
    mez_text name = {0}; // as it stands in the list
    mez_text_add(&name, "%s", mez_kernel_get_name(task->kernel));
    if (!is_in_list(mez_text_get(kernels), mez_text_get(&name)))
        mez_text_add(kernels, "%s%s", kernels->length > 0 ? ", " : "", mez_text_get(&name));
    mez_text_finish(&name);
}

static void describe_failure(const mez_failed_assert *failed, mez_assert_words *words)
{
    const mez_history *recent = &failed->queue->history;
    uint64_t count = 0;
    *words = (mez_assert_words){0};
    if (failed->record->flag == MEZ_ASSERT_FAILED)
        mez_assert_format(failed->record, &words->message);
    else if (failed->mailbox)
        mez_text_add(&words->message,
            "a device-side assert failed in queue \"%s\": more launches failed at a time than the "
            "%d whose details are kept\n",
            failed->queue->name, MEZ_MAILBOX_RECORDS);
    else
        mez_text_add(&words->message,
            "a device-side assert failed in queue \"%s\": the driver reports no details\n",
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

static void words_finish(mez_assert_words *words)
{
    mez_text_finish(&words->message);
    mez_text_finish(&words->kernel);
    mez_text_finish(&words->task);
}

// NULL: it is not known.
static const mez_image *image_of(const mez_failed_assert *failed)
{
    if (failed->module)
        return failed->module->image;
    const mez_history_task *known = mez_history_find(&failed->queue->history, failed->first_task);
    return failed->mailbox && known && known->kind == MEZ_COMMAND_KERNEL ? known->kernel->image
                                                                         : NULL;
}

// MEZ_ERRC_ASSERT with the story and the record.
static mez_error make_error(const mez_failed_assert *failed, const mez_assert_words *words)
{
    const char *line = mez_text_get(&words->message);
    mez_error error = mez_error_make(MEZ_ERRC_ASSERT, "%.*s", (int)strcspn(line, "\n"), line);
    if (words->kernel.length > 0)
        error = mez_error_add(error, "kernel", "%-s", mez_text_get(&words->kernel));
    const mez_image *image = image_of(failed);
    if (image)
        error = mez_error_add(error, "image", "\"%s\"", image->name);
    error = mez_error_add(error, "queue", "\"%s\"", failed->queue->name);
    error = mez_error_add(error, "task", "%-s", mez_text_get(&words->task));
    const bool known = failed->record->flag == MEZ_ASSERT_FAILED;
    return known ? mez_collection_attach(error, 1, failed->record, 1) : error;
}

// --- Delivery

static void print(const mez_assert_words *words)
{
    fflush(stdout);
    fputs(mez_text_get(&words->message), stderr);
    fflush(stderr);
}

// Is a debugger attached to the process?
static bool is_traced(void)
{
    char line[128];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            break;
    if (status)
        fclose(status);
    return tracer != 0;
}

static void print_text(mez_text *text)
{
    fprintf(stderr, "%s\n", mez_text_get(text));
    fflush(stderr);
}

// False: no others are collected, or their log can't be read.
static bool read_others(const mez_failed_assert *failed, mez_many_asserts *many)
{
    const uint32_t limit = failed->queue->asserts.limit;
    if (limit < 2 || failed->record->flag != MEZ_ASSERT_FAILED)
        return false;
    if (failed->mailbox && failed->mailbox->collects)
        mez_many_asserts_of_launch(failed->mailbox, failed->launch, failed->record, limit, many);
    else if (failed->module && failed->module->assert_log)
        mez_many_asserts_read(failed->module, failed->record, limit, many);
    else
        return false;
    return many->count > 0;
}

// The process ends: that the queue's lock is held while the device is waited for keeps nobody from anything.
static void print_others(const mez_failed_assert *failed)
{
    mez_many_asserts many;
    mez_text text = {0};
    if (!read_others(failed, &many))
        return;
    mez_many_asserts_describe(&many, &text);
    print_text(&text);
}

// The others of a launch that has posted them are at hand; those of a module are added when it is settled (asserts.h).
static void add_others(const mez_failed_assert *failed, mez_error error, mez_text *text)
{
    mez_many_asserts many;
    if (!failed->mailbox || !read_others(failed, &many))
        return;
    mez_many_asserts_describe(&many, text);
    mez_error_add(error, "failures", "%-s", mez_text_get(text));
    mez_collection_attach(error, many.total, many.records, many.count);
    mez_many_asserts_finish(&many);
}

_Noreturn static void end_process(const mez_failed_assert *failed, const mez_assert_words *words)
{
    print(words);
    print_others(failed);
    if (is_traced())
        raise(SIGTRAP); // the debugger shows the threads and the queues as they are
    abort();
}

// A report on its way to the user's function.
typedef struct call {
    mez_platform *platform;
    mez_assert_function function;
    void *user;
    mez_assert_record record;
    mez_error error; // retained
    char *message;
    char *kernel;
    char *queue;
    char *task;
} call;

static void free_call(call *call)
{
    mez_error_release(call->error);
    mez_free_memory(call->message);
    mez_free_memory(call->kernel);
    mez_free_memory(call->queue);
    mez_free_memory(call->task);
    mez_free_memory(call);
}

static void call_user(void *data)
{
    call *call = data;
    const mez_assert_report report = {
        .record = &call->record,
        .message = call->message,
        .kernel = call->kernel,
        .queue = call->queue,
        .task = call->task,
        .error = call->error,
    };
    mez_asserts_settle(
        call->platform); // so that failures of what the function submits are reported again
    call->function(call->user, &report);
    free_call(call);
}

static call *make_call(
    const mez_failed_assert *failed, const mez_assert_words *words, mez_error error)
{
    call *made = mez_new(call);
    if (!made)
        return NULL;
    *made = (call){
        .platform = failed->queue->platform,
        .function = failed->queue->asserts.function,
        .user = failed->queue->asserts.user,
        .record = *failed->record,
        .error = mez_error_retain(error),
        .message = mez_copy_string(mez_text_get(&words->message)),
        .kernel = mez_copy_string(mez_text_get(&words->kernel)),
        .queue = mez_copy_string(failed->queue->name),
        .task = mez_copy_string(mez_text_get(&words->task)),
    };
    if (made->message && made->kernel && made->queue && made->task)
        return made;
    free_call(made);
    return NULL;
}

// Where there is no memory, or no thread, the line is printed after all.
static void have_function_called(
    const mez_failed_assert *failed, const mez_assert_words *words, mez_error error)
{
    call *call = make_call(failed, words, error);
    if (call && mez_completion_call(failed->queue->platform->completion,
                    failed->queue->events.source, failed->queue, call_user, call))
        return;
    if (call)
        free_call(call);
    print(words);
}

mez_error mez_assert_deliver(const mez_failed_assert *failed)
{
    mez_assert_words words;
    describe_failure(failed, &words);
    MEZ_PROBE(error, NULL, "MEZ_ERRC_ASSERT", mez_text_get(&words.message));
    if (mez_trace_on(MEZ_TRACE_TASKS))
        mez_trace_diagnostics(mez_text_get(&words.message));
    const mez_assert_policy policy = failed->queue->asserts.policy;
    if (policy == MEZ_ASSERT_ABORT)
        end_process(failed, &words);
    const mez_error error = make_error(failed, &words);
    if (failed->module) // before the function may be called, which settles
        mez_asserts_mark(
            failed->queue->platform->asserts, failed->module, &failed->queue->asserts, error);
    mez_text others = {0};
    add_others(failed, error, &others);
    if (policy == MEZ_ASSERT_CALLBACK)
        have_function_called(failed, &words, error);
    else
        print(&words);
    if (policy != MEZ_ASSERT_CALLBACK && others.length > 0)
        print_text(&others);
    mez_text_finish(&others);
    words_finish(&words);
    return error;
}
