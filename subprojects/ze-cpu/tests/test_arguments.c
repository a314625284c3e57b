// SPDX-License-Identifier: MIT
//
// Wrong arguments: NULL handles and pointers, unknown flags, values out of range.
#include "harness.h"

#define NULL_HANDLE ZE_RESULT_ERROR_INVALID_NULL_HANDLE
#define NULL_POINTER ZE_RESULT_ERROR_INVALID_NULL_POINTER
#define BAD_FLAGS 0x40000000

static void test_driver(void **state)
{
    (void)state;
    uint32_t count = 0;
    ze_api_version_t version;
    assert_result(zeDriverGet(NULL, NULL), NULL_POINTER);
    assert_result(zeDriverGetApiVersion(NULL, &version), NULL_HANDLE);
    assert_result(zeDriverGetApiVersion(fx.driver, NULL), NULL_POINTER);
    assert_result(zeDriverGetProperties(fx.driver, NULL), NULL_POINTER);
    assert_result(zeDriverGetIpcProperties(fx.driver, NULL), NULL_POINTER);
    assert_result(zeDriverGetExtensionProperties(fx.driver, NULL, NULL), NULL_POINTER);
    assert_result(zeDriverGetExtensionFunctionAddress(fx.driver, NULL, NULL), NULL_POINTER);
    assert_result(zeDeviceGet(NULL, &count, NULL), NULL_HANDLE);
    assert_result(zeDeviceGet(fx.driver, NULL, NULL), NULL_POINTER);
}

static void test_device(void **state)
{
    (void)state;
    uint32_t count = 0;
    uint64_t time = 0;
    ze_bool_t flag;
    assert_result(zeDeviceGetProperties(NULL, NULL), NULL_HANDLE);
    assert_result(zeDeviceGetProperties(fx.device, NULL), NULL_POINTER);
    assert_result(zeDeviceGetComputeProperties(fx.device, NULL), NULL_POINTER);
    assert_result(zeDeviceGetModuleProperties(fx.device, NULL), NULL_POINTER);
    assert_result(zeDeviceGetCommandQueueGroupProperties(fx.device, NULL, NULL), NULL_POINTER);
    assert_result(zeDeviceGetMemoryProperties(NULL, &count, NULL), NULL_HANDLE);
    assert_result(zeDeviceGetMemoryProperties(fx.device, NULL, NULL), NULL_POINTER);
    assert_result(zeDeviceGetMemoryAccessProperties(fx.device, NULL), NULL_POINTER);
    assert_result(zeDeviceGetCacheProperties(fx.device, NULL, NULL), NULL_POINTER);
    assert_result(zeDeviceGetImageProperties(fx.device, NULL), NULL_POINTER);
    assert_result(zeDeviceGetExternalMemoryProperties(fx.device, NULL), NULL_POINTER);
    assert_result(zeDeviceGetSubDevices(fx.device, NULL, NULL), NULL_POINTER);
    assert_result(zeDeviceGetP2PProperties(fx.device, NULL, NULL), NULL_HANDLE);
    assert_result(zeDeviceCanAccessPeer(fx.device, NULL, &flag), NULL_HANDLE);
    assert_result(zeDeviceGetStatus(NULL), NULL_HANDLE);
    assert_result(zeDeviceGetGlobalTimestamps(fx.device, NULL, &time), NULL_POINTER);
}

static void test_context_and_memory(void **state)
{
    (void)state;
    ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_device_mem_alloc_desc_t device_desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_context_handle_t context = NULL;
    void *pointer = NULL;
    assert_result(zeContextCreate(NULL, &desc, &context), NULL_HANDLE);
    assert_result(zeContextCreate(fx.driver, NULL, &context), NULL_POINTER);
    assert_result(zeContextCreate(fx.driver, &desc, NULL), NULL_POINTER);
    assert_result(zeContextDestroy(NULL), NULL_HANDLE);
    assert_ok(zeContextGetStatus(fx.context));
    assert_ok(zeContextSystemBarrier(fx.context, fx.device));
    assert_result(zeContextMakeMemoryResident(fx.context, fx.device, NULL, 1), NULL_POINTER);
    assert_result(zeMemAllocDevice(fx.context, &device_desc, 1, 0, NULL, &pointer), NULL_HANDLE);
    assert_result(zeMemAllocDevice(fx.context, NULL, 1, 0, fx.device, &pointer), NULL_POINTER);
    assert_result(
        zeMemAllocShared(fx.context, &device_desc, NULL, 1, 0, fx.device, &pointer), NULL_POINTER);
    assert_result(zeMemAllocHost(fx.context, &host_desc, 1, 0, NULL), NULL_POINTER);
    assert_result(zeMemAllocHost(NULL, &host_desc, 1, 0, &pointer), NULL_HANDLE);
    assert_result(zeMemFree(fx.context, NULL), NULL_POINTER);
    assert_result(zeMemGetAllocProperties(fx.context, NULL, NULL, NULL), NULL_POINTER);
    host_desc.flags = BAD_FLAGS;
    assert_result(zeMemAllocHost(fx.context, &host_desc, 1, 0, &pointer),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

static void test_queue_and_fence(void **state)
{
    (void)state;
    ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_command_queue_handle_t queue = NULL;
    ze_command_list_handle_t list = NULL;
    ze_fence_handle_t fence = NULL;
    assert_result(zeCommandQueueCreate(fx.context, fx.device, NULL, &queue), NULL_POINTER);
    assert_result(zeCommandQueueCreate(fx.context, NULL, &desc, &queue), NULL_HANDLE);
    desc.ordinal = 9;
    assert_result(zeCommandQueueCreate(fx.context, fx.device, &desc, &queue),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    desc = (ze_command_queue_desc_t){.stype = desc.stype, .mode = (ze_command_queue_mode_t)17};
    assert_result(zeCommandListCreateImmediate(fx.context, fx.device, &desc, &list),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_result(zeCommandQueueDestroy(NULL), NULL_HANDLE);
    assert_result(zeCommandQueueSynchronize(NULL, 0), NULL_HANDLE);
    queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_result(zeCommandQueueExecuteCommandLists(queue, 1, NULL, NULL), NULL_POINTER);
    assert_result(
        zeCommandQueueExecuteCommandLists(queue, 0, &list, NULL), ZE_RESULT_ERROR_INVALID_SIZE);
    assert_result(zeFenceCreate(queue, NULL, &fence), NULL_POINTER);
    assert_result(zeFenceDestroy(NULL), NULL_HANDLE);
    assert_result(zeFenceQueryStatus(NULL), NULL_HANDLE);
    assert_result(zeFenceHostSynchronize(NULL, 0), NULL_HANDLE);
    assert_ok(zeCommandQueueDestroy(queue));
}

static void test_events(void **state)
{
    (void)state;
    ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC};
    ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 2};
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t event = NULL;
    assert_result(
        zeEventPoolCreate(fx.context, &desc, 0, NULL, &pool), ZE_RESULT_ERROR_INVALID_SIZE);
    assert_result(zeEventPoolCreate(fx.context, NULL, 0, NULL, &pool), NULL_POINTER);
    pool = create_pool(2, 0);
    assert_result(zeEventCreate(pool, &event_desc, &event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeEventCreate(pool, NULL, &event), NULL_POINTER);
    assert_result(zeEventQueryStatus(NULL), NULL_HANDLE);
    assert_result(zeEventHostSignal(NULL), NULL_HANDLE);
    assert_result(zeEventHostReset(NULL), NULL_HANDLE);
    assert_result(zeEventHostSynchronize(NULL, 0), NULL_HANDLE);
    event = create_event(pool, 1);
    assert_ok(zeEventHostSignal(event));
    assert_result(zeEventQueryKernelTimestamp(event, NULL), NULL_POINTER);
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_appends(void **state)
{
    (void)state;
    char bytes[4] = {0};
    const ze_copy_region_t one = {0, 0, 0, 1, 1, 1}, two = {0, 0, 0, 2, 1, 1};
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_list_handle_t list = create_list();
    assert_result(zeCommandListAppendBarrier(NULL, NULL, 0, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendBarrier(list, NULL, 1, NULL), ZE_RESULT_ERROR_INVALID_SIZE);
    assert_result(zeCommandListAppendMemoryCopy(list, NULL, bytes, 1, NULL, 0, NULL), NULL_POINTER);
    assert_result(zeCommandListAppendMemoryCopy(list, bytes, NULL, 1, NULL, 0, NULL), NULL_POINTER);
    assert_result(
        zeCommandListAppendMemoryFill(list, bytes, NULL, 1, 1, NULL, 0, NULL), NULL_POINTER);
    assert_result(zeCommandListAppendMemoryCopyRegion(
                      list, bytes, &one, 0, 0, bytes, &two, 0, 0, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeCommandListAppendSignalEvent(list, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendEventReset(list, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendWaitOnEvents(list, 1, NULL), NULL_POINTER);
    assert_result(zeCommandListAppendWriteGlobalTimestamp(list, NULL, NULL, 0, NULL), NULL_POINTER);
    assert_result(zeCommandListAppendLaunchKernel(list, NULL, &groups, NULL, 0, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendMemAdvise(list, fx.device, bytes, 4, (ze_memory_advice_t)99),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_ok(zeCommandListAppendMemoryPrefetch(list, bytes, sizeof bytes));
    assert_ok(zeCommandListDestroy(list));
    assert_result(zeCommandListDestroy(NULL), NULL_HANDLE);
    assert_result(zeCommandListClose(NULL), NULL_HANDLE);
    assert_result(zeCommandListReset(NULL), NULL_HANDLE);
}

static void test_modules_and_kernels(void **state)
{
    (void)state;
    const ze_module_desc_t empty = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC};
    const uint8_t bytes[4] = {0};
    const ze_module_desc_t no_size = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pInputModule = bytes};
    ze_module_handle_t module = NULL;
    uint32_t count = 0;
    assert_result(zeModuleCreate(fx.context, fx.device, NULL, &module, NULL), NULL_POINTER);
    assert_result(zeModuleCreate(fx.context, fx.device, &empty, &module, NULL), NULL_POINTER);
    assert_result(zeModuleCreate(fx.context, fx.device, &no_size, &module, NULL),
        ZE_RESULT_ERROR_INVALID_SIZE);
    assert_result(zeModuleDestroy(NULL), NULL_HANDLE);
    assert_result(zeModuleGetKernelNames(NULL, &count, NULL), NULL_HANDLE);
    assert_result(zeModuleBuildLogDestroy(NULL), NULL_HANDLE);
    assert_result(zeKernelDestroy(NULL), NULL_HANDLE);
    assert_result(zeKernelSetGroupSize(NULL, 1, 1, 1), NULL_HANDLE);
    assert_result(zeKernelSetArgumentValue(NULL, 0, 8, NULL), NULL_HANDLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_context_and_memory),
        cmocka_unit_test(test_queue_and_fence),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_appends),
        cmocka_unit_test(test_modules_and_kernels),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
