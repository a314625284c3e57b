// SPDX-License-Identifier: MIT
//
// From what a user asks for to a command: everything is checked that can be checked without a queue, so that a queue and a
// recording refuse the same things in the same words. What has nothing to do becomes MEZ_COMMAND_NOTHING.

#ifndef MEZ_SUBMIT_DESCRIBE_H
#define MEZ_SUBMIT_DESCRIBE_H

#include "task/command.h"

// The pointers are not NULL. Errors: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_describe_copy(void *to, const void *from, size_t size, mez_command *command);

// For an engine of the device; what only the other one can do is marked so. Errors: also MEZ_ERRC_FEATURE_NOT_SUPPORTED,
// where no engine takes the pattern.
mez_error mez_describe_fill(const mez_device *device, const mez_engine *engine, void *to,
    const void *pattern, size_t pattern_size, size_t size, mez_command *command);

typedef struct mez_rectangles {
    void *to;
    const void *from;
    size_t to_pitch;
    size_t from_pitch;
    size_t width; // bytes
    size_t rows;
} mez_rectangles;

mez_error mez_describe_copy_2d(const mez_rectangles *copy, mez_command *command);

// `box` is where the command's extent goes; it must live as long as the command. `to` and `from` may be NULL here, which is refused.
mez_error mez_describe_copy_3d(const mez_copy_3d_params *copy, mez_box *box, mez_command *command);

// Submits a copy that has been described, unless that failed, with all that belongs to it: the ranges of a context that validates, the
// engine that does it, and the facts of an error.
mez_error mez_submit_copy(const mez_location *where, mez_queue *queue, mez_error described,
    mez_command *command, const mez_task_params *task);

// --- Parts of the checks, for tests

// The size of the smallest part that gives the pattern by being repeated. `size` is a power of two.
size_t mez_smallest_pattern(const void *pattern, size_t size);

// Rectangles in memory: `rows` rows of `width` bytes, which begin `pitch` bytes apart.

// From the first byte of the first row to the last of the last; false: more than memory has. There are rows and a width, and
// the pitch is not below the width.
bool mez_rectangle_span(size_t pitch, size_t width, size_t rows, size_t *span);

// Have two rectangles of the same pitch a byte in common? `distance` is that of their first bytes.
bool mez_rectangles_meet(size_t distance, size_t pitch, size_t width, size_t rows);

// The same for boxes of `slices` such rectangles, `slice_pitch` bytes apart, which is no less than `rows` times the pitch.
bool mez_boxes_meet(
    size_t distance, size_t pitch, size_t slice_pitch, size_t width, size_t rows, size_t slices);

#endif
