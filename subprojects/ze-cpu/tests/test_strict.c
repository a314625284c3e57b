// SPDX-License-Identifier: MIT
//
// ZE_CPU_STRICT: a kernel reaches what a GPU would have made resident for it, and nothing else.
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <string.h>

#define SIZE 4096u

static struct {
    ze_module_handle_t module;
    int *out, *memory[3];
} lab;

static const char *const kinds[3] = {"device", "host", "shared"};
static const ze_kernel_indirect_access_flags_t flags[3] = {ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE,
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED};
#define ALL (flags[0] | flags[1] | flags[2])

static ze_result_t run(ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    const ze_result_t result = zeCommandQueueSynchronize(queue, UINT64_MAX);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    return result;
}

static ze_kernel_handle_t create(const char *name, uint64_t first)
{
    ze_kernel_handle_t kernel = create_kernel(lab.module, name);
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof first, &first));
    set_pointer(kernel, 1, lab.out);
    return kernel;
}

static void expect_missing(ze_kernel_handle_t kernel, const char *what, int kind)
{
    char address[64], missing[160];
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    snprintf(address, sizeof address, ", 0 bytes into %s memory of %u bytes at", kinds[kind], SIZE);
    snprintf(missing, sizeof missing,
        ", which no argument points into, and the kernel has no indirect access to %s memory",
        kinds[kind]);
    assert_has(last_failure(), what);
    assert_has(last_failure(), "(ZE_CPU_STRICT)");
    assert_has(last_failure(), address);
    assert_has(last_failure(), missing);
}

static void expect_found(ze_kernel_handle_t kernel)
{
    *lab.out = 0;
    assert_ok(run(kernel));
    assert_int_not_equal(*lab.out, 0);
}

// Each kind of memory has a flag of its own.
static void test_indirect_access(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        ze_kernel_handle_t kernel = create("reads_address", (uintptr_t)lab.memory[kind]);
        expect_missing(kernel, "read 4 bytes where it may not access memory", kind);
        assert_has(last_failure(), "strict.cl:101");
        assert_ok(zeKernelSetIndirectAccess(kernel, ALL & ~flags[kind]));
        expect_missing(kernel, "read 4 bytes where", kind);
        assert_ok(zeKernelSetIndirectAccess(kernel, flags[kind]));
        expect_found(kernel);
        assert_ok(zeKernelDestroy(kernel));
        kernel = create("writes_address", (uintptr_t)lab.memory[kind]);
        expect_missing(kernel, "wrote 4 bytes where it may not access memory", kind);
        assert_ok(zeKernelSetIndirectAccess(kernel, ALL));
        expect_found(kernel);
        assert_ok(zeKernelDestroy(kernel));
    }
}

// What counts is what the kernel's handle said when the launch was appended.
static void test_flags_of_the_launch(void **state)
{
    (void)state;
    const ze_group_count_t groups = {1, 1, 1};
    ze_kernel_handle_t kernel = create("reads_address", (uintptr_t)lab.memory[0]);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    assert_ok(zeKernelSetIndirectAccess(kernel, flags[0]));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeKernelSetIndirectAccess(kernel, 0));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    expect_missing(kernel, "read 4 bytes where", 0);
    assert_ok(zeKernelDestroy(kernel));
}

// An argument leads to its own allocation, not to what is stored there.
static void test_pointers_in_memory(void **state)
{
    (void)state;
    int **list = alloc_shared(2 * sizeof *list);
    list[0] = lab.memory[1];
    ze_kernel_handle_t kernel = create("follows", (uintptr_t)list);
    expect_missing(kernel, "read 4 bytes where", 1);
    assert_has(last_failure(), "strict.cl:301");
    list[0] = (int *)(list + 1); // in the argument's own allocation
    memset(list + 1, 1, sizeof *list);
    expect_found(kernel);
    list[0] = lab.out + 1; // in that of another argument
    expect_found(kernel);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(list);
}

// A pointer in a struct is not one that the driver sees.
static void test_pointers_in_structs(void **state)
{
    (void)state;
    struct {
        int *first;
        int more;
    } pair = {lab.memory[2], 1};
    ze_kernel_handle_t kernel = create_kernel(lab.module, "takes_struct");
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof pair, &pair));
    set_pointer(kernel, 1, lab.out);
    expect_missing(kernel, "read 4 bytes where", 2);
    assert_ok(zeKernelSetIndirectAccess(kernel, flags[2]));
    expect_found(kernel);
    assert_ok(zeKernelDestroy(kernel));
}

static void test_resident_memory(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        ze_kernel_handle_t kernel = create("reads_address", (uintptr_t)lab.memory[kind]);
        assert_ok(
            zeContextMakeMemoryResident(fx.context, fx.device, lab.memory[kind] + 1, sizeof(int)));
        expect_found(kernel);
        assert_ok(zeContextEvictMemory(fx.context, fx.device, lab.memory[kind], SIZE));
        expect_missing(kernel, "read 4 bytes where", kind);
        assert_ok(zeKernelDestroy(kernel));
    }
}

static uint64_t address_of_variable(ze_module_handle_t module)
{
    void *address = NULL;
    assert_ok(zeModuleGetGlobalPointer(module, "own", NULL, &address));
    return (uintptr_t)address;
}

// Its own variables are always there; those of another module are device memory like any other.
static void test_variables(void **state)
{
    (void)state;
    ze_module_handle_t other = load_module("strict", "-ze-take-global-address");
    ze_kernel_handle_t kernel = create_kernel(lab.module, "uses_own");
    set_pointer(kernel, 0, lab.out);
    expect_found(kernel);
    assert_ok(zeKernelDestroy(kernel));
    kernel = create("reads_address", address_of_variable(lab.module));
    expect_found(kernel);
    assert_ok(zeKernelDestroy(kernel));
    kernel = create("reads_address", address_of_variable(other));
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "into a program-scope variable of 4 bytes");
    assert_has(last_failure(), "no indirect access to device memory");
    assert_ok(zeKernelSetIndirectAccess(kernel, flags[0]));
    expect_found(kernel);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(other));
}

static char *map_pages(size_t count, ze_physical_mem_handle_t memory)
{
    const size_t page = 65536;
    void *base = NULL;
    assert_ok(zeVirtualMemReserve(fx.context, NULL, count * page, &base));
    for (size_t i = 0; i < count; i++)
        assert_ok(zeVirtualMemMap(fx.context, (char *)base + i * page, page, memory, i * page,
            ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    return base;
}

// A kernel reaches all that is mapped into the reservation that its argument points into, and nothing of another one.
static void test_virtual_memory(void **state)
{
    (void)state;
    const size_t size = 4 * 65536;
    ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = size};
    ze_physical_mem_handle_t memory = NULL;
    assert_ok(zePhysicalMemCreate(fx.context, fx.device, &desc, &memory));
    char *base = map_pages(4, memory), *other = map_pages(4, memory);
    int **list = (int **)(void *)base, *last = (int *)(void *)(base + size - sizeof *last);
    ze_kernel_handle_t kernel = create("follows", (uintptr_t)list);
    *last = 9;
    *list = last;
    expect_found(kernel);
    assert_int_equal(*lab.out, 9);
    *list = (int *)(void *)(other + size - sizeof *last); // the same memory elsewhere
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), ", 65532 bytes into virtual memory of 65536 bytes at");
    assert_has(last_failure(), "no indirect access to device memory");
    assert_ok(zeKernelSetIndirectAccess(kernel, flags[0]));
    expect_found(kernel);
    assert_ok(zeVirtualMemUnmap(fx.context, other, size));
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeVirtualMemFree(fx.context, base, size));
    assert_ok(zeVirtualMemFree(fx.context, other, size));
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

// An access may begin in one mapping and end in the next one; residency is changed in all mappings of the range.
static void test_several_mappings(void **state)
{
    (void)state;
    const size_t size = 4 * 65536;
    ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = size};
    ze_physical_mem_handle_t memory = NULL;
    assert_ok(zePhysicalMemCreate(fx.context, fx.device, &desc, &memory));
    char *base = map_pages(4, memory);
    int *last = (int *)(void *)(base + size - sizeof *last);
    *(int *)(void *)(base + 65536 + 4) = *last = 9;
    ze_kernel_handle_t kernel = create("copies_triple", (uintptr_t)base);
    expect_found(kernel);
    assert_int_equal(*lab.out, 9);
    assert_ok(zeKernelDestroy(kernel));
    kernel = create("reads_address", (uintptr_t)last);
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "no indirect access to device memory");
    assert_ok(zeContextMakeMemoryResident(fx.context, fx.device, base, size));
    expect_found(kernel);
    assert_ok(zeContextEvictMemory(fx.context, fx.device, base, size));
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeVirtualMemFree(fx.context, base, size));
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
}

// What is not there at all is found as well: what lies outside is found as ZE_CPU_CHECK finds it.
static void test_stray_accesses(void **state)
{
    (void)state;
    int *gone = alloc_device(SIZE);
    free_memory(gone);
    ze_kernel_handle_t kernel = create("reads_address", (uintptr_t)gone);
    assert_ok(zeKernelSetIndirectAccess(kernel, ALL));
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "(ZE_CPU_CHECK)");
    assert_has(last_failure(), ", which was freed");
    assert_ok(zeKernelDestroy(kernel));
}

// The 17th argument, and two thousand allocations beside it.
static void test_many_allocations(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    int *many[COUNT];
    for (int i = 0; i < COUNT; i++) {
        many[i] = alloc_host(SIZE);
        many[i][0] = i + 1;
    }
    ze_kernel_handle_t kernel = create("reads_address", (uintptr_t)many[COUNT - 1]);
    expect_missing(kernel, "read 4 bytes where", 1);
    assert_ok(zeKernelSetIndirectAccess(kernel, flags[1]));
    expect_found(kernel);
    assert_int_equal(*lab.out, COUNT);
    assert_ok(zeKernelDestroy(kernel));
    for (int i = 0; i < COUNT; i++)
        free_memory(many[i]);
}

static int set_up_lab(void **state)
{
    if (set_up(state))
        return -1;
    lab.module = load_module("strict", "-ze-take-global-address");
    lab.out = alloc_shared(2 * sizeof *lab.out);
    lab.out[1] = 3;
    lab.memory[0] = alloc_device(SIZE);
    lab.memory[1] = alloc_host(SIZE);
    lab.memory[2] = alloc_shared(SIZE);
    for (int kind = 0; kind < 3; kind++)
        *lab.memory[kind] = kind + 1; // the host reaches them all
    return 0;
}

static int tear_down_lab(void **state)
{
    for (int kind = 0; kind < 3; kind++)
        free_memory(lab.memory[kind]);
    free_memory(lab.out);
    assert_ok(zeModuleDestroy(lab.module));
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indirect_access),
        cmocka_unit_test(test_flags_of_the_launch),
        cmocka_unit_test(test_pointers_in_memory),
        cmocka_unit_test(test_pointers_in_structs),
        cmocka_unit_test(test_resident_memory),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_virtual_memory),
        cmocka_unit_test(test_several_mappings),
        cmocka_unit_test(test_stray_accesses),
        cmocka_unit_test(test_many_allocations),
    };
    return cmocka_run_group_tests(tests, set_up_lab, tear_down_lab);
}
