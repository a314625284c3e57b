// SPDX-License-Identifier: MIT
//
// The work-group size that is chosen when the user gives none.

#include "unit.h"

#include "kernel/use.h"

static uint32_t by_definition(size_t size, uint32_t limit)
{
    uint32_t largest = 1;
    for (uint32_t i = 1; i <= limit && i <= size; i++)
        if (size % i == 0)
            largest = i;
    return largest;
}

static void test_small_numbers(void **state)
{
    (void)state;
    for (size_t size = 1; size < 200; size++)
        for (uint32_t limit = 0; limit < 210; limit++)
            assert_int_equal(mez_largest_divisor(size, limit), by_definition(size, limit));
}

static void test_large_numbers(void **state)
{
    (void)state;
    assert_int_equal(mez_largest_divisor(SIZE_MAX, 512), 257);
    assert_int_equal(mez_largest_divisor((size_t)1 << 63, 512), 512);
    assert_int_equal(mez_largest_divisor(1000003, 512), 1); // a prime
    assert_int_equal(mez_largest_divisor(4, UINT32_MAX), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_numbers),
        cmocka_unit_test(test_large_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
