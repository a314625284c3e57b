// SPDX-License-Identifier: MIT
//
// Which row of a queue's track an execution gets.

#include "lanes.h"

#include "unit.h"

static void what_runs_at_once_gets_lanes_of_its_own(void **state)
{
    static struct trace_lanes lanes;
    bool is_new;
    uint64_t begin = 10;
    (void)state;
    lanes.count = 0;
    const struct trace_lane *first = trace_lanes_find(&lanes, 1, 7, &begin, 20, &is_new);
    assert_true(is_new && first->row == 0);
    begin = 15;
    const struct trace_lane *beside = trace_lanes_find(&lanes, 1, 7, &begin, 30, &is_new);
    assert_true(is_new && beside->row == 1);
    begin = 20;
    assert_ptr_equal(trace_lanes_find(&lanes, 1, 7, &begin, 25, &is_new), first);
    assert_false(is_new);
    begin = 20;
    assert_ptr_not_equal(trace_lanes_find(&lanes, 1, 8, &begin, 25, &is_new), first);
    assert_true(is_new);
}

static void a_full_table_of_lanes_shares_the_last(void **state)
{
    static struct trace_lanes lanes;
    bool is_new;
    (void)state;
    for (uint64_t i = 0; i < TRACE_MOST_LANES; i++) {
        uint64_t begin = 0;
        trace_lanes_find(&lanes, 1, i, &begin, 100, &is_new);
    }
    uint64_t begin = 50;
    const struct trace_lane *last = trace_lanes_find(&lanes, 1, 5000, &begin, 200, &is_new);
    assert_false(is_new);
    assert_int_equal(last->number, TRACE_MOST_LANES);
    assert_int_equal(begin, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_runs_at_once_gets_lanes_of_its_own),
        cmocka_unit_test(a_full_table_of_lanes_shares_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
