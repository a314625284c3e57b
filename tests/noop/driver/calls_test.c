// SPDX-License-Identifier: MIT
//
// Counting calls, their order, and failing them.

#include "fixture.h"

#include <pthread.h>

// --- Counting and order

static void test_counts_calls(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    for (int i = 0; i < 3; i++)
        assert_ok(ze.zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendBarrier"), 3);
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), 0);
    assert_int_equal(noop_calls_total(), 4);
    noop_reset();
    assert_int_equal(noop_calls_total(), 0);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void *append_barriers(void *list)
{
    for (int i = 0; i < 10000; i++)
        ze.zeCommandListAppendBarrier(list, NULL, 0, NULL);
    return NULL;
}

static void test_counts_exactly_on_demand(void **state)
{
    noop_count_exactly(true);
    ze_command_list_handle_t list = create_immediate_list(*state);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, append_barriers, list), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(noop_calls("zeCommandListAppendBarrier"), 20000);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void test_logs_order(void **state)
{
    noop_log_start();
    ze_command_list_handle_t list = create_list(*state);
    assert_ok(ze.zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(ze.zeCommandListClose(list));
    assert_ok(ze.zeCommandListDestroy(list));

    const char *names[8];
    assert_int_equal(noop_log(names, 8), 4);
    assert_string_equal(names[0], "zeCommandListCreate");
    assert_string_equal(names[1], "zeCommandListAppendBarrier");
    assert_string_equal(names[2], "zeCommandListClose");
    assert_string_equal(names[3], "zeCommandListDestroy");
    assert_int_equal(noop_log(names, 2), 4);
    assert_string_equal(names[0], "zeCommandListClose");
}

static void test_log_keeps_newest(void **state)
{
    ze_command_list_handle_t list = create_immediate_list(*state);
    noop_log_start();
    append_barriers(list);
    assert_ok(ze.zeCommandListReset(list));
    static const char *names[5000] = {0};
    assert_int_equal(noop_log(names, 5000), 10001);
    assert_string_equal(names[4095], "zeCommandListReset");
    assert_null(names[4096]);
    assert_ok(ze.zeCommandListDestroy(list));
}

// --- Failures

static void test_fails_nth_call(void **state)
{
    const struct fixture *f = *state;
    noop_fail("zeMemAllocDevice", 2, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory[3] = {0};
    assert_ok(ze.zeMemAllocDevice(f->context, &desc, 64, 0, f->device, &memory[0]));
    assert_int_equal(ze.zeMemAllocDevice(f->context, &desc, 64, 0, f->device, &memory[1]),
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(memory[1]);
    assert_ok(ze.zeMemAllocDevice(f->context, &desc, 64, 0, f->device, &memory[2]));
    assert_int_equal(noop_fired(), 1);
    assert_int_equal(noop_calls("zeMemAllocDevice"), 3);
    assert_ok(ze.zeMemFree(f->context, memory[0]));
    assert_ok(ze.zeMemFree(f->context, memory[2]));
}

static void test_fails_every_call(void **state)
{
    const struct fixture *f = *state;
    noop_fail_every("zeCommandQueueSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
    ze_command_queue_handle_t queue = create_queue(f);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ze.zeCommandQueueSynchronize(queue, 0), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(noop_fired(), 2);
    noop_reset();
    assert_ok(ze.zeCommandQueueSynchronize(queue, 0));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

static void test_fails_nth_call_of_any(void **state)
{
    noop_fail(NULL, 2, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    ze_command_list_handle_t list = create_list(*state);
    assert_int_equal(ze.zeCommandListClose(list), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    assert_ok(ze.zeCommandListClose(list));
    assert_int_equal(noop_fired(), 1);
    assert_ok(ze.zeCommandListDestroy(list));
}

// Code that cleans up after itself, to be failed at each of its calls.
static ze_result_t create_and_destroy_pair(const struct fixture *f)
{
    const ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    const ze_fence_desc_t fence_desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_command_queue_handle_t queue = NULL;
    ze_fence_handle_t fence = NULL;
    ze_result_t result = ze.zeCommandQueueCreate(f->context, f->device, &queue_desc, &queue);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    result = ze.zeFenceCreate(queue, &fence_desc, &fence);
    if (result == ZE_RESULT_SUCCESS)
        result = ze.zeFenceDestroy(fence);
    const ze_result_t destroyed = ze.zeCommandQueueDestroy(queue);
    return result != ZE_RESULT_SUCCESS ? result : destroyed;
}

static void test_walks_error_paths(void **state)
{
    uint64_t n = 1;
    for (bool fired = true; fired; n++) {
        noop_reset();
        noop_fail(NULL, n, ZE_RESULT_ERROR_DEVICE_LOST);
        const ze_result_t result = create_and_destroy_pair(*state);
        fired = noop_fired() > 0;
        assert_int_equal(result, fired ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
        assert_int_equal(noop_live_total(), 1);
    }
    assert_int_equal(n - 1, 5); // four calls to fail, and the run where nothing fired
}

static void test_failing_destroy_destroys(void **state)
{
    ze_command_list_handle_t list = create_list(*state);
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), 1);
    noop_fail("zeCommandListDestroy", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(ze.zeCommandListDestroy(list), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), 0);
}

static void test_says_unsupported(void **state)
{
    ze_module_handle_t module = create_module(*state);
    void *function = NULL;
    assert_int_equal(ze.zeModuleGetFunctionPointer(module, "add", &function),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_int_equal(noop_calls("zeModuleGetFunctionPointer"), 1);
    assert_ok(ze.zeModuleDestroy(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(counts_calls),
        TEST(counts_exactly_on_demand),
        TEST(logs_order),
        TEST(log_keeps_newest),
        TEST(fails_nth_call),
        TEST(fails_every_call),
        TEST(fails_nth_call_of_any),
        TEST(walks_error_paths),
        TEST(failing_destroy_destroys),
        TEST(says_unsupported),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
