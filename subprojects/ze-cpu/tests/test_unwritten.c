// SPDX-License-Identifier: MIT
//
// Uses of what nobody has written (ZE_CPU_CHECK=uninitialized): each is found, and nothing else.
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <string.h>

#define GROUP 16u
#define GROUPS 16u
#define ITEMS (GROUP * GROUPS)
#define WHERE 85u // in group 5, item 5
#define BYTES (ITEMS * sizeof(int))

static struct {
    ze_module_handle_t module;
    int *values;
    int *given; // with room for two ints of each work-item
} lab;

static ze_kernel_handle_t create(const char *name, const int *given, uint32_t where)
{
    ze_kernel_handle_t kernel = create_kernel(lab.module, name);
    assert_ok(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    set_pointer(kernel, 0, lab.values);
    set_pointer(kernel, 1, (void *)(uintptr_t)given);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
    assert_ok(zeKernelSetArgumentValue(kernel, 3, GROUP * sizeof(int), NULL));
    return kernel;
}

// Runs what the list has, on a queue of its own.
static ze_result_t execute(ze_command_list_handle_t list)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    const ze_result_t result = zeCommandQueueSynchronize(queue, UINT64_MAX);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    return result;
}

static ze_result_t run_groups(ze_kernel_handle_t kernel, uint32_t count)
{
    const ze_group_count_t groups = {count, 1, 1};
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    const ze_result_t result = execute(list);
    assert_ok(zeKernelDestroy(kernel));
    return result;
}

static ze_result_t run_at(const char *name, const int *given, uint32_t where)
{
    return run_groups(create(name, given, where), GROUPS);
}

static void copy(void *to, const void *from, size_t size)
{
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
    assert_ok(execute(list));
}

static void expect_right(const char *name, const int *given)
{
    memset(lab.values, 0, BYTES);
    assert_ok(run_at(name, given, ITEMS));
    if (strcmp(name, "indexes") == 0)
        return;
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_not_equal(lab.values[i], 0);
}

static void expect_finding(const char *name, const int *given, const char *what, const char *line)
{
    char place[128];
    assert_result(run_at(name, given, WHERE), ZE_RESULT_ERROR_DEVICE_LOST);
    snprintf(place, sizeof place,
        " (ZE_CPU_CHECK); global id: [85,0,0], local id: [5,0,0], group: [5,0,0]; "
        "unwritten.cl:%s",
        line);
    assert_has(last_failure(), name);
    assert_has(last_failure(), what);
    assert_has(last_failure(), place);
}

static void expect(const char *name, const char *what, const char *line)
{
    expect_finding(name, lab.given, what, line);
    expect_right(name, lab.given);
}

static void test_private_variables(void **state)
{
    (void)state;
    expect("branches",
        "branched on a value that nobody has written, of the private variable \"found\"", "101");
    expect("fills_in_part",
        "branched on a value that nobody has written, of the private variable "
        "\"list\"",
        "201");
    expect("divides",
        "divided by a value that nobody has written, of the private variable "
        "\"divisor\"",
        "701");
    expect("prints", "printed a value that nobody has written, of the private variable \"pair\"",
        "801");
    expect("passes_to_function", "branched on a value that nobody has written", "1101");
    expect("switches",
        "branched on a value that nobody has written, of the private variable "
        "\"number\"",
        "1201");
    expect("keeps_across_barrier", "of the private variable \"number\"", "1301");
    expect("recurses", "branched on a value that nobody has written", "1401");
    expect("counts_rounds",
        "branched on a value that nobody has written, of the private variable "
        "\"rounds\"",
        "1501");
}

static void test_local_memory(void **state)
{
    (void)state;
    expect(
        "writes_no_local", "branched on a value that nobody has written, of local memory", "301");
    expect(
        "reads_too_early", "branched on a value that nobody has written, of local memory", "401");
    expect("indexes",
        "used as an address or an index a value that nobody has written, of local memory", "501");
    expect(
        "counts_in_local", "branched on a value that nobody has written, of local memory", "901");
}

// The groups of one thread have the same local memory, one after the other.
static void test_each_group(void **state)
{
    (void)state;
    for (uint32_t where = 0; where < ITEMS; where += 37) {
        assert_result(run_at("writes_no_local", lab.given, where), ZE_RESULT_ERROR_DEVICE_LOST);
        assert_has(last_failure(), "of local memory");
    }
}

static void test_device_memory(void **state)
{
    (void)state;
    int *given = alloc_device(BYTES);
    copy(given, lab.values, WHERE * sizeof(int)); // one less than is needed
    copy(given + WHERE + 1, lab.values, (ITEMS - WHERE - 1) * sizeof(int));
    expect_finding("reads_given", given,
        "branched on a value that nobody has written, of device memory of 1024 bytes at 0x", "601");
    expect_finding("counts_in_given", given,
        "gave an atomic operation a value that nobody has written, of device memory of 1024",
        "1001");
    memset(lab.values, 0, BYTES);
    lab.values[0] = 7;
    copy(given + WHERE, lab.values, sizeof(int));
    assert_ok(run_at("reads_given", given, ITEMS));
    expect_right("counts_in_given", given);
    free_memory(given);
}

static void fill(int *given, size_t size)
{
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendMemoryFill(list, given, "\7\0\0", 4, size, NULL, 0, NULL));
    assert_ok(execute(list));
}

// All but what item WHERE reads: several groups run at the same time.
static void fill_around(int *given)
{
    fill(given, WHERE * sizeof(int));
    fill(given + WHERE + 1, (ITEMS - WHERE - 1) * sizeof(int));
}

// Of variables the compiler leaves nothing; of memory it must.
static void test_optimised(void **state)
{
    (void)state;
    ze_module_handle_t module = lab.module;
    int *given = alloc_device(BYTES);
    lab.module = load_module("unwritten_optimised", "");
    fill_around(given);
    expect("writes_no_local", "of local memory", "301");
    expect("indexes", "of local memory", "501");
    expect_finding("reads_given", given, "of device memory of 1024 bytes", "601");
    expect_finding("counts_in_given", given, "of device memory of 1024 bytes", "1001");
    fill(given, BYTES);
    expect_right("reads_given", given);
    expect_right("counts_in_given", given);
    assert_ok(zeModuleDestroy(lab.module));
    lab.module = module;
    free_memory(given);
}

static void test_vectors(void **state)
{
    (void)state;
    int *given = alloc_device(BYTES + 3 * sizeof(int));
    copy(given, lab.given, BYTES);
    copy(given + ITEMS, lab.given, 3 * sizeof(int));
    assert_ok(run_at("loads_vector", given, ITEMS));
    free_memory(given);
    given = alloc_device(BYTES + 3 * sizeof(int));
    copy(given, lab.given, (WHERE + 3) * sizeof(int));
    copy(given + WHERE + 4, lab.given, (ITEMS - WHERE - 1) * sizeof(int));
    assert_result(run_at("loads_vector", given, ITEMS), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "unwritten.cl:1601");
    free_memory(given);
}

// What has been freed and is used again is new.
static void test_freed_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 17; i++) {
        int *given = alloc_device(BYTES);
        assert_result(run_at("reads_given", given, ITEMS), ZE_RESULT_ERROR_DEVICE_LOST);
        copy(given, lab.given, BYTES);
        assert_ok(run_at("reads_given", given, ITEMS));
        free_memory(given);
    }
}

#define MANY ((size_t)16 << 10)

// What was device memory may be shared memory now, where the host writes.
static void test_other_memory(void **state)
{
    (void)state;
    for (int i = 0; i < 17; i++) {
        free_memory(alloc_device(MANY * sizeof(int)));
        int *given = alloc_shared(MANY * sizeof(int));
        memset(given, 0, MANY * sizeof(int));
        assert_ok(run_groups(create("reads_given", given, 0), MANY / GROUP));
        free_memory(given);
    }
}

static void run_here(ze_kernel_handle_t kernel, uint32_t count)
{
    const ze_group_count_t groups = {count, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
}

static __attribute__((noinline)) void run_on_stack_memory(void)
{
    int given[MANY] = {0};
    run_here(create("reads_given", given, 0), MANY / GROUP);
}

// Kernels that run on the calling thread have their variables where the program has its own later on.
static void test_stack(void **state)
{
    (void)state;
    ze_device_memory_access_properties_t access = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
    assert_ok(zeDeviceGetMemoryAccessProperties(fx.device, &access));
    if (!access.sharedSystemAllocCapabilities)
        skip();
    for (int i = 0; i < 17; i++) {
        run_here(create("chooses", lab.given, ITEMS), GROUPS);
        run_on_stack_memory();
    }
}

static void test_fills(void **state)
{
    (void)state;
    int *given = alloc_device(BYTES);
    fill(given, BYTES - sizeof(int));
    assert_result(run_at("reads_given", given, ITEMS), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "global id: [255,0,0]");
    fill(given, BYTES);
    expect_right("reads_given", given);
    free_memory(given);
}

static void copy_rows(int *to, const int *from, uint32_t rows)
{
    const ze_copy_region_t region = {0, 0, 0, GROUP * sizeof(int), rows, 1};
    const uint32_t pitch = GROUP * sizeof(int);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendMemoryCopyRegion(
        list, to, &region, pitch, 0, from, &region, pitch, 0, NULL, 0, NULL));
    assert_ok(execute(list));
}

static void test_copied_regions(void **state)
{
    (void)state;
    int *given = alloc_device(BYTES);
    copy_rows(given, lab.given, GROUPS - 1);
    assert_result(run_at("reads_given", given, ITEMS), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "group: [15,0,0]");
    copy_rows(given, lab.given, GROUPS);
    assert_ok(run_at("reads_given", given, ITEMS));
    free_memory(given);
}

// A copy takes along that nobody has written, and where.
static void test_copies_between(void **state)
{
    (void)state;
    int *first = alloc_device(BYTES), *second = alloc_device(2 * BYTES);
    fill(second, BYTES);
    fill_around(first);
    copy(second, first, BYTES);
    expect_finding("reads_given", second, "of device memory of 1024 bytes", "601");
    copy(lab.given, second, BYTES); // of host memory everything counts as written
    assert_ok(run_at("reads_given", lab.given, ITEMS));
    copy(second, lab.given, BYTES);
    assert_ok(run_at("reads_given", second, ITEMS));
    free_memory(first);
    free_memory(second);
}

// A store is not a use, and takes along where the value comes from.
static void test_stores(void **state)
{
    (void)state;
    int *given = alloc_device(BYTES);
    expect_right("stores_only", given);
    assert_result(run_at("reads_given", given, ITEMS), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "of the private variable \"nothing\"");
    expect_right("stores_only", lab.given); // shared memory, where the host may write
    assert_ok(run_at("reads_given", lab.given, ITEMS));
    free_memory(given);
}

static void test_right_kernels(void **state)
{
    (void)state;
    int *given = alloc_device(2 * BYTES);
    expect_right("copies_padding", given);
    expect_right("chooses", given);
    expect_right("asks_library", given);
    expect_right("copies_in_groups", given);
    expect_right("uses_variables", given);
    expect_right("passes_nothing", given);
    free_memory(given);
}

static void test_timestamps(void **state)
{
    (void)state;
    int *given = alloc_device(BYTES);
    ze_command_list_handle_t list = create_list();
    fill(given, BYTES - 8);
    assert_ok(zeCommandListAppendWriteGlobalTimestamp(
        list, (uint64_t *)(given + ITEMS - 2), NULL, 0, NULL));
    assert_ok(execute(list));
    assert_ok(run_at("reads_given", given, ITEMS));
    free_memory(given);
}

// Another process may write there.
static void test_shared_with_processes(void **state)
{
    (void)state;
    ze_ipc_mem_handle_t handle;
    int *given = alloc_device(BYTES);
    assert_ok(zeMemGetIpcHandle(fx.context, given, &handle));
    assert_ok(run_at("reads_given", given, ITEMS));
    free_memory(given);
}

static void test_many(void **state)
{
    (void)state;
    int *given = alloc_device(2000 * sizeof(int)), *values = lab.values;
    lab.values = alloc_shared(2000 * sizeof(int));
    fill(given, 1999 * sizeof(int));
    assert_result(run_groups(create("reads_given", given, 0), 125), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "global id: [1999,0,0]");
    fill(given, 2000 * sizeof(int));
    for (int i = 0; i < 17; i++) {
        memset(lab.values, 0, 2000 * sizeof(int));
        assert_ok(run_groups(create("reads_given", given, 0), 125));
        for (int k = 0; k < 2000; k++)
            assert_int_equal(lab.values[k], 1);
    }
    free_memory(lab.values);
    lab.values = values;
    free_memory(given);
}

static ze_command_list_handle_t record(ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {GROUPS, 1, 1};
    ze_command_list_handle_t list = create_list();
    for (int i = 0; i < 17; i++)
        assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    return list;
}

// A finding is one queue's affair; the other one's kernels have threads of their own.
static void test_second_queue(void **state)
{
    (void)state;
    ze_kernel_handle_t kernels[2] = {
        create("writes_no_local", lab.given, WHERE), create("writes_no_local", lab.given, ITEMS)};
    ze_command_queue_handle_t queues[2];
    ze_command_list_handle_t lists[2];
    for (int i = 0; i < 2; i++) {
        queues[i] = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        lists[i] = record(kernels[i]);
        assert_ok(zeCommandQueueExecuteCommandLists(queues[i], 1, &lists[i], NULL));
    }
    assert_result(zeCommandQueueSynchronize(queues[0], UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeCommandQueueSynchronize(queues[1], UINT64_MAX));
    for (int i = 0; i < 2; i++) {
        assert_ok(zeCommandQueueDestroy(queues[i]));
        assert_ok(zeCommandListDestroy(lists[i]));
        assert_ok(zeKernelDestroy(kernels[i]));
    }
}

// All of an allocation that is so large counts as written.
static void test_large_allocations(void **state)
{
    (void)state;
    int *given = alloc_device(((size_t)256 << 20) + 1);
    assert_ok(run_at("reads_given", given, ITEMS));
    free_memory(given);
    given = alloc_device((size_t)100 << 20);
    fill(given, ((size_t)100 << 20) - 4096);
    assert_ok(run_at("reads_given", given, ITEMS));
    assert_ok(run_at("reads_given", given + ((size_t)64 << 18), ITEMS));
    const int *last = given + ((size_t)100 << 18) - ITEMS;
    assert_result(run_at("reads_given", last, ITEMS), ZE_RESULT_ERROR_DEVICE_LOST);
    free_memory(given);
}

static int set_up_lab(void **state)
{
    if (set_up(state))
        return -1;
    lab.module = load_module("unwritten", "");
    lab.values = alloc_shared(BYTES);
    lab.given = alloc_shared(2 * BYTES);
    return 0;
}

static int tear_down_lab(void **state)
{
    free_memory(lab.values);
    free_memory(lab.given);
    assert_ok(zeModuleDestroy(lab.module));
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_private_variables),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_each_group),
        cmocka_unit_test(test_device_memory),
        cmocka_unit_test(test_optimised),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_freed_memory),
        cmocka_unit_test(test_other_memory),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_copied_regions),
        cmocka_unit_test(test_copies_between),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_right_kernels),
        cmocka_unit_test(test_timestamps),
        cmocka_unit_test(test_shared_with_processes),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_second_queue),
        cmocka_unit_test(test_large_allocations),
    };
    return cmocka_run_group_tests(tests, set_up_lab, tear_down_lab);
}
