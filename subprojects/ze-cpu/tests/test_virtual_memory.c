// SPDX-License-Identifier: MIT
//
// Addresses that are reserved, and memory that is mapped there.
#include "harness.h"
#include "scripted.h"

#include <string.h>
#include <unistd.h>

#define PAGE ((size_t)64 << 10)
#define NONE ZE_MEMORY_ACCESS_ATTRIBUTE_NONE
#define READ_WRITE ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE
#define READ_ONLY ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY

static char *reserve(size_t pages)
{
    void *base = NULL;
    int somewhere = 0; // the validation layer wants an address
    assert_ok(zeVirtualMemReserve(fx.context, &somewhere, pages * PAGE, &base));
    assert_int_equal((uintptr_t)base % PAGE, 0);
    return base;
}

static void release(char *base, size_t pages)
{
    assert_ok(zeVirtualMemFree(fx.context, base, pages * PAGE));
}

static ze_physical_mem_handle_t create_memory(size_t pages)
{
    ze_physical_mem_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = pages * PAGE};
    ze_physical_mem_handle_t memory = NULL;
    assert_ok(zePhysicalMemCreate(fx.context, fx.device, &desc, &memory));
    return memory;
}

static void map(char *at, size_t pages, ze_physical_mem_handle_t memory, size_t first)
{
    assert_ok(zeVirtualMemMap(fx.context, at, pages * PAGE, memory, first * PAGE, READ_WRITE));
}

static void unmap(char *at, size_t pages)
{
    assert_ok(zeVirtualMemUnmap(fx.context, at, pages * PAGE));
}

static void expect_access(
    char *at, size_t pages, ze_memory_access_attribute_t expected, size_t same_pages)
{
    ze_memory_access_attribute_t access = (ze_memory_access_attribute_t)7;
    size_t same = 0;
    assert_ok(zeVirtualMemGetAccessAttribute(fx.context, at, pages * PAGE, &access, &same));
    assert_int_equal(access, expected);
    assert_int_equal(same, same_pages * PAGE);
}

// What the system lets a process do there, which it asks without touching it.
static void expect_rights(char *at, bool readable, bool writable)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], at, 1), readable ? 1 : -1);
    assert_int_equal(write(ends[1], "", 1), 1);
    assert_int_equal(read(ends[0], at, 1), writable ? 1 : -1);
    close(ends[0]);
    close(ends[1]);
}

static bool is_known(const void *address)
{
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t device = NULL;
    assert_ok(zeMemGetAllocProperties(fx.context, address, &properties, &device));
    const bool known = properties.type == ZE_MEMORY_TYPE_DEVICE;
    assert_ptr_equal(device, known ? fx.device : NULL);
    return known;
}

static void test_page_size(void **state)
{
    (void)state;
    size_t page = 0;
    assert_ok(zeVirtualMemQueryPageSize(fx.context, fx.device, 1, &page));
    assert_int_equal(page, PAGE);
    if (!is_validated())
        assert_ok(zeVirtualMemQueryPageSize(fx.context, fx.device, 0, &page));
}

// An address that is free is taken, another one is given in the place of one that is not.
static void test_wanted_address(void **state)
{
    (void)state;
    void *again = NULL;
    char *base = reserve(4);
    assert_ok(zeVirtualMemReserve(fx.context, base, 4 * PAGE, &again));
    assert_ptr_not_equal(again, base);
    release(again, 4);
    release(base, 4);
    assert_ok(zeVirtualMemReserve(fx.context, base, 4 * PAGE, &again));
    assert_ptr_equal(again, base);
    release(again, 4);
}

// The same memory at two places, and other memory at the first one later.
static void test_mapping(void **state)
{
    (void)state;
    char *base = reserve(3);
    ze_physical_mem_handle_t two = create_memory(2), one = create_memory(1);
    assert_false(is_known(base));
    map(base, 1, two, 1);
    map(base + PAGE, 2, two, 0);
    assert_true(is_known(base + 3 * PAGE - 1));
    base[5] = 42;
    assert_int_equal(base[2 * PAGE + 5], 42);
    assert_int_equal(base[PAGE + 5], 0);
    unmap(base, 1);
    assert_false(is_known(base));
    map(base, 1, one, 0);
    assert_int_equal(base[5], 0);
    assert_int_equal(base[2 * PAGE + 5], 42);
    unmap(base, 3);
    assert_false(is_known(base + PAGE));
    map(base, 2, two, 0); // contents stay with the memory
    assert_int_equal(base[PAGE + 5], 42);
    assert_ok(zePhysicalMemDestroy(fx.context, two));
    assert_int_equal(base[PAGE + 5], 42); // what is mapped stays
    assert_ok(zePhysicalMemDestroy(fx.context, one));
    release(base, 3); // with what is mapped
    assert_false(is_known(base));
}

static void expect_range(const char *address, const char *begin, size_t pages)
{
    void *base = NULL;
    size_t size = 0;
    assert_ok(zeMemGetAddressRange(fx.context, address, &base, &size));
    assert_ptr_equal(base, begin);
    assert_int_equal(size, pages * PAGE);
}

// A hole in a mapping makes two of it; unmapping goes across several.
static void test_parts(void **state)
{
    (void)state;
    char *base = reserve(17);
    ze_physical_mem_handle_t memory = create_memory(17);
    map(base, 17, memory, 0);
    base[0] = base[16 * PAGE] = 7;
    unmap(base + 4 * PAGE, 2);
    expect_range(base, base, 4);
    expect_range(base + 16 * PAGE, base + 6 * PAGE, 11);
    assert_false(is_known(base + 4 * PAGE));
    assert_false(is_known(base + 6 * PAGE - 1));
    unmap(base + PAGE, 15);
    expect_range(base, base, 1);
    expect_range(base + 16 * PAGE, base + 16 * PAGE, 1);
    assert_int_equal(base[0] + base[16 * PAGE], 14);
    release(base, 17);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

static void test_access(void **state)
{
    (void)state;
    char *base = reserve(4);
    ze_physical_mem_handle_t memory = create_memory(4);
    expect_access(base, 4, NONE, 4);
    assert_ok(zeVirtualMemSetAccessAttribute(fx.context, base, PAGE, READ_WRITE));
    expect_access(base, 4, READ_WRITE, 1); // though there is no memory yet
    expect_rights(base, false, false);
    map(base, 4, memory, 0);
    expect_access(base, 4, READ_WRITE, 4);
    expect_access(base + PAGE, 2, READ_WRITE, 2);
    base[PAGE] = 3;
    assert_ok(zeVirtualMemSetAccessAttribute(fx.context, base + PAGE, 2 * PAGE, READ_ONLY));
    expect_access(base, 4, READ_WRITE, 1);
    expect_access(base + PAGE, 3, READ_ONLY, 2);
    expect_rights(base, true, true);
    expect_rights(base + PAGE, true, false);
    expect_rights(base + 2 * PAGE, true, false);
    expect_rights(base + 3 * PAGE, true, true);
    assert_ok(zeVirtualMemSetAccessAttribute(fx.context, base + 2 * PAGE, PAGE, NONE));
    expect_rights(base + 2 * PAGE, false, false);
    assert_int_equal(base[PAGE], 3);
    base[3 * PAGE] = 1;
    assert_ok(zeVirtualMemSetAccessAttribute(fx.context, base, 4 * PAGE, READ_WRITE));
    base[PAGE] = 4;
    unmap(base, 1);
    expect_access(base, 4, NONE, 1);
    expect_rights(base, false, false);
    release(base, 4);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

// Across the border of two mappings.
static void test_kernels_and_copies(void **state)
{
    (void)state;
    const ze_group_count_t groups = {64, 1, 1};
    const uint64_t amount = 5;
    ze_module_handle_t module = NULL;
    uint32_t *result = alloc_shared(128 * sizeof *result);
    char *base = reserve(2);
    ze_physical_mem_handle_t first = create_memory(1), second = create_memory(1);
    map(base, 1, first, 0);
    map(base + PAGE, 1, second, 0);
    uint32_t *numbers = (uint32_t *)(void *)(base + PAGE) - 64;
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeKernelSetGroupSize(kernel, 2, 1, 1));
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, 4, &amount));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListAppendMemoryCopy(list, result, numbers, 512, NULL, 0, NULL));
    for (int i = 0; i < 128; i++)
        assert_int_equal(result[i], 5);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    release(base, 2);
    assert_ok(zePhysicalMemDestroy(fx.context, first));
    assert_ok(zePhysicalMemDestroy(fx.context, second));
    free_memory(result);
}

// It is not ours to free or to share.
static void test_not_an_allocation(void **state)
{
    (void)state;
    ze_ipc_mem_handle_t handle;
    char *base = reserve(1);
    ze_physical_mem_handle_t memory = create_memory(1);
    map(base, 1, memory, 0);
    assert_result(zeMemFree(fx.context, base), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeMemGetIpcHandle(fx.context, base, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeMemCloseIpcHandle(fx.context, base), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_true(is_known(base));
    release(base, 1);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

static ze_result_t try_map(char *at, size_t size, ze_physical_mem_handle_t memory, size_t offset)
{
    return zeVirtualMemMap(fx.context, at, size, memory, offset, READ_WRITE);
}

static void test_refused_mappings(void **state)
{
    (void)state;
    char *base = reserve(2), other[1];
    ze_physical_mem_handle_t memory = create_memory(2);
    assert_result(try_map(base + 4096, PAGE, memory, 0), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    assert_result(try_map(base, PAGE, memory, 4096), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    assert_result(try_map(base, 4096, memory, 0), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_result(try_map(base, 0, memory, 0), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_result(try_map(base, 2 * PAGE, memory, PAGE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(try_map(base, 3 * PAGE, memory, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(try_map(base + PAGE, 2 * PAGE, memory, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    char *outside = other - (uintptr_t)other % PAGE;
    assert_result(try_map(outside, PAGE, memory, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeVirtualMemUnmap(fx.context, outside, PAGE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeVirtualMemMap(fx.context, base, PAGE, memory, 0,
                      (ze_memory_access_attribute_t)(READ_ONLY + 1)),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_result(zeVirtualMemMap(fx.context, base, PAGE, NULL, 0, READ_WRITE),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_false(is_known(base));
    map(base, 1, memory, 0);
    assert_result(try_map(base, 2 * PAGE, memory, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT); // in use
    release(base, 2);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

static void test_refused_reservations(void **state)
{
    (void)state;
    int somewhere = 0;
    void *pointer = NULL;
    char *base = reserve(2);
    ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = 4096};
    ze_physical_mem_handle_t memory = NULL;
    assert_result(zeVirtualMemReserve(fx.context, &somewhere, 4096, &pointer),
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_result(
        zeVirtualMemReserve(fx.context, &somewhere, 0, &pointer), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_int_not_equal(
        zeVirtualMemReserve(fx.context, &somewhere, SIZE_MAX / PAGE * PAGE, &pointer),
        ZE_RESULT_SUCCESS);
    assert_result(zeVirtualMemFree(fx.context, base, PAGE), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_result(
        zeVirtualMemFree(fx.context, base + PAGE, PAGE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zePhysicalMemCreate(fx.context, fx.device, &desc, &memory),
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    desc.size = SIZE_MAX / PAGE * PAGE;
    assert_result(zePhysicalMemCreate(fx.context, fx.device, &desc, &memory),
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(memory);
    release(base, 2);
}

// As growing arrays use it: two thousand pieces behind each other.
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static ze_physical_mem_handle_t pieces[COUNT];
    char *base = reserve(COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        pieces[i] = create_memory(1);
        map(base + i * PAGE, 1, pieces[i], 0);
        assert_ok(zePhysicalMemDestroy(fx.context, pieces[i])); // or there would be as many files
        base[i * PAGE] = (char)i;
    }
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(base[i * PAGE], (char)i);
    expect_access(base, COUNT, READ_WRITE, COUNT);
    release(base, COUNT);
}

// A reservation may be freed when the context is gone that made it.
static void test_context_goes(void **state)
{
    (void)state;
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    void *base = NULL;
    int somewhere = 0;
    ze_physical_mem_handle_t memory = create_memory(1);
    assert_ok(zeContextCreate(fx.driver, &desc, &context));
    assert_ok(zeVirtualMemReserve(context, &somewhere, PAGE, &base));
    assert_ok(zeVirtualMemMap(context, base, PAGE, memory, 0, READ_WRITE));
    assert_true(is_known(base));
    assert_ok(zeContextDestroy(context));
    assert_false(is_known(base));
    unmap(base, 1);
    release(base, 1);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_size),
        cmocka_unit_test(test_wanted_address),
        cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_kernels_and_copies),
        cmocka_unit_test(test_not_an_allocation),
        cmocka_unit_test(test_refused_mappings),
        cmocka_unit_test(test_refused_reservations),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_context_goes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
