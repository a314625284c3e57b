// SPDX-License-Identifier: MIT
//
// Kernels that are checked (ZE_CPU_CHECK): each mistake is found, and nothing else.
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 16u
#define GROUPS 16u
#define ITEMS (GROUP * GROUPS)
#define WHERE 85u // in group 5, item 5
#define BYTES (ITEMS * sizeof(int))

static struct {
    ze_module_handle_t broken;
    int *values;
} lab;

static ze_kernel_handle_t create(const char *name, uint64_t at, uint32_t where)
{
    ze_kernel_handle_t kernel = create_kernel(lab.broken, name);
    assert_ok(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    set_pointer(kernel, 0, lab.values);
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof at, &at));
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
    assert_ok(zeKernelSetArgumentValue(kernel, 3, GROUP * sizeof(int), NULL));
    return kernel;
}

static ze_result_t run(ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {GROUPS, 1, 1};
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    const ze_result_t result = zeCommandQueueSynchronize(queue, UINT64_MAX);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    return result;
}

#define PLACE "global id: [85,0,0], local id: [5,0,0], group: [5,0,0]; broken.cl:"

static void expect_at(const char *name, uint64_t at, const char *what, const char *line)
{
    char place[128];
    ze_kernel_handle_t kernel = create(name, at, WHERE);
    memset(lab.values, 0, BYTES);
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    snprintf(place, sizeof place, "%s%s", PLACE, line);
    assert_has(last_failure(), name);
    assert_has(last_failure(), what);
    assert_has(last_failure(), strncmp(line, "of group", 8) ? place : line);
    assert_ok(zeKernelDestroy(kernel));
    kernel = create(name, (uintptr_t)lab.values, ITEMS); // nobody makes the mistake
    assert_ok(run(kernel));
    assert_ok(zeKernelDestroy(kernel));
}

static void expect(const char *name, const char *what, const char *line)
{
    expect_at(name, 0, what, line);
}

static void test_allocations(void **state)
{
    (void)state;
    expect("reads_behind", "read 4 bytes where it may not access memory", "101; address 0x");
    assert_has(last_failure(), ", 0 bytes behind the end of shared memory of 1024 bytes at 0x");
    expect("writes_before", "wrote 4 bytes where it may not access memory", "201; address 0x");
    assert_has(last_failure(), ", 4 bytes before shared memory of 1024 bytes at 0x");
    expect("counts_behind", "changed (atomically) 4 bytes where", "901; address 0x");
    assert_has(last_failure(), ", 4 bytes behind the end of");
    expect("copies_struct", "read 64 bytes where", "1001; address 0x");
    expect("loads_vector", "read 4 bytes where", "1201; address 0x");
    expect("recurses", "read 4 bytes where", "1301; address 0x");
}

// With the room around it, it is larger than any number.
static void test_huge_allocation(void **state)
{
    (void)state;
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    for (size_t less = 1; less <= 2 * 4096; less += 4095)
        assert_result(zeMemAllocHost(fx.context, &desc, SIZE_MAX - less, 1, &memory),
            ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
}

// The first work-item of each group copies.
static void test_asynchronous_copy(void **state)
{
    (void)state;
    ze_kernel_handle_t kernel = create("copies_asynchronously", 0, WHERE);
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(),
        "wrote 4 bytes at offset 64 of the local memory of argument 3, which has 64");
    assert_has(
        last_failure(), "global id: [80,0,0], local id: [0,0,0], group: [5,0,0]; broken.cl:1101");
    assert_ok(zeKernelDestroy(kernel));
}

static void test_straddling(void **state)
{
    (void)state;
    ze_kernel_handle_t kernel = create("straddles", 0, ITEMS - 1);
    assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "wrote 8 bytes where it may not access memory");
    assert_has(last_failure(), ", 1020 bytes into shared memory of 1024 bytes at");
    assert_ok(zeKernelDestroy(kernel));
}

static void test_freed_memory(void **state)
{
    (void)state;
    int *gone = alloc_device(BYTES);
    const uintptr_t address = (uintptr_t)gone;
    free_memory(gone);
    expect_at("uses_address", address + 8, "read 4 bytes where it may not", "401; address 0x");
    assert_has(last_failure(), ", 8 bytes into device memory of 1024 bytes at 0x");
    assert_has(last_failure(), ", which was freed");
}

// More is freed than is kept back, and everything that is there works.
static void test_held_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++)
        free_memory(alloc_device(4096));
    for (int i = 0; i < 10; i++)
        free_memory(alloc_shared((size_t)64 << 20));
    int *other = alloc_shared(BYTES);
    ze_kernel_handle_t kernel = create("uses_address", (uintptr_t)other, WHERE);
    assert_ok(run(kernel));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(other);
}

static int of_the_process = 1;

// The device says that it has shared system memory, or that it has none.
static void test_memory_of_the_process(void **state)
{
    (void)state;
    ze_device_memory_access_properties_t access = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
    assert_ok(zeDeviceGetMemoryAccessProperties(fx.device, &access));
    ze_kernel_handle_t kernel = create("uses_address", (uintptr_t)&of_the_process, WHERE);
    assert_result(run(kernel),
        access.sharedSystemAllocCapabilities ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_DEVICE_LOST);
    if (!access.sharedSystemAllocCapabilities)
        assert_has(last_failure(), ", in and near no allocation");
    assert_ok(zeKernelDestroy(kernel));
}

static void test_variables(void **state)
{
    (void)state;
    expect("overruns_local",
        "wrote 4 bytes at offset 64 of the local variable \"overruns_local.tile\", which has 64 "
        "bytes",
        "501");
    expect("overruns_argument",
        "read 4 bytes at offset -4 of the local memory of argument 3, which has 64 bytes", "601");
    expect("overruns_private", "wrote 4 bytes at offset 16 of the private variable", "701");
    expect("overruns_constant",
        "read 4 bytes at offset 20 of the program-scope variable \"table\", which has 16 bytes",
        "801");
    expect("overruns_in_function",
        "wrote 4 bytes at offset 64 of the local variable \"overruns_in_function.tile\"", "1401");
    expect(
        "overruns_variable", "wrote 4 bytes at offset 4000 of the program-scope variable", "1501");
}

static void test_divergence(void **state)
{
    (void)state;
    const char *const others[][3] = {
        {"ends_early", "this one waits, that with local id [5,0,0] has ended", "1601"},
        {"waits_elsewhere",
            "this one waits, that with local id [5,0,0] waits at another one, broken.cl:1702",
            "1701"},
        {"copies_without_one",
            "this one waits, that with local id [5,0,0] waits at another one, broken.cl:1902",
            "1901"},
        {"loops_longer", "this one waits, that with local id [0,0,0] has ended", "1801"},
    };
    for (int i = 0; i < 4; i++) {
        char place[128];
        snprintf(place, sizeof place, "local id: [%s,0,0], group: [5,0,0]; broken.cl:%s",
            i == 3 ? "5" : "0", others[i][2]);
        ze_kernel_handle_t kernel = create(others[i][0], 0, WHERE);
        assert_result(run(kernel), ZE_RESULT_ERROR_DEVICE_LOST);
        assert_has(last_failure(), "has a barrier that only some work-items of a group come to");
        assert_has(last_failure(), others[i][1]);
        assert_has(last_failure(), place);
        assert_ok(zeKernelDestroy(kernel));
        kernel = create(others[i][0], 0, ITEMS);
        assert_ok(run(kernel));
        assert_ok(zeKernelDestroy(kernel));
    }
}

static void test_arguments_of_copy(void **state)
{
    (void)state;
    expect("copies_otherwise",
        "gave an asynchronous copy other arguments than the work-item with local id [0,0,0] (",
        "2001");
}

static int set_up_lab(void **state)
{
    if (set_up(state))
        return -1;
    lab.broken = load_module("broken", "");
    lab.values = alloc_shared(BYTES);
    return 0;
}

static int tear_down_lab(void **state)
{
    free_memory(lab.values);
    assert_ok(zeModuleDestroy(lab.broken));
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_huge_allocation),
        cmocka_unit_test(test_asynchronous_copy),
        cmocka_unit_test(test_straddling),
        cmocka_unit_test(test_freed_memory),
        cmocka_unit_test(test_held_memory),
        cmocka_unit_test(test_memory_of_the_process),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_arguments_of_copy),
    };
    return cmocka_run_group_tests(tests, set_up_lab, tear_down_lab);
}
