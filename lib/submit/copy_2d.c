// SPDX-License-Identifier: MIT

#include "submit/describe.h"
#include "submit/ranges.h"

#include "queue/queue.h"
#include "traced_calls.h"

bool mez_rectangle_span(size_t pitch, size_t width, size_t rows, size_t *span)
{
    return !__builtin_mul_overflow(pitch, rows - 1, span) &&
           !__builtin_add_overflow(*span, width, span);
}

// The second begins `skipped` rows further down and `shift` bytes to the right, so its rows lie between two of the first.
bool mez_rectangles_meet(size_t distance, size_t pitch, size_t width, size_t rows)
{
    const size_t skipped = distance / pitch, shift = distance % pitch;
    return (skipped < rows && shift < width) || (skipped + 1 < rows && pitch - shift < width);
}

static bool overlap(const mez_rectangles *copy, size_t to_span, size_t from_span)
{
    const uintptr_t to = (uintptr_t)copy->to, from = (uintptr_t)copy->from;
    if (to >= from + from_span || from >= to + to_span)
        return false;
    const size_t distance = to > from ? to - from : from - to;
    return copy->to_pitch != copy->from_pitch ||
           mez_rectangles_meet(distance, copy->to_pitch, copy->width, copy->rows);
}

static bool fits(uintptr_t start, size_t pitch, size_t width, size_t rows, size_t *span)
{
    return mez_rectangle_span(pitch, width, rows, span) && start <= UINTPTR_MAX - *span;
}

static mez_error check(const mez_rectangles *copy)
{
    size_t to_span, from_span;
    if (copy->to_pitch < copy->width || copy->from_pitch < copy->width)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of rows of %zu bytes: the pitches %zu and %zu must not be below that",
            copy->width, copy->to_pitch, copy->from_pitch);
    if (!fits((uintptr_t)copy->to, copy->to_pitch, copy->width, copy->rows, &to_span) ||
        !fits((uintptr_t)copy->from, copy->from_pitch, copy->width, copy->rows, &from_span))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of %zu rows of %zu bytes goes past the end of memory", copy->rows, copy->width);
    if (overlap(copy, to_span, from_span))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of %zu rows of %zu bytes from %p to %p: the rectangles overlap", copy->rows,
            copy->width, copy->from, copy->to);
    return mez_ok();
}

static bool is_contiguous(const mez_rectangles *copy)
{
    return copy->rows == 1 || (copy->to_pitch == copy->width && copy->from_pitch == copy->width);
}

static mez_error describe(const mez_rectangles *copy, mez_command *command)
{
    if (copy->rows > UINT32_MAX || copy->to_pitch > UINT32_MAX || copy->from_pitch > UINT32_MAX)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of %zu rows with pitches of %zu and %zu bytes: Level Zero's limit is %u",
            copy->rows, copy->to_pitch, copy->from_pitch, UINT32_MAX);
    command->kind = MEZ_COMMAND_COPY_2D;
    command->copy_2d.to = copy->to;
    command->copy_2d.from = copy->from;
    command->copy_2d.to_pitch = (uint32_t)copy->to_pitch;
    command->copy_2d.from_pitch = (uint32_t)copy->from_pitch;
    command->copy_2d.width = (uint32_t)copy->width;
    command->copy_2d.rows = (uint32_t)copy->rows;
    return mez_ok();
}

mez_error mez_describe_copy_2d(const mez_rectangles *copy, mez_command *command)
{
    *command = (mez_command){.kind = MEZ_COMMAND_NOTHING};
    if (copy->width == 0 || copy->rows == 0)
        return mez_ok();
    MEZ_TRY(check(copy));
    return is_contiguous(copy)
               ? mez_describe_copy(copy->to, copy->from, copy->width * copy->rows, command)
               : describe(copy, command);
}

MEZ_TRACE_BODY mez_error copy_2d(const mez_location *where, mez_queue *queue, void *to,
    size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
    const mez_task_params *task)
{
    const mez_rectangles copy = {.to = to,
        .from = from,
        .to_pitch = to_pitch,
        .from_pitch = from_pitch,
        .width = width,
        .rows = rows};
    mez_command command;
    const mez_error described = mez_describe_copy_2d(&copy, &command);
    return mez_submit_copy(where, queue, described, &command, task);
}

MEZ_TRACED_CALL(mez_copy_2d, copy_2d)

mez_error mez_copy_2d_at(const mez_location *where, mez_queue *queue, void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t rows, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(to, where);
    MEZ_REQUIRE(from, where);
    MEZ_TRACE_CALL(mez_copy_2d, where, copy_2d, where, queue, to, to_pitch, from, from_pitch, width,
        rows, task);
}
