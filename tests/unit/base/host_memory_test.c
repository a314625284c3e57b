// SPDX-License-Identifier: MIT
//
// What is read from /proc/meminfo.

#include "unit.h"

#include "base/alloc.h"

static void expect(const char *text, uint64_t bytes)
{
    uint64_t found = 0;
    assert_true(mez_host_memory_parse(text, &found));
    assert_int_equal(found, bytes);
}

static void expect_nothing(const char *text)
{
    uint64_t found = 7;
    assert_false(mez_host_memory_parse(text, &found));
    assert_int_equal(found, 7);
}

static void test_the_line_is_found(void **state)
{
    (void)state;
    expect("MemTotal:       24680000 kB\nMemFree:  1 kB\nMemAvailable:       3 kB\nBuffers: 9 kB\n",
        3072);
    expect("MemAvailable: 0 kB", 0);
    expect("MemAvailable: 18014398509481983 kB", UINT64_MAX - 1023);
}

static void test_other_texts(void **state)
{
    (void)state;
    expect_nothing("");
    expect_nothing("MemTotal: 3 kB\n");
    expect_nothing("MemAvailable:");
    expect_nothing("MemAvailable: many kB");
    expect_nothing("MemAvailable: 3 MB");
    expect_nothing("MemAvailable: 3");
    expect_nothing("MemAvailable: 18014398509481984 kB");
    expect_nothing("MemAvailable: 99999999999999999999999 kB");
}

static void test_this_host(void **state)
{
    (void)state;
    uint64_t bytes = 0;
    assert_true(mez_host_memory_available(&bytes));
    assert_uint_in_range(bytes, 1 << 20, UINT64_MAX / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_line_is_found),
        cmocka_unit_test(test_other_texts),
        cmocka_unit_test(test_this_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
