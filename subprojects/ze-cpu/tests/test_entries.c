// SPDX-License-Identifier: MIT
//
// Entry points that few programs use.
#include "harness.h"
#include "scripted.h"

#include <stdlib.h>
#include <string.h>

static void test_free_policies(void **state)
{
    (void)state;
    ze_driver_memory_free_ext_properties_t policies = {
        .stype = ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES, .freePolicies = 3};
    ze_driver_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, .pNext = &policies};
    ze_memory_free_ext_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
        .freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
    void *memory = alloc_device(100);
    assert_ok(zeDriverGetProperties(fx.driver, &properties));
    assert_int_equal(policies.freePolicies, 0);
    assert_result(zeMemFreeExt(fx.context, &desc, memory), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    desc.freePolicy = 4;
    assert_result(zeMemFreeExt(fx.context, &desc, memory), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_result(zeMemFreeExt(fx.context, NULL, memory), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_ok(zeMemGetAddressRange(fx.context, memory, NULL, NULL));
    desc.freePolicy = 0;
    assert_ok(zeMemFreeExt(fx.context, &desc, memory));
    assert_result(
        zeMemGetAddressRange(fx.context, memory, NULL, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

// By the specification the text is the kernel's; by Intel's driver it is copied.
static void test_source_attributes(void **state)
{
    (void)state;
    static const char expected[] = "intel_reqd_sub_group_size(8) reqd_work_group_size(4,2,1)";
    uint32_t size = 0;
    char *text = NULL, copy[sizeof expected + 8] = "";
    ze_module_handle_t module = NULL;
    assert_ok(scripted_build("kernel:sized kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t required = scripted_kernel(module, "sized");
    ze_kernel_handle_t plain = scripted_kernel(module, "increment");
    assert_ok(zeKernelGetSourceAttributes(required, &size, &text));
    assert_string_equal(text, expected);
    assert_int_equal(size, sizeof expected);
    text = copy;
    assert_ok(zeKernelGetSourceAttributes(required, &size, &text));
    assert_ptr_equal(text, copy);
    assert_string_equal(copy, expected);
    size = 0;
    assert_ok(zeKernelGetSourceAttributes(plain, &size, &text));
    assert_string_equal(text, "");
    assert_int_equal(size, 1);
    assert_ok(zeKernelDestroy(required));
    assert_ok(zeKernelDestroy(plain));
    assert_ok(zeModuleDestroy(module));
}

static void test_timestamps_of_a_device(void **state)
{
    (void)state;
    ze_kernel_timestamp_result_t one, results[2];
    uint32_t count = 0;
    char *bytes = alloc_shared(2);
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeEventQueryTimestampsExp(event, fx.device, &count, NULL));
    assert_int_equal(count, 1);
    assert_result(
        zeEventQueryTimestampsExp(event, fx.device, &count, results), ZE_RESULT_NOT_READY);
    assert_ok(zeCommandListAppendMemoryCopy(list, bytes + 1, bytes, 1, event, 0, NULL));
    count = 2;
    assert_ok(zeEventQueryTimestampsExp(event, fx.device, &count, results));
    assert_int_equal(count, 1);
    assert_ok(zeEventQueryKernelTimestamp(event, &one));
    assert_memory_equal(&results[0], &one, sizeof one);
    assert_true(one.global.kernelEnd > one.global.kernelStart);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(bytes);
}

static void test_scheduling_hints(void **state)
{
    (void)state;
    ze_scheduling_hint_exp_properties_t hints = {
        .stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES, .schedulingHintFlags = 7};
    ze_device_module_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES, .pNext = &hints};
    ze_scheduling_hint_exp_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_DESC,
        .flags = ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN};
    ze_module_handle_t module = NULL;
    assert_ok(zeDeviceGetModuleProperties(fx.device, &properties));
    assert_int_equal(hints.schedulingHintFlags, 0);
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    assert_ok(zeKernelSchedulingHintExp(kernel, &desc));
    desc.flags = 8;
    assert_result(zeKernelSchedulingHintExp(kernel, &desc), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_result(zeKernelSchedulingHintExp(kernel, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

static void test_cache_reservation(void **state)
{
    (void)state;
    ze_cache_reservation_ext_desc_t reservation = {
        .stype = ZE_STRUCTURE_TYPE_CACHE_RESERVATION_EXT_DESC, .maxCacheReservationSize = 5};
    ze_device_cache_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES, .pNext = &reservation};
    uint32_t count = 1;
    char *memory = alloc_shared(4096);
    assert_ok(zeDeviceGetCacheProperties(fx.device, &count, &properties));
    assert_int_equal(reservation.maxCacheReservationSize, 0);
    assert_ok(zeDeviceReserveCacheExt(fx.device, 0, 0));
    assert_result(zeDeviceReserveCacheExt(fx.device, 3, 4096), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_ok(zeDeviceSetCacheAdviceExt(
        fx.device, memory, 1, ZE_CACHE_EXT_REGION_ZE_CACHE_REGION_DEFAULT));
    assert_result(zeDeviceSetCacheAdviceExt(
                      fx.device, memory, 1, ZE_CACHE_EXT_REGION_ZE_CACHE_RESERVE_REGION),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_result(zeDeviceSetCacheAdviceExt(fx.device, memory, 1, (ze_cache_ext_region_t)3),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    free_memory(memory);
}

// ---- several kernels in one command ----

enum { KERNELS = 17 };

static struct {
    ze_module_handle_t module;
    ze_kernel_handle_t kernels[KERNELS];
    uint32_t *numbers; // one for each kernel and group
    uint32_t *count;
    ze_group_count_t *groups;
} lab;

// Kernel i adds i + 1 to its number.
static void make_kernels(void)
{
    assert_ok(scripted_build("kernel:increment", NULL, &lab.module, NULL));
    lab.numbers = alloc_shared(2 * KERNELS * sizeof *lab.numbers);
    lab.count = alloc_shared(sizeof *lab.count);
    lab.groups = alloc_shared(KERNELS * sizeof *lab.groups);
    memset(lab.numbers, 0, 2 * KERNELS * sizeof *lab.numbers);
    for (uint32_t i = 0; i < KERNELS; i++) {
        uint32_t *number = lab.numbers + 2 * i;
        const uint64_t amount = i + 1;
        lab.kernels[i] = scripted_kernel(lab.module, "increment");
        assert_ok(zeKernelSetArgumentValue(lab.kernels[i], 0, sizeof number, &number));
        assert_ok(zeKernelSetArgumentValue(lab.kernels[i], 1, sizeof(uint32_t), &amount));
        lab.groups[i] = (ze_group_count_t){0, 1, 1};
    }
}

static void forget_kernels(void)
{
    for (uint32_t i = 0; i < KERNELS; i++)
        assert_ok(zeKernelDestroy(lab.kernels[i]));
    assert_ok(zeModuleDestroy(lab.module));
    free_memory(lab.numbers);
    free_memory(lab.count);
    free_memory(lab.groups);
}

static void run_again(ze_command_queue_handle_t queue, ze_command_list_handle_t list,
    ze_event_handle_t event, uint32_t count)
{
    *lab.count = count;
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_ok(zeEventHostReset(event));
}

// How many and how large is read when they run; the handles may have changed by then.
static void test_several_kernels(void **state)
{
    (void)state;
    make_kernels();
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendLaunchMultipleKernelsIndirect(
        list, KERNELS, lab.kernels, lab.count, lab.groups, event, 0, NULL));
    assert_ok(zeCommandListClose(list));
    const uint64_t other = 100;
    assert_ok(zeKernelSetArgumentValue(lab.kernels[0], 1, sizeof(uint32_t), &other));
    for (uint32_t i = 0; i < KERNELS; i++)
        lab.groups[i].groupCountX = 1 + i % 2;
    run_again(queue, list, event, KERNELS - 1);
    run_again(queue, list, event, 1);
    run_again(queue, list, event, 0);
    assert_int_equal(lab.numbers[0], 2);
    for (uint32_t i = 1; i < KERNELS - 1; i++) {
        assert_int_equal(lab.numbers[2 * i], i + 1);
        assert_int_equal(lab.numbers[2 * i + 1], i % 2 ? i + 1 : 0);
    }
    assert_int_equal(lab.numbers[2 * (KERNELS - 1)], 0);
    run_again(queue, list, event, KERNELS + 5); // not more than were appended
    assert_int_equal(lab.numbers[2 * (KERNELS - 1)], KERNELS);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    forget_kernels();
}

static void test_several_kernels_that_are_refused(void **state)
{
    (void)state;
    make_kernels();
    ze_command_list_handle_t list = create_list();
    ze_kernel_handle_t kernels[2] = {lab.kernels[0], scripted_kernel(lab.module, "increment")};
    assert_result(zeCommandListAppendLaunchMultipleKernelsIndirect(
                      list, 2, kernels, lab.count, lab.groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // the second lacks its arguments
    assert_result(zeCommandListAppendLaunchMultipleKernelsIndirect(
                      list, 1, NULL, lab.count, lab.groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(zeCommandListAppendLaunchMultipleKernelsIndirect(
                      list, 1, kernels, NULL, lab.groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(zeCommandListAppendLaunchMultipleKernelsIndirect(
                      list, 1, kernels, lab.count, NULL, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(zeCommandListAppendLaunchMultipleKernelsIndirect(
                      NULL, 1, kernels, lab.count, lab.groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(zeKernelDestroy(kernels[1]));
    assert_ok(zeCommandListDestroy(list));
    forget_kernels();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_policies),
        cmocka_unit_test(test_source_attributes),
        cmocka_unit_test(test_timestamps_of_a_device),
        cmocka_unit_test(test_scheduling_hints),
        cmocka_unit_test(test_cache_reservation),
        cmocka_unit_test(test_several_kernels),
        cmocka_unit_test(test_several_kernels_that_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
