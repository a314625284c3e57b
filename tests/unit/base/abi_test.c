// SPDX-License-Identifier: MIT
//
// What programs compile into themselves besides layouts, which tests/headers/layouts.py compares: a change here breaks them.

#include "unit.h"

#include <mezzanine/mezzanine.h>

static void test_errors_travel_in_a_register(void **state)
{
    (void)state;
    const mez_error error = {.value = 0x101, .origin = 0x00000201};
    uint64_t bits;
    memcpy(&bits, &error, sizeof bits);
    assert_true(bits == 0x0000020100000101u || bits == 0x0000010100000201u);
}

static void test_zero_is_the_default(void **state)
{
    (void)state;
    assert_int_equal(MEZ_MEMORY_DEVICE, 0);
    assert_int_equal(MEZ_ARG_VALUE, 0);
    assert_int_equal(MEZ_SUCCESS, 0);
    assert_true(MEZ_FOREVER == UINT64_MAX);
}

static void test_ranges_and_arguments_by_macro(void **state)
{
    (void)state;
    const mez_range *range = MEZ_RANGE(7, 8, 9);
    assert_int_equal(range->dimensions, 3);
    assert_int_equal(range->global[0], 7);
    assert_int_equal(range->global[2], 9);
    assert_int_equal(range->local[0], 0);
    const mez_range *grouped = MEZ_ND_RANGE(MEZ_SIZE(64, 2), MEZ_SIZE(8, 1));
    assert_int_equal(grouped->dimensions, 2);
    assert_int_equal(grouped->local[0], 8);

    const float a = 2;
    int target;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(&target), MEZ_LOCAL(256));
    assert_int_equal(args->count, 3);
    assert_int_equal(args->items[0].size, sizeof a);
    assert_memory_equal(args->items[0].data, &a, sizeof a);
    assert_ptr_equal(args->items[1].data, &target);
    assert_int_equal(args->items[2].size, 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_travel_in_a_register),
        cmocka_unit_test(test_zero_is_the_default),
        cmocka_unit_test(test_ranges_and_arguments_by_macro),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
