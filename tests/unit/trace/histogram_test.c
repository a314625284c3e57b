// SPDX-License-Identifier: MIT
//
// Quantiles of durations, of which only counts are kept.

#include "histogram.h"

#include "unit.h"

static void quantiles_are_near(void **state)
{
    static struct trace_histogram histogram;
    (void)state;
    for (uint64_t i = 1; i <= 1000000; i++)
        trace_histogram_add(&histogram, i);
    assert_int_equal(histogram.least, 1);
    assert_int_equal(histogram.greatest, 1000000);
    assert_int_equal(histogram.sum, UINT64_C(500000500000));
    assert_uint_in_range(trace_histogram_quantile(&histogram, 500), 485000, 515000);
    assert_uint_in_range(trace_histogram_quantile(&histogram, 990), 960300, 1000000);
}

static void small_and_huge_values_are_counted(void **state)
{
    static struct trace_histogram histogram;
    (void)state;
    assert_int_equal(trace_histogram_quantile(&histogram, 500), 0);
    trace_histogram_add(&histogram, 0);
    assert_int_equal(trace_histogram_quantile(&histogram, 990), 0);
    trace_histogram_add(&histogram, UINT64_MAX);
    trace_histogram_add(&histogram, UINT64_MAX);
    assert_true(trace_histogram_quantile(&histogram, 990) > UINT64_MAX / 100 * 96);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_near),
        cmocka_unit_test(small_and_huge_values_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
