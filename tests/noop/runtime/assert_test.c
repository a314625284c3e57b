// SPDX-License-Identifier: MIT
//
// Failed asserts reach the user, whatever the program does next.

#include "unit.h"

#include <signal.h>

#include "child.h"

#define LINE                                                                               \
    "saxpy.cl:7: saxpy: global id: [999,0,0], local id: [7,0,0] Assertion `y[i] < limit` " \
    "failed.\n"

static void expect_abort(const char *scene)
{
    static child result;
    child_run(&result, scene, NULL);
    assert_contains(result.output, LINE);
    assert_ptr_equal(strstr(strstr(result.output, LINE) + 1, LINE), NULL); // once
    assert_int_equal(result.signal, SIGABRT);
}

static void test_without_failure(void **state)
{
    (void)state;
    child result;
    child_run(&result, "no-failure", NULL);
    assert_string_equal(result.output, "");
    assert_int_equal(result.exit_code, 0);
}

static void test_waiting_for_the_queue(void **state)
{
    (void)state;
    expect_abort("fail-and-wait");
}

static void test_waiting_for_an_event(void **state)
{
    (void)state;
    expect_abort("fail-and-wait-for-event");
}

static void test_destroying_the_queue(void **state)
{
    (void)state;
    expect_abort("fail-and-destroy");
}

static void test_doing_nothing(void **state)
{
    (void)state;
    expect_abort("fail-and-do-nothing");
    expect_abort("fail-late-and-do-nothing");
}

static void test_replaying(void **state)
{
    (void)state;
    expect_abort("fail-in-a-replay-and-wait");
    expect_abort("fail-in-a-replay-and-do-nothing");
    expect_abort("fail-in-a-replay-beside-a-list");
}

// A device whose atomics do not work does not count as a failed assert.
static void test_half_a_record(void **state)
{
    (void)state;
    child result;
    child_run(&result, "leave-half-a-record", NULL);
    const char *reported = strstr(result.output, "a half-written assert record");
    assert_non_null(reported);
    assert_null(strstr(reported + 30, "half written")); // once
    assert_contains(result.output, "asserts.spv");
    assert_contains(result.output, "no-op device");
    assert_int_equal(result.exit_code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_failure),
        cmocka_unit_test(test_waiting_for_the_queue),
        cmocka_unit_test(test_waiting_for_an_event),
        cmocka_unit_test(test_destroying_the_queue),
        cmocka_unit_test(test_doing_nothing),
        cmocka_unit_test(test_replaying),
        cmocka_unit_test(test_half_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
