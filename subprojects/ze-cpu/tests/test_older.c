// SPDX-License-Identifier: MIT
//
// What the default mode makes of newer requests: like Intel's driver 22.43 it ignores them in
// silence. (The validation layer does not let them through.)
#include "extensions.h"
#include "harness.h"

static void test_newer_flags_are_ignored(void **state)
{
    (void)state;
    ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListDestroy(list));
    desc.flags = ZE_NEWER_COMMAND_LIST_FLAG_IN_ORDER;
    assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
    assert_ok(zeCommandListDestroy(list));
    desc.flags = 1u << 20;
    assert_result(zeCommandListCreate(fx.context, fx.device, &desc, &list),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

static void test_counter_based_pools_are_ordinary(void **state)
{
    (void)state;
    const ze_newer_event_pool_counter_based_exp_desc_t counter_based = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC};
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .pNext = &counter_based,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1};
    ze_event_pool_handle_t pool = NULL;
    assert_ok(zeEventPoolCreate(fx.context, &desc, 0, NULL, &pool));
    ze_event_handle_t event = create_event(pool, 0);
    assert_result(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(event));
    assert_ok(zeEventQueryStatus(event));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_newer_functions_are_not_found(void **state)
{
    (void)state;
    void *address = NULL;
    assert_result(
        zeDriverGetExtensionFunctionAddress(fx.driver, "zeCommandListHostSynchronize", &address),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_null(address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newer_flags_are_ignored),
        cmocka_unit_test(test_counter_based_pools_are_ordinary),
        cmocka_unit_test(test_newer_functions_are_not_found),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
