// SPDX-License-Identifier: MIT
//
// Out-of-order execution (ZE_CPU_OUT_OF_ORDER): what may go wrong without a barrier does so within a
// number of rounds, and what the specification guarantees holds in every one.
#include "extensions.h"
#include "harness.h"
#include "scripted.h"

#include <stdatomic.h>
#include <stdlib.h>

#define ROUNDS 150

// A chain of two copies, numbers[0] to [1] to [2]: out of order the last is still 0.
static int *numbers;
static ze_event_pool_handle_t pool;
static ze_event_handle_t middle, done;
static ze_module_handle_t module;

static int set_up_all(void **state)
{
    set_up(state);
    numbers = alloc_shared(3 * sizeof *numbers);
    pool = create_pool(2, 0);
    middle = create_event(pool, 0);
    done = create_event(pool, 1);
    if (getenv("ZE_CPU_NEWER"))
        find_newer_functions();
    assert_ok(scripted_build("kernel:wait_for_host", NULL, &module, NULL));
    return 0;
}

static int tear_down_all(void **state)
{
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeEventDestroy(middle));
    assert_ok(zeEventDestroy(done));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
    return tear_down(state);
}

static void reset(void)
{
    numbers[0] = 1;
    numbers[1] = numbers[2] = 0;
    assert_ok(zeEventHostReset(middle));
    assert_ok(zeEventHostReset(done));
}

static void append_copy(ze_command_list_handle_t list, int index, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    assert_ok(zeCommandListAppendMemoryCopy(
        list, &numbers[index + 1], &numbers[index], sizeof *numbers, signal, wait_count, waits));
}

static void append_barrier(ze_command_list_handle_t list)
{
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
}

// Appends the chain; whatever body it is, a barrier with `done` ends it.
typedef void (*chain_body)(ze_command_list_handle_t list);

static void chain_without_barrier(ze_command_list_handle_t list)
{
    append_copy(list, 0, NULL, 0, NULL);
    append_copy(list, 1, NULL, 0, NULL);
}

static void chain_with_barrier(ze_command_list_handle_t list)
{
    append_copy(list, 0, NULL, 0, NULL);
    append_barrier(list);
    append_copy(list, 1, NULL, 0, NULL);
}

static void chain_with_ranges_barrier(ze_command_list_handle_t list)
{
    const size_t size = sizeof *numbers;
    const void *range = &numbers[1];
    append_copy(list, 0, NULL, 0, NULL);
    assert_ok(zeCommandListAppendMemoryRangesBarrier(list, 1, &size, &range, NULL, 0, NULL));
    append_copy(list, 1, NULL, 0, NULL);
}

static void chain_with_event(ze_command_list_handle_t list)
{
    append_copy(list, 0, middle, 0, NULL);
    append_copy(list, 1, NULL, 1, &middle);
}

// A wait keeps what comes behind it from starting.
static void chain_with_wait_command(ze_command_list_handle_t list)
{
    append_copy(list, 0, middle, 0, NULL);
    assert_ok(zeCommandListAppendWaitOnEvents(list, 1, &middle));
    append_copy(list, 1, NULL, 0, NULL);
}

static void chain_with_barrier_for_event(ze_command_list_handle_t list)
{
    append_copy(list, 0, middle, 0, NULL);
    assert_ok(zeCommandListAppendBarrier(list, NULL, 1, &middle));
    append_copy(list, 1, NULL, 0, NULL);
}

// Such a barrier waits for its events and for nothing else.
static void chain_with_barrier_for_other_event(ze_command_list_handle_t list)
{
    assert_ok(zeEventHostSignal(middle));
    append_copy(list, 0, NULL, 0, NULL);
    assert_ok(zeCommandListAppendBarrier(list, NULL, 1, &middle));
    append_copy(list, 1, NULL, 0, NULL);
}

// The signal of a command of its own says nothing about those before it.
static void chain_with_bare_signal(ze_command_list_handle_t list)
{
    append_copy(list, 0, NULL, 0, NULL);
    assert_ok(zeCommandListAppendSignalEvent(list, middle));
    append_copy(list, 1, NULL, 1, &middle);
}

static unsigned count_failures(ze_command_list_handle_t list, chain_body body)
{
    unsigned failures = 0;
    for (int round = 0; round < ROUNDS; round++) {
        reset();
        body(list);
        assert_ok(zeCommandListAppendBarrier(list, done, 0, NULL));
        assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
        assert_int_equal(numbers[1], 1);
        failures += numbers[2] != 1;
    }
    return failures;
}

static unsigned count_immediate(chain_body body)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    const unsigned failures = count_failures(list, body);
    assert_ok(zeCommandListDestroy(list));
    return failures;
}

static unsigned count_regular(chain_body body)
{
    unsigned failures = 0;
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    for (int round = 0; round < ROUNDS; round++) {
        reset();
        body(list);
        assert_ok(zeCommandListClose(list));
        execute_and_wait(queue, list);
        failures += numbers[2] != 1;
        assert_ok(zeCommandListReset(list));
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    return failures;
}

static void test_what_fails(void **state)
{
    (void)state;
    static const chain_body bodies[] = {
        chain_without_barrier, chain_with_barrier_for_other_event, chain_with_bare_signal};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        assert_uint_in_range(count_immediate(bodies[i]), 1, ROUNDS - 1);
        assert_uint_in_range(count_regular(bodies[i]), 1, ROUNDS - 1);
    }
}

static void test_what_holds(void **state)
{
    (void)state;
    static const chain_body bodies[] = {chain_with_barrier, chain_with_ranges_barrier,
        chain_with_event, chain_with_wait_command, chain_with_barrier_for_event};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        assert_int_equal(count_immediate(bodies[i]), 0);
        assert_int_equal(count_regular(bodies[i]), 0);
    }
}

static void test_synchronous_lists_leave_no_freedom(void **state)
{
    (void)state;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_int_equal(count_failures(list, chain_without_barrier), 0);
    assert_ok(zeCommandListDestroy(list));
}

static ze_command_list_handle_t record_copy(int index, bool barrier_first)
{
    ze_command_list_handle_t list = create_list();
    if (barrier_first)
        append_barrier(list);
    append_copy(list, index, NULL, 0, NULL);
    assert_ok(zeCommandListClose(list));
    return list;
}

// Each copy in a list of its own, submitted by one call or by two.
static unsigned count_lists(bool barrier, bool one_call)
{
    unsigned failures = 0;
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t lists[] = {record_copy(0, false), record_copy(1, barrier)};
    for (int round = 0; round < ROUNDS; round++) {
        reset();
        assert_ok(zeCommandQueueExecuteCommandLists(queue, one_call ? 2 : 1, lists, NULL));
        if (!one_call)
            assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &lists[1], NULL));
        assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
        assert_int_equal(numbers[1], 1);
        failures += numbers[2] != 1;
    }
    assert_ok(zeCommandListDestroy(lists[0]));
    assert_ok(zeCommandListDestroy(lists[1]));
    assert_ok(zeCommandQueueDestroy(queue));
    return failures;
}

static void test_lists_overlap(void **state)
{
    (void)state;
    assert_uint_in_range(count_lists(false, true), 1, ROUNDS - 1);
    assert_uint_in_range(count_lists(false, false), 1, ROUNDS - 1);
    assert_int_equal(count_lists(true, true), 0);
    assert_int_equal(count_lists(true, false), 0);
}

static void test_fence_comes_last(void **state)
{
    (void)state;
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = record_copy(0, false);
    ze_fence_handle_t fence = NULL;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    for (int round = 0; round < ROUNDS; round++) {
        reset();
        assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
        assert_ok(zeFenceHostSynchronize(fence, UINT64_MAX));
        assert_int_equal(numbers[1], 1);
        assert_ok(zeFenceReset(fence));
    }
    assert_ok(zeFenceDestroy(fence));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
}

// The work of the first is to be seen before its event: events come late.
static void test_events_come_late(void **state)
{
    (void)state;
    unsigned late = 0;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    for (int round = 0; round < ROUNDS; round++) {
        reset();
        append_copy(list, 0, middle, 0, NULL);
        append_copy(list, 1, done, 0, NULL);
        assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
        late += numbers[2] == 1 && zeEventQueryStatus(middle) == ZE_RESULT_NOT_READY;
        assert_ok(zeEventHostSynchronize(middle, UINT64_MAX));
        append_barrier(list);
    }
    assert_uint_in_range(late, 1, ROUNDS - 1);
    assert_ok(zeCommandListDestroy(list));
}

static ze_kernel_handle_t create_waiting_kernel(atomic_uint *flag)
{
    ze_kernel_handle_t kernel = scripted_kernel(module, "wait_for_host");
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof flag, &flag));
    return kernel;
}

// Whatever started is completed, though another command keeps its thread for long.
static void test_waiting_kernels_hold_nothing_up(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    atomic_uint *flag = alloc_shared(sizeof *flag);
    ze_kernel_handle_t kernel = create_waiting_kernel(flag);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    for (int round = 0; round < 10; round++) {
        reset();
        atomic_store(flag, 0);
        append_copy(list, 0, middle, 0, NULL);
        assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
        assert_ok(zeEventHostSynchronize(middle, UINT64_MAX));
        assert_result(zeEventQueryStatus(done), ZE_RESULT_NOT_READY);
        atomic_store(flag, 1);
        assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(flag);
}

static void test_many_commands_in_flight(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    int *targets = alloc_shared(COUNT * sizeof *targets);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    reset();
    for (int i = 0; i < COUNT; i++)
        assert_ok(zeCommandListAppendMemoryCopy(
            list, &targets[i], numbers, sizeof *numbers, NULL, 0, NULL));
    assert_ok(zeCommandListAppendBarrier(list, done, 0, NULL));
    assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(targets[i], 1);
    assert_ok(zeCommandListDestroy(list));
    free_memory(targets);
}

static unsigned count_in_order_regular(void)
{
    const ze_command_list_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = ZE_NEWER_COMMAND_LIST_FLAG_IN_ORDER};
    unsigned failures = 0;
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
    chain_without_barrier(list);
    assert_ok(zeCommandListClose(list));
    for (int round = 0; round < ROUNDS; round++) {
        reset();
        execute_and_wait(queue, list);
        failures += numbers[2] != 1;
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    return failures;
}

// The newer mode keeps the promise of the in-order flags, the default mode ignores them.
static void test_in_order_lists(void **state)
{
    (void)state;
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    if (getenv("ZE_CPU_NEWER")) {
        assert_int_equal(count_failures(list, chain_without_barrier), 0);
        assert_int_equal(count_in_order_regular(), 0);
    } else {
        assert_uint_in_range(count_failures(list, chain_without_barrier), 1, ROUNDS - 1);
        assert_uint_in_range(count_in_order_regular(), 1, ROUNDS - 1);
    }
    assert_ok(zeCommandListDestroy(list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_fails),
        cmocka_unit_test(test_what_holds),
        cmocka_unit_test(test_synchronous_lists_leave_no_freedom),
        cmocka_unit_test(test_lists_overlap),
        cmocka_unit_test(test_fence_comes_last),
        cmocka_unit_test(test_events_come_late),
        cmocka_unit_test(test_waiting_kernels_hold_nothing_up),
        cmocka_unit_test(test_many_commands_in_flight),
        cmocka_unit_test(test_in_order_lists),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
