// SPDX-License-Identifier: MIT
//
// Events, fences, waits and time.
#include "harness.h"

#include <stdlib.h>

static void signal_event(void *event)
{
    assert_ok(zeEventHostSignal(event));
}

static void test_event_by_host(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t event = create_event(pool, 1);
    assert_result(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    assert_result(zeEventHostSynchronize(event, 0), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(event));
    assert_ok(zeEventQueryStatus(event));
    assert_ok(zeEventHostSynchronize(event, 0));
    assert_ok(zeEventHostReset(event));
    assert_result(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_timeout(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    const uint64_t start = now();
    assert_result(zeEventHostSynchronize(event, 20 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    const uint64_t waited = now() - start;
    assert_true(waited >= 20 * ONE_MILLISECOND);
    assert_true(waited < 10 * ONE_SECOND);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_wait_without_end(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    const unsigned long thread = start_later(20 * ONE_MILLISECOND, signal_event, event);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    join_later(thread);
    assert_ok(zeEventHostReset(event));
    const unsigned long again = start_later(ONE_MILLISECOND, signal_event, event);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX - 1));
    join_later(again);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void wait_for_event(void *event)
{
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
}

static void test_many_waiters(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    unsigned long threads[COUNT];
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    for (int i = 0; i < COUNT; i++)
        threads[i] = start_later((uint64_t)i * ONE_MILLISECOND, wait_for_event, event);
    const unsigned long signaller = start_later(4 * ONE_MILLISECOND, signal_event, event);
    for (int i = 0; i < COUNT; i++)
        join_later(threads[i]);
    join_later(signaller);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

// The first queue waits for the host, the second for the first.
static void test_events_across_queues(void **state)
{
    (void)state;
    int *numbers = alloc_shared(3 * sizeof *numbers);
    ze_event_pool_handle_t pool = create_pool(3, 0);
    ze_event_handle_t go = create_event(pool, 0), middle = create_event(pool, 1),
                      done = create_event(pool, 2);
    ze_command_list_handle_t first = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t second = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendMemoryCopy(
        second, numbers + 2, numbers + 1, sizeof(int), done, 1, &middle));
    assert_ok(
        zeCommandListAppendMemoryCopy(first, numbers + 1, numbers, sizeof(int), middle, 1, &go));
    assert_result(zeEventHostSynchronize(done, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    numbers[0] = 42;
    assert_ok(zeEventHostSignal(go));
    assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
    assert_int_equal(numbers[2], 42);
    assert_ok(zeCommandListDestroy(first));
    assert_ok(zeCommandListDestroy(second));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventDestroy(middle));
    assert_ok(zeEventDestroy(done));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
}

static void test_queue_timeout_and_fence(void **state)
{
    (void)state;
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t go = create_event(pool, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    ze_fence_handle_t fence = NULL;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    assert_ok(zeCommandListAppendWaitOnEvents(list, 1, &go));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    assert_result(zeCommandQueueSynchronize(queue, 0), ZE_RESULT_NOT_READY);
    assert_result(zeCommandQueueSynchronize(queue, 5 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_result(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
    assert_result(zeFenceHostSynchronize(fence, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(go));
    assert_ok(zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_ok(zeFenceReset(fence));
    assert_result(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_ok(zeFenceDestroy(fence));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_signalled_fence(void **state)
{
    (void)state;
    const ze_fence_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_FENCE_DESC, .flags = ZE_FENCE_FLAG_SIGNALED};
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_fence_handle_t fence = NULL;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    assert_ok(zeFenceQueryStatus(fence));
    assert_ok(zeFenceDestroy(fence));
    assert_ok(zeCommandQueueDestroy(queue));
}

static void test_signal_and_reset_commands(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t a = create_event(pool, 0), b = create_event(pool, 1);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendSignalEvent(list, a));
    assert_ok(zeEventQueryStatus(a));
    assert_ok(zeCommandListAppendBarrier(list, b, 1, &a));
    assert_ok(zeEventQueryStatus(b));
    assert_ok(zeCommandListAppendEventReset(list, a));
    assert_result(zeEventQueryStatus(a), ZE_RESULT_NOT_READY);
    const size_t size = 4;
    const void *range = &size;
    assert_ok(zeCommandListAppendMemoryRangesBarrier(list, 1, &size, &range, a, 1, &b));
    assert_ok(zeEventQueryStatus(a));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(a));
    assert_ok(zeEventDestroy(b));
    assert_ok(zeEventPoolDestroy(pool));
}

// Whoever saw the last event may reset the list and free everything, though the queue is just
// leaving the list.
static void test_list_goes_after_its_event(void **state)
{
    (void)state;
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    for (int i = 0; i < 200; i++) {
        ze_event_pool_handle_t pool = create_pool(1, 0);
        ze_event_handle_t event = create_event(pool, 0);
        ze_command_list_handle_t list = create_list();
        assert_ok(zeCommandListAppendSignalEvent(list, event));
        assert_ok(zeCommandListClose(list));
        assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
        assert_ok(zeCommandListDestroy(list));
        assert_ok(zeEventDestroy(event));
        assert_ok(zeEventPoolDestroy(pool));
    }
    assert_ok(zeCommandQueueDestroy(queue));
}

static void test_timestamps(void **state)
{
    (void)state;
    const size_t size = 1 << 20;
    char *bytes = alloc_shared(2 * size);
    uint64_t *stamp = alloc_shared(sizeof *stamp);
    ze_kernel_timestamp_result_t result, *copied = alloc_shared(2 * sizeof *copied);
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const size_t offset = sizeof *copied;
    assert_result(zeEventQueryKernelTimestamp(event, &result), ZE_RESULT_NOT_READY);
    assert_ok(zeCommandListAppendWriteGlobalTimestamp(list, stamp, NULL, 0, NULL));
    assert_ok(zeCommandListAppendMemoryCopy(list, bytes + size, bytes, size, event, 0, NULL));
    assert_ok(zeEventQueryKernelTimestamp(event, &result));
    assert_true(*stamp <= result.global.kernelStart);
    assert_true(result.global.kernelStart < result.global.kernelEnd);
    assert_ok(
        zeCommandListAppendQueryKernelTimestamps(list, 1, &event, copied, &offset, NULL, 0, NULL));
    assert_memory_equal(&copied[1], &result, sizeof result);
    assert_int_equal(copied[0].global.kernelEnd, 0);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(copied);
    free_memory(stamp);
    free_memory(bytes);
}

static void test_destroy_drains(void **state)
{
    (void)state;
    const size_t size = 1 << 22;
    char *bytes = alloc_shared(2 * size);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    bytes[size - 1] = 9;
    for (int i = 0; i < 4; i++) {
        assert_ok(zeCommandListAppendMemoryCopy(list, bytes + size, bytes, size, NULL, 0, NULL));
        assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL)); // they write the same bytes
    }
    assert_ok(zeCommandListDestroy(list));
    assert_int_equal(bytes[2 * size - 1], 9);
    free_memory(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_by_host),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_wait_without_end),
        cmocka_unit_test(test_many_waiters),
        cmocka_unit_test(test_events_across_queues),
        cmocka_unit_test(test_queue_timeout_and_fence),
        cmocka_unit_test(test_signalled_fence),
        cmocka_unit_test(test_signal_and_reset_commands),
        cmocka_unit_test(test_list_goes_after_its_event),
        cmocka_unit_test(test_timestamps),
        cmocka_unit_test(test_destroy_drains),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
