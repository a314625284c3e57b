// SPDX-License-Identifier: MIT
//
// What goes on while a kernel hangs.
//   test_hung: all tests
//   test_hung WAY: hangs and leaves that way
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// More groups than any setting has threads: each thread that can have one has one.
#define GROUPS 64

static struct {
    ze_module_handle_t module;
    ze_kernel_handle_t kernel;
    ze_command_list_handle_t list;
    uint32_t *go;
    uint32_t *last_words; // the program's variable
} hung;

static void pause_for_a_moment(void)
{
    usleep(1000);
}

// Returns when the kernel has said its last words.
static void hang(const char *kernel, bool cooperative)
{
    const ze_group_count_t groups = {cooperative ? 3 : GROUPS, 1, 1};
    hung.module = load_module("hung", "-ze-take-global-address");
    hung.kernel = create_kernel(hung.module, kernel);
    hung.list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    hung.go = alloc_shared(sizeof *hung.go);
    set_pointer(hung.kernel, 0, hung.go);
    assert_ok(zeKernelSetGroupSize(hung.kernel, 4, 1, 1));
    assert_ok(zeModuleGetGlobalPointer(
        hung.module, "last_words", NULL, (void **)(void *)&hung.last_words));
    const ze_result_t result = cooperative ? zeCommandListAppendLaunchCooperativeKernel(
                                                 hung.list, hung.kernel, &groups, NULL, 0, NULL)
                                           : zeCommandListAppendLaunchKernel(
                                                 hung.list, hung.kernel, &groups, NULL, 0, NULL);
    assert_ok(result);
    while (!*(volatile uint32_t *)hung.last_words)
        pause_for_a_moment();
}

static void let_go(void)
{
    *(volatile uint32_t *)hung.go = 1;
    assert_ok(zeCommandListDestroy(hung.list));
    assert_ok(zeKernelDestroy(hung.kernel));
    assert_ok(zeModuleDestroy(hung.module));
    free_memory(hung.go);
}

static int set_up_spinning(void **state)
{
    (void)state;
    hang("hang", false);
    return 0;
}

static int set_up_at_barrier(void **state)
{
    (void)state;
    hang("hang_before_barrier", false);
    return 0;
}

static int set_up_cooperative(void **state)
{
    (void)state;
    hang("hang", true);
    return 0;
}

static int tear_down_hung(void **state)
{
    (void)state;
    let_go();
    return 0;
}

static void test_immediate_copy_and_fill(void **state)
{
    (void)state;
    uint32_t *out = alloc_shared(1 << 20);
    const uint32_t pattern = 3;
    for (int mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS; mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
         mode++) {
        ze_command_list_handle_t list = create_immediate((ze_command_queue_mode_t)mode);
        assert_ok(zeCommandListAppendMemoryFill(
            list, out, &pattern, sizeof pattern, 1 << 20, NULL, 0, NULL));
        assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        assert_ok(
            zeCommandListAppendMemoryCopy(list, out, hung.last_words, sizeof *out, NULL, 0, NULL));
        assert_ok(zeCommandListDestroy(list));
        assert_uint_in_range(out[0], 7, 8);
        assert_int_equal(out[1], 3);
    }
    free_memory(out);
}

static void test_copy_on_another_queue(void **state)
{
    (void)state;
    uint32_t *out = alloc_shared(sizeof *out);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(
        zeCommandListAppendMemoryCopy(list, out, hung.last_words, sizeof *out, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    execute_and_wait(queue, list);
    assert_uint_in_range(*out, 7, 8);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    free_memory(out);
}

static void run_answer(ze_module_handle_t module)
{
    const ze_group_count_t groups = {GROUPS, 1, 1};
    uint32_t *out = alloc_shared(GROUPS * sizeof *out);
    ze_kernel_handle_t kernel = create_kernel(module, "answer");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    set_pointer(kernel, 0, out);
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    for (int i = 0; i < GROUPS; i++)
        assert_int_equal(out[i], 42);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(out);
}

// Also one that is built now.
static void test_other_kernels_run(void **state)
{
    (void)state;
    run_answer(hung.module);
    ze_module_handle_t module = load_module("hung", NULL);
    run_answer(module);
    assert_ok(zeModuleDestroy(module));
}

static void test_waiting_ends_in_time(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    assert_ok(zeCommandListAppendBarrier(hung.list, event, 0, NULL));
    const uint64_t start = now();
    assert_result(zeEventHostSynchronize(event, 10 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_true(now() - start < 10 * ONE_SECOND);
    *(volatile uint32_t *)hung.go = 1;
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_other_objects_go(void **state)
{
    (void)state;
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_fence_handle_t fence = NULL;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    assert_ok(zeCommandListDestroy(create_list()));
    assert_ok(zeCommandListDestroy(create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)));
    assert_ok(zeFenceDestroy(fence));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(alloc_shared(100));
    assert_int_equal(*(volatile uint32_t *)hung.go, 0);
}

// ---- leaving ----

static int leave(const char *way)
{
    set_up(NULL);
    hang("hang", false);
    if (!strcmp(way, "exit"))
        exit(3);
    if (!strcmp(way, "context"))
        assert_ok(zeContextDestroy(fx.context));
    return 3;
}

static int wait_at_most(pid_t child, uint64_t timeout)
{
    int status = 0;
    const uint64_t deadline = now() + timeout;
    while (now() < deadline) {
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        pause_for_a_moment();
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return status;
}

static void expect_to_leave(const char *way)
{
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test_hung", way, (char *)NULL);
        _exit(99);
    }
    const int status = wait_at_most(child, 20 * ONE_SECOND);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

static void test_process_can_leave(void **state)
{
    (void)state;
    expect_to_leave("return");
    expect_to_leave("exit");
    expect_to_leave("context");
}

#define WHILE_SPINNING(test) cmocka_unit_test_setup_teardown(test, set_up_spinning, tear_down_hung)
#define WHILE_AT_BARRIER(test) \
    cmocka_unit_test_setup_teardown(test, set_up_at_barrier, tear_down_hung)
#define WHILE_COOPERATIVE(test) \
    cmocka_unit_test_setup_teardown(test, set_up_cooperative, tear_down_hung)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        WHILE_SPINNING(test_immediate_copy_and_fill),
        WHILE_SPINNING(test_copy_on_another_queue),
        WHILE_SPINNING(test_other_kernels_run),
        WHILE_SPINNING(test_waiting_ends_in_time),
        WHILE_SPINNING(test_other_objects_go),
        WHILE_AT_BARRIER(test_immediate_copy_and_fill),
        WHILE_AT_BARRIER(test_copy_on_another_queue),
        WHILE_AT_BARRIER(test_other_kernels_run),
        WHILE_COOPERATIVE(test_copy_on_another_queue),
        WHILE_COOPERATIVE(test_other_kernels_run),
        cmocka_unit_test(test_process_can_leave),
    };
    if (argc == 2)
        return leave(argv[1]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
