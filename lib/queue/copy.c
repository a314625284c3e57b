// SPDX-License-Identifier: MIT

#include "queue/describe.h"
#include "queue/pattern.h"
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

// Not inlined: its frame would be paid for by the copies that need no check.
__attribute__((noinline)) static mez_error copy_checked(const mez_location *where, mez_queue *queue,
    void *to, const void *from, size_t size, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(from, where);
    mez_command command;
    mez_error error = mez_describe_copy(to, from, size, &command);
    if (!mez_failed(error))
        error = mez_queue_submit_task(queue, &command, task);
    return mez_queue_tell(error, where, queue, task);
}

// Does the copy pass all checks? Then the ranges are at least `size` apart, whichever comes first.
static inline bool is_right(const void *to, const void *from, size_t size)
{
    const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    return a && b && size > 0 && a - b >= size && b - a >= size && a <= UINTPTR_MAX - size &&
           b <= UINTPTR_MAX - size;
}

// The common case costs no more than its append.
static mez_error copy_now(mez_queue *queue, void *to, const void *from, size_t size)
{
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    const mez_error error =
        ZE(zeCommandListAppendMemoryCopy, queue->in_order_list, to, from, size, NULL, 0, NULL);
    if (!mez_failed(error))
        mez_queue_count_task(queue);
    mez_lock_release(&queue->lock);
    return error;
}

mez_error mez_copy_at(const mez_location *where, mez_queue *queue, void *to, const void *from,
    size_t size, const mez_task_params *task)
{
    if (task || !queue || !queue->in_order_list || !is_right(to, from, size))
        return copy_checked(where, queue, to, from, size, task);
    const mez_error error = copy_now(queue, to, from, size);
    return __builtin_expect(mez_failed(error), 0) ? mez_queue_tell(error, where, queue, task)
                                                  : error;
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
            "a fill of %zu bytes is no multiple of its pattern's %zu", size, pattern_size);
    return mez_ok();
}

// What the device takes. Queue groups that run kernels have no small limits on any Intel device so far.
static mez_error fit_pattern(const mez_device *device, const void *pattern, size_t *size)
{
    if (*size <= device->max_fill_pattern)
        return mez_ok();
    const size_t given = *size;
    *size = mez_smallest_pattern(pattern, given);
    if (*size <= device->max_fill_pattern)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "a fill pattern of %zu bytes: device \"%s\" takes at most %u", given, device->info.name,
        device->max_fill_pattern);
}

mez_error mez_describe_fill(const mez_device *device, void *to, const void *pattern,
    size_t pattern_size, size_t size, mez_command *command)
{
    *command = (mez_command){.kind = size > 0 ? MEZ_COMMAND_FILL : MEZ_COMMAND_NOTHING};
    MEZ_TRY(check_fill(to, pattern_size, size));
    MEZ_TRY(fit_pattern(device, pattern, &pattern_size));
    command->fill.to = to;
    command->fill.pattern = pattern;
    command->fill.pattern_size = pattern_size;
    command->fill.size = size;
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
    mez_command command;
    mez_error error = mez_describe_fill(queue->device, to, pattern, pattern_size, size, &command);
    if (!mez_failed(error))
        error = mez_queue_submit_task(queue, &command, task);
    return mez_queue_tell(error, where, queue, task);
}
