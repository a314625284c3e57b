// SPDX-License-Identifier: MIT
//
// ZE_CPU_STRICT: the program may not touch shared memory while a kernel may be using it, on a discrete device.
#include "extensions.h"
#include "harness.h"
#include "kernels.h"

#include <stdatomic.h>
#include <time.h>

#define COUNT 3000u // ints, more than two pages

static struct {
    bool watched; // or the device is integrated
    ze_module_handle_t module;
    ze_kernel_handle_t kernel; // writes to `out`
    ze_event_pool_handle_t pool;
    ze_event_handle_t go, done;
    int *out, *other;
    int *flag; // host memory
} lab;

static int touch(const int *memory)
{
    return *(const volatile int *)memory;
}

static void launch(ze_command_list_handle_t list, ze_event_handle_t wait, ze_event_handle_t signal)
{
    const ze_group_count_t groups = {1, 1, 1};
    assert_ok(zeCommandListAppendLaunchKernel(
        list, lab.kernel, &groups, signal, wait ? 1 : 0, wait ? &wait : NULL));
}

// A launch that does not start before `go`.
static ze_command_queue_handle_t launch_on_queue(ze_command_list_handle_t *list)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeEventHostReset(lab.go));
    assert_ok(zeEventHostReset(lab.done));
    *list = create_list();
    launch(*list, lab.go, lab.done);
    assert_ok(zeCommandListClose(*list));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, list, NULL));
    return queue;
}

static void destroy(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(list));
}

static void expect_touch(ze_result_t result, const char *what)
{
    assert_result(result, lab.watched ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
    if (!lab.watched)
        return;
    assert_has(last_failure(), what);
    assert_has(last_failure(), "may be using");
    assert_has(last_failure(), "(ZE_CPU_STRICT)");
    assert_has(last_failure(), "bytes into shared memory of 12000 bytes at");
}

#if defined(__x86_64__)
#define READ "the program read shared memory that kernel \"uses_own\""
#define WROTE "the program wrote to shared memory that kernel \"uses_own\""
#else
#define READ "the program touched shared memory that kernel \"uses_own\""
#define WROTE READ
#endif

// Which page does not matter.
static void test_touches_before_the_end(void **state)
{
    (void)state;
    static const size_t places[] = {0, 1500, COUNT - 1};
    for (size_t i = 0; i < 6; i++) {
        ze_command_list_handle_t list;
        ze_command_queue_handle_t queue = launch_on_queue(&list);
        const bool writes = i >= 3;
        if (writes)
            lab.out[places[i % 3]] = 7;
        else
            touch(&lab.out[places[i % 3]]);
        assert_ok(zeEventHostSignal(lab.go));
        expect_touch(zeCommandQueueSynchronize(queue, UINT64_MAX), writes ? WROTE : READ);
        if (writes && places[i % 3])
            assert_int_equal(lab.out[places[i % 3]], 7); // nothing is lost
        assert_result(zeEventQueryStatus(lab.done),
            lab.watched ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
        destroy(queue, list);
    }
}

static void take_pause(long milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static ze_result_t touch_after_flag(ze_kernel_handle_t kernel, long pause)
{
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    atomic_int *flag = (atomic_int *)(void *)lab.flag;
    atomic_store(flag, 0);
    assert_ok(zeEventHostReset(lab.done));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, lab.done, 0, NULL));
    while (atomic_load(flag) != 7)
        take_pause(1);
    take_pause(pause);
    touch(lab.out);
    ze_result_t result = zeEventHostSynchronize(lab.done, UINT64_MAX);
    if (result == ZE_RESULT_SUCCESS) // the list is lost from now on
        result = zeCommandListAppendBarrier(list, NULL, 0, NULL);
    assert_ok(zeCommandListDestroy(list));
    return result;
}

// The kernel has ended, but the program can only guess that. Once it has written its flag it has little left to do; how long that takes
// is not known either.
static void test_touches_after_the_end(void **state)
{
    (void)state;
    ze_kernel_handle_t kernel = create_kernel(lab.module, "writes_address");
    const uint64_t address = (uintptr_t)lab.flag;
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof address, &address));
    set_pointer(kernel, 1, lab.out);
    assert_ok(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST));
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    ze_result_t result = ZE_RESULT_SUCCESS;
    for (long pause = 10; !result && pause <= (lab.watched ? 10000 : 10); pause *= 2)
        result = touch_after_flag(kernel, pause);
    expect_touch(result, "kernel \"writes_address\"");
    assert_ok(zeKernelDestroy(kernel));
}

// ---- what is right ----

typedef void wait_function(ze_command_queue_handle_t queue, ze_fence_handle_t fence);

static void wait_for_queue(ze_command_queue_handle_t queue, ze_fence_handle_t fence)
{
    (void)fence;
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

static void wait_for_fence(ze_command_queue_handle_t queue, ze_fence_handle_t fence)
{
    (void)queue;
    assert_ok(zeFenceHostSynchronize(fence, UINT64_MAX));
}

static void ask_fence(ze_command_queue_handle_t queue, ze_fence_handle_t fence)
{
    (void)queue;
    while (zeFenceQueryStatus(fence) == ZE_RESULT_NOT_READY)
        take_pause(1);
}

static void wait_for_event(ze_command_queue_handle_t queue, ze_fence_handle_t fence)
{
    (void)queue, (void)fence;
    assert_ok(zeEventHostSynchronize(lab.done, UINT64_MAX));
}

static void ask_event(ze_command_queue_handle_t queue, ze_fence_handle_t fence)
{
    (void)queue, (void)fence;
    while (zeEventQueryStatus(lab.done) == ZE_RESULT_NOT_READY)
        take_pause(1);
}

static void ask_for_times(ze_command_queue_handle_t queue, ze_fence_handle_t fence)
{
    ze_kernel_timestamp_result_t times;
    (void)queue, (void)fence;
    while (zeEventQueryKernelTimestamp(lab.done, &times) == ZE_RESULT_NOT_READY)
        take_pause(1);
}

static void test_every_wait_counts(void **state)
{
    (void)state;
    static wait_function *const waits[] = {
        wait_for_queue, wait_for_fence, ask_fence, wait_for_event, ask_event, ask_for_times};
    ze_command_list_handle_t list = create_list();
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_fence_handle_t fence;
    assert_ok(zeFenceCreate(queue, &(ze_fence_desc_t){ZE_STRUCTURE_TYPE_FENCE_DESC, 0, 0}, &fence));
    launch(list, NULL, lab.done);
    assert_ok(zeCommandListClose(list));
    for (size_t i = 0; i < 2 * sizeof waits / sizeof *waits; i++) {
        lab.out[0] = 0;
        assert_ok(zeEventHostReset(lab.done));
        assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
        waits[i / 2](queue, fence);
        assert_int_equal(touch(lab.out), 5);
        assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
        assert_ok(zeFenceReset(fence));
    }
    assert_ok(zeFenceDestroy(fence));
    destroy(queue, list);
}

static void test_synchronous_lists(void **state)
{
    (void)state;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (int i = 0; i < 17; i++) {
        lab.out[0] = 0;
        launch(list, NULL, NULL);
        assert_int_equal(touch(lab.out), 5);
    }
    assert_ok(zeCommandListDestroy(list));
}

// Destroying what runs a kernel waits for it.
static void test_destroying_waits(void **state)
{
    (void)state;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    lab.out[0] = 0;
    launch(list, NULL, NULL);
    assert_ok(zeCommandListDestroy(list));
    assert_int_equal(touch(lab.out), 5);
}

// Two thousand others, of which the kernel knows nothing.
static void test_other_memory(void **state)
{
    (void)state;
    enum { OTHERS = 2000 };
    static int *others[OTHERS];
    ze_command_list_handle_t list;
    for (int i = 0; i < OTHERS; i++)
        others[i] = alloc_shared(sizeof(int));
    ze_command_queue_handle_t queue = launch_on_queue(&list);
    for (int i = 0; i < OTHERS; i++)
        *others[i] = i;
    *lab.flag = 1;
    assert_ok(zeEventHostSignal(lab.go));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    for (int i = 0; i < OTHERS; i++) {
        assert_int_equal(*others[i], i);
        free_memory(others[i]);
    }
    destroy(queue, list);
}

// What another queue copies is the device's affair, on whatever thread the driver does it.
static void test_copies_of_the_device(void **state)
{
    (void)state;
    ze_command_list_handle_t list, copies = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_command_queue_handle_t queue = launch_on_queue(&list);
    *lab.flag = 9;
    assert_ok(
        zeCommandListAppendMemoryCopy(copies, lab.out + 1, lab.flag, sizeof(int), NULL, 0, NULL));
    assert_ok(zeEventHostSignal(lab.go));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_int_equal(lab.out[0], 5);
    assert_int_equal(lab.out[1], 9);
    assert_ok(zeCommandListDestroy(copies));
    destroy(queue, list);
}

// ---- the second of everything ----

// The wait for one says nothing of the other, which keeps its memory.
static void test_two_queues(void **state)
{
    (void)state;
    ze_command_list_handle_t waiting, quick;
    quick = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_command_queue_handle_t queue = launch_on_queue(&waiting);
    set_pointer(lab.kernel, 0, lab.other);
    launch(quick, NULL, NULL);
    assert_int_equal(touch(lab.other), 5);
    set_pointer(lab.kernel, 0, lab.out);
    touch(lab.out);
    assert_ok(zeEventHostSignal(lab.go));
    expect_touch(zeCommandQueueSynchronize(queue, UINT64_MAX), READ);
    launch(quick, NULL, NULL); // this queue has lost nothing
    assert_int_equal(touch(lab.out), 5);
    assert_ok(zeCommandListDestroy(quick));
    destroy(queue, waiting);
}

// A list that is executed again takes its memory again.
static void test_lists_that_are_repeated(void **state)
{
    (void)state;
    ze_command_list_handle_t list;
    ze_command_queue_handle_t queue = launch_on_queue(&list);
    assert_ok(zeEventHostSignal(lab.go));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_int_equal(touch(lab.out), 5);
    assert_ok(zeEventHostReset(lab.go));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    touch(lab.out);
    assert_ok(zeEventHostSignal(lab.go));
    expect_touch(zeCommandQueueSynchronize(queue, UINT64_MAX), READ);
    destroy(queue, list);
}

static void touch_here(void *memory)
{
    touch(memory);
}

// All of them go on; one is reported.
static void test_many_threads(void **state)
{
    (void)state;
    unsigned long threads[16];
    ze_command_list_handle_t list;
    ze_command_queue_handle_t queue = launch_on_queue(&list);
    for (size_t i = 0; i < 16; i++)
        threads[i] = start_later(ONE_MILLISECOND, touch_here, lab.out + i);
    for (size_t i = 0; i < 16; i++)
        join_later(threads[i]);
    assert_ok(zeEventHostSignal(lab.go));
    expect_touch(zeCommandQueueSynchronize(queue, UINT64_MAX), READ);
    destroy(queue, list);
}

// One of two devices is discrete, and this is the second; skips the test elsewhere.
static ze_device_handle_t unequal_device(void)
{
    ze_device_handle_t devices[2];
    uint32_t count = 2;
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    assert_ok(zeDeviceGetProperties(devices[count - 1], &properties));
    if (lab.watched == !(properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED))
        skip();
    return devices[1];
}

// Memory of an integrated device does not move, and a kernel of one can share it with the program, wherever else the other of the two is.
static void test_unequal_devices(void **state)
{
    (void)state;
    ze_command_list_handle_t list;
    ze_device_handle_t first = fx.device;
    fx.device = unequal_device();
    int *theirs = alloc_shared(sizeof *theirs);
    fx.device = first;
    set_pointer(lab.kernel, 0, theirs);
    ze_command_queue_handle_t queue = launch_on_queue(&list);
    touch(theirs);
    assert_ok(zeEventHostSignal(lab.go));
    assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_int_equal(*theirs, 5);
    set_pointer(lab.kernel, 0, lab.out);
    destroy(queue, list);
    free_memory(theirs);
}

static int set_up_lab(void **state)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    if (set_up(state))
        return -1;
    assert_ok(zeDeviceGetProperties(fx.device, &properties));
    lab.watched = !(properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED);
    lab.module = load_module("strict", "-ze-take-global-address");
    lab.kernel = create_kernel(lab.module, "uses_own");
    lab.pool =
        create_pool(2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    lab.go = create_event(lab.pool, 0);
    lab.done = create_event(lab.pool, 1);
    lab.out = alloc_shared(COUNT * sizeof *lab.out);
    lab.other = alloc_shared(sizeof *lab.other);
    lab.flag = alloc_host(sizeof *lab.flag);
    assert_ok(zeKernelSetGroupSize(lab.kernel, 1, 1, 1));
    set_pointer(lab.kernel, 0, lab.out);
    return 0;
}

static int tear_down_lab(void **state)
{
    free_memory(lab.out);
    free_memory(lab.other);
    free_memory(lab.flag);
    assert_ok(zeEventDestroy(lab.go));
    assert_ok(zeEventDestroy(lab.done));
    assert_ok(zeEventPoolDestroy(lab.pool));
    assert_ok(zeKernelDestroy(lab.kernel));
    assert_ok(zeModuleDestroy(lab.module));
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_touches_before_the_end),
        cmocka_unit_test(test_touches_after_the_end),
        cmocka_unit_test(test_every_wait_counts),
        cmocka_unit_test(test_synchronous_lists),
        cmocka_unit_test(test_destroying_waits),
        cmocka_unit_test(test_other_memory),
        cmocka_unit_test(test_copies_of_the_device),
        cmocka_unit_test(test_two_queues),
        cmocka_unit_test(test_lists_that_are_repeated),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_unequal_devices),
    };
    return cmocka_run_group_tests(tests, set_up_lab, tear_down_lab);
}
