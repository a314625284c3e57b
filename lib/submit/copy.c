// SPDX-License-Identifier: MIT

#include "memory/memory.h"
#include "queue/companion.h"
#include "submit/describe.h"
#include "submit/ranges.h"
#include "queue/direct.h"
#include "traced_calls.h"

#define LARGEST_PATTERN 128

static mez_error check_copy(const void *to, const void *from, size_t size)
{
    const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (a > UINTPTR_MAX - size || b > UINTPTR_MAX - size)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "a copy of %zu bytes goes past the end of memory", size);
    if (a < b + size && b < a + size)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of %zu bytes from %p to %p: the ranges overlap", size, from, to);
    return mez_ok();
}

static bool is_device(const mez_queue *queue, const mez_memory_info *info)
{
    return info->origin == MEZ_POINTER_ALLOCATION && info->kind == MEZ_MEMORY_DEVICE &&
           info->device == queue->device;
}

static bool is_host(const mez_memory_info *info)
{
    return info->origin == MEZ_POINTER_PLAIN ||
           (info->origin == MEZ_POINTER_ALLOCATION && info->kind == MEZ_MEMORY_HOST);
}

// May a copy of this queue better be done by its companion? Out of order only.
static bool may_suit_companion(const mez_queue *queue, const mez_command *command)
{
    return command->kind == MEZ_COMMAND_COPY && !queue->in_order && queue->any_engine &&
           command->copy.size >= MEZ_LARGE_COPY && queue->device->copy.queues > 0;
}

static bool suits_companion(
    const mez_queue *queue, const mez_memory_info *to, const mez_memory_info *from)
{
    return (is_device(queue, to) && is_host(from)) || (is_host(to) && is_device(queue, from));
}

// Marks a copy for the companion where it runs better there, and makes that.
static mez_error choose_engine(mez_queue *queue, mez_command *command)
{
    const void *to = command->copy.to, *from = command->copy.from;
    const size_t size = command->copy.size;
    mez_memory_info target, source;
    if (!may_suit_companion(queue, command) ||
        mez_failed(mez_memory_find_info(queue->platform, to, &target)) ||
        mez_failed(mez_memory_find_info(queue->platform, from, &source)))
        return mez_ok();
    MEZ_TRY(mez_range_check(queue->platform, &target, command, MEZ_SIDE_TO, to, size));
    MEZ_TRY(mez_range_check(queue->platform, &source, command, MEZ_SIDE_FROM, from, size));
    if (!suits_companion(queue, &target, &source))
        return mez_ok();
    command->elsewhere = true;
    return mez_companion_make(queue);
}

mez_error mez_submit_copy(const mez_location *where, mez_queue *queue, mez_error described,
    mez_command *command, const mez_task_params *task)
{
    mez_error error = described;
    command->where = where;
    if (!mez_failed(error))
        error = mez_ranges_check(queue, command);
    if (!mez_failed(error))
        error = choose_engine(queue, command);
    if (!mez_failed(error))
        error = mez_queue_submit_task(queue, command, task);
    return mez_queue_add_facts(error, where, queue, task);
}

mez_error mez_describe_copy(void *to, const void *from, size_t size, mez_command *command)
{
    *command = (mez_command){.kind = MEZ_COMMAND_NOTHING};
    if (size == 0)
        return mez_ok();
    command->kind = MEZ_COMMAND_COPY;
    command->copy.to = to;
    command->copy.from = from;
    command->copy.size = size;
    return check_copy(to, from, size);
}

MEZ_TRACE_BODY mez_error copy(const mez_location *where, mez_queue *queue, void *to,
    const void *from, size_t size, const mez_task_params *task)
{
    mez_command command;
    const mez_error described = mez_describe_copy(to, from, size, &command);
    return mez_submit_copy(where, queue, described, &command, task);
}

MEZ_TRACED_CALL(mez_copy, copy)

// Not inlined: its frame would be paid for by the copies that need no check.
__attribute__((noinline)) static mez_error copy_checked(const mez_location *where, mez_queue *queue,
    void *to, const void *from, size_t size, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE_OF("mez_copy", queue, where);
    MEZ_REQUIRE_OF("mez_copy", to, where);
    MEZ_REQUIRE_OF("mez_copy", from, where);
    MEZ_TRACE_LONG(copy, where, queue, to, from, size, task);
}

#define FAR (UINT64_C(1) << 62) // no memory of programs lies there

// Does the copy pass all checks? Then both ranges lie below FAR, not at NULL, and at least `size` apart, whichever comes first.
static inline bool is_right(const void *to, const void *from, size_t size)
{
    const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from, last = size - 1;
    return ((a - 1) | (b - 1) | last) < FAR && a - b + last > last + last;
}

MEZ_QUICK_PATH void note_copy(
    const mez_location *where, mez_queue *queue, uint64_t number, const mez_task_params *task)
{
    if (task)
        mez_fast_note(queue, number, MEZ_COMMAND_COPY, NULL, where, task);
    else
        mez_history_note_copy(&queue->history, number);
}

// The caller holds the lock.
MEZ_QUICK_PATH bool append_copy(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, void *to, const void *from, size_t size,
    const mez_task_params *task, mez_error *error)
{
    mez_event *event;
    if (!list || !mez_fast_event(queue, task, &event))
        return false;
    mez_probe_quick_begin(queue, MEZ_COMMAND_COPY, NULL, where);
    *error =
        ZE(zeCommandListAppendMemoryCopy, list, to, from, size, mez_fast_signal(event), 0, NULL);
    mez_probe_task_end(queue, event, *error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(*error), 0))
        mez_fast_failed(task, event);
    else
        note_copy(where, queue, mez_fast_appended(queue, task, event), task);
    return true;
}

// The common case costs little more than its append. False: it is not that, and nothing was done.
MEZ_QUICK_PATH bool copy_now(const mez_location *where, mez_queue *queue, void *to,
    const void *from, size_t size, const mez_task_params *task, mez_error *error)
{
    if (!mez_fast_fits(queue, task) || !is_right(to, from, size))
        return false;
    const bool done = append_copy(where, queue, mez_fast_begin(queue), to, from, size, task, error);
    mez_lock_release(&queue->lock);
    return done;
}

// What waits for events, or is of a queue out of order, and stays on its engine. Then it passes all checks.
static bool copy_direct(const mez_location *where, mez_queue *queue, void *to, const void *from,
    size_t size, const mez_task_params *task, mez_error *error)
{
    mez_direct direct;
    mez_command command = {
        .kind = MEZ_COMMAND_COPY, .where = where, .debug_name = task ? task->debug_name : NULL};
    command.copy.to = to;
    command.copy.from = from;
    command.copy.size = size;
    if (!queue || !is_right(to, from, size) || may_suit_companion(queue, &command) ||
        !mez_direct_open(queue, task, false, &direct))
        return false;
    mez_probe_quick_begin(queue, MEZ_COMMAND_COPY, NULL, where);
    *error = ZE(zeCommandListAppendMemoryCopy, direct.list, to, from, size,
        mez_fast_signal(direct.event), direct.wait_count, mez_direct_waits(&direct));
    mez_direct_close(queue, task, &direct, *error, &command);
    return true;
}

__attribute__((noinline)) static mez_error copy_other(const mez_location *where, mez_queue *queue,
    void *to, const void *from, size_t size, const mez_task_params *task)
{
    mez_error error;
    if (!copy_direct(where, queue, to, from, size, task, &error))
        return copy_checked(where, queue, to, from, size, task);
    return mez_failed(error) ? mez_queue_add_facts(error, where, queue, task) : error;
}

__attribute__((noinline)) static mez_error copy_plain(
    const mez_location *where, mez_queue *queue, void *to, const void *from, size_t size)
{
    mez_error error;
    if (!copy_now(where, queue, to, from, size, NULL, &error))
        return copy_other(where, queue, to, from, size, NULL);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_queue_add_facts(error, where, queue, NULL);
    return mez_ok();
}

__attribute__((noinline, nonnull(6))) static mez_error copy_with_params(const mez_location *where,
    mez_queue *queue, void *to, const void *from, size_t size, const mez_task_params *task)
{
    mez_error error;
    if (!copy_now(where, queue, to, from, size, task, &error))
        return copy_other(where, queue, to, from, size, task);
    if (__builtin_expect(mez_failed(error), 0))
        return mez_queue_add_facts(error, where, queue, task);
    return mez_ok();
}

mez_error mez_copy_at(const mez_location *where, mez_queue *queue, void *to, const void *from,
    size_t size, const mez_task_params *task)
{
    MEZ_PROBE_CALL_BEGIN(mez_copy, where);
    const mez_error error = task ? copy_with_params(where, queue, to, from, size, task)
                                 : copy_plain(where, queue, to, from, size);
    return MEZ_PROBE_CALL_END("mez_copy", error);
}

size_t mez_smallest_pattern(const void *pattern, size_t size)
{
    const char *bytes = pattern;
    while (size > 1 && memcmp(bytes, bytes + size / 2, size / 2) == 0)
        size /= 2;
    return size;
}

static mez_error check_fill(const void *to, size_t pattern_size, size_t size)
{
    if ((uintptr_t)to > UINTPTR_MAX - size)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "a fill of %zu bytes goes past the end of memory", size);
    if (pattern_size == 0 || pattern_size > LARGEST_PATTERN || pattern_size & (pattern_size - 1))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a fill pattern of %zu bytes: use a power of two up to %d", pattern_size,
            LARGEST_PATTERN);
    if (size % pattern_size != 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a fill of %zu bytes is not a multiple of its pattern's %zu", size, pattern_size);
    return mez_ok();
}

// What the engine takes; what the copy engine does not, the one that computes may. That has no small limits on any Intel device
// so far.
static mez_error fit_pattern(const mez_device *device, const mez_engine *engine,
    const void *pattern, size_t *size, bool *elsewhere)
{
    if (*size <= engine->max_fill_pattern)
        return mez_ok();
    const size_t given = *size;
    *size = mez_smallest_pattern(pattern, given);
    if (*size <= engine->max_fill_pattern)
        return mez_ok();
    *elsewhere = !engine->computes;
    engine = &device->compute;
    if (*elsewhere && *size <= engine->max_fill_pattern)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "a fill pattern of %zu bytes: the %s engine of device \"%s\" takes at most %u", given,
        engine->name, device->info.name, engine->max_fill_pattern);
}

mez_error mez_describe_fill(const mez_device *device, const mez_engine *engine, void *to,
    const void *pattern, size_t pattern_size, size_t size, mez_command *command)
{
    *command = (mez_command){.kind = size > 0 ? MEZ_COMMAND_FILL : MEZ_COMMAND_NOTHING};
    MEZ_TRY(check_fill(to, pattern_size, size));
    MEZ_TRY(fit_pattern(device, engine, pattern, &pattern_size, &command->elsewhere));
    command->fill.to = to;
    command->fill.pattern = pattern;
    command->fill.pattern_size = pattern_size;
    command->fill.size = size;
    return mez_ok();
}

MEZ_TRACE_BODY mez_error fill(const mez_location *where, mez_queue *queue, void *to,
    const void *pattern, size_t pattern_size, size_t size, const mez_task_params *task)
{
    mez_command command;
    mez_error error =
        mez_describe_fill(queue->device, queue->engine, to, pattern, pattern_size, size, &command);
    command.where = where;
    if (!mez_failed(error))
        error = mez_ranges_check(queue, &command);
    if (!mez_failed(error))
        error = command.elsewhere ? mez_companion_make(queue) : mez_ok();
    if (!mez_failed(error))
        error = mez_queue_submit_task(queue, &command, task);
    return mez_queue_add_facts(error, where, queue, task);
}

MEZ_TRACED_CALL(mez_fill, fill)

// Not inlined: its frame would be paid for by the fills that need no check.
__attribute__((noinline)) static mez_error fill_checked(const mez_location *where, mez_queue *queue,
    void *to, const void *pattern, size_t pattern_size, size_t size, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE_OF("mez_fill", queue, where);
    MEZ_REQUIRE_OF("mez_fill", to, where);
    MEZ_REQUIRE_OF("mez_fill", pattern, where);
    MEZ_TRACE_LONG(fill, where, queue, to, pattern, pattern_size, size, task);
}

// Does the fill pass all checks, and does the engine take the pattern as it is? Then size is a multiple of a power of two, and not 0.
static inline bool is_right_fill(
    const mez_queue *queue, const void *to, const void *pattern, size_t pattern_size, size_t size)
{
    const size_t rest = pattern_size - 1;
    return pattern && rest < queue->engine->max_fill_pattern && rest < LARGEST_PATTERN &&
           ((pattern_size | size) & rest) == 0 && (((uintptr_t)to - 1) | (size - 1)) < FAR;
}

// The caller holds the lock.
static inline bool append_fill(const mez_location *where, mez_queue *queue,
    ze_command_list_handle_t list, void *to, const void *pattern, size_t pattern_size, size_t size,
    const mez_task_params *task, mez_error *error)
{
    mez_event *event;
    if (!list || !mez_fast_event(queue, task, &event))
        return false;
    mez_probe_quick_begin(queue, MEZ_COMMAND_FILL, NULL, where);
    *error = ZE(zeCommandListAppendMemoryFill, list, to, pattern, pattern_size, size,
        mez_fast_signal(event), 0, NULL);
    mez_probe_task_end(queue, event, *error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(*error), 0))
        mez_fast_failed(task, event);
    else
        mez_fast_note(
            queue, mez_fast_appended(queue, task, event), MEZ_COMMAND_FILL, NULL, where, task);
    return true;
}

mez_error mez_fill_at(const mez_location *where, mez_queue *queue, void *to, const void *pattern,
    size_t pattern_size, size_t size, const mez_task_params *task)
{
    MEZ_PROBE_CALL_BEGIN(mez_fill, where);
    mez_error error;
    bool done = false;
    if (mez_fast_fits(queue, task) && is_right_fill(queue, to, pattern, pattern_size, size)) {
        const ze_command_list_handle_t list = mez_fast_begin(queue);
        done = append_fill(where, queue, list, to, pattern, pattern_size, size, task, &error);
        mez_lock_release(&queue->lock);
    }
    if (!done)
        error = fill_checked(where, queue, to, pattern, pattern_size, size, task);
    else if (__builtin_expect(mez_failed(error), 0))
        error = mez_queue_add_facts(error, where, queue, task);
    return MEZ_PROBE_CALL_END("mez_fill", error);
}
