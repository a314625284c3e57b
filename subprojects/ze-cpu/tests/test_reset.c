// SPDX-License-Identifier: MIT
//
// Kernels that hang on devices that make it worse, or do something about it.
//   test_reset reset    ZE_CPU_RESET_MS=300: they are ended
//   test_reset single   ZE_CPU_SINGLE_ENGINE=1: other queues wait
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define RESET_MS 300
#define GROUPS 64

static ze_module_handle_t module;
static uint32_t *go, *last_words;

static int set_up_hung(void **state)
{
    set_up(state);
    module = load_module("hung", "-ze-take-global-address");
    go = alloc_shared(sizeof *go);
    assert_ok(zeModuleGetGlobalPointer(module, "last_words", NULL, (void **)(void *)&last_words));
    return 0;
}

static int tear_down_hung(void **state)
{
    free_memory(go);
    assert_ok(zeModuleDestroy(module));
    return tear_down(state);
}

static ze_kernel_handle_t create(const char *name)
{
    ze_kernel_handle_t kernel = create_kernel(module, name);
    set_pointer(kernel, 0, go);
    assert_ok(zeKernelSetGroupSize(kernel, 4, 1, 1));
    return kernel;
}

static void check_story(const char *name)
{
    char expected[128];
    snprintf(expected, sizeof expected,
        "kernel \"%s\" was ended by a reset: it had run for %d ms (ZE_CPU_RESET_MS)", name,
        RESET_MS);
    assert_string_equal(last_failure(), expected);
}

static void check_answer(void)
{
    uint32_t *out = alloc_shared(GROUPS * sizeof *out);
    ze_kernel_handle_t kernel = create_kernel(module, "answer");
    set_pointer(kernel, 0, out);
    run_kernel(kernel, 1, GROUPS);
    for (int i = 0; i < GROUPS; i++)
        assert_int_equal(out[i], 42);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(out);
}

// ---- resets ----

static void expect_reset(const char *name, ze_command_queue_mode_t mode, bool cooperative)
{
    const ze_group_count_t groups = {cooperative ? 3 : GROUPS, 1, 1};
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_kernel_handle_t kernel = create(name);
    ze_command_list_handle_t list = create_immediate(mode);
    const uint64_t start = now();
    const ze_result_t result =
        cooperative
            ? zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, event, 0, NULL)
            : zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL);
    if (mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
        assert_result(result, ZE_RESULT_ERROR_DEVICE_LOST);
    else
        check_answer(); // meanwhile
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_true(now() - start >= RESET_MS * ONE_MILLISECOND);
    check_story(name);
    assert_ok(zeCommandListDestroy(list)); // which waits for it
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    check_answer();
}

static void test_reset(void **state)
{
    (void)state;
    for (int mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS; mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
         mode++) {
        expect_reset("hang", (ze_command_queue_mode_t)mode, false);
        expect_reset("hang_before_barrier", (ze_command_queue_mode_t)mode, false);
        expect_reset("hang", (ze_command_queue_mode_t)mode, true);
    }
}

// Where no signal can be queued for the user, the system sends it without what was said with it.
static void test_reset_without_queued_signals(void **state)
{
    (void)state;
    struct rlimit limit, none;
    assert_int_equal(getrlimit(RLIMIT_SIGPENDING, &limit), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &none), 0);
    expect_reset("hang", ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, false);
    assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &limit), 0);
}

// The lock of stdout is free afterwards.
static void test_reset_amid_printing(void **state)
{
    (void)state;
    const ze_group_count_t groups = {GROUPS, 1, 1};
    ze_module_handle_t faults = load_module("faults", NULL);
    ze_kernel_handle_t kernel = create_kernel(faults, "print");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const int before = dup(STDOUT_FILENO);
    set_pointer(kernel, 0, go);
    fflush(stdout);
    assert_non_null(freopen("/dev/null", "w", stdout));
    const ze_result_t result =
        zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    assert_result(result, ZE_RESULT_ERROR_DEVICE_LOST);
    check_story("print");
    printf("stdout is free\n");
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(faults));
}

// ---- one engine ----

static ze_command_list_handle_t hang(ze_kernel_handle_t *kernel)
{
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    *kernel = create("hang");
    *(volatile uint32_t *)last_words = 0;
    *(volatile uint32_t *)go = 0;
    assert_ok(zeCommandListAppendLaunchKernel(list, *kernel, &groups, NULL, 0, NULL));
    while (!*(volatile uint32_t *)last_words)
        usleep(1000);
    return list;
}

// Neither a copy nor a kernel on another queue begins; what needs no engine does.
static void test_others_wait(void **state)
{
    (void)state;
    ze_kernel_handle_t kernel;
    uint32_t *out = alloc_shared(2 * sizeof *out);
    ze_command_list_handle_t hung = hang(&kernel);
    ze_command_list_handle_t copies = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t barriers = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t copied = create_event(pool, 0), passed = create_event(pool, 1);
    assert_ok(zeCommandListAppendMemoryCopy(copies, out, last_words, sizeof *out, copied, 0, NULL));
    assert_ok(zeCommandListAppendBarrier(barriers, passed, 0, NULL));
    assert_ok(zeEventHostSynchronize(passed, UINT64_MAX));
    assert_result(zeEventHostSynchronize(copied, 100 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    *(volatile uint32_t *)go = 1;
    assert_ok(zeEventHostSynchronize(copied, UINT64_MAX));
    assert_int_equal(out[0], 7);
    check_answer();
    assert_ok(zeCommandListDestroy(hung));
    assert_ok(zeCommandListDestroy(copies));
    assert_ok(zeCommandListDestroy(barriers));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventDestroy(copied));
    assert_ok(zeEventDestroy(passed));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(out);
}

// Queues that wait for each other's events leave the engine meanwhile.
static void test_events_across_queues(void **state)
{
    (void)state;
    uint32_t *out = alloc_shared(3 * sizeof *out);
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t first = create_event(pool, 0), second = create_event(pool, 1);
    ze_command_list_handle_t one = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t other = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    out[0] = 5;
    assert_ok(
        zeCommandListAppendMemoryCopy(other, &out[2], &out[1], sizeof *out, second, 1, &first));
    assert_ok(zeCommandListAppendMemoryCopy(one, &out[1], &out[0], sizeof *out, first, 0, NULL));
    assert_ok(zeEventHostSynchronize(second, UINT64_MAX));
    assert_int_equal(out[2], 5);
    assert_ok(zeCommandListDestroy(one));
    assert_ok(zeCommandListDestroy(other));
    assert_ok(zeEventDestroy(first));
    assert_ok(zeEventDestroy(second));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(out);
}

// Another device has engines of its own, and keeps its queues when a kernel of this one is reset.
static void test_other_device_goes_on(void **state)
{
    (void)state;
    ze_device_handle_t devices[2];
    ze_kernel_handle_t kernel;
    ze_module_handle_t ours = module;
    uint32_t count = 2;
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    if (count < 2)
        skip();
    ze_command_list_handle_t hung = hang(&kernel);
    fx.device = devices[1];
    module = load_module("hung", NULL);
    check_answer();
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    usleep(2 * RESET_MS * 1000);
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    check_answer();
    *(volatile uint32_t *)go = 1;
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandListDestroy(hung));
    assert_ok(zeModuleDestroy(module));
    module = ours;
    fx.device = devices[0];
    assert_ok(zeKernelDestroy(kernel));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest resets[] = {
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_reset_without_queued_signals),
        cmocka_unit_test(test_reset_amid_printing),
        cmocka_unit_test(test_other_device_goes_on),
    };
    const struct CMUnitTest single[] = {
        cmocka_unit_test(test_others_wait),
        cmocka_unit_test(test_events_across_queues),
        cmocka_unit_test(test_other_device_goes_on),
    };
    const bool wants_resets = argc > 1 && !strcmp(argv[1], "reset");
    return wants_resets ? cmocka_run_group_tests(resets, set_up_hung, tear_down_hung)
                        : cmocka_run_group_tests(single, set_up_hung, tear_down_hung);
}
