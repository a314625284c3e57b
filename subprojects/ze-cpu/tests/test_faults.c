// SPDX-License-Identifier: MIT
//
// Kernels that fault.
//   test_faults: all tests
//   test_faults WAY: faults that way, which ends the process
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define GROUP 8u
#define GROUPS 16u
#define ITEMS (GROUP * GROUPS)
#define WILD ((uint64_t)64) // a pointer that is next to null
#define WHERE 85u           // in group 10, item 5

static volatile uintptr_t wild = WILD; // the compiler does not know

static void write_wildly(void)
{
    *(volatile int *)wild = 1;
}

static struct {
    ze_module_handle_t module, debugged;
    volatile int *values;
    volatile uint32_t *line;
} lab;

static ze_kernel_handle_t create(ze_module_handle_t module, const char *name, uint64_t at)
{
    const uint32_t where = WHERE;
    ze_kernel_handle_t kernel = create_kernel(module, name);
    void *values = (void *)(uintptr_t)lab.values, *line = (void *)(uintptr_t)lab.line;
    assert_ok(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof values, &values));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof at, &at));
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
    assert_ok(zeKernelSetArgumentValue(kernel, 3, sizeof line, &line));
    if (strstr(name, "barriers"))
        assert_ok(zeKernelSetArgumentValue(kernel, 4, GROUP * sizeof(uint32_t), NULL));
    return kernel;
}

static void launch(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_event_handle_t signal)
{
    const ze_group_count_t groups = {GROUPS, 1, 1};
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, 0, NULL));
}

// Works of the same kind elsewhere, and a new queue.
static void check_others(void)
{
    ze_kernel_handle_t kernel = create_kernel(lab.module, "work");
    int *values = alloc_shared(ITEMS * sizeof *values);
    set_pointer(kernel, 0, values);
    run_kernel(kernel, GROUP, GROUPS);
    for (int i = 0; i < (int)ITEMS; i++)
        assert_int_equal(values[i], i + 1);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(values);
}

// Runs it on a queue of its own; what is said of the loss is the same for all that wait.
static void expect_loss(ze_kernel_handle_t kernel, const char *parts[])
{
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = create_list();
    launch(list, kernel, event);
    assert_ok(zeCommandListClose(list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_result(zeCommandQueueSynchronize(queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    for (int i = 0; parts[i]; i++)
        assert_has(last_failure(), parts[i]);
    char *first = strdup(last_failure());
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_string_equal(last_failure(), first);
    assert_result(
        zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_string_equal(last_failure(), first);
    free(first);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    check_others();
}

static void expect(ze_module_handle_t module, const char *name, uint64_t at, const char *parts[])
{
    ze_kernel_handle_t kernel = create(module, name, at);
    memset((void *)(uintptr_t)lab.values, 0, ITEMS * sizeof *lab.values);
    expect_loss(kernel, parts);
    assert_ok(zeKernelDestroy(kernel));
}

#define PARTS(...) ((const char *[]){__VA_ARGS__, NULL})

static void test_stray(void **state)
{
    (void)state;
    expect(lab.module, "stray", WILD,
        PARTS("kernel \"stray\" accessed memory that is not there (SIGSEGV)", "group: [10,0,0]",
            "address 0x40, a null pointer or near one"));
    expect(lab.module, "stray_between_barriers", WILD,
        PARTS("kernel \"stray_between_barriers\"", "group: [10,0,0]", "address 0x40"));
}

// The driver's threads are made by one of the program's, and begin with its mask.
static void test_blocked_signals(void **state)
{
    (void)state;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    expect(lab.module, "stray", WILD, PARTS("kernel \"stray\" accessed memory", "address 0x40"));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void expect_line(const char *name)
{
    char line[64];
    expect(
        lab.debugged, name, WILD, PARTS("global id: [85,0,0], local id: [5,0,0], group: [10,0,0]"));
    assert_true(*lab.line > 0);
    snprintf(line, sizeof line, "faults.cl:%u; address 0x40", *lab.line);
    expect(lab.debugged, name, WILD, PARTS(line));
}

static void test_lines(void **state)
{
    (void)state;
    expect_line("stray");
    expect_line("stray_between_barriers");
    expect(lab.debugged, "stray_elsewhere", WILD, PARTS("faults?[31m.cl:6; address 0x40"));
}

// No address: the processor does not say which it was.
static void test_not_canonical(void **state)
{
    (void)state;
    expect(lab.module, "stray", UINT64_C(0x5555000000000000),
        PARTS("kernel \"stray\" used an address that can't be one"));
}

static void test_stack(void **state)
{
    (void)state;
    const char *const parts[] = {"used up the stack of its thread", "group: [", NULL};
    expect(lab.module, "recurse", 0, (const char **)(uintptr_t)parts);
    expect(lab.debugged, "recurse", 0, (const char **)(uintptr_t)parts);
    expect(lab.module, "large_private", 0, (const char **)(uintptr_t)parts);
    expect(lab.debugged, "large_private", 0, (const char **)(uintptr_t)parts);
}

// So large that malloc maps it by itself: nothing else lies behind it in its last page.
#define SIZE (((size_t)64 << 20) + 100)

static void test_allocations(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char text[128];
    char *memory = alloc_shared(SIZE); // pages of its own
    char *last = memory + SIZE - ((uintptr_t)memory + SIZE) % page;
    assert_int_equal(mprotect(last, page, PROT_READ), 0);
    snprintf(text, sizeof text, ", %zu bytes into shared memory of %zu bytes at %p",
        (size_t)(last - memory), SIZE, (void *)memory);
    expect(lab.module, "stray", (uintptr_t)last,
        PARTS("accessed memory that does not permit it", text));
    char *behind = last + page - sizeof(int);
    snprintf(text, sizeof text, ", %zu bytes behind the end of shared memory of %zu bytes at %p",
        (size_t)(behind - memory) - SIZE, SIZE, (void *)memory);
    expect(lab.module, "stray", (uintptr_t)behind, PARTS(text));
    assert_int_equal(mprotect(last, page, PROT_READ | PROT_WRITE), 0);
    free_memory(memory);
}

// Sanitizers keep freed memory back, and using it does not fault.
static void test_freed_memory(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    char text[128];
    char *memory = alloc_device(SIZE); // goes back to the system
    const uintptr_t address = (uintptr_t)memory;
    free_memory(memory);
    snprintf(text, sizeof text,
        ", 4 bytes into device memory of %zu bytes at 0x%lx, which was freed", SIZE,
        (unsigned long)address);
    expect(lab.module, "stray", address + 4, PARTS(text));
}

// The program's own thread runs the kernel.
static void test_on_the_caller(void **state)
{
    (void)state;
    const char *const names[] = {"stray", "recurse", "large_private"};
    const ze_group_count_t one = {1, 1, 1};
    for (int i = 0; i < 3; i++) {
        ze_kernel_handle_t kernel = create(lab.module, names[i], WILD);
        const uint32_t where = 0;
        assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
        ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
        memset((void *)(uintptr_t)lab.values, 0, ITEMS * sizeof *lab.values);
        assert_result(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL),
            ZE_RESULT_ERROR_DEVICE_LOST);
        assert_has(last_failure(), names[i]);
        assert_result(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL),
            ZE_RESULT_ERROR_DEVICE_LOST);
        assert_ok(zeCommandListDestroy(list));
        assert_ok(zeKernelDestroy(kernel));
    }
    check_others();
}

// One faults, and the others would never end.
static void test_others_are_ended(void **state)
{
    (void)state;
    const uint32_t where = 0;
    ze_kernel_handle_t kernel = create(lab.module, "stray_amid_endless", WILD);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
    lab.values[0] = 0;
    lab.line[1] = 0;
    expect_loss(kernel, PARTS("kernel \"stray_amid_endless\"", "group: [0,0,0]"));
    assert_ok(zeKernelDestroy(kernel));
}

static void test_cooperative(void **state)
{
    (void)state;
    const ze_group_count_t groups = {4, 1, 1};
    const uint32_t where = 2;
    ze_kernel_handle_t kernel = create(lab.module, "stray_amid_endless", WILD);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    lab.values[0] = 0;
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
    assert_result(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, NULL, 0, NULL),
        ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "kernel \"stray_amid_endless\"");
    assert_has(last_failure(), "group: [2,0,0]");
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    check_others();
}

// ---- several at once ----

#define THREADS 8
#define ROUNDS 20

static void *fault_again_and_again(void *unused)
{
    ze_kernel_handle_t kernel = create(lab.module, "stray", WILD);
    for (int i = 0; i < ROUNDS; i++) {
        ze_command_list_handle_t list = create_immediate(
            i % 2 ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        ze_event_pool_handle_t pool = create_pool(1, 0);
        ze_event_handle_t event = create_event(pool, 0);
        const ze_group_count_t groups = {GROUPS, 1, 1};
        (void)zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL);
        assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
        assert_has(last_failure(), "kernel \"stray\"");
        assert_ok(zeCommandListDestroy(list));
        assert_ok(zeEventDestroy(event));
        assert_ok(zeEventPoolDestroy(pool));
    }
    assert_ok(zeKernelDestroy(kernel));
    return unused;
}

static void *work_again_and_again(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        check_others();
    return unused;
}

static void test_several_at_once(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL,
                             i % 2 ? work_again_and_again : fault_again_and_again, NULL),
            0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

// Who waits for an event of the lost queue fails, and knows why.
static void test_a_queue_that_waits(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t lost = create_event(pool, 0), behind = create_event(pool, 1);
    ze_kernel_handle_t kernel = create(lab.module, "stray", WILD);
    ze_command_list_handle_t first = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t second = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(second, behind, 1, &lost));
    launch(first, kernel, lost);
    assert_result(zeEventHostSynchronize(behind, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "kernel \"stray\"");
    assert_ok(zeCommandListDestroy(first));
    assert_ok(zeCommandListDestroy(second));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventDestroy(lost));
    assert_ok(zeEventDestroy(behind));
    assert_ok(zeEventPoolDestroy(pool));
}

// Lists that were submitted behind the one that is lost do not run, and their events say so.
static void test_lists_behind_a_loss(void **state)
{
    (void)state;
    enum { LISTS = 17 };
    ze_command_list_handle_t lists[LISTS];
    ze_event_handle_t events[LISTS];
    ze_event_pool_handle_t pool = create_pool(LISTS, 0);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_kernel_handle_t kernel = create(lab.module, "stray", WILD);
    for (uint32_t i = 0; i < LISTS; i++) {
        lists[i] = create_list();
        events[i] = create_event(pool, i);
        if (i == 0)
            launch(lists[i], kernel, events[i]);
        else
            assert_ok(zeCommandListAppendBarrier(lists[i], events[i], 0, NULL));
        assert_ok(zeCommandListClose(lists[i]));
    }
    assert_ok(zeCommandQueueExecuteCommandLists(queue, LISTS, lists, NULL));
    for (uint32_t i = 0; i < LISTS; i++) {
        const ze_result_t result = zeEventHostSynchronize(events[i], 10 * ONE_SECOND);
        if (result != ZE_RESULT_SUCCESS) // out of order, a barrier may have come first
            assert_result(result, ZE_RESULT_ERROR_DEVICE_LOST);
    }
    assert_ok(zeCommandQueueDestroy(queue));
    for (uint32_t i = 0; i < LISTS; i++) {
        assert_ok(zeEventDestroy(events[i]));
        assert_ok(zeCommandListDestroy(lists[i]));
    }
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventPoolDestroy(pool));
}

// ---- handlers of the program ----

static sigjmp_buf back;
static atomic_int handled; // how often
static volatile sig_atomic_t own_fault;
static struct sigaction driver_action;

static void handle_own(int signal, siginfo_t *info, void *context)
{
    handled++;
    if (own_fault)
        siglongjmp(back, 1);
    driver_action.sa_sigaction(
        signal, info, context); // installed behind the driver's, and passes on
}

static void fault_here(void)
{
    own_fault = 1;
    if (sigsetjmp(back, 1) == 0)
        write_wildly();
    own_fault = 0;
}

static void install_own(void)
{
    const struct sigaction action = {
        .sa_sigaction = handle_own, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    handled = 0;
    assert_int_equal(sigaction(SIGSEGV, &action, &driver_action), 0);
}

// Gets the program's faults, again and again, and no kernel's.
static void check_own(void)
{
    handled = 0;
    for (int i = 0; i < 5; i++)
        fault_here();
    assert_int_equal(handled, 5);
    expect(lab.module, "stray", WILD, PARTS("kernel \"stray\""));
    fault_here();
    assert_int_equal(handled, 6);
}

// The first test: no kernel has run.
static void test_own_handler_before(void **state)
{
    (void)state;
    install_own();
    check_own();
}

// It gets kernels' faults until the next queue or kernel is created.
static void test_own_handler_behind(void **state)
{
    (void)state;
    ze_kernel_handle_t kernel = create(lab.module, "stray", WILD);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    install_own();
    assert_true(driver_action.sa_sigaction != handle_own);
    launch(list, kernel, event);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_has(last_failure(), "kernel \"stray\"");
    assert_true(handled >= 1);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    assert_ok(zeKernelDestroy(kernel));
    check_own();
}

#if defined(__x86_64__)
// Rounding of the thread that a kernel is run on.
static void test_floating_point_modes(void **state)
{
    (void)state;
    const ze_group_count_t one = {1, 1, 1};
    const unsigned upwards = (__builtin_ia32_stmxcsr() & ~0x3fu) | 0x4000;
    ze_kernel_handle_t kernel = create(lab.module, "stray", WILD);
    const uint32_t where = 0;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof where, &where));
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(upwards);
    const ze_result_t result = zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL);
    const unsigned after = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before);
    assert_result(result, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(after & ~0x3fu, upwards);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
}
#endif

// ---- processes that end ----

static void run_stray(void)
{
    ze_kernel_handle_t kernel = create(lab.module, "stray", WILD);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t event = create_event(pool, 0);
    launch(list, kernel, event);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static int set_up_lab(void **state)
{
    set_up(state);
    lab.module = load_module("faults", NULL);
    lab.debugged = load_module("faults_debugged", NULL);
    lab.values = alloc_shared(ITEMS * sizeof *lab.values);
    lab.line = alloc_shared(2 * sizeof *lab.line);
    return 0;
}

static int tear_down_lab(void **state)
{
    assert_ok(zeModuleDestroy(lab.module));
    assert_ok(zeModuleDestroy(lab.debugged));
    free_memory((void *)(uintptr_t)lab.values);
    free_memory((void *)(uintptr_t)lab.line);
    return tear_down(state);
}

static int leave(const char *way)
{
    set_up_lab(NULL);
    run_stray(); // with ZE_CPU_SIGNALS=0 it ends here
    if (!strcmp(way, "fault"))
        write_wildly();
    if (!strcmp(way, "raise"))
        raise(SIGSEGV);
    if (!strcmp(way,
            "pass round")) { // passes on to the driver's, which comes first and passes on to it
        install_own();
        check_others();
        write_wildly();
    }
    tear_down_lab(NULL);
    return 3;
}

static int status_of(const char *way, bool signals)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        setenv("ZE_CPU_SIGNALS", signals ? "1" : "0", 1);
        signal(SIGSEGV, SIG_DFL);
        execl("/proc/self/exe", "test_faults", way, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return status;
}

// Sanitizers have handlers of their own, which exit.
static bool was_killed(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV
                               : WEXITSTATUS(status) != 3 && WEXITSTATUS(status) != 0;
}

static void test_own_faults_end_the_process(void **state)
{
    (void)state;
    assert_true(was_killed(status_of("fault", true)));
    assert_true(was_killed(status_of("raise", true)));
    assert_true(was_killed(status_of("pass round", true)));
    assert_true(was_killed(status_of("return", false)));
    const int status = status_of("return", true);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_handler_before),
        cmocka_unit_test(test_blocked_signals),
        cmocka_unit_test(test_stray),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_not_canonical),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_freed_memory),
        cmocka_unit_test(test_on_the_caller),
        cmocka_unit_test(test_others_are_ended),
        cmocka_unit_test(test_cooperative),
        cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_a_queue_that_waits),
        cmocka_unit_test(test_lists_behind_a_loss),
#if defined(__x86_64__)
        cmocka_unit_test(test_floating_point_modes),
#endif
        cmocka_unit_test(test_own_faults_end_the_process),
        cmocka_unit_test(test_own_handler_behind),
    };
    if (argc > 1)
        return leave(argv[1]);
    return cmocka_run_group_tests(tests, set_up_lab, tear_down_lab);
}
