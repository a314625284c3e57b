// SPDX-License-Identifier: MIT
//
// Variables of the environment that the driver reads: this program again, as a child that is made to fail.

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
    if (ze.zeDeviceGet(driver, &count, NULL) != ZE_RESULT_SUCCESS || count != 5)
        return 4;
    // Some loaders ask for devices themselves, but none makes a context.
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context;
    const ze_result_t first = ze.zeContextCreate(driver, &description, &context);
    const ze_result_t second = ze.zeContextCreate(driver, &description, &context);
    if (first != ZE_RESULT_ERROR_DEVICE_LOST || second != ZE_RESULT_SUCCESS)
        return 5;
    return ze.zeContextDestroy(context) == ZE_RESULT_SUCCESS ? 0 : 6;
}

static const char *program;

static void test_reads_environment(void **state)
{
    (void)state;
    char command[4096];
    snprintf(command, sizeof command,
        "NOOP_DEVICES=5 NOOP_FAIL=zeContextCreate:1:0x70000001,zeFenceReset:1:1 "
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
