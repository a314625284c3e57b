// SPDX-License-Identifier: MIT
//
// Unified shared memory.
#include "harness.h"

#include <string.h>

static const ze_device_mem_alloc_desc_t device_desc = {
    .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
static const ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};

static void expect_properties(void *pointer, ze_memory_type_t type, ze_device_handle_t device)
{
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t owner = NULL;
    assert_ok(zeMemGetAllocProperties(fx.context, pointer, &properties, &owner));
    assert_int_equal(properties.type, type);
    assert_ptr_equal(owner, device);
    if (type != ZE_MEMORY_TYPE_UNKNOWN)
        assert_int_not_equal(properties.id, 0);
}

static void test_kinds(void **state)
{
    (void)state;
    void *device, *shared, *host;
    int local = 0;
    assert_ok(zeMemAllocDevice(fx.context, &device_desc, 100, 0, fx.device, &device));
    assert_ok(zeMemAllocShared(fx.context, &device_desc, &host_desc, 100, 0, fx.device, &shared));
    assert_ok(zeMemAllocHost(fx.context, &host_desc, 100, 0, &host));
    expect_properties(device, ZE_MEMORY_TYPE_DEVICE, fx.device);
    expect_properties((char *)shared + 99, ZE_MEMORY_TYPE_SHARED, fx.device);
    expect_properties(host, ZE_MEMORY_TYPE_HOST, NULL);
    expect_properties(&local, ZE_MEMORY_TYPE_UNKNOWN, NULL);
    expect_properties((char *)host + 100, ZE_MEMORY_TYPE_UNKNOWN, NULL);
    free_memory(device);
    free_memory(shared);
    free_memory(host);
}

static void test_alignment(void **state)
{
    (void)state;
    for (size_t alignment = 1; alignment <= 2u << 20; alignment *= 2) {
        void *pointer = NULL;
        assert_ok(zeMemAllocHost(fx.context, &host_desc, 3, alignment, &pointer));
        assert_int_equal((uintptr_t)pointer % alignment, 0);
        free_memory(pointer);
    }
    void *pointer = NULL;
    assert_result(zeMemAllocHost(fx.context, &host_desc, 3, 24, &pointer),
        ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
}

static void test_limits(void **state)
{
    (void)state;
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    void *pointer = NULL;
    assert_ok(zeDeviceGetProperties(fx.device, &properties));
    assert_result(zeMemAllocDevice(fx.context, &device_desc, 0, 0, fx.device, &pointer),
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_result(zeMemAllocDevice(fx.context, &device_desc, properties.maxMemAllocSize + 1, 0,
                      fx.device, &pointer),
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_null(pointer);
}

static void test_address_range(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    char *pointers[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        pointers[i] = alloc_shared(i + 1);
    for (size_t i = 0; i < COUNT; i += 2)
        free_memory(pointers[i]);
    for (size_t i = 1; i < COUNT; i += 2) {
        void *base = NULL;
        size_t size = 0;
        assert_ok(zeMemGetAddressRange(fx.context, pointers[i] + i, &base, &size));
        assert_ptr_equal(base, pointers[i]);
        assert_int_equal(size, i + 1);
        assert_ok(zeMemGetAddressRange(fx.context, pointers[i], NULL, NULL));
        free_memory(pointers[i]);
    }
    int local = 0;
    assert_result(
        zeMemGetAddressRange(fx.context, &local, NULL, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

static void test_free_of_strangers(void **state)
{
    (void)state;
    int local = 0;
    char *pointer = alloc_shared(16);
    assert_result(zeMemFree(fx.context, &local), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeMemFree(fx.context, pointer + 8), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    free_memory(pointer);
    assert_result(zeMemFree(fx.context, pointer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_address_range),
        cmocka_unit_test(test_free_of_strangers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
