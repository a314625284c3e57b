// SPDX-License-Identifier: MIT
//
// What the environment tells the driver: this program again, as a child that is told to fail.

#include "fixture.h"

#include <stdio.h>

static int run_child(void)
{
    load();
    if (ze.zeInit(0) != ZE_RESULT_SUCCESS)
        return 2;
    uint32_t count = 1;
    ze_driver_handle_t driver = NULL;
    if (ze.zeDriverGet(&count, &driver) != ZE_RESULT_SUCCESS)
        return 3;
    count = 0;
    const ze_result_t first = ze.zeDeviceGet(driver, &count, NULL);
    const ze_result_t second = ze.zeDeviceGet(driver, &count, NULL);
    const bool as_told =
        first == ZE_RESULT_ERROR_DEVICE_LOST && second == ZE_RESULT_SUCCESS && count == 5;
    return as_told ? 0 : 4;
}

static const char *program;

static void test_reads_environment(void **state)
{
    (void)state;
    char command[4096];
    snprintf(command, sizeof command,
        "NOOP_DEVICES=5 NOOP_FAIL=zeDeviceGet:1:0x70000001,zeFenceReset:1:1 "
        "NOOP_TEST_CHILD=1 '%s'",
        program);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    program = argv[0];
    if (getenv("NOOP_TEST_CHILD") != NULL)
        return run_child();
    const struct CMUnitTest tests[] = {
        TEST(reads_environment),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
