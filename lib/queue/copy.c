// SPDX-License-Identifier: MIT

#include "queue/queue.h"

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

mez_error mez_copy_at(const mez_location *where, mez_queue *queue, void *to, const void *from,
    size_t size, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(from, where);
    mez_error error = size > 0 ? check_copy(to, from, size) : mez_ok();
    if (!mez_failed(error)) {
        mez_command command = {.kind = size > 0 ? MEZ_COMMAND_COPY : MEZ_COMMAND_NOTHING};
        command.copy.to = to;
        command.copy.from = from;
        command.copy.size = size;
        error = mez_queue_submit_task(queue, &command, task);
    }
    return mez_queue_tell(error, where, queue, task);
}

static mez_error check_fill(
    const mez_device *device, const void *to, size_t pattern_size, size_t size)
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
            "a fill of %zu bytes is no multiple of its pattern's %zu", size, pattern_size);
    if (pattern_size > device->max_fill_pattern)
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "a fill pattern of %zu bytes: device \"%s\" takes at most %u", pattern_size,
            device->info.name, device->max_fill_pattern);
    return mez_ok();
}

mez_error mez_fill_at(const mez_location *where, mez_queue *queue, void *to, const void *pattern,
    size_t pattern_size, size_t size, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(pattern, where);
    mez_error error = check_fill(queue->device, to, pattern_size, size);
    if (!mez_failed(error)) {
        mez_command command = {.kind = size > 0 ? MEZ_COMMAND_FILL : MEZ_COMMAND_NOTHING};
        command.fill.to = to;
        command.fill.pattern = pattern;
        command.fill.pattern_size = pattern_size;
        command.fill.size = size;
        error = mez_queue_submit_task(queue, &command, task);
    }
    return mez_queue_tell(error, where, queue, task);
}
