// SPDX-License-Identifier: MIT
//
// Unified shared memory.
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED_HEAP 1
#endif
#endif
#ifndef SANITIZED_HEAP
#define SANITIZED_HEAP 0
#endif

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

static bool is_zero(const char *memory, size_t size)
{
    return memory[0] == 0 && memcmp(memory, memory + 1, size - 1) == 0;
}

// Also where other memory has been before.
static void test_zeroed(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 100, 4096, 65536, 65537, 5u << 20};
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i / 3];
        char *memory[] = {alloc_shared(size), alloc_host(size), alloc_device(size)};
        for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) {
            assert_true(is_zero(memory[k], size));
            memset(memory[k], 0xff, size);
            free_memory(memory[k]);
        }
    }
}

// Programs access a little more than they asked for, and Intel's driver lets them: blocks are multiples of 64 KiB.
static void test_whole_blocks(void **state)
{
    (void)state;
#if SANITIZED_HEAP
    skip(); // allocations are as large as asked for, so that the sanitizer finds this
#endif
    enum { BLOCK = 65536 };
    char *shared = alloc_shared(100), *host = alloc_host(BLOCK + 1), *device = alloc_device(3);
    memset(shared, 1, BLOCK);
    memset(host, 2, 2 * BLOCK);
    memset(device, 3, BLOCK);
    assert_int_equal(shared[BLOCK - 1], 1);
    assert_int_equal(host[2 * BLOCK - 1], 2);
    free_memory(shared);
    free_memory(host);
    free_memory(device);
}

static void expect_known(char *memory, bool known)
{
    void *base = NULL;
    const ze_result_t result = zeMemGetAddressRange(fx.context, memory + 7, &base, NULL);
    assert_int_equal(result, known ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ptr_equal(base, known ? memory : NULL);
}

// More than the system lets a process have separate mappings: every other one is freed, so that no two of the rest are neighbours.
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 140000 };
    char **memory = calloc(COUNT, sizeof *memory);
    assert_non_null(memory);
    for (size_t i = 0; i < COUNT; i++)
        *(memory[i] = alloc_host(8)) = 1;
    for (size_t i = COUNT; i-- > 0;)
        if (i % 2 == 0)
            free_memory(memory[i]);
    for (size_t i = 0; i < COUNT; i++)
        expect_known(memory[i], i % 2);
    char *another = alloc_host(8);
    assert_int_equal(*another, 0);
    free_memory(another);
    for (size_t i = 1; i < COUNT; i += 2) {
        assert_int_equal(*memory[i], 1);
        free_memory(memory[i]);
    }
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_address_range),
        cmocka_unit_test(test_free_of_strangers),
        cmocka_unit_test(test_zeroed),
        cmocka_unit_test(test_whole_blocks),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
