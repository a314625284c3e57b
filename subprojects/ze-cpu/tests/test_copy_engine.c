// SPDX-License-Identifier: MIT
//
// ZE_CPU_COPY_ENGINE. The argument is the number of queue groups to be seen.
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static uint32_t expected;

static void test_groups(void **state)
{
    (void)state;
    ze_command_queue_group_properties_t groups[8] = {0};
    uint32_t count = 8;
    assert_ok(zeDeviceGetCommandQueueGroupProperties(fx.device, &count, groups));
    assert_int_equal(count, expected);
    assert_true(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
    for (uint32_t i = 1; i < count; i++) {
        assert_int_equal(groups[i].flags, ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
        assert_uint_in_range(groups[i].maxMemoryFillPatternSize, 1, 16);
    }
}

static void test_fills_of_copy_groups(void **state)
{
    (void)state;
    char pattern[32] = "0123456789abcdef", *bytes = alloc_shared(64);
    ze_command_queue_group_properties_t groups[8] = {0};
    uint32_t count = 8;
    assert_ok(zeDeviceGetCommandQueueGroupProperties(fx.device, &count, groups));
    for (uint32_t i = 1; i < count; i++) {
        const size_t limit = groups[i].maxMemoryFillPatternSize;
        const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
            .ordinal = i,
            .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
        ze_command_list_handle_t list = NULL;
        assert_ok(zeCommandListCreateImmediate(fx.context, fx.device, &desc, &list));
        assert_ok(zeCommandListAppendMemoryFill(list, bytes, pattern, limit, 64, NULL, 0, NULL));
        assert_memory_equal(bytes + 64 - limit, pattern, limit);
        assert_result(
            zeCommandListAppendMemoryFill(list, bytes, pattern, limit + 1, 64, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_SIZE);
        assert_ok(zeCommandListDestroy(list));
    }
    free_memory(bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_fills_of_copy_groups),
    };
    if (argc != 2)
        return 2;
    expected = (uint32_t)atoi(argv[1]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
