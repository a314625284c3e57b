// SPDX-License-Identifier: MIT
//
// Failed asserts of kernels.
//   test_asserts none|abort|code: what ZE_CPU_ASSERT is set to
//   test_asserts abort SCENE: one of the scenes below, of which most do not survive
#include "extensions.h"
#include "harness.h"
#include "kernels.h"
#include "own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const ze_group_count_t one_group = {1, 1, 1};

// A kernel whose work-item 5 fails, and what it works with.
static struct {
    ze_module_handle_t module;
    ze_kernel_handle_t kernel;
    uint32_t *out, *where;
} failing;

static int set_up_failing(void **state)
{
    set_up(state);
    failing.module = load_module("asserts", NULL);
    failing.kernel = create_kernel(failing.module, "fail_at");
    failing.out = alloc_shared(8 * sizeof *failing.out);
    failing.where = alloc_shared(sizeof *failing.where);
    *failing.where = 5;
    set_pointer(failing.kernel, 0, failing.out);
    set_pointer(failing.kernel, 1, failing.where);
    assert_ok(zeKernelSetGroupSize(failing.kernel, 4, 1, 1));
    return 0;
}

static int tear_down_failing(void **state)
{
    assert_ok(zeKernelDestroy(failing.kernel));
    assert_ok(zeModuleDestroy(failing.module));
    free_memory(failing.out);
    free_memory(failing.where);
    return tear_down(state);
}

static void append_failing(ze_command_list_handle_t list, ze_event_handle_t signal)
{
    const ze_group_count_t groups = {2, 1, 1};
    assert_ok(zeCommandListAppendLaunchKernel(list, failing.kernel, &groups, signal, 0, NULL));
}

static ze_command_list_handle_t record_failing(void)
{
    ze_command_list_handle_t list = create_list();
    append_failing(list, NULL);
    assert_ok(zeCommandListClose(list));
    return list;
}

static void wait_by_query(ze_event_handle_t event)
{
    while (zeEventQueryStatus(event) == ZE_RESULT_NOT_READY)
        usleep(100);
    assert_ok(zeEventQueryStatus(event));
}

// ---- none ----

static void test_module_stays_unlinked(void **state)
{
    (void)state;
    const ze_kernel_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "no_assert"};
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    ze_kernel_handle_t kernel = NULL;
    ze_module_handle_t module = load_module("asserts", NULL);
    assert_ok(zeModuleGetProperties(module, &properties));
    assert_int_equal(properties.flags, ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    assert_result(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    assert_ok(zeModuleDestroy(module));
}

// What the module's own functions have noted after the kernel has run.
static uint32_t run_own(const char *kernel_name)
{
    uint32_t *happened = NULL;
    ze_module_handle_t module = load_module("own_assert", "-ze-take-global-address");
    ze_kernel_handle_t kernel = create_kernel(module, kernel_name);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    zeCommandListAppendLaunchKernel(list, kernel, &one_group, NULL, 0, NULL);
    assert_ok(zeModuleGetGlobalPointer(module, "happened", NULL, (void **)&happened));
    const uint32_t result = *happened;
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    return result;
}

static void test_own_function_stays(void **state)
{
    (void)state;
    assert_int_equal(run_own("fail_own"), 9);
    assert_int_equal(run_own("fail_other"), 5);
}

static bool lists_extension(const char *name)
{
    ze_driver_extension_properties_t list[32];
    uint32_t count = 32;
    assert_ok(zeDriverGetExtensionProperties(fx.driver, &count, list));
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return true;
    return false;
}

static void test_nothing_is_listed(void **state)
{
    (void)state;
    void *address = NULL;
    assert_false(lists_extension("ze_intel_assert_return_code"));
    assert_false(lists_extension("cl_intel_devicelib_assert"));
    assert_result(zeDriverGetExtensionFunctionAddress(fx.driver, "zeCpuGetAssertRecord", &address),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

// ---- abort ----

static void scene_queue(void)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = record_failing();
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    zeCommandQueueSynchronize(queue, UINT64_MAX);
}

static void scene_fence(void)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = record_failing();
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence = NULL;
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    while (zeFenceQueryStatus(fence) == ZE_RESULT_NOT_READY)
        usleep(100);
    fprintf(stderr, "queried\n");
    zeFenceHostSynchronize(fence, UINT64_MAX);
}

static void scene_list(void)
{
    ze_result_t (*synchronize)(ze_command_list_handle_t, uint64_t);
    find_extension("zeCommandListHostSynchronize", &synchronize);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    append_failing(list, NULL);
    synchronize(list, UINT64_MAX);
}

static void scene_synchronous_append(void)
{
    append_failing(create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS), NULL);
}

static ze_event_handle_t fail_and_query(ze_event_pool_handle_t pool)
{
    ze_event_handle_t event = create_event(pool, 0);
    append_failing(create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS), event);
    wait_by_query(event);
    fprintf(stderr, "queried\n");
    return event;
}

static void scene_event(void)
{
    zeEventHostSynchronize(fail_and_query(create_pool(1, 0)), UINT64_MAX);
}

static void scene_other_event(void)
{
    ze_event_pool_handle_t pool = create_pool(2, 0);
    fail_and_query(pool);
    zeEventHostSynchronize(create_event(pool, 1), 0);
}

static void scene_kernel(void)
{
    fail_and_query(create_pool(1, 0));
    ze_kernel_handle_t harmless = create_kernel(failing.module, "no_assert");
    assert_ok(zeKernelDestroy(harmless));
    fprintf(stderr, "destroyed\n");
    zeKernelDestroy(failing.kernel);
}

// A queue that has run no kernel with asserts does not care.
static void scene_other_queue(void)
{
    fail_and_query(create_pool(1, 0));
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    execute_and_wait(queue, list);
    assert_ok(zeCommandQueueDestroy(queue));
}

static void hold_stderr(void *unused)
{
    (void)unused;
    flockfile(stderr);
    usleep(400 * 1000);
    funlockfile(stderr);
}

static void wait_for(void *event)
{
    zeEventHostSynchronize(event, UINT64_MAX);
}

// The first who waits can't print for a while; the second must not come back meanwhile.
static void scene_two_waiters(void)
{
    ze_event_handle_t event = fail_and_query(create_pool(1, 0));
    start_later(0, hold_stderr, NULL);
    start_later(100 * ONE_MILLISECOND, wait_for, event);
    usleep(200 * 1000);
    zeEventHostSynchronize(event, UINT64_MAX);
    dprintf(STDERR_FILENO, "came back\n");
}

static void scene_own(void)
{
    run_own("fail_own");
}

static const struct {
    const char *name;
    void (*play)(void);
} scenes[] = {
    {"queue", scene_queue},
    {"fence", scene_fence},
    {"list", scene_list},
    {"synchronous append", scene_synchronous_append},
    {"event", scene_event},
    {"other event", scene_other_event},
    {"kernel", scene_kernel},
    {"other queue", scene_other_queue},
    {"two waiters", scene_two_waiters},
    {"own", scene_own},
};

// Leaves at once: what a scene that was not aborted leaves behind does not count as a leak.
static _Noreturn void play(const char *name)
{
    set_up_failing(NULL);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (!strcmp(scenes[i].name, name))
            scenes[i].play();
    _exit(0);
}

struct ending {
    int status;
    char text[1024]; // what stood on stderr
};

static struct ending watch(const char *scene)
{
    struct ending ending = {.status = -1};
    FILE *file = tmpfile();
    assert_non_null(file);
    const pid_t child = fork();
    if (child == 0) {
        dup2(fileno(file), STDERR_FILENO);
        execl("/proc/self/exe", "test_asserts", "abort", scene, (char *)NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &ending.status, 0), child);
    rewind(file);
    ending.text[fread(ending.text, 1, sizeof ending.text - 1, file)] = '\0';
    fclose(file);
    return ending;
}

static void expect_abort(const char *scene, const char *text)
{
    const struct ending ending = watch(scene);
    assert_string_equal(ending.text, text);
    assert_true(WIFSIGNALED(ending.status));
    assert_int_equal(WTERMSIG(ending.status), SIGABRT);
}

#define MESSAGE                                                                             \
    "asserts.cl:7: fail_at: global id: [5,0,0], local id: [1,0,0] Assertion `i != *where` " \
    "failed.\n"

static void test_waiting_aborts(void **state)
{
    (void)state;
    expect_abort("queue", MESSAGE);
    expect_abort("fence", "queried\n" MESSAGE);
    expect_abort("list", MESSAGE);
    expect_abort("synchronous append", MESSAGE);
    expect_abort("event", "queried\n" MESSAGE);
    expect_abort("other event", "queried\n" MESSAGE);
}

static void test_nobody_comes_back_before_the_abort(void **state)
{
    (void)state;
    expect_abort("two waiters", "queried\n" MESSAGE);
}

static void test_destroying_the_kernel_aborts(void **state)
{
    (void)state;
    expect_abort("kernel", "queried\ndestroyed\n" MESSAGE);
}

static void test_own_function_is_replaced(void **state)
{
    (void)state;
    expect_abort("own", "own_assert.cl:9: fail_own: global id: [0,0,0], local id: [0,0,0] "
                        "Assertion `false` failed.\n");
}

static void test_others_do_not_abort(void **state)
{
    (void)state;
    const struct ending ending = watch("other queue");
    assert_string_equal(ending.text, "queried\n");
    assert_true(WIFEXITED(ending.status));
    assert_int_equal(WEXITSTATUS(ending.status), 0);
}

// ---- code ----

static ze_result_t (*get_record)(ze_device_handle_t device, void *record, size_t size);

static int set_up_code(void **state)
{
    set_up_failing(state);
    find_extension("zeCpuGetAssertRecord", &get_record);
    return 0;
}

static struct zc_assert_record take_record(void)
{
    struct zc_assert_record record;
    assert_ok(get_record(fx.device, &record, sizeof record));
    assert_int_equal(record.flag, ZC_ASSERT_RECORD_COMPLETE);
    return record;
}

static void expect_no_record(void)
{
    struct zc_assert_record record;
    assert_result(get_record(fx.device, &record, sizeof record), ZE_RESULT_NOT_READY);
}

static void expect_record_of_failing(void)
{
    const struct zc_assert_record record = take_record();
    assert_string_equal(record.expression, "i != *where");
    assert_string_equal(record.file, "asserts.cl");
    assert_string_equal(record.function, "fail_at");
    assert_int_equal(record.line, 7);
    assert_int_equal(record.global_id[0], 5);
    assert_int_equal(record.local_id[0], 1);
    expect_no_record();
}

static ze_result_t fail_on(ze_device_handle_t device)
{
    const ze_group_count_t groups = {2, 1, 1};
    fx.device = device;
    ze_module_handle_t module = load_module("asserts", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "fail_at");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    set_pointer(kernel, 0, failing.out);
    set_pointer(kernel, 1, failing.where);
    assert_ok(zeKernelSetGroupSize(kernel, 4, 1, 1));
    const ze_result_t result =
        zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    return result;
}

static void test_each_device_has_a_store(void **state)
{
    (void)state;
    ze_device_handle_t devices[2];
    uint32_t count = 2;
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    if (count < 2)
        skip();
    for (int i = 1; i >= 0; i--) {
        assert_int_equal(fail_on(devices[i]), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
        fx.device = devices[!i];
        expect_no_record();
        fx.device = devices[i];
        expect_record_of_failing();
        expect_no_record();
    }
}

static void test_names_are_listed(void **state)
{
    (void)state;
    assert_true(lists_extension("ze_intel_assert_return_code"));
    assert_true(lists_extension("cl_intel_devicelib_assert"));
}

static void test_module_is_linked(void **state)
{
    (void)state;
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    assert_ok(zeModuleGetProperties(failing.module, &properties));
    assert_int_equal(properties.flags, 0);
}

static void test_event_reports_once(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t event = create_event(pool, 0), other = create_event(pool, 1);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    memset(failing.out, 0, 8 * sizeof *failing.out);
    append_failing(list, event);
    assert_ok(zeCommandListAppendBarrier(list, other, 1, &event));
    wait_by_query(event);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeEventHostSynchronize(other, UINT64_MAX));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(failing.out[i], i + 100);
    expect_record_of_failing();
    *failing.where = 99;
    assert_ok(zeEventHostReset(event));
    append_failing(list, event);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    *failing.where = 5;
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventPoolDestroy(pool));
}

// The event is that of the command, whichever of its kernels failed.
static void test_one_of_several_kernels(void **state)
{
    (void)state;
    const uint32_t count = 1;
    const ze_group_count_t groups = {2, 1, 1};
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchMultipleKernelsIndirect(
        list, 1, &failing.kernel, &count, &groups, event, 0, NULL));
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    expect_record_of_failing();
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventPoolDestroy(pool));
}

// Another process could take the report away: waiters of the queue get it.
static void test_an_event_for_other_processes(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_IPC);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    append_failing(list, event);
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_result(
        zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    expect_record_of_failing();
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_a_reset_event_forgets(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    append_failing(list, event);
    wait_by_query(event);
    assert_ok(zeEventHostReset(event));
    assert_ok(zeEventHostSignal(event));
    assert_ok(zeEventHostSynchronize(event, 0));
    expect_record_of_failing();
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventPoolDestroy(pool));
}

// The second fence is not behind the assert; the first and the queue report once each.
static void test_fence_and_queue_report(void **state)
{
    (void)state;
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = record_failing();
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fences[2];
    for (int i = 0; i < 2; i++)
        assert_ok(zeFenceCreate(queue, &desc, &fences[i]));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fences[0]));
    assert_result(
        zeFenceHostSynchronize(fences[0], UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeFenceHostSynchronize(fences[0], UINT64_MAX));
    *failing.where = 99;
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fences[1]));
    assert_ok(zeFenceHostSynchronize(fences[1], UINT64_MAX));
    assert_result(
        zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    *failing.where = 5;
    expect_record_of_failing();
    for (int i = 0; i < 2; i++)
        assert_ok(zeFenceDestroy(fences[i]));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
}

static void test_lists_report(void **state)
{
    (void)state;
    const ze_group_count_t groups = {2, 1, 1};
    ze_result_t (*synchronize)(ze_command_list_handle_t, uint64_t);
    find_extension("zeCommandListHostSynchronize", &synchronize);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    append_failing(list, NULL);
    assert_result(synchronize(list, UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(synchronize(list, UINT64_MAX));
    assert_ok(zeCommandListDestroy(list));
    list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_result(zeCommandListAppendLaunchKernel(list, failing.kernel, &groups, NULL, 0, NULL),
        ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
    take_record();
    expect_record_of_failing();
}

static void test_counter_based_event_reports(void **state)
{
    (void)state;
    find_newer_functions();
    ze_event_handle_t event = create_counter_event(0);
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    append_failing(list, event);
    wait_by_query(event);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    expect_record_of_failing();
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
}

static void launch_and_wait(const char *name, uint32_t *out, uint32_t groups)
{
    const ze_group_count_t counts = {groups, 1, 1};
    ze_kernel_handle_t kernel = create_kernel(failing.module, name);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    set_pointer(kernel, 0, out);
    assert_ok(zeKernelSetGroupSize(kernel, 1, 4, 1));
    assert_result(zeCommandListAppendLaunchKernel(list, kernel, &counts, NULL, 0, NULL),
        ZE_NEWER_INTEL_RESULT_ASSERT_FAILED);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
}

// The function that C libraries call knows the work-item itself.
static void test_assert_of_c(void **state)
{
    (void)state;
    uint32_t *out = alloc_shared(4 * sizeof *out);
    launch_and_wait("fail_in_c", out, 1);
    const struct zc_assert_record record = take_record();
    assert_string_equal(record.expression, "y != 2");
    assert_int_equal(record.line, 8);
    assert_int_equal(record.global_id[1], 2);
    assert_int_equal(record.local_id[1], 2);
    assert_int_equal(out[3], 1);
    expect_no_record();
    free_memory(out);
}

static void test_store_is_bounded(void **state)
{
    (void)state;
    uint32_t count = 0;
    struct zc_assert_record record;
    uint32_t *out = alloc_shared(sizeof *out);
    launch_and_wait("fail_always", out, 1000);
    assert_result(get_record(fx.device, &record, sizeof record - 1), ZE_RESULT_ERROR_INVALID_SIZE);
    while (get_record(fx.device, &record, sizeof record) == ZE_RESULT_SUCCESS)
        count++;
    assert_int_equal(count, 65536 / sizeof record);
    assert_string_equal(record.function, "");
    free_memory(out);
}

static void test_native_binary_keeps_asserts(void **state)
{
    failing.module = reload_module(failing.module);
    test_module_is_linked(state);
    test_assert_of_c(state);
}

static void test_own_function_gives_records(void **state)
{
    (void)state;
    assert_int_equal(run_own("fail_own"), 0);
    assert_int_equal(take_record().line, 9);
    assert_int_equal(run_own("fail_other"), 5);
    expect_no_record();
}

static int run_none(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_module_stays_unlinked),
        cmocka_unit_test(test_own_function_stays),
        cmocka_unit_test(test_nothing_is_listed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

static int run_abort(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waiting_aborts),
        cmocka_unit_test(test_nobody_comes_back_before_the_abort),
        cmocka_unit_test(test_destroying_the_kernel_aborts),
        cmocka_unit_test(test_own_function_is_replaced),
        cmocka_unit_test(test_others_do_not_abort),
        cmocka_unit_test_setup_teardown(test_nothing_is_listed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_code(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_device_has_a_store),
        cmocka_unit_test(test_names_are_listed),
        cmocka_unit_test(test_module_is_linked),
        cmocka_unit_test(test_event_reports_once),
        cmocka_unit_test(test_one_of_several_kernels),
        cmocka_unit_test(test_an_event_for_other_processes),
        cmocka_unit_test(test_a_reset_event_forgets),
        cmocka_unit_test(test_fence_and_queue_report),
        cmocka_unit_test(test_lists_report),
        cmocka_unit_test(test_counter_based_event_reports),
        cmocka_unit_test(test_assert_of_c),
        cmocka_unit_test(test_store_is_bounded),
        cmocka_unit_test(test_native_binary_keeps_asserts),
        cmocka_unit_test(test_own_function_gives_records),
    };
    return cmocka_run_group_tests(tests, set_up_code, tear_down_failing);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        play(argv[2]);
    if (argc == 2 && !strcmp(argv[1], "none"))
        return run_none();
    if (argc == 2 && !strcmp(argv[1], "abort"))
        return run_abort();
    return argc == 2 && !strcmp(argv[1], "code") ? run_code() : 99;
}
