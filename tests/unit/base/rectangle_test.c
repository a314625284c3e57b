// SPDX-License-Identifier: MIT
//
// What copies and fills compute: how far rectangles reach, whether two of them have a byte in common, and patterns.

#include "unit.h"

#include "submit/describe.h"

static bool meet_by_definition(size_t distance, size_t pitch, size_t width, size_t rows)
{
    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < rows; b++) {
            const size_t first = a * pitch, second = distance + b * pitch;
            if (first < second + width && second < first + width)
                return true;
        }
    return false;
}

static void test_meeting(void **state)
{
    (void)state;
    for (size_t pitch = 1; pitch < 9; pitch++)
        for (size_t width = 1; width <= pitch; width++)
            for (size_t rows = 1; rows < 5; rows++)
                for (size_t distance = 0; distance < pitch * 6; distance++)
                    assert_int_equal(mez_rectangles_meet(distance, pitch, width, rows),
                        meet_by_definition(distance, pitch, width, rows));
}

typedef struct box {
    size_t pitch, slice_pitch, width, rows, slices;
} box;

static bool boxes_meet_by_definition(size_t distance, const box *b)
{
    for (size_t i = 0; i < b->slices; i++)
        for (size_t j = 0; j < b->slices; j++)
            for (size_t k = 0; k < b->rows; k++)
                for (size_t l = 0; l < b->rows; l++) {
                    const size_t first = i * b->slice_pitch + k * b->pitch;
                    const size_t second = distance + j * b->slice_pitch + l * b->pitch;
                    if (first < second + b->width && second < first + b->width)
                        return true;
                }
    return false;
}

static void test_meeting_of_boxes(void **state)
{
    (void)state;
    for (size_t pitch = 1; pitch < 6; pitch++)
        for (size_t width = 1; width <= pitch; width++)
            for (size_t rows = 1; rows < 4; rows++)
                for (size_t gap = 0; gap < 7; gap++)
                    for (size_t slices = 1; slices < 4; slices++) {
                        const box b = {pitch, rows * pitch + gap, width, rows, slices};
                        for (size_t distance = 0; distance < b.slice_pitch * 4; distance++)
                            assert_int_equal(
                                mez_boxes_meet(distance, pitch, b.slice_pitch, width, rows, slices),
                                boxes_meet_by_definition(distance, &b));
                    }
}

static void test_spans(void **state)
{
    (void)state;
    size_t span;
    assert_true(mez_rectangle_span(10, 4, 1, &span));
    assert_int_equal(span, 4);
    assert_true(mez_rectangle_span(10, 4, 3, &span));
    assert_int_equal(span, 24);
    assert_true(mez_rectangle_span(SIZE_MAX, SIZE_MAX, 1, &span));
    assert_int_equal(span, SIZE_MAX);
    assert_false(mez_rectangle_span(SIZE_MAX, 1, 2, &span));
    assert_false(mez_rectangle_span(SIZE_MAX / 2, 1, 4, &span));
}

static void test_patterns(void **state)
{
    (void)state;
    assert_int_equal(mez_smallest_pattern("a", 1), 1);
    assert_int_equal(mez_smallest_pattern("abab", 4), 2);
    assert_int_equal(mez_smallest_pattern("abac", 4), 4);
    assert_int_equal(mez_smallest_pattern("aaaaaaab", 8), 8);
    const char zeros[128] = {0};
    assert_int_equal(mez_smallest_pattern(zeros, sizeof zeros), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meeting),
        cmocka_unit_test(test_meeting_of_boxes),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
