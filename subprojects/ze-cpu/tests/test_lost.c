// SPDX-License-Identifier: MIT
//
// The device is lost on demand: after so many commands, or when zeCpuLoseDevice says so. Once lost
// it stays lost, so that each process tests one way: the argument is "after" (with
// ZE_CPU_LOSE_DEVICE=3), "call" or "at once" (ZE_CPU_LOSE_DEVICE=0).
#include "extensions.h"
#include "harness.h"
#include "scripted.h"

#include <stdlib.h>
#include <string.h>

static int *numbers;

static void lose_device(void *unused)
{
    (void)unused;
    ze_result_t (*lose)(ze_driver_handle_t driver) = NULL;
    find_extension("zeCpuLoseDevice", &lose);
    assert_ok(lose(fx.driver));
}

static ze_result_t copy_one(ze_command_list_handle_t list, int index)
{
    return zeCommandListAppendMemoryCopy(
        list, &numbers[index + 1], &numbers[index], sizeof *numbers, NULL, 0, NULL);
}

static void expect_lost(ze_command_list_handle_t list)
{
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t event = create_event(pool, 0), signalled = create_event(pool, 1);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t regular = create_list();
    assert_result(zeDeviceGetStatus(fx.device), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeContextGetStatus(fx.context), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(copy_one(list, 0), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(copy_one(regular, 0));
    assert_ok(zeCommandListClose(regular));
    assert_result(
        zeCommandQueueExecuteCommandLists(queue, 1, &regular, NULL), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeEventQueryStatus(event), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeEventHostSignal(signalled));
    assert_ok(zeEventQueryStatus(signalled));
    assert_ok(zeCommandListDestroy(regular));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventDestroy(signalled));
    assert_ok(zeEventPoolDestroy(pool));
}

// Barriers do not count.
static void test_after(void **state)
{
    (void)state;
    numbers = alloc_shared(5 * sizeof *numbers);
    ze_command_list_handle_t list = create_list();
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t immediate = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    numbers[0] = 1;
    for (int i = 0; i < 4; i++) {
        assert_ok(copy_one(list, i));
        assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    }
    assert_ok(zeCommandListClose(list));
    assert_ok(zeDeviceGetStatus(fx.device));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_result(zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    expect_lost(immediate);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_int_equal(numbers[3], 1);
    assert_int_equal(numbers[4], 0);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandListDestroy(immediate));
    free_memory(numbers);
}

// Somebody waits, on the host and on a queue, for what never comes.
// A list that waits for `never`.
static ze_fence_handle_t submit_waiting(
    ze_command_queue_handle_t queue, ze_command_list_handle_t list, ze_event_handle_t never)
{
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    assert_ok(zeCommandListAppendBarrier(list, NULL, 1, &never));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    return fence;
}

static void test_call(void **state)
{
    (void)state;
    numbers = alloc_shared(2 * sizeof *numbers);
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t never = create_event(pool, 0), done = create_event(pool, 1);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    numbers[0] = 1;
    assert_ok(zeCommandListAppendBarrier(list, done, 1, &never));
    assert_ok(copy_one(list, 0));
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t waiting = create_list();
    ze_fence_handle_t fence = submit_waiting(queue, waiting, never);
    const unsigned long thread = start_later(30 * ONE_MILLISECOND, lose_device, NULL);
    assert_result(zeEventHostSynchronize(never, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeEventHostSynchronize(done, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeFenceHostSynchronize(fence, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeFenceDestroy(fence)); // the queue may not have noticed yet
    assert_ok(zeCommandListDestroy(waiting));
    assert_ok(zeCommandQueueDestroy(queue));
    join_later(thread);
    expect_lost(list);
    assert_ok(zeCommandListDestroy(list));
    assert_int_equal(numbers[1], 0);
    assert_ok(zeEventDestroy(never));
    assert_ok(zeEventDestroy(done));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
}

static void test_at_once(void **state)
{
    (void)state;
    numbers = alloc_shared(2 * sizeof *numbers);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    expect_lost(list);
    assert_ok(zeCommandListDestroy(list));
    free_memory(numbers);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest after[] = {cmocka_unit_test(test_after)};
    const struct CMUnitTest call[] = {cmocka_unit_test(test_call)};
    const struct CMUnitTest at_once[] = {cmocka_unit_test(test_at_once)};
    if (argc == 2 && !strcmp(argv[1], "after"))
        return cmocka_run_group_tests(after, set_up, tear_down);
    if (argc == 2 && !strcmp(argv[1], "call"))
        return cmocka_run_group_tests(call, set_up, tear_down);
    return cmocka_run_group_tests(at_once, set_up, tear_down);
}
