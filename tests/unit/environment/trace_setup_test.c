// SPDX-License-Identifier: MIT
//
// Which dispatcher and tools a process would load, by the variables alone.

#include <stdlib.h>

#include <mezzanine/trace.h>

#include "base/alloc.h"
#include "unit.h"

static const char *const variables[] = {
    "MEZ_TRACE", "MEZ_TRACE_MEMORY", "XPTI_FRAMEWORK_DISPATCHER", "XPTI_SUBSCRIBERS"};

static int forget(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    return 0;
}

static void expect_setup(const char *dispatcher, const char *tools)
{
    mez_trace_setup *setup;
    assert_ok(mez_trace_setup_create(&setup));
    if (dispatcher)
        assert_string_equal(mez_trace_setup_get_dispatcher(setup), dispatcher);
    else
        assert_null(mez_trace_setup_get_dispatcher(setup));
    assert_string_equal(mez_trace_setup_get_tools(setup), tools);
    mez_trace_setup_destroy(&setup);
    assert_null(setup);
}

static void nothing_is_loaded_unless_asked_for(void **state)
{
    (void)state;
    expect_setup(NULL, "");
    setenv("XPTI_FRAMEWORK_DISPATCHER", "", 1);
    setenv("XPTI_SUBSCRIBERS", "/tools/a.so", 1); // nobody loads it
    expect_setup(NULL, "");
}

static void what_xpti_names_is_loaded(void **state)
{
    (void)state;
    setenv("XPTI_FRAMEWORK_DISPATCHER", "/tools/dispatcher.so", 1);
    expect_setup("/tools/dispatcher.so", "");
    setenv("XPTI_SUBSCRIBERS", "/tools/a.so,/tools/b.so", 1);
    expect_setup("/tools/dispatcher.so", "/tools/a.so,/tools/b.so");
    setenv("MEZ_TRACE", "trace.json", 1);
    setenv("MEZ_TRACE_MEMORY", "/memory", 1); // `mez trace` has set all of it
    expect_setup("/tools/dispatcher.so", "/tools/a.so,/tools/b.so");
}

// These tests stand beside no recorder.
static void what_is_missing_is_an_error(void **state)
{
    (void)state;
    mez_trace_setup *setup;
    setenv("MEZ_TRACE", "trace.json", 1);
    assert_story(mez_trace_setup_create(&setup), MEZ_ERRC_FILE, "libmez-trace.so");
    assert_null(setup);
    setenv("XPTI_FRAMEWORK_DISPATCHER", "/tools/dispatcher.so", 1); // which is loaded all the same
    setenv("XPTI_SUBSCRIBERS", "/tools/a.so", 1);
    expect_setup("/tools/dispatcher.so", "/tools/a.so");
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    mez_trace_setup *setup;
    assert_story(mez_trace_setup_create(NULL), MEZ_ERRC_INVALID_PARAMETER, "\"setup\"");
    setenv("XPTI_FRAMEWORK_DISPATCHER", "/tools/dispatcher.so", 1);
    for (uint64_t n = 1; n <= 3; n++) {
        mez_alloc_fail_at(n);
        assert_story(mez_trace_setup_create(&setup), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a trace");
        assert_null(setup);
    }
    mez_alloc_fail_at(0);
    mez_trace_setup_destroy(&setup);
    assert_null(mez_trace_setup_get_dispatcher(NULL));
    assert_string_equal(mez_trace_setup_get_tools(NULL), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_is_loaded_unless_asked_for, forget),
        cmocka_unit_test_setup(what_xpti_names_is_loaded, forget),
        cmocka_unit_test_setup(what_is_missing_is_an_error, forget),
        cmocka_unit_test_setup(wrong_calls_are_refused, forget),
    };
    return cmocka_run_group_tests(tests, forget, NULL);
}
