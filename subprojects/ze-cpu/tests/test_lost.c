// SPDX-License-Identifier: MIT
//
// The device is lost on demand: after so many commands, or when zeCpuLoseDevice says so. Once lost
// it stays lost, so that each process tests one way: the argument is "after" (with
// ZE_CPU_LOSE_DEVICE=3), "call" or "at once" (ZE_CPU_LOSE_DEVICE=0); of two devices the second is lost by "one" and "second after" (with
// ZE_CPU_LOSE_DEVICE=1:3).
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

// ---- the second of two devices ----

static struct {
    ze_device_handle_t first, second;
} two;

static int set_up_two(void **state)
{
    ze_device_handle_t devices[2];
    uint32_t count = 2;
    if (set_up(state))
        return -1;
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    assert_int_equal(count, 2);
    two.first = devices[0];
    two.second = devices[1];
    return 0;
}

static ze_context_handle_t create_context(ze_device_handle_t *device)
{
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    assert_ok(zeContextCreateEx(fx.driver, &desc, 1, device, &context));
    return context;
}

static void expect_status(ze_device_handle_t *device, ze_result_t expected)
{
    ze_context_handle_t context = create_context(device);
    assert_result(zeContextGetStatus(context), expected);
    assert_result(zeDeviceGetStatus(*device), expected);
    assert_ok(zeContextDestroy(context));
}

// Of a pool for both devices.
static void expect_hope(ze_event_handle_t event)
{
    assert_result(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    assert_result(zeEventHostSynchronize(event, 50 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
}

// Both ways to hand over work, and a kernel.
static void expect_works(ze_command_list_handle_t immediate, ze_event_handle_t event)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    const ze_group_count_t groups = {1, 1, 1};
    const uint32_t amount = 3;
    ze_module_handle_t module = NULL;
    numbers[0] = 7;
    numbers[1] = numbers[2] = 0;
    assert_ok(copy_one(list, 0));
    assert_ok(zeCommandListClose(list));
    execute_and_wait(queue, list);
    assert_int_equal(numbers[1], 7);
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof amount, &amount));
    assert_ok(zeCommandListAppendLaunchKernel(immediate, kernel, &groups, event, 0, NULL));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_int_equal(numbers[0], 10);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
}

static ze_event_pool_handle_t create_pool_of_both(uint32_t count)
{
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = count};
    ze_event_pool_handle_t pool = NULL;
    assert_ok(zeEventPoolCreate(fx.context, &desc, 0, NULL, &pool));
    return pool;
}

static uint32_t parts_of(ze_device_handle_t device, ze_device_handle_t parts[2])
{
    uint32_t count = 2;
    assert_ok(zeDeviceGetSubDevices(device, &count, parts));
    return count;
}

static void expect_parts(ze_device_handle_t device, ze_result_t expected)
{
    ze_device_handle_t parts[2];
    for (uint32_t i = parts_of(device, parts); i-- > 0;)
        expect_status(&parts[i], expected);
}

static void expect_second_lost(ze_command_list_handle_t on_second)
{
    ze_event_pool_handle_t pool = create_pool_of_both(2);
    ze_event_handle_t event = create_event(pool, 0), other = create_event(pool, 1);
    fx.device = two.first;
    ze_command_list_handle_t on_first = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    expect_status(&two.second, ZE_RESULT_ERROR_DEVICE_LOST);
    expect_status(&two.first, ZE_RESULT_SUCCESS);
    expect_parts(two.second, ZE_RESULT_ERROR_DEVICE_LOST);
    expect_parts(two.first, ZE_RESULT_SUCCESS);
    assert_result(zeContextGetStatus(fx.context), ZE_RESULT_ERROR_DEVICE_LOST);
    expect_hope(other);
    expect_works(on_first, event);
    fx.device = two.second;
    expect_lost(on_second);
    fx.device = two.first;
    assert_ok(zeEventHostReset(event));
    expect_works(on_first, event);
    assert_ok(zeCommandListDestroy(on_first));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventDestroy(other));
    assert_ok(zeEventPoolDestroy(pool));
}

// By one of its parts, where it has some.
static void lose_second(void *unused)
{
    (void)unused;
    ze_device_handle_t parts[2];
    ze_result_t (*lose)(ze_device_handle_t device) = NULL;
    find_extension("zeCpuLoseOneDevice", &lose);
    assert_result(lose(NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(lose(parts_of(two.second, parts) ? parts[1] : two.second));
}

// Work of the second that waits for the host fails; work of the first goes on waiting for it.
static void test_one(void **state)
{
    (void)state;
    numbers = alloc_shared(3 * sizeof *numbers);
    ze_event_pool_handle_t pool = create_pool_of_both(3);
    ze_event_handle_t never = create_event(pool, 0), done = create_event(pool, 1),
                      waits = create_event(pool, 2);
    ze_command_list_handle_t follower = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t patient = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(patient, waits, 1, &never));
    assert_ok(zeCommandListAppendBarrier(follower, NULL, 1, &done));
    fx.device = two.second;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(list, done, 1, &never));
    const unsigned long thread = start_later(30 * ONE_MILLISECOND, lose_second, NULL);
    assert_result(zeEventHostSynchronize(done, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    join_later(thread);
    expect_second_lost(list);
    expect_hope(waits);
    assert_ok(zeEventHostSignal(never));
    assert_ok(zeEventHostSynchronize(waits, UINT64_MAX));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandListDestroy(patient));
    assert_ok(zeCommandListDestroy(follower));
    assert_ok(zeEventDestroy(never));
    assert_ok(zeEventDestroy(done));
    assert_ok(zeEventDestroy(waits));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
}

// What the first does is not counted.
static void test_second_after(void **state)
{
    (void)state;
    numbers = alloc_shared(5 * sizeof *numbers);
    ze_command_list_handle_t on_first = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    fx.device = two.second;
    ze_command_list_handle_t on_second = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (int i = 0; i < 17; i++)
        assert_ok(copy_one(on_first, i % 3));
    assert_ok(copy_one(on_second, 0));
    assert_ok(copy_one(on_second, 1));
    assert_ok(zeDeviceGetStatus(two.second));
    assert_result(copy_one(on_second, 2), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(copy_one(on_first, 0));
    expect_second_lost(on_second);
    assert_ok(zeCommandListDestroy(on_first));
    assert_ok(zeCommandListDestroy(on_second));
    free_memory(numbers);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest one[] = {cmocka_unit_test(test_one)};
    const struct CMUnitTest second_after[] = {cmocka_unit_test(test_second_after)};
    const struct CMUnitTest after[] = {cmocka_unit_test(test_after)};
    const struct CMUnitTest call[] = {cmocka_unit_test(test_call)};
    const struct CMUnitTest at_once[] = {cmocka_unit_test(test_at_once)};
    if (argc == 2 && !strcmp(argv[1], "after"))
        return cmocka_run_group_tests(after, set_up, tear_down);
    if (argc == 2 && !strcmp(argv[1], "one"))
        return cmocka_run_group_tests(one, set_up_two, tear_down);
    if (argc == 2 && !strcmp(argv[1], "second after"))
        return cmocka_run_group_tests(second_after, set_up_two, tear_down);
    if (argc == 2 && !strcmp(argv[1], "call"))
        return cmocka_run_group_tests(call, set_up, tear_down);
    return cmocka_run_group_tests(at_once, set_up, tear_down);
}
