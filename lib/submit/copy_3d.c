// SPDX-License-Identifier: MIT

#include "base/version.h"
#include "submit/describe.h"
#include "submit/ranges.h"

#include "queue/queue.h"
#include "traced_calls.h"

// The second begins `skipped` slices further down and `shift` bytes into the next one, so its slices lie between two of the first.
bool mez_boxes_meet(
    size_t distance, size_t pitch, size_t slice_pitch, size_t width, size_t rows, size_t slices)
{
    const size_t skipped = distance / slice_pitch, shift = distance % slice_pitch;
    return (skipped < slices && mez_rectangles_meet(shift, pitch, width, rows)) ||
           (skipped + 1 < slices && mez_rectangles_meet(slice_pitch - shift, pitch, width, rows));
}

// One of the two boxes.
typedef struct side {
    const char *name;
    uintptr_t start;
    size_t row_pitch, slice_pitch;
    size_t span; // from the first byte to the last
} side;

static mez_error past_the_end(const mez_copy_3d_params *copy)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a copy of %zu slices of %zu rows of %zu bytes goes past the end of memory", copy->slices,
        copy->rows, copy->width);
}

// Fills in what was left out. Pitches lead from one thing to the next: where there is only one they mean nothing.
static mez_error check_pitches(const mez_copy_3d_params *copy, side *s)
{
    size_t slice;
    if (s->row_pitch == 0)
        s->row_pitch = copy->width;
    if (s->row_pitch < copy->width)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of rows of %zu bytes: %s_row_pitch, %zu, must not be below that", copy->width,
            s->name, s->row_pitch);
    if (__builtin_mul_overflow(s->row_pitch, copy->rows, &slice))
        return past_the_end(copy);
    if (s->slice_pitch == 0 || copy->slices == 1)
        s->slice_pitch = slice;
    if (s->slice_pitch >= slice)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a copy of %zu rows that begin %zu bytes apart: %s_slice_pitch, %zu, must not be below "
        "their product",
        copy->rows, s->row_pitch, s->name, s->slice_pitch);
}

static mez_error check_span(const mez_copy_3d_params *copy, side *s)
{
    size_t rectangle;
    if (!mez_rectangle_span(s->row_pitch, copy->width, copy->rows, &rectangle) ||
        !mez_rectangle_span(s->slice_pitch, rectangle, copy->slices, &s->span) ||
        s->start > UINTPTR_MAX - s->span)
        return past_the_end(copy);
    return mez_ok();
}

static bool overlap(const mez_copy_3d_params *copy, const side *to, const side *from)
{
    if (to->start >= from->start + from->span || from->start >= to->start + to->span)
        return false;
    const size_t distance =
        to->start > from->start ? to->start - from->start : from->start - to->start;
    return to->row_pitch != from->row_pitch || to->slice_pitch != from->slice_pitch ||
           mez_boxes_meet(
               distance, to->row_pitch, to->slice_pitch, copy->width, copy->rows, copy->slices);
}

static mez_error check(const mez_copy_3d_params *copy, side *to, side *from)
{
    MEZ_TRY(check_pitches(copy, to));
    MEZ_TRY(check_pitches(copy, from));
    MEZ_TRY(check_span(copy, to));
    MEZ_TRY(check_span(copy, from));
    if (overlap(copy, to, from))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of %zu slices of %zu rows of %zu bytes from %p to %p: the boxes overlap",
            copy->slices, copy->rows, copy->width, copy->from, copy->to);
    return mez_ok();
}

// Slices that follow each other without a gap are one rectangle, and so are rows that are slices of their own.
static bool is_rectangle(const mez_copy_3d_params *copy, const side *to, const side *from)
{
    return copy->rows == 1 || (to->slice_pitch == copy->rows * to->row_pitch &&
                                  from->slice_pitch == copy->rows * from->row_pitch);
}

static mez_error describe_rectangle(
    const mez_copy_3d_params *copy, const side *to, const side *from, mez_command *command)
{
    const bool single = copy->rows == 1;
    const mez_rectangles rectangles = {.to = copy->to,
        .from = copy->from,
        .to_pitch = single ? to->slice_pitch : to->row_pitch,
        .from_pitch = single ? from->slice_pitch : from->row_pitch,
        .width = copy->width,
        .rows = copy->rows * copy->slices};
    return mez_describe_copy_2d(&rectangles, command);
}

static bool fits(const mez_copy_3d_params *copy, const side *s)
{
    return copy->rows <= UINT32_MAX && copy->slices <= UINT32_MAX && s->row_pitch <= UINT32_MAX &&
           s->slice_pitch <= UINT32_MAX;
}

static mez_error describe_box(const mez_copy_3d_params *copy, const side *to, const side *from,
    mez_box *box, mez_command *command)
{
    if (!fits(copy, to) || !fits(copy, from))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "a copy of %zu slices of %zu rows with pitches of %zu, %zu, %zu and %zu bytes: Level "
            "Zero's limit is %u",
            copy->slices, copy->rows, to->row_pitch, to->slice_pitch, from->row_pitch,
            from->slice_pitch, UINT32_MAX);
    *box = (mez_box){.width = (uint32_t)copy->width,
        .rows = (uint32_t)copy->rows,
        .slices = (uint32_t)copy->slices,
        .to_row_pitch = (uint32_t)to->row_pitch,
        .to_slice_pitch = (uint32_t)to->slice_pitch,
        .from_row_pitch = (uint32_t)from->row_pitch,
        .from_slice_pitch = (uint32_t)from->slice_pitch};
    command->kind = MEZ_COMMAND_COPY_3D;
    command->copy_3d.to = copy->to;
    command->copy_3d.from = copy->from;
    command->copy_3d.box = box;
    return mez_ok();
}

static mez_error check_members(const mez_copy_3d_params *copy)
{
    MEZ_TRY_RESERVED(mez_copy_3d_params, copy);
    if (copy->to && copy->from)
        return mez_ok();
    return mez_error_make(
        MEZ_ERRC_INVALID_PARAMETER, "mez_copy_3d_params.%s is NULL", copy->to ? "from" : "to");
}

mez_error mez_describe_copy_3d(const mez_copy_3d_params *copy, mez_box *box, mez_command *command)
{
    side to = {"to", (uintptr_t)copy->to, copy->to_row_pitch, copy->to_slice_pitch, 0};
    side from = {"from", (uintptr_t)copy->from, copy->from_row_pitch, copy->from_slice_pitch, 0};
    *command = (mez_command){.kind = MEZ_COMMAND_NOTHING};
    MEZ_TRY(check_members(copy));
    if (copy->width == 0 || copy->rows == 0 || copy->slices == 0)
        return mez_ok();
    MEZ_TRY(check(copy, &to, &from));
    return is_rectangle(copy, &to, &from) ? describe_rectangle(copy, &to, &from, command)
                                          : describe_box(copy, &to, &from, box, command);
}

MEZ_TRACE_BODY mez_error copy_3d(const mez_location *where, mez_queue *queue,
    const mez_copy_3d_params *copy, const mez_task_params *task)
{
    mez_command command;
    mez_box box;
    const mez_error described = mez_describe_copy_3d(copy, &box, &command);
    return mez_submit_copy(where, queue, described, &command, task);
}

MEZ_TRACED_CALL(mez_copy_3d, copy_3d)

mez_error mez_copy_3d_at(const mez_location *where, mez_queue *queue,
    const mez_copy_3d_params *copy, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(copy, where);
    MEZ_TRACE_CALL(mez_copy_3d, where, copy_3d, where, queue, copy, task);
}
