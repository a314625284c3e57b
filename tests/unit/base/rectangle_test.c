// SPDX-License-Identifier: MIT
//
// Rectangles of a 2D copy: how far they reach, and whether two of them have a byte in common.

#include "unit.h"

#include "queue/copy_2d.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meeting),
        cmocka_unit_test(test_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
