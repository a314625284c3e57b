// SPDX-License-Identifier: MIT
//
// When what was submitted completes.

#include "fixture.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void test_completes_at_once(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    struct events events = create_events(f);
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    assert_ok(ze.zeEventQueryStatus(events.all[0]));
    assert_ok(ze.zeEventHostReset(events.all[0]));
    assert_int_equal(ze.zeEventHostSynchronize(events.all[0], 0), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeEventHostSignal(events.all[0]));
    assert_ok(ze.zeEventHostSynchronize(events.all[0], UINT64_MAX));
    assert_ok(ze.zeCommandListAppendEventReset(list, events.all[0]));
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void test_regular_list_signals_when_executed(void **state)
{
    const struct fixture *f = *state;
    ze_command_queue_handle_t queue = create_queue(f);
    ze_command_list_handle_t list = create_list(f);
    struct events events = create_events(f);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    assert_int_equal(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // not closed
    assert_ok(ze.zeCommandListClose(list));
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_ok(ze.zeEventQueryStatus(events.all[0]));

    assert_ok(ze.zeEventHostReset(events.all[0]));
    assert_ok(ze.zeCommandListReset(list));
    assert_ok(ze.zeCommandListClose(list));
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

static void test_holds_events_in_order(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    struct events events = create_events(f);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    noop_hold(true);
    for (int i = 1; i < EVENTS; i++)
        assert_ok(ze.zeCommandListAppendBarrier(list, events.all[i], 0, NULL));
    assert_ok(ze.zeEventQueryStatus(events.all[0]));
    assert_int_equal(noop_pending(), EVENTS - 1);

    noop_release(1);
    assert_ok(ze.zeEventQueryStatus(events.all[1]));
    assert_int_equal(ze.zeEventQueryStatus(events.all[2]), ZE_RESULT_NOT_READY);
    noop_hold(false);
    assert_ok(ze.zeEventQueryStatus(events.all[EVENTS - 1]));
    assert_int_equal(noop_pending(), 0);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void test_holds_queue_and_fence(void **state)
{
    const struct fixture *f = *state;
    ze_command_queue_handle_t queue = create_queue(f);
    ze_command_list_handle_t list = create_list(f);
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence = NULL;
    assert_ok(ze.zeFenceCreate(queue, &desc, &fence));
    assert_int_equal(ze.zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeCommandListClose(list));
    noop_hold(true);
    assert_ok(ze.zeCommandQueueSynchronize(queue, 0));
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    assert_int_equal(ze.zeCommandQueueSynchronize(queue, 0), ZE_RESULT_NOT_READY);
    assert_int_equal(ze.zeFenceHostSynchronize(fence, MILLISECOND), ZE_RESULT_NOT_READY);
    noop_release(1);
    assert_ok(ze.zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_ok(ze.zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_ok(ze.zeFenceDestroy(fence));
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

static void *release_later(void *unused)
{
    usleep(5000);
    noop_release(1);
    return unused;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void test_wait_blocks_until_timeout_or_release(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    struct events events = create_events(f);
    noop_hold(true);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    const uint64_t start = now_ns();
    assert_int_equal(
        ze.zeEventHostSynchronize(events.all[0], 10 * MILLISECOND), ZE_RESULT_NOT_READY);
    assert_true(now_ns() - start >= 10 * MILLISECOND);

    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, release_later, NULL), 0);
    assert_ok(ze.zeEventHostSynchronize(events.all[0], UINT64_MAX));
    pthread_join(thread, NULL);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(completes_at_once),
        TEST(regular_list_signals_when_executed),
        TEST(holds_events_in_order),
        TEST(holds_queue_and_fence),
        TEST(wait_blocks_until_timeout_or_release),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
