// SPDX-License-Identifier: MIT
//
// Launches, with the scripted engine.
#include "harness.h"
#include "scripted.h"
#include "scripted_engine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static ze_module_handle_t module;

static int set_up_module(void **state)
{
    set_up(state);
    assert_ok(scripted_build("kernel:increment kernel:count kernel:wait_for_host kernel:fail "
                             "kernel:stray kernel:endless kernel:trap "
                             "kernel:describe kernel:meet",
        NULL, &module, NULL));
    return 0;
}

static int tear_down_module(void **state)
{
    assert_ok(zeModuleDestroy(module));
    return tear_down(state);
}

static ze_kernel_handle_t create_kernel(const char *name, void *pointer)
{
    ze_kernel_handle_t kernel = scripted_kernel(module, name);
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof pointer, &pointer));
    return kernel;
}

static void test_every_group_runs_once(void **state)
{
    (void)state;
    const ze_group_count_t groups = {7, 5, 3};
    atomic_uint *counts = alloc_shared(7 * 5 * 3 * sizeof *counts);
    ze_kernel_handle_t kernel = create_kernel("count", counts);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (unsigned round = 1; round <= 20; round++) {
        assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        for (int i = 0; i < 7 * 5 * 3; i++)
            assert_int_equal(counts[i], round);
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(counts);
}

static void test_no_groups(void **state)
{
    (void)state;
    const ze_group_count_t none = {7, 0, 3};
    atomic_uint *counts = alloc_shared(sizeof *counts);
    ze_kernel_handle_t kernel = create_kernel("count", counts);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &none, NULL, 0, NULL));
    assert_int_equal(*counts, 0);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(counts);
}

// A launch keeps the arguments it was appended with.
static void test_arguments_are_taken_at_append(void **state)
{
    (void)state;
    const ze_group_count_t groups = {4, 1, 1};
    uint32_t *numbers = alloc_shared(64 * sizeof *numbers);
    ze_kernel_handle_t kernel = create_kernel("increment", numbers);
    ze_command_list_handle_t list = create_list();
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeKernelSetGroupSize(kernel, 16, 1, 1));
    for (uint64_t amount = 1; amount <= 3; amount++) {
        assert_ok(zeKernelSetArgumentValue(kernel, 1, 4, &amount));
        assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    }
    assert_ok(zeCommandListClose(list));
    assert_ok(zeKernelDestroy(kernel));
    execute_and_wait(queue, list);
    execute_and_wait(queue, list);
    for (int i = 0; i < 64; i++)
        assert_int_equal(numbers[i], 2 * (1 + 2 + 3));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    free_memory(numbers);
}

static void set_to_one(void *flag)
{
    atomic_store((atomic_uint *)flag, 1);
}

// If the append ran the kernel itself, it would wait for ever for what comes after it.
static void test_asynchronous_list_does_not_run_in_the_caller(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    atomic_uint *flag = alloc_shared(sizeof *flag);
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t done = create_event(pool, 0);
    ze_kernel_handle_t kernel = create_kernel("wait_for_host", flag);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
    assert_result(zeEventHostSynchronize(done, 2 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    set_to_one(flag);
    assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventDestroy(done));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(flag);
}

static void test_destroy_waits_for_the_kernel(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    atomic_uint *flag = alloc_shared(sizeof *flag);
    ze_kernel_handle_t kernel = create_kernel("wait_for_host", flag);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    const uint64_t start = now();
    const unsigned long thread = start_later(20 * ONE_MILLISECOND, set_to_one, flag);
    assert_ok(zeCommandListDestroy(list));
    assert_true(now() - start >= 15 * ONE_MILLISECOND);
    join_later(thread);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(flag);
}

// Two queues at once: neither waits for the other's kernel.
static void test_queues_are_independent(void **state)
{
    (void)state;
    const ze_group_count_t one = {1, 1, 1}, many = {64, 1, 1};
    atomic_uint *flag = alloc_shared(sizeof *flag), *counts = alloc_shared(64 * sizeof *counts);
    ze_kernel_handle_t waits = create_kernel("wait_for_host", flag);
    ze_kernel_handle_t count = create_kernel("count", counts);
    ze_command_list_handle_t first = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t second = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(first, waits, &one, NULL, 0, NULL));
    assert_ok(zeCommandListAppendLaunchKernel(second, count, &many, NULL, 0, NULL));
    for (int i = 0; i < 64; i++)
        assert_int_equal(counts[i], 1);
    set_to_one(flag);
    assert_ok(zeCommandListDestroy(first));
    assert_ok(zeCommandListDestroy(second));
    assert_ok(zeKernelDestroy(waits));
    assert_ok(zeKernelDestroy(count));
    free_memory(flag);
    free_memory(counts);
}

static void test_indirect_counts_are_read_late(void **state)
{
    (void)state;
    ze_group_count_t *groups = alloc_shared(sizeof *groups);
    struct scripted_description *reported = alloc_shared(sizeof *reported);
    ze_kernel_handle_t kernel = create_kernel("describe", reported);
    ze_command_list_handle_t list = create_list();
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeKernelSetArgumentValue(kernel, 1, 16, NULL));
    assert_ok(zeCommandListAppendLaunchKernelIndirect(list, kernel, groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    *groups = (ze_group_count_t){1, 2, 1};
    execute_and_wait(queue, list);
    assert_int_equal(reported->group_count[1], 2);
    assert_int_equal(reported->dimensions, 2);
    *groups = (ze_group_count_t){1, 1, 3};
    execute_and_wait(queue, list);
    assert_int_equal(reported->group_count[2], 3);
    assert_int_equal(reported->dimensions, 3);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(reported);
    free_memory(groups);
}

static void test_local_memory(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    struct scripted_description *reported = alloc_shared(sizeof *reported);
    ze_kernel_handle_t kernel = create_kernel("describe", reported);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeKernelSetArgumentValue(kernel, 1, 1000, NULL));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_true(reported->local_offset >= 100 && reported->local_offset % 128 == 0);
    assert_int_equal(reported->local_memory_size, reported->local_offset + 1000);
    assert_int_equal(reported->dimensions, 1);
    ze_device_compute_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    assert_ok(zeDeviceGetComputeProperties(fx.device, &limits));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, limits.maxSharedLocalMemory, NULL));
    assert_result(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(reported);
}

// All groups meet, as many as are allowed.
static void test_cooperative_launch(void **state)
{
    (void)state;
    atomic_uint *arrived = alloc_shared(sizeof *arrived);
    uint32_t max = 0;
    ze_kernel_handle_t kernel = create_kernel("meet", arrived);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeKernelSuggestMaxCooperativeGroupCount(kernel, &max));
    assert_true(max >= 2);
    const ze_group_count_t allowed = {max, 1, 1}, single = {1, 1, 1}, too_many = {max + 1, 1, 1},
                           overflow = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    assert_ok(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &allowed, NULL, 0, NULL));
    assert_int_equal(*arrived, max);
    assert_ok(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &single, NULL, 0, NULL));
    assert_int_equal(*arrived, max + 1);
    assert_result(
        zeCommandListAppendLaunchCooperativeKernel(list, kernel, &too_many, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(
        zeCommandListAppendLaunchCooperativeKernel(list, kernel, &overflow, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(arrived);
}

static void test_missing_argument(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    uint32_t number = 0;
    ze_kernel_handle_t kernel = create_kernel("increment", &number);
    ze_command_list_handle_t list = create_list();
    assert_result(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
}

// A kernel that runs out of memory takes its queue with it, and what depends on it; other queues
// live on.
static void test_failure_spreads(void **state)
{
    (void)state;
    const ze_group_count_t groups = {4, 1, 1};
    int *numbers = alloc_shared(2 * sizeof *numbers);
    ze_event_pool_handle_t pool = create_pool(3, 0);
    ze_event_handle_t failed = create_event(pool, 0), behind = create_event(pool, 1),
                      dependent = create_event(pool, 2);
    ze_kernel_handle_t kernel = scripted_kernel(module, "fail");
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    ze_command_list_handle_t other = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t stranger = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    numbers[0] = 1;
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, failed, 0, NULL));
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(
        zeCommandListAppendMemoryCopy(list, numbers + 1, numbers, sizeof(int), behind, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandListAppendBarrier(other, dependent, 1, &failed));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_result(zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeEventQueryStatus(failed), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeEventQueryStatus(behind), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(zeEventHostSynchronize(dependent, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(numbers[1], 0);
    assert_ok(
        zeCommandListAppendMemoryCopy(stranger, numbers + 1, numbers, sizeof(int), NULL, 0, NULL));
    assert_int_equal(numbers[1], 1);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandListDestroy(other));
    assert_ok(zeCommandListDestroy(stranger));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeKernelDestroy(kernel));
    for (int i = 0; i < 3; i++)
        assert_ok(zeEventDestroy((ze_event_handle_t[]){failed, behind, dependent}[i]));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
}

// Waits for kernels of that name, which fault, on a queue of their own.
static void expect_fault(const char *name, uint32_t groups, bool cooperative)
{
    const ze_group_count_t count = {groups, 1, 1};
    atomic_uint *arrived = alloc_shared(sizeof *arrived);
    ze_kernel_handle_t kernel = scripted_kernel(module, name);
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    if (!strcmp(name, "endless"))
        assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof arrived, &arrived));
    assert_ok(cooperative
                  ? zeCommandListAppendLaunchCooperativeKernel(list, kernel, &count, event, 0, NULL)
                  : zeCommandListAppendLaunchKernel(list, kernel, &count, event, 0, NULL));
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(arrived);
}

// Kernels are left, and so are those of the same launch that never end.
static void test_faults(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        expect_fault("stray", 8, false);
        expect_fault("endless", 4, true);
        expect_fault("trap", 1, false);
        expect_fault("trap", 8, false);
    }
}

struct stress {
    ze_kernel_handle_t kernel;
    atomic_uint *counts;
};

static void launch_many(void *argument)
{
    struct stress *stress = argument;
    const ze_group_count_t groups = {16, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    for (int i = 0; i < 25; i++)
        assert_ok(zeCommandListAppendLaunchKernel(list, stress->kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

static void test_many_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct stress stress[THREADS];
    unsigned long threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        stress[i].counts = alloc_shared(16 * sizeof *stress[i].counts);
        stress[i].kernel = create_kernel("count", stress[i].counts);
        threads[i] = start_later(0, launch_many, &stress[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        join_later(threads[i]);
        for (int group = 0; group < 16; group++)
            assert_int_equal(stress[i].counts[group], 25);
        assert_ok(zeKernelDestroy(stress[i].kernel));
        free_memory(stress[i].counts);
    }
}

static void test_copy_group_has_no_kernels(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_queue_group_properties_t properties[8] = {0};
    uint32_t count = 8, copy_only = 0;
    assert_ok(zeDeviceGetCommandQueueGroupProperties(fx.device, &count, properties));
    while (copy_only < count &&
           (properties[copy_only].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
        copy_only++;
    if (copy_only == count)
        skip();
    const ze_command_list_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .commandQueueGroupOrdinal = copy_only};
    ze_command_list_handle_t list = NULL;
    ze_kernel_handle_t kernel = scripted_kernel(module, "fail");
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
    assert_result(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    assert_ok(zeCommandListClose(list));
    assert_result(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL),
        ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeKernelDestroy(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_group_runs_once),
        cmocka_unit_test(test_no_groups),
        cmocka_unit_test(test_arguments_are_taken_at_append),
        cmocka_unit_test(test_asynchronous_list_does_not_run_in_the_caller),
        cmocka_unit_test(test_destroy_waits_for_the_kernel),
        cmocka_unit_test(test_queues_are_independent),
        cmocka_unit_test(test_indirect_counts_are_read_late),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_cooperative_launch),
        cmocka_unit_test(test_missing_argument),
        cmocka_unit_test(test_failure_spreads),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_copy_group_has_no_kernels),
    };
    return cmocka_run_group_tests(tests, set_up_module, tear_down_module);
}
