// SPDX-License-Identifier: MIT
//
// Data races (ZE_CPU_CHECK=races): those of each kernel are found, and none where it is mended.
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 16u
#define GROUPS 16u
#define MANY 125u // groups: 2,000 work-items

static struct {
    ze_module_handle_t broken, mended, plain, plain_mended;
    int *values, *more;
} lab;

static void fill(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        lab.values[i] = (int)(i * 7 % 13 + 1);
        lab.more[i] = 0;
    }
}

static ze_kernel_handle_t create(ze_module_handle_t module, const char *name)
{
    ze_kernel_handle_t kernel = create_kernel(module, name);
    const bool is_deep = !strcmp(name, "transposes"), is_small = !strcmp(name, "waits_often");
    assert_ok(zeKernelSetGroupSize(kernel,
        is_deep    ? 4
        : is_small ? 2
                   : GROUP,
        is_deep ? 2 : 1, is_deep ? 2 : 1));
    set_pointer(kernel, 0, lab.values);
    set_pointer(kernel, 1, lab.more);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, GROUP * sizeof(int), NULL));
    return kernel;
}

static ze_result_t run_on(
    ze_command_queue_handle_t queue, ze_module_handle_t module, const char *name, uint32_t count)
{
    const ze_group_count_t groups = {count, 1, 1};
    ze_kernel_handle_t kernel = create(module, name);
    ze_command_list_handle_t list = create_list();
    fill(count * GROUP);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    ze_result_t result = zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL);
    if (result == ZE_RESULT_SUCCESS)
        result = zeCommandQueueSynchronize(queue, UINT64_MAX);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    return result;
}

static ze_result_t run(ze_module_handle_t module, const char *name, uint32_t count)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    const ze_result_t result = run_on(queue, module, name, count);
    assert_ok(zeCommandQueueDestroy(queue));
    return result;
}

static void expect_none(ze_module_handle_t module, const char *name, uint32_t groups)
{
    const ze_result_t result = run(module, name, groups);
    if (result != ZE_RESULT_SUCCESS)
        print_error("%s: %s\n", name, last_failure());
    assert_ok(result);
}

// The story has both lines, the first access's behind "there at", in this order or the other one.
static void expect_lines(unsigned first, unsigned second)
{
    char there[64], here[64];
    snprintf(there, sizeof there, "there at races.cl:%u (ZE_CPU_CHECK)", first);
    snprintf(here, sizeof here, "; races.cl:%u", second);
    if (!strstr(last_failure(), there)) {
        snprintf(there, sizeof there, "there at races.cl:%u (ZE_CPU_CHECK)", second);
        snprintf(here, sizeof here, "; races.cl:%u", first);
    }
    assert_has(last_failure(), there);
    assert_has(last_failure(), here);
}

static const struct mistake {
    const char *name;
    unsigned lines[2];
    const char *what[3];
} mistakes[] = {
    {"loads_tile", {101, 102},
        {" 4 bytes at offset ",
            " of the local memory of argument 2 in a race with the work-item "
            "with local id [",
            "], which "}},
    {"reloads_tile", {201, 202}, {"of the local memory of argument 2 in a race"}},
    {"reduces", {301, 301}, {"of the local memory of argument 2 in a race"}},
    {"strides_wrongly", {401, 401}, {"of the local memory of argument 2 in a race"}},
    {"writes_counter", {501, 501},
        {"wrote 4 bytes at offset 0 of the local variable \"writes_counter.counter\" in a race "
         "with the work-item with local id [0,0,0], which wrote there at",
            "local id: [1,0,0]"}},
    {"counts_plainly", {601, 601}, {"of the local variable \"counts_plainly.bins\" in a race"}},
    {"counts_too_early", {701, 702}, {"changed (atomically)", "wrote"}},
    {"mixes_atomics", {801, 802}, {"of the local memory of argument 2", "changed (atomically)"}},
    {"trusts_sub_group", {901, 902}, {"of the local memory of argument 2"}},
    {"trusts_other_sub_group", {1001, 1002}, {"of the local memory of argument 2"}},
    {"orders_other_memory", {1101, 1102}, {"of the local memory of argument 2"}},
    {"overlaps_vectors", {1201, 1201}, {"of the local variable \"overlaps_vectors.list\""}},
    {"overlaps_bytes", {1301, 1301}, {"of the local variable \"overlaps_bytes.list\""}},
    {"copies_structs", {1401, 1402}, {"of the local variable \"copies_structs.list\""}},
    {"transposes", {1501, 1502}, {"of the local memory of argument 2"}},
    {"copies_asynchronously", {1601, 1602},
        {"of the local memory of argument 2", "work-item with local id [0,0,0], which wrote"}},
    {"counts_arrivals", {1701, 1702}, {"of the local memory of argument 2"}},
    {"broadcasts", {1801, 1802},
        {"read 4 bytes at offset 0 of the local variable \"broadcasts.value\" in a race",
            "local id: [1,0,0]"}},
    {"reads_one_of_two", {1901, 1902},
        {"of the local variable \"reads_one_of_two.left\" in a race", "local id: [5,0,0]"}},
    {"exchanges", {2001, 2002},
        {"of the local variable \"exchanges.state\"", "changed (atomically)"}},
    {"overwrites_struct", {3001, 3002}, {"of the local variable \"overwrites_struct.list\""}},
    {"copies_over", {3101, 3102}, {"of the local memory of argument 2", "wrote 4 bytes"}},
    {"blurs_in_group", {2101, 2102},
        {" 4 bytes in a race with the work-item with local id [", "; address 0x",
            "bytes into shared memory of "}},
    {"orders_local_memory", {2201, 2202}, {" in a race with ", "bytes into shared memory of "}},
    {"blurs_across_groups", {2301, 2302}, {"] of group ["}},
    {"writes_one", {2401, 2401},
        {"wrote 4 bytes in a race with the work-item with local id [0,0,0] of group ["}},
    {"counts_across_groups", {2501, 2501}, {" in a race with "}},
    {"mixes_atomics_across_groups", {2601, 2602}, {"] of group [", "changed (atomically)"}},
    {"sums_in_last_group", {2701, 2702},
        {"read 4 bytes in a race with the work-item with local id [0,0,0] of group [",
            ", which wrote there"}},
    {"vectors_across_groups", {2801, 2801}, {"wrote 4 bytes in a race with"}},
    {"exchanges_across_groups", {2901, 2902}, {"read (atomically)", "wrote"}},
};
#define MISTAKE_COUNT (sizeof mistakes / sizeof *mistakes)

static void expect(ze_module_handle_t module, const struct mistake *mistake)
{
    const ze_result_t result = run(module, mistake->name, GROUPS);
    if (result != ZE_RESULT_ERROR_DEVICE_LOST)
        print_error("nothing was found in %s\n", mistake->name);
    assert_result(result, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), mistake->name);
    for (int i = 0; i < 3 && mistake->what[i]; i++)
        assert_has(last_failure(), mistake->what[i]);
    expect_lines(mistake->lines[0], mistake->lines[1]);
}

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < MISTAKE_COUNT; i++) {
        expect(lab.broken, &mistakes[i]);
        expect(lab.plain, &mistakes[i]);
    }
}

static void test_mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < MISTAKE_COUNT; i++) {
        expect_none(lab.mended, mistakes[i].name, GROUPS);
        expect_none(lab.plain_mended, mistakes[i].name, 1);
        expect_none(lab.mended, mistakes[i].name, MANY);
    }
}

static void test_right(void **state)
{
    static const char *const names[] = {"raises_flags", "reads_own", "reads_own_twice",
        "selects_own", "selects_late", "writes_bytes", "looks_back", "takes_turns", "copies_back",
        "sums_as_group", "hands_over", "polls"};
    static const char *const modules[] = {"races_right", "races_right_plain"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        ze_module_handle_t module = load_module(modules[m], "");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            expect_none(module, names[i], GROUPS);
            expect_none(module, names[i], MANY);
        }
        expect_none(module, "waits_often", 1);
        assert_ok(zeModuleDestroy(module));
    }
}

// Mistakes of one item among 2,000, and of one group among 125.
static void test_many(void **state)
{
    (void)state;
    assert_result(run(lab.broken, "mixes_atomics", MANY), ZE_RESULT_ERROR_DEVICE_LOST);
    expect_lines(801, 802);
    assert_result(
        run(lab.broken, "mixes_atomics_across_groups", MANY), ZE_RESULT_ERROR_DEVICE_LOST);
    expect_lines(2601, 2602);
}

// A queue is lost, the other one is not, and finds races of its own.
static void test_second_queue(void **state)
{
    ze_command_queue_handle_t queues[3];
    (void)state;
    for (int i = 0; i < 3; i++)
        queues[i] = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_result(run_on(queues[0], lab.broken, "loads_tile", 1), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(run_on(queues[0], lab.mended, "loads_tile", 1), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(run_on(queues[1], lab.mended, "loads_tile", GROUPS));
    assert_result(run_on(queues[2], lab.broken, "writes_one", GROUPS), ZE_RESULT_ERROR_DEVICE_LOST);
    expect_lines(2401, 2401);
    assert_ok(run_on(queues[1], lab.mended, "writes_one", GROUPS));
    for (int i = 0; i < 3; i++)
        assert_ok(zeCommandQueueDestroy(queues[i]));
}

// Two executions of one list are not compared, and neither are two launches.
static void test_executions(void **state)
{
    const ze_group_count_t groups = {GROUPS, 1, 1};
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_kernel_handle_t kernel = create(lab.mended, "blurs_in_group");
    ze_kernel_handle_t other = create(lab.mended, "writes_one");
    ze_command_list_handle_t list = create_list();
    (void)state;
    fill(GROUPS * GROUP);
    for (int i = 0; i < 3; i++) {
        assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        assert_ok(zeCommandListAppendLaunchKernel(list, other, &groups, NULL, 0, NULL));
        assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    }
    assert_ok(zeCommandListClose(list));
    for (int i = 0; i < 3; i++) {
        assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    }
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeKernelDestroy(other));
}

static int set_up_lab(void **state)
{
    if (set_up(state))
        return -1;
    lab.broken = load_module("races", "");
    lab.mended = load_module("races_mended", "");
    lab.plain = load_module("races_plain", "");
    lab.plain_mended = load_module("races_plain_mended", "");
    lab.values = alloc_shared(MANY * GROUP * sizeof(int));
    lab.more = alloc_shared(MANY * GROUP * sizeof(int));
    return 0;
}

static int tear_down_lab(void **state)
{
    ze_module_handle_t modules[] = {lab.broken, lab.mended, lab.plain, lab.plain_mended};
    free_memory(lab.values);
    free_memory(lab.more);
    for (int i = 0; i < 4; i++)
        assert_ok(zeModuleDestroy(modules[i]));
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_mended),
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_second_queue),
        cmocka_unit_test(test_executions),
    };
    return cmocka_run_group_tests(tests, set_up_lab, tear_down_lab);
}
