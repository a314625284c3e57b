// SPDX-License-Identifier: MIT
//
// Rectangles in memory: `rows` rows of `width` bytes, which begin `pitch` bytes apart.

#ifndef MEZ_SUBMIT_COPY_2D_H
#define MEZ_SUBMIT_COPY_2D_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From the first byte of the first row to the last of the last; false: more than memory has. There are rows and a width, and
// the pitch is not below the width.
bool mez_rectangle_span(size_t pitch, size_t width, size_t rows, size_t *span);

// Have two rectangles of the same pitch a byte in common? `distance` is that of their first bytes.
bool mez_rectangles_meet(size_t distance, size_t pitch, size_t width, size_t rows);

// The same for boxes of `slices` such rectangles, `slice_pitch` bytes apart, which is no less than `rows` times the pitch.
bool mez_boxes_meet(
    size_t distance, size_t pitch, size_t slice_pitch, size_t width, size_t rows, size_t slices);

#endif
