// SPDX-License-Identifier: MIT
//
// Without its engine the driver says so when it shall build, and does the rest. ZE_CPU_ENGINE names
// no library.
#include "harness.h"
#include "scripted.h"

#include <stdlib.h>
#include <string.h>

static void test_build(void **state)
{
    (void)state;
    ze_module_handle_t module = NULL;
    char *log = NULL;
    assert_result(scripted_build("kernel:count", NULL, &module, &log),
        ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
    assert_non_null(strstr(log, "/nonexistent/engine.so"));
    free(log);
}

static void test_copy(void **state)
{
    (void)state;
    int *numbers = alloc_shared(2 * sizeof *numbers);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    numbers[0] = 3;
    assert_ok(
        zeCommandListAppendMemoryCopy(list, numbers + 1, numbers, sizeof(int), NULL, 0, NULL));
    assert_int_equal(numbers[1], 3);
    assert_ok(zeCommandListDestroy(list));
    free_memory(numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
