// SPDX-License-Identifier: MIT
//
// The list of drivers that could be used, before any context is there.

#include <stdlib.h>

#include <mezzanine/driver.h>

#include "base/alloc.h"
#include "runtime.h"

#define DRIVERS "ZE_ENABLE_ALT_DRIVERS"

static const char *const reports_ip[] = {"ZE_extension_device_ip_version", NULL};

// With this value of the variable; NULL: it is not set.
static mez_drivers *look(const char *names, mez_driver_look look)
{
    mez_drivers *drivers;
    const char *before = getenv("MEZ_TEST_DRIVER");
    if (names)
        setenv(DRIVERS, names, 1);
    else
        unsetenv(DRIVERS);
    const mez_error error = mez_drivers_create(&(mez_drivers_params){.look = look}, &drivers);
    setenv(DRIVERS, before, 1);
    assert_ok(error);
    return drivers;
}

static void the_usual_ones_are_listed(void **state)
{
    (void)state;
    setenv("MEZ_CPU_DRIVER", "/nowhere/libze_cpu.so.1", 1);
    mez_drivers *drivers = look(NULL, MEZ_DRIVERS_LIST);
    unsetenv("MEZ_CPU_DRIVER");
    const uint32_t count = mez_drivers_get_count(drivers);
    assert_true(count > 2);
    assert_string_equal(mez_drivers_get_driver(drivers, 0)->name, MEZ_INTEL_DRIVER_LIBRARY);
    assert_int_equal(mez_drivers_get_driver(drivers, 0)->source, MEZ_DRIVER_FOR_GPU);
    assert_int_equal(mez_drivers_get_driver(drivers, 1)->source, MEZ_DRIVER_FOR_OLDER_GPU);
    const mez_found_driver *cpu = mez_drivers_get_driver(drivers, count - 1);
    assert_string_equal(cpu->name, "/nowhere/libze_cpu.so.1");
    assert_int_equal(cpu->source, MEZ_DRIVER_FOR_CPU);
    assert_false(mez_failed(cpu->error)); // nothing has been opened
    assert_null(cpu->path);
    assert_null(mez_drivers_get_driver(drivers, count));
    mez_drivers_destroy(&drivers);
    assert_null(drivers);
    mez_drivers_destroy(&drivers);
}

static void an_empty_variable_changes_nothing(void **state)
{
    (void)state;
    mez_drivers *drivers = look("", MEZ_DRIVERS_LIST);
    assert_int_equal(mez_drivers_get_driver(drivers, 0)->source, MEZ_DRIVER_FOR_GPU);
    mez_drivers_destroy(&drivers);
}

// Nothing may be opened by a name that loaders take otherwise than it is meant.
static void names_are_taken_as_the_loader_does(void **state)
{
    (void)state;
    mez_drivers *drivers = look("a.so,, b.so,c.so,", MEZ_DRIVERS_LIST);
    assert_int_equal(mez_drivers_get_count(drivers), 4);
    assert_string_equal(mez_drivers_get_driver(drivers, 0)->name, "a.so");
    assert_int_equal(mez_drivers_get_driver(drivers, 0)->source, MEZ_DRIVER_OF_VARIABLE);
    assert_false(mez_failed(mez_drivers_get_driver(drivers, 0)->error));
    const mez_found_driver *empty = mez_drivers_get_driver(drivers, 1);
    assert_string_equal(empty->name, "");
    assert_contains(story_of(empty->error), "an empty name");
    const mez_found_driver *spaced = mez_drivers_get_driver(drivers, 2);
    assert_true(mez_error_is(spaced->error, MEZ_ERRC_PLATFORM));
    assert_contains(story_of(spaced->error), "a space beside \" b.so\"");
    assert_string_equal(mez_drivers_get_driver(drivers, 3)->name, "c.so");
    mez_drivers_destroy(&drivers);
}

static void opening_finds_the_file_or_the_reason(void **state)
{
    (void)state;
    char names[4096];
    snprintf(names, sizeof names, "%s,/nowhere/driver.so", getenv("MEZ_TEST_DRIVER"));
    mez_drivers *drivers = look(names, MEZ_DRIVERS_OPEN);
    const mez_found_driver *there = mez_drivers_get_driver(drivers, 0);
    assert_false(mez_failed(there->error));
    assert_contains(there->path, "libze_noop.so");
    assert_int_equal(there->api_version, 0);
    const mez_found_driver *missing = mez_drivers_get_driver(drivers, 1);
    assert_true(mez_error_is(missing->error, MEZ_ERRC_PLATFORM));
    assert_contains(story_of(missing->error), "/nowhere/driver.so");
    assert_null(missing->path);
    mez_drivers_destroy(&drivers);
}

static void a_driver_that_is_asked_says_what_it_is(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.extensions = reports_ip;
    noop_configure(&config);
    mez_drivers *drivers = look(getenv("MEZ_TEST_DRIVER"), MEZ_DRIVERS_ASK);
    const mez_found_driver *driver = mez_drivers_get_driver(drivers, 0);
    assert_false(mez_failed(driver->error));
    assert_int_equal(driver->api_version >> 16, 1);
    assert_int_equal(driver->driver_version, config.driver_version);
    assert_int_equal(driver->device_count, 1);
    assert_int_equal(driver->gpu_count, 1);
    assert_int_equal(driver->extension_count, 1);
    assert_string_equal(driver->extensions[0].name, reports_ip[0]);
    mez_drivers_destroy(&drivers);
}

static void a_driver_that_fails_says_why(void **state)
{
    (void)state;
    noop_fail_every("zeDeviceGet", ZE_RESULT_ERROR_UNINITIALIZED);
    mez_drivers *drivers = look(getenv("MEZ_TEST_DRIVER"), MEZ_DRIVERS_ASK);
    const mez_found_driver *driver = mez_drivers_get_driver(drivers, 0);
    assert_contains(story_of(driver->error), "ZE_RESULT_ERROR_UNINITIALIZED");
    assert_non_null(driver->path);
    assert_int_equal(driver->device_count, 0);
    mez_drivers_destroy(&drivers);
}

static void a_library_may_be_no_driver(void **state)
{
    (void)state;
    mez_drivers *drivers = look("libm.so.6", MEZ_DRIVERS_ASK);
    const mez_found_driver *driver = mez_drivers_get_driver(drivers, 0);
    assert_contains(story_of(driver->error), "libm.so.6 does not give its functions");
    mez_drivers_destroy(&drivers);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    mez_drivers *drivers;
    mez_drivers_params params = {.look = (mez_driver_look)7};
    assert_story(mez_drivers_create(&params, &drivers), MEZ_ERRC_INVALID_PARAMETER, "the way 7");
    assert_null(drivers);
    assert_story(mez_drivers_create(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"drivers\"");
    params.look = MEZ_DRIVERS_LIST;
    for (size_t i = 0; i < sizeof params.reserved / sizeof *params.reserved; i++) {
        params.reserved[i] = 1;
        assert_story(mez_drivers_create(&params, &drivers), MEZ_ERRC_INVALID_PARAMETER,
            "mez_drivers_params.reserved");
        params.reserved[i] = 0;
    }
    mez_alloc_fail_at(1);
    assert_story(mez_drivers_create(&params, &drivers), MEZ_ERRC_OUT_OF_HOST_MEMORY, "drivers");
    mez_alloc_fail_at(0);
    assert_int_equal(mez_drivers_get_count(NULL), 0);
    assert_null(mez_drivers_get_driver(NULL, 0));
}

static void without_memory_nothing_stays(void **state)
{
    (void)state;
    const mez_drivers_params params = {.look = MEZ_DRIVERS_ASK};
    struct noop_config config = noop_config_default();
    config.extensions = reports_ip;
    noop_configure(&config);
    bool good = false;
    for (uint64_t n = 1; !good; n++) {
        mez_drivers *drivers;
        mez_alloc_fail_at(n);
        const mez_error error = mez_drivers_create(&params, &drivers);
        good = mez_alloc_fail_at(0) < n;
        assert_true(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY));
        mez_drivers_destroy(&drivers);
    }
}

#define WITH_DRIVER(test) cmocka_unit_test_setup_teardown(test, driver_setup, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DRIVER(the_usual_ones_are_listed),
        WITH_DRIVER(an_empty_variable_changes_nothing),
        WITH_DRIVER(names_are_taken_as_the_loader_does),
        WITH_DRIVER(opening_finds_the_file_or_the_reason),
        WITH_DRIVER(a_driver_that_is_asked_says_what_it_is),
        WITH_DRIVER(a_driver_that_fails_says_why),
        WITH_DRIVER(a_library_may_be_no_driver),
        WITH_DRIVER(wrong_calls_are_refused),
        WITH_DRIVER(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
