// SPDX-License-Identifier: MIT
//
// What Intel's driver lets pass, and programs rely on; with ZE_CPU_STRICT it is refused. The argument says which.
#include "harness.h"
#include "scripted.h"

#include <stdlib.h>
#include <string.h>

// Where the specification forbids what programs do.
static ze_result_t refusal = ZE_RESULT_SUCCESS;

static ze_context_handle_t create_context(void)
{
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    assert_ok(zeContextCreate(fx.driver, &desc, &context));
    return context;
}

static void test_memory_of_another_context(void **state)
{
    (void)state;
    ze_context_handle_t other = create_context();
    char *memory = alloc_device(100);
    void *base = NULL;
    size_t size = 0;
    ze_ipc_mem_handle_t handle;
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    assert_result(zeMemGetAddressRange(other, memory + 50, &base, &size), refusal);
    assert_result(zeMemGetIpcHandle(other, memory, &handle), refusal);
    assert_ok(zeMemGetAllocProperties(other, memory, &properties, NULL));
    assert_result(zeMemFree(other, memory), refusal);
    if (refusal) {
        assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
        free_memory(memory);
    } else {
        assert_int_equal(properties.type, ZE_MEMORY_TYPE_DEVICE);
        assert_ptr_equal(base, memory);
        assert_int_equal(size, 100);
        assert_result(zeMemFree(fx.context, memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    assert_ok(zeContextDestroy(other));
}

// What a context leaves behind is nobody's.
static void test_memory_of_a_context_that_is_gone(void **state)
{
    (void)state;
    enum { COUNT = 17 };
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    static void *left[COUNT]; // still to be found, for leak checkers
    ze_context_handle_t other = create_context();
    void *kept = alloc_host(64);
    for (int i = 0; i < COUNT; i++)
        assert_ok(zeMemAllocHost(other, &desc, 64, 0, &left[i]));
    assert_ok(zeContextDestroy(other));
    for (int i = 0; i < COUNT; i++)
        assert_result(zeMemGetAddressRange(fx.context, left[i], NULL, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeMemGetAddressRange(fx.context, kept, NULL, NULL));
    free_memory(kept);
}

static uint32_t increment(ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {1, 1, 1};
    uint32_t *number = alloc_shared(sizeof *number);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    *number = 0;
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof number, &number));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    const uint32_t result = *number;
    assert_ok(zeCommandListDestroy(list));
    free_memory(number);
    return result;
}

// As many bytes are taken as there are and fit.
static void test_sizes_of_arguments(void **state)
{
    (void)state;
    const uint64_t large[2] = {0xaaaaaaaa11223344, 0}, small = 0x55;
    ze_module_handle_t module = NULL;
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    const ze_result_t expected = refusal ? ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE : refusal;
    assert_result(zeKernelSetArgumentValue(kernel, 0, 16, large), expected);
    assert_result(zeKernelSetArgumentValue(kernel, 0, 4, NULL), expected);
    assert_result(zeKernelSetArgumentValue(kernel, 0, 4, &small),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE); // half of a pointer
    assert_result(zeKernelSetArgumentValue(kernel, 1, 8, large), expected);
    if (!refusal) {
        assert_int_equal(increment(kernel), 0x11223344);
        assert_ok(zeKernelSetArgumentValue(kernel, 1, 1, &small));
        assert_int_equal(increment(kernel), 0x11223355);
        assert_ok(zeKernelSetArgumentValue(kernel, 1, 1, NULL));
        assert_int_equal(increment(kernel), 0);
    }
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

// It has no effect.
static void test_close_of_an_immediate_list(void **state)
{
    (void)state;
    char *bytes = alloc_shared(2);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_result(zeCommandListClose(list), refusal);
    assert_result(zeCommandListReset(list), refusal);
    bytes[0] = 7;
    bytes[1] = 0;
    assert_ok(zeCommandListAppendMemoryCopy(list, bytes + 1, bytes, 1, NULL, 0, NULL));
    assert_int_equal(bytes[1], 7);
    assert_ok(zeCommandListDestroy(list));
    free_memory(bytes);
}

static void test_timestamps_without_the_flag(void **state)
{
    (void)state;
    ze_kernel_timestamp_result_t result;
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    assert_result(
        zeEventQueryKernelTimestamp(event, &result), refusal ? refusal : ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(event));
    memset(&result, 0xff, sizeof result);
    assert_result(zeEventQueryKernelTimestamp(event, &result), refusal);
    if (!refusal)
        assert_int_equal(result.global.kernelEnd, 0);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_cooperative_groups(void **state)
{
    (void)state;
    uint32_t count = 0;
    ze_module_handle_t module = NULL;
    assert_ok(scripted_build("kernel:meet", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "meet");
    assert_ok(zeKernelSuggestMaxCooperativeGroupCount(kernel, &count));
    assert_true(count >= 256);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

static ze_fence_handle_t create_fence(ze_command_queue_handle_t queue, ze_fence_flags_t flags)
{
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC, .flags = flags};
    ze_fence_handle_t fence = NULL;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    return fence;
}

static void test_signalled_fence_given_again(void **state)
{
    (void)state;
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    ze_fence_handle_t fence = create_fence(queue, 0);
    ze_fence_handle_t born = create_fence(queue, ZE_FENCE_FLAG_SIGNALED);
    const ze_result_t expected = ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT;
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    assert_ok(zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_result(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence), expected);
    assert_result(zeCommandQueueExecuteCommandLists(queue, 1, &list, born), expected);
    assert_ok(zeFenceReset(fence));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    assert_ok(zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeFenceDestroy(fence));
    assert_ok(zeFenceDestroy(born));
    assert_ok(zeCommandListDestroy(list));
}

// Programs know from the last event of its lists that a fence is of no use any more. Here the queue comes to the fences when they are
// destroyed, and others have been created since.
static void test_fence_goes_before_its_signal(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    ze_fence_handle_t fences[COUNT];
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t go = create_event(pool, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendWaitOnEvents(list, 1, &go));
    assert_ok(zeCommandListClose(list));
    for (int i = 0; i < COUNT; i++)
        fences[i] = create_fence(queue, 0);
    for (int i = 0; i < COUNT; i++)
        assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fences[i]));
    for (int i = 0; i < COUNT; i++)
        assert_ok(zeFenceDestroy(fences[i]));
    for (int i = 0; i < COUNT; i++)
        fences[i] = create_fence(queue, 0);
    assert_ok(zeEventHostSignal(go));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    for (int i = 0; i < COUNT; i++) {
        assert_result(zeFenceQueryStatus(fences[i]), ZE_RESULT_NOT_READY);
        assert_ok(zeFenceDestroy(fences[i]));
    }
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_of_another_context),
        cmocka_unit_test(test_memory_of_a_context_that_is_gone),
        cmocka_unit_test(test_sizes_of_arguments),
        cmocka_unit_test(test_close_of_an_immediate_list),
        cmocka_unit_test(test_timestamps_without_the_flag),
        cmocka_unit_test(test_cooperative_groups),
        cmocka_unit_test(test_signalled_fence_given_again),
        cmocka_unit_test(test_fence_goes_before_its_signal),
    };
    if (argc == 2 && !strcmp(argv[1], "refused"))
        refusal = ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
