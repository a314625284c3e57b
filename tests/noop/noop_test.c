// SPDX-License-Identifier: MIT
// The no-op driver, through the real loader.
#include "noop.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define assert_ok(call) assert_int_equal((call), ZE_RESULT_SUCCESS)

enum { MILLISECOND = 1000000 };

// The library under test opens the loader the same way: it must not need our program to link it.
#define FUNCTIONS(X)                          \
    X(zeInit)                                 \
    X(zeDriverGet)                            \
    X(zeDriverGetApiVersion)                  \
    X(zeDriverGetProperties)                  \
    X(zeDriverGetExtensionProperties)         \
    X(zeDriverGetExtensionFunctionAddress)    \
    X(zeDeviceGet)                            \
    X(zeDeviceGetSubDevices)                  \
    X(zeDeviceGetProperties)                  \
    X(zeDeviceGetComputeProperties)           \
    X(zeDeviceGetModuleProperties)            \
    X(zeDeviceGetCommandQueueGroupProperties) \
    X(zeContextCreate)                        \
    X(zeContextDestroy)                       \
    X(zeMemAllocShared)                       \
    X(zeMemAllocDevice)                       \
    X(zeMemGetAllocProperties)                \
    X(zeMemGetAddressRange)                   \
    X(zeMemFree)                              \
    X(zeModuleCreate)                         \
    X(zeModuleDestroy)                        \
    X(zeModuleGetKernelNames)                 \
    X(zeModuleGetProperties)                  \
    X(zeModuleGetGlobalPointer)               \
    X(zeModuleGetFunctionPointer)             \
    X(zeModuleGetNativeBinary)                \
    X(zeModuleDynamicLink)                    \
    X(zeModuleBuildLogGetString)              \
    X(zeModuleBuildLogDestroy)                \
    X(zeKernelCreate)                         \
    X(zeKernelDestroy)                        \
    X(zeKernelGetProperties)                  \
    X(zeKernelGetName)                        \
    X(zeKernelSetArgumentValue)               \
    X(zeKernelSetGroupSize)                   \
    X(zeKernelSuggestGroupSize)               \
    X(zeCommandQueueCreate)                   \
    X(zeCommandQueueDestroy)                  \
    X(zeCommandQueueExecuteCommandLists)      \
    X(zeCommandQueueSynchronize)              \
    X(zeCommandListCreate)                    \
    X(zeCommandListCreateImmediate)           \
    X(zeCommandListDestroy)                   \
    X(zeCommandListClose)                     \
    X(zeCommandListReset)                     \
    X(zeCommandListAppendLaunchKernel)        \
    X(zeCommandListAppendBarrier)             \
    X(zeCommandListAppendMemoryCopy)          \
    X(zeCommandListAppendMemoryFill)          \
    X(zeCommandListAppendEventReset)          \
    X(zeFenceCreate)                          \
    X(zeFenceDestroy)                         \
    X(zeFenceQueryStatus)                     \
    X(zeFenceHostSynchronize)                 \
    X(zeEventPoolCreate)                      \
    X(zeEventPoolDestroy)                     \
    X(zeEventCreate)                          \
    X(zeEventDestroy)                         \
    X(zeEventHostSignal)                      \
    X(zeEventHostReset)                       \
    X(zeEventQueryStatus)                     \
    X(zeEventHostSynchronize)

#define DECLARE(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(DECLARE)
} ze;

static void *find(void *library, const char *name)
{
    void *address = dlsym(library, name);
    assert_non_null(address);
    return address;
}

static void load(void)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(loader);
#define FIND(name) *(void **)&ze.name = find(loader, #name);
    FUNCTIONS(FIND)
}

struct fixture {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
};

static struct fixture the_fixture;

static int create_fixture(void **state)
{
    load();
    assert_ok(ze.zeInit(0));
    uint32_t one = 1;
    assert_ok(ze.zeDriverGet(&one, &the_fixture.driver));
    assert_ok(ze.zeDeviceGet(the_fixture.driver, &one, &the_fixture.device));
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    assert_ok(ze.zeContextCreate(the_fixture.driver, &desc, &the_fixture.context));
    *state = &the_fixture;
    return 0;
}

static int destroy_fixture(void **state)
{
    (void)state;
    return (int)ze.zeContextDestroy(the_fixture.context);
}

static int reset(void **state)
{
    (void)state;
    noop_reset();
    return 0;
}

// Whatever the test, only the context is left.
static int check_leaks(void **state)
{
    (void)state;
    return noop_live_total() == 1 && noop_live(NOOP_CONTEXT) == 1 ? 0 : -1;
}

// --- What tests need

static ze_command_list_handle_t create_immediate_list(const struct fixture *f)
{
    const ze_command_queue_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_list_handle_t list = NULL;
    assert_ok(ze.zeCommandListCreateImmediate(f->context, f->device, &desc, &list));
    return list;
}

static ze_command_list_handle_t create_list(const struct fixture *f)
{
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = NULL;
    assert_ok(ze.zeCommandListCreate(f->context, f->device, &desc, &list));
    return list;
}

static ze_command_queue_handle_t create_queue(const struct fixture *f)
{
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_command_queue_handle_t queue = NULL;
    assert_ok(ze.zeCommandQueueCreate(f->context, f->device, &desc, &queue));
    return queue;
}

enum { EVENTS = 4 };

struct events {
    ze_event_pool_handle_t pool;
    ze_event_handle_t all[EVENTS];
};

static struct events create_events(const struct fixture *f)
{
    struct events events = {0};
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = EVENTS};
    assert_ok(ze.zeEventPoolCreate(f->context, &pool_desc, 0, NULL, &events.pool));
    for (uint32_t i = 0; i < EVENTS; i++) {
        const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
        assert_ok(ze.zeEventCreate(events.pool, &desc, &events.all[i]));
    }
    return events;
}

static void destroy_events(struct events *events)
{
    for (uint32_t i = 0; i < EVENTS; i++)
        assert_ok(ze.zeEventDestroy(events->all[i]));
    assert_ok(ze.zeEventPoolDestroy(events->pool));
}

#define WORDS(n) ((uint32_t)(n) << 16)
#define STRING(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

// kernel void add(x, y, z), kernel void run(void), and an import named ext.
static const uint32_t spirv[] = {
    0x07230203, 0x00010000, 0, 20, 0,              // header
    WORDS(4) | 15, 6, 1, STRING('a', 'd', 'd', 0), // OpEntryPoint Kernel %1 "add"
    WORDS(4) | 15, 6, 2, STRING('r', 'u', 'n', 0), // OpEntryPoint Kernel %2 "run"
    WORDS(5) | 71, 9, 41, STRING('e', 'x', 't', 0),
    1,                                            // OpDecorate %9 LinkageAttributes "ext" Import
    WORDS(5) | 54, 10, 1, 0, 11,                  // %1 = OpFunction
    WORDS(3) | 55, 12, 13,                        // OpFunctionParameter
    WORDS(3) | 55, 12, 14, WORDS(3) | 55, 12, 15, //
    WORDS(1) | 56,                                // OpFunctionEnd
    WORDS(5) | 54, 10, 2, 0, 11, WORDS(1) | 56,   // %2 = OpFunction
};

static ze_result_t build(const struct fixture *f, const void *input, size_t size,
    ze_module_handle_t *module, ze_module_build_log_handle_t *log)
{
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = size,
        .pInputModule = input};
    return ze.zeModuleCreate(f->context, f->device, &desc, module, log);
}

static ze_module_handle_t create_module(const struct fixture *f)
{
    ze_module_handle_t module = NULL;
    assert_ok(build(f, spirv, sizeof spirv, &module, NULL));
    return module;
}

static ze_result_t create_kernel(
    ze_module_handle_t module, const char *name, ze_kernel_handle_t *kernel)
{
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    return ze.zeKernelCreate(module, &desc, kernel);
}

// --- Counting and order

static void test_counts_calls(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    for (int i = 0; i < 3; i++)
        assert_ok(ze.zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendBarrier"), 3);
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), 0);
    assert_int_equal(noop_calls_total(), 4);
    noop_reset();
    assert_int_equal(noop_calls_total(), 0);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void *append_barriers(void *list)
{
    for (int i = 0; i < 10000; i++)
        ze.zeCommandListAppendBarrier(list, NULL, 0, NULL);
    return NULL;
}

static void test_counts_exactly_on_demand(void **state)
{
    noop_count_exactly(true);
    ze_command_list_handle_t list = create_immediate_list(*state);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, append_barriers, list), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(noop_calls("zeCommandListAppendBarrier"), 20000);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void test_logs_order(void **state)
{
    noop_log_start();
    ze_command_list_handle_t list = create_list(*state);
    assert_ok(ze.zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(ze.zeCommandListClose(list));
    assert_ok(ze.zeCommandListDestroy(list));

    const char *names[8];
    assert_int_equal(noop_log(names, 8), 4);
    assert_string_equal(names[0], "zeCommandListCreate");
    assert_string_equal(names[1], "zeCommandListAppendBarrier");
    assert_string_equal(names[2], "zeCommandListClose");
    assert_string_equal(names[3], "zeCommandListDestroy");
    assert_int_equal(noop_log(names, 2), 4);
    assert_string_equal(names[0], "zeCommandListClose");
}

static void test_log_keeps_newest(void **state)
{
    ze_command_list_handle_t list = create_immediate_list(*state);
    noop_log_start();
    append_barriers(list);
    assert_ok(ze.zeCommandListReset(list));
    static const char *names[5000] = {0};
    assert_int_equal(noop_log(names, 5000), 10001);
    assert_string_equal(names[4095], "zeCommandListReset");
    assert_null(names[4096]);
    assert_ok(ze.zeCommandListDestroy(list));
}

// --- Failures

static void test_fails_nth_call(void **state)
{
    const struct fixture *f = *state;
    noop_fail("zeMemAllocDevice", 2, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory[3] = {0};
    assert_ok(ze.zeMemAllocDevice(f->context, &desc, 64, 0, f->device, &memory[0]));
    assert_int_equal(ze.zeMemAllocDevice(f->context, &desc, 64, 0, f->device, &memory[1]),
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(memory[1]);
    assert_ok(ze.zeMemAllocDevice(f->context, &desc, 64, 0, f->device, &memory[2]));
    assert_int_equal(noop_fired(), 1);
    assert_int_equal(noop_calls("zeMemAllocDevice"), 3);
    assert_ok(ze.zeMemFree(f->context, memory[0]));
    assert_ok(ze.zeMemFree(f->context, memory[2]));
}

static void test_fails_every_call(void **state)
{
    const struct fixture *f = *state;
    noop_fail_every("zeCommandQueueSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
    ze_command_queue_handle_t queue = create_queue(f);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ze.zeCommandQueueSynchronize(queue, 0), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(noop_fired(), 2);
    noop_reset();
    assert_ok(ze.zeCommandQueueSynchronize(queue, 0));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

static void test_fails_nth_call_of_any(void **state)
{
    noop_fail(NULL, 2, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    ze_command_list_handle_t list = create_list(*state);
    assert_int_equal(ze.zeCommandListClose(list), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    assert_ok(ze.zeCommandListClose(list));
    assert_int_equal(noop_fired(), 1);
    assert_ok(ze.zeCommandListDestroy(list));
}

// Code that cleans up after itself, to be failed at each of its calls.
static ze_result_t create_and_destroy_pair(const struct fixture *f)
{
    const ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    const ze_fence_desc_t fence_desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_command_queue_handle_t queue = NULL;
    ze_fence_handle_t fence = NULL;
    ze_result_t result = ze.zeCommandQueueCreate(f->context, f->device, &queue_desc, &queue);
    if (result != ZE_RESULT_SUCCESS)
        return result;
    result = ze.zeFenceCreate(queue, &fence_desc, &fence);
    if (result == ZE_RESULT_SUCCESS)
        result = ze.zeFenceDestroy(fence);
    const ze_result_t destroyed = ze.zeCommandQueueDestroy(queue);
    return result != ZE_RESULT_SUCCESS ? result : destroyed;
}

static void test_walks_error_paths(void **state)
{
    uint64_t n = 1;
    for (bool fired = true; fired; n++) {
        noop_reset();
        noop_fail(NULL, n, ZE_RESULT_ERROR_DEVICE_LOST);
        const ze_result_t result = create_and_destroy_pair(*state);
        fired = noop_fired() > 0;
        assert_int_equal(result, fired ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS);
        assert_int_equal(noop_live_total(), 1);
    }
    assert_int_equal(n - 1, 5); // four calls to fail, and the run where nothing fired
}

static void test_failing_destroy_destroys(void **state)
{
    ze_command_list_handle_t list = create_list(*state);
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), 1);
    noop_fail("zeCommandListDestroy", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(ze.zeCommandListDestroy(list), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), 0);
}

static void test_says_unsupported(void **state)
{
    ze_module_handle_t module = create_module(*state);
    void *function = NULL;
    assert_int_equal(ze.zeModuleGetFunctionPointer(module, "add", &function),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_int_equal(noop_calls("zeModuleGetFunctionPointer"), 1);
    assert_ok(ze.zeModuleDestroy(module));
}

// --- Completion

static void test_completes_at_once(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    struct events events = create_events(f);
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    assert_ok(ze.zeEventQueryStatus(events.all[0]));
    assert_ok(ze.zeEventHostReset(events.all[0]));
    assert_int_equal(ze.zeEventHostSynchronize(events.all[0], 0), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeEventHostSignal(events.all[0]));
    assert_ok(ze.zeEventHostSynchronize(events.all[0], UINT64_MAX));
    assert_ok(ze.zeCommandListAppendEventReset(list, events.all[0]));
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void test_regular_list_signals_when_executed(void **state)
{
    const struct fixture *f = *state;
    ze_command_queue_handle_t queue = create_queue(f);
    ze_command_list_handle_t list = create_list(f);
    struct events events = create_events(f);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    assert_int_equal(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // not closed
    assert_ok(ze.zeCommandListClose(list));
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_ok(ze.zeEventQueryStatus(events.all[0]));

    assert_ok(ze.zeEventHostReset(events.all[0]));
    assert_ok(ze.zeCommandListReset(list));
    assert_ok(ze.zeCommandListClose(list));
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_int_equal(ze.zeEventQueryStatus(events.all[0]), ZE_RESULT_NOT_READY);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

static void test_holds_events_in_order(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    struct events events = create_events(f);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    noop_hold(true);
    for (int i = 1; i < EVENTS; i++)
        assert_ok(ze.zeCommandListAppendBarrier(list, events.all[i], 0, NULL));
    assert_ok(ze.zeEventQueryStatus(events.all[0]));
    assert_int_equal(noop_pending(), EVENTS - 1);

    noop_release(1);
    assert_ok(ze.zeEventQueryStatus(events.all[1]));
    assert_int_equal(ze.zeEventQueryStatus(events.all[2]), ZE_RESULT_NOT_READY);
    noop_hold(false);
    assert_ok(ze.zeEventQueryStatus(events.all[EVENTS - 1]));
    assert_int_equal(noop_pending(), 0);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
}

static void test_holds_queue_and_fence(void **state)
{
    const struct fixture *f = *state;
    ze_command_queue_handle_t queue = create_queue(f);
    ze_command_list_handle_t list = create_list(f);
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence = NULL;
    assert_ok(ze.zeFenceCreate(queue, &desc, &fence));
    assert_int_equal(ze.zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
    assert_ok(ze.zeCommandListClose(list));
    noop_hold(true);
    assert_ok(ze.zeCommandQueueSynchronize(queue, 0));
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    assert_int_equal(ze.zeCommandQueueSynchronize(queue, 0), ZE_RESULT_NOT_READY);
    assert_int_equal(ze.zeFenceHostSynchronize(fence, MILLISECOND), ZE_RESULT_NOT_READY);
    noop_release(1);
    assert_ok(ze.zeCommandQueueSynchronize(queue, UINT64_MAX));
    assert_ok(ze.zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_ok(ze.zeFenceDestroy(fence));
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

static void *release_later(void *unused)
{
    usleep(5000);
    noop_release(1);
    return unused;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void test_wait_blocks_until_timeout_or_release(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t list = create_immediate_list(f);
    struct events events = create_events(f);
    noop_hold(true);
    assert_ok(ze.zeCommandListAppendBarrier(list, events.all[0], 0, NULL));
    const uint64_t start = now_ns();
    assert_int_equal(
        ze.zeEventHostSynchronize(events.all[0], 10 * MILLISECOND), ZE_RESULT_NOT_READY);
    assert_true(now_ns() - start >= 10 * MILLISECOND);

    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, release_later, NULL), 0);
    assert_ok(ze.zeEventHostSynchronize(events.all[0], UINT64_MAX));
    pthread_join(thread, NULL);
    destroy_events(&events);
    assert_ok(ze.zeCommandListDestroy(list));
}

// --- Memory

static void test_knows_allocations(void **state)
{
    const struct fixture *f = *state;
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    assert_ok(ze.zeMemAllocShared(f->context, &device, &host, 100, 4096, f->device, &memory));
    assert_int_equal((uintptr_t)memory % 4096, 0);
    assert_int_equal(noop_live(NOOP_MEMORY), 1);

    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t owner = NULL;
    assert_ok(ze.zeMemGetAllocProperties(f->context, (char *)memory + 99, &properties, &owner));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_SHARED);
    assert_ptr_equal(owner, f->device);
    assert_ok(ze.zeMemGetAllocProperties(f->context, &properties, &properties, NULL));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);

    void *base = NULL;
    size_t size = 0;
    assert_ok(ze.zeMemGetAddressRange(f->context, (char *)memory + 50, &base, &size));
    assert_ptr_equal(base, memory);
    assert_int_equal(size, 100);
    assert_int_equal(
        ze.zeMemFree(f->context, (char *)memory + 1), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ze.zeMemFree(f->context, memory));
    assert_int_equal(noop_live(NOOP_MEMORY), 0);
}

static void test_copies_if_asked(void **state)
{
    const struct fixture *f = *state;
    ze_command_list_handle_t immediate = create_immediate_list(f), list = create_list(f);
    ze_command_queue_handle_t queue = create_queue(f);
    char from[8] = "seven", to[8] = "";
    assert_ok(ze.zeCommandListAppendMemoryCopy(immediate, to, from, 8, NULL, 0, NULL));
    assert_string_equal(to, "");

    struct noop_config config = noop_config_default();
    config.execute_copies = true;
    noop_configure(&config);
    assert_ok(ze.zeCommandListAppendMemoryCopy(immediate, to, from, 8, NULL, 0, NULL));
    assert_string_equal(to, "seven");
    assert_ok(ze.zeCommandListAppendMemoryFill(list, to, "ab", 2, 5, NULL, 0, NULL));
    assert_ok(ze.zeCommandListClose(list));
    assert_string_equal(to, "seven");
    assert_ok(ze.zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    assert_string_equal(to, "ababa");
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandListDestroy(immediate));
    assert_ok(ze.zeCommandQueueDestroy(queue));
}

// --- Modules and kernels

static void test_lists_kernels(void **state)
{
    ze_module_handle_t module = create_module(*state);
    uint32_t count = 0;
    assert_ok(ze.zeModuleGetKernelNames(module, &count, NULL));
    assert_int_equal(count, 2);
    const char *names[2] = {0};
    assert_ok(ze.zeModuleGetKernelNames(module, &count, names));
    assert_string_equal(names[0], "add");
    assert_string_equal(names[1], "run");
    assert_ok(ze.zeModuleDestroy(module));
}

static uint32_t count_arguments(ze_kernel_handle_t kernel)
{
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    assert_ok(ze.zeKernelGetProperties(kernel, &properties));
    return properties.numKernelArgs;
}

static void test_knows_arguments(void **state)
{
    ze_module_handle_t module = create_module(*state);
    ze_kernel_handle_t add = NULL, run = NULL, none = NULL;
    assert_ok(create_kernel(module, "add", &add));
    assert_int_equal(create_kernel(module, "ad", &none), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    assert_int_equal(count_arguments(add), 3);
    const int value = 1;
    assert_ok(ze.zeKernelSetArgumentValue(add, 2, sizeof value, &value));
    assert_int_equal(ze.zeKernelSetArgumentValue(add, 3, sizeof value, &value),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);

    struct noop_config config = noop_config_default();
    config.kernel_arguments = 7;
    noop_configure(&config);
    assert_ok(create_kernel(module, "run", &run));
    assert_int_equal(count_arguments(run), 7);
    char name[8];
    size_t size = sizeof name;
    assert_ok(ze.zeKernelGetName(run, &size, name));
    assert_string_equal(name, "run");
    assert_ok(ze.zeKernelDestroy(add));
    assert_ok(ze.zeKernelDestroy(run));
    assert_ok(ze.zeModuleDestroy(module));
}

static void test_suggests_divisors(void **state)
{
    ze_module_handle_t module = create_module(*state);
    ze_kernel_handle_t kernel = NULL;
    assert_ok(create_kernel(module, "add", &kernel));
    uint32_t x, y, z;
    assert_ok(ze.zeKernelSuggestGroupSize(kernel, 1000, 4096, 3, &x, &y, &z));
    assert_int_equal(x, 8);
    assert_int_equal(y, 64);
    assert_int_equal(z, 1);
    assert_ok(ze.zeKernelDestroy(kernel));
    assert_ok(ze.zeModuleDestroy(module));
}

static bool reports_imports(ze_module_handle_t module)
{
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    assert_ok(ze.zeModuleGetProperties(module, &properties));
    return properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS;
}

static void test_reports_imports(void **state)
{
    ze_module_handle_t module = create_module(*state);
    assert_true(reports_imports(module));
    struct noop_config config = noop_config_default();
    config.resolved_imports = "extern ext";
    noop_configure(&config);
    assert_false(reports_imports(module));
    config.resolved_imports = "extern exte";
    noop_configure(&config);
    assert_true(reports_imports(module));
    assert_ok(ze.zeModuleDynamicLink(1, &module, NULL));
    assert_false(reports_imports(module));
    assert_ok(ze.zeModuleDestroy(module));
}

// kernel void use(void), which exports what the other module imports.
static const uint32_t exporter[] = {
    0x07230203, 0x00010000, 0, 20, 0,              // header
    WORDS(4) | 15, 6, 1, STRING('u', 's', 'e', 0), // OpEntryPoint Kernel %1 "use"
    WORDS(5) | 71, 9, 41, STRING('e', 'x', 't', 0),
    0, // OpDecorate %9 LinkageAttributes "ext" Export
};

static void test_program_resolves_its_parts(void **state)
{
    const struct fixture *f = *state;
    const uint8_t *parts[] = {(const uint8_t *)spirv, (const uint8_t *)exporter};
    const size_t sizes[] = {sizeof spirv, sizeof exporter};
    const ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = 2,
        .inputSizes = sizes,
        .pInputModules = parts};
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .format = ZE_MODULE_FORMAT_IL_SPIRV};
    ze_module_handle_t module = NULL;
    assert_ok(ze.zeModuleCreate(f->context, f->device, &desc, &module, NULL));
    assert_false(reports_imports(module));
    ze_kernel_handle_t kernel = NULL;
    assert_ok(create_kernel(module, "use", &kernel));
    assert_ok(ze.zeKernelDestroy(kernel));
    assert_ok(ze.zeModuleDestroy(module));
}

static void check_log(ze_module_build_log_handle_t log, const char *expected)
{
    char text[64];
    size_t size = sizeof text;
    assert_ok(ze.zeModuleBuildLogGetString(log, &size, text));
    assert_string_equal(text, expected);
    assert_ok(ze.zeModuleBuildLogDestroy(log));
}

static void test_failed_build_has_a_log(void **state)
{
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    assert_int_equal(build(*state, "no SPIR-V at all, this", 20, &module, &log),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    check_log(log, "error: the input is not SPIR-V\n");

    struct noop_config config = noop_config_default();
    config.build_log = "error: as planned";
    noop_configure(&config);
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_int_equal(
        build(*state, spirv, sizeof spirv, &module, &log), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    check_log(log, "error: as planned");
    assert_null(module);
}

static void test_truncated_module_is_read_to_its_end(void **state)
{
    for (size_t size = 1; size <= sizeof spirv; size++) {
        char *copy = malloc(size + 1); // the sanitizer sees a step beyond
        memcpy(copy, spirv, size);
        ze_module_handle_t module = NULL;
        const ze_result_t result = build(*state, copy, size, &module, NULL);
        assert_int_equal(
            result, size < 20 ? ZE_RESULT_ERROR_MODULE_BUILD_FAILURE : ZE_RESULT_SUCCESS);
        if (module != NULL)
            assert_ok(ze.zeModuleDestroy(module));
        free(copy);
    }
}

static void test_native_binary_builds_again(void **state)
{
    ze_module_handle_t module = create_module(*state), again = NULL;
    size_t size = 0;
    assert_ok(ze.zeModuleGetNativeBinary(module, &size, NULL));
    uint8_t *binary = malloc(size);
    assert_ok(ze.zeModuleGetNativeBinary(module, &size, binary));
    assert_ok(build(*state, binary, size, &again, NULL));
    ze_kernel_handle_t kernel = NULL;
    assert_ok(create_kernel(again, "add", &kernel));
    assert_ok(ze.zeKernelDestroy(kernel));
    assert_ok(ze.zeModuleDestroy(again));
    assert_ok(ze.zeModuleDestroy(module));
    free(binary);
}

static void test_gives_globals(void **state)
{
    assert_null(noop_global("flag"));
    ze_module_handle_t module = create_module(*state);
    void *flag = NULL, *same = NULL;
    size_t size = 0;
    assert_ok(ze.zeModuleGetGlobalPointer(module, "flag", &size, &flag));
    assert_true(size >= 704);
    assert_int_equal(*(int *)flag, 0);
    assert_ptr_equal(noop_global("flag"), flag);
    assert_ok(ze.zeModuleGetGlobalPointer(module, "flag", NULL, &same));
    assert_ptr_equal(same, flag);
    assert_ok(ze.zeModuleDestroy(module));
    assert_null(noop_global("flag"));
}

// --- Configuration

static void test_reports_devices(void **state)
{
    const struct fixture *f = *state;
    struct noop_config config = noop_config_default();
    config.devices = 3;
    config.sub_devices = 2;
    config.type = ZE_DEVICE_TYPE_CPU;
    config.name = "persona";
    noop_configure(&config);

    uint32_t count = 0;
    assert_ok(ze.zeDeviceGet(f->driver, &count, NULL));
    assert_int_equal(count, 3);
    ze_device_handle_t devices[3], parts[2];
    assert_ok(ze.zeDeviceGet(f->driver, &count, devices));
    count = 2;
    assert_ok(ze.zeDeviceGetSubDevices(devices[2], &count, parts));
    assert_int_equal(count, 2);

    ze_device_properties_t root = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES}, part = root;
    assert_ok(ze.zeDeviceGetProperties(devices[2], &root));
    assert_int_equal(root.type, ZE_DEVICE_TYPE_CPU);
    assert_string_equal(root.name, "persona");
    assert_ok(ze.zeDeviceGetProperties(parts[1], &part));
    assert_int_equal(part.flags, ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
    assert_int_equal(part.subdeviceId, 1);
    assert_memory_not_equal(&root.uuid, &part.uuid, sizeof root.uuid);
}

static void test_reports_limits(void **state)
{
    const struct fixture *f = *state;
    struct noop_config config = noop_config_default();
    config.module_flags = ZE_DEVICE_MODULE_FLAG_FP16;
    config.max_group_size = 256;
    memcpy(config.sub_group_sizes, (uint32_t[]){16, 32, 0}, 3 * sizeof(uint32_t));
    config.queue_groups[1].queues = 0;
    noop_configure(&config);

    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    assert_ok(ze.zeDeviceGetModuleProperties(f->device, &module));
    assert_int_equal(module.flags, ZE_DEVICE_MODULE_FLAG_FP16);
    assert_int_equal(module.fp64flags, 0);
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    assert_ok(ze.zeDeviceGetComputeProperties(f->device, &compute));
    assert_int_equal(compute.maxTotalGroupSize, 256);
    assert_int_equal(compute.numSubGroupSizes, 2);
    assert_int_equal(compute.subGroupSizes[1], 32);
    uint32_t groups = 0;
    assert_ok(ze.zeDeviceGetCommandQueueGroupProperties(f->device, &groups, NULL));
    assert_int_equal(groups, 1);
}

static void test_reports_driver(void **state)
{
    const struct fixture *f = *state;
    const char *const extensions[] = {"ZE_extension_float_atomics", NULL};
    struct noop_config config = noop_config_default();
    config.driver_version = 42;
    config.extensions = extensions;
    noop_configure(&config);

    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    assert_ok(ze.zeDriverGetProperties(f->driver, &properties));
    assert_int_equal(properties.driverVersion, 42);
    uint32_t count = 0;
    assert_ok(ze.zeDriverGetExtensionProperties(f->driver, &count, NULL));
    assert_int_equal(count, 1);
    ze_driver_extension_properties_t extension;
    assert_ok(ze.zeDriverGetExtensionProperties(f->driver, &count, &extension));
    assert_string_equal(extension.name, "ZE_extension_float_atomics");
}

static void test_newer_versions_have_newer_functions(void **state)
{
    const struct fixture *f = *state;
    ze_result_t (*synchronize)(ze_command_list_handle_t, uint64_t) = NULL;
    const char *name = "zeCommandListHostSynchronize";
    assert_int_equal(ze.zeDriverGetExtensionFunctionAddress(f->driver, name, (void **)&synchronize),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 6);
    noop_configure(&config);
    ze_api_version_t version;
    assert_ok(ze.zeDriverGetApiVersion(f->driver, &version));
    assert_int_equal(version, ZE_MAKE_VERSION(1, 6));
    assert_ok(ze.zeDriverGetExtensionFunctionAddress(f->driver, name, (void **)&synchronize));

    ze_command_list_handle_t list = create_immediate_list(f);
    noop_hold(true);
    assert_ok(ze.zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_int_equal(synchronize(list, 0), ZE_RESULT_NOT_READY);
    noop_release(1);
    assert_ok(synchronize(list, 0));
    assert_ok(ze.zeCommandListDestroy(list));
}

static void configure_newest(const char *const *extensions, const char *const *missing)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
    config.extensions = extensions;
    config.missing = missing;
    noop_configure(&config);
}

static void *find_function(const struct fixture *f, const char *name)
{
    void *function = NULL;
    const ze_result_t result = ze.zeDriverGetExtensionFunctionAddress(f->driver, name, &function);
    return result == ZE_RESULT_SUCCESS ? function : NULL;
}

static void test_functions_can_be_missing(void **state)
{
    const struct fixture *f = *state;
    static const char *const missing[] = {"zeCommandListAppendHostFunction", NULL};
    static const char *const extensions[] = {"ZEX_counter_based_event", NULL};
    configure_newest(NULL, NULL);
    assert_non_null(find_function(f, "zeCommandListAppendHostFunction"));
    assert_null(find_function(f, "zexCounterBasedEventCreate2"));
    configure_newest(extensions, missing);
    assert_null(find_function(f, "zeCommandListAppendHostFunction"));
    assert_non_null(find_function(f, "zexCounterBasedEventCreate2"));
}

// Complete before its first command, then as complete as its latest; never set or reset by the host.
static void expect_counter_based(const struct fixture *f, ze_event_handle_t event)
{
    const ze_command_queue_desc_t in_order = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .flags = 1u << 1};
    ze_command_list_handle_t list, other = create_immediate_list(f);
    assert_ok(ze.zeCommandListCreateImmediate(f->context, f->device, &in_order, &list));
    assert_ok(ze.zeEventQueryStatus(event));
    noop_hold(true);
    assert_ok(ze.zeCommandListAppendBarrier(list, event, 0, NULL));
    assert_int_equal(ze.zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    assert_int_equal(
        ze.zeCommandListAppendBarrier(other, event, 0, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    noop_hold(false);
    assert_ok(ze.zeEventQueryStatus(event));
    assert_int_equal(ze.zeEventHostReset(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(ze.zeEventHostSignal(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ze.zeEventDestroy(event));
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandListDestroy(other));
}

static void test_counter_based_events(void **state)
{
    const struct fixture *f = *state;
    static const char *const extensions[] = {
        "ZEX_counter_based_event", "ZE_experimental_event_pool_counter_based", NULL};
    const ze_base_desc_t single = {.stype = (ze_structure_type_t)0x0003001c};
    const ze_base_desc_t counted = {.stype = (ze_structure_type_t)0x00020014};
    const ze_event_pool_desc_t pooled = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .pNext = &counted, .count = 1};
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_result_t (*create)(
        ze_context_handle_t, ze_device_handle_t, const ze_base_desc_t *, ze_event_handle_t *);
    ze_event_handle_t event;
    ze_event_pool_handle_t pool;
    configure_newest(extensions, NULL);
    *(void **)&create = find_function(f, "zexCounterBasedEventCreate2");
    assert_int_equal(create(f->context, f->device, NULL, &event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(create(f->context, f->device, &single, &event));
    expect_counter_based(f, event);
    assert_ok(ze.zeEventPoolCreate(f->context, &pooled, 0, NULL, &pool));
    assert_ok(ze.zeEventCreate(pool, &desc, &event));
    expect_counter_based(f, event);
    assert_ok(ze.zeEventPoolDestroy(pool));
}

struct call {
    _Atomic bool came;
    pthread_t thread;
};

static void note_call(void *data)
{
    struct call *call = data;
    call->thread = pthread_self();
    call->came = true;
}

static void test_host_functions(void **state)
{
    const struct fixture *f = *state;
    struct call call = {.came = false};
    ze_command_list_handle_t list = create_immediate_list(f);
    ze_result_t (*append)(ze_command_list_handle_t, void (*)(void *), void *, const void *,
        ze_event_handle_t, uint32_t, ze_event_handle_t *);
    configure_newest(NULL, NULL);
    *(void **)&append = find_function(f, "zeCommandListAppendHostFunction");
    noop_hold(true);
    assert_ok(append(list, note_call, &call, NULL, NULL, 0, NULL));
    assert_int_equal(noop_pending(), 1);
    usleep(2000);
    assert_false(call.came);
    noop_hold(false);
    noop_reset(); // waits
    assert_true(call.came);
    assert_false(pthread_equal(call.thread, pthread_self()));
    assert_ok(ze.zeCommandListDestroy(list));
}

// --- Tables

static void test_table_ends_with_its_version(void **state)
{
    (void)state;
    void *driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(driver);
    ze_result_t (*fill)(ze_api_version_t, void **) = NULL;
    *(void **)&fill = find(driver, "zeGetDriverProcAddrTable");

    void *table[16] = {0};
    assert_ok(fill(ZE_API_VERSION_1_0, table));
    assert_non_null(table[4]);
    assert_null(table[5]); // zeDriverGetExtensionFunctionAddress came with 1.1
    assert_ok(fill(ZE_API_VERSION_1_4, table));
    assert_non_null(table[5]);
    assert_null(table[6]);
    assert_int_equal(
        fill((ze_api_version_t)ZE_MAKE_VERSION(2, 0), table), ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
    dlclose(driver);
}

// --- Environment: this program again, as a child that is told to fail

static int run_child(void)
{
    load();
    if (ze.zeInit(0) != ZE_RESULT_SUCCESS)
        return 2;
    uint32_t count = 1;
    ze_driver_handle_t driver = NULL;
    if (ze.zeDriverGet(&count, &driver) != ZE_RESULT_SUCCESS)
        return 3;
    count = 0;
    const ze_result_t first = ze.zeDeviceGet(driver, &count, NULL);
    const ze_result_t second = ze.zeDeviceGet(driver, &count, NULL);
    const bool as_told =
        first == ZE_RESULT_ERROR_DEVICE_LOST && second == ZE_RESULT_SUCCESS && count == 5;
    return as_told ? 0 : 4;
}

static const char *program;

static void test_reads_environment(void **state)
{
    (void)state;
    char command[4096];
    snprintf(command, sizeof command,
        "NOOP_DEVICES=5 NOOP_FAIL=zeDeviceGet:1:0x70000001,zeFenceReset:1:1 "
        "NOOP_TEST_CHILD=1 '%s'",
        program);
    assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    program = argv[0];
    if (getenv("NOOP_TEST_CHILD") != NULL)
        return run_child();
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, reset, check_leaks)
    const struct CMUnitTest tests[] = {
        TEST(counts_calls),
        TEST(counts_exactly_on_demand),
        TEST(logs_order),
        TEST(log_keeps_newest),
        TEST(fails_nth_call),
        TEST(fails_every_call),
        TEST(fails_nth_call_of_any),
        TEST(walks_error_paths),
        TEST(failing_destroy_destroys),
        TEST(says_unsupported),
        TEST(completes_at_once),
        TEST(regular_list_signals_when_executed),
        TEST(holds_events_in_order),
        TEST(holds_queue_and_fence),
        TEST(wait_blocks_until_timeout_or_release),
        TEST(knows_allocations),
        TEST(copies_if_asked),
        TEST(lists_kernels),
        TEST(knows_arguments),
        TEST(suggests_divisors),
        TEST(reports_imports),
        TEST(program_resolves_its_parts),
        TEST(failed_build_has_a_log),
        TEST(truncated_module_is_read_to_its_end),
        TEST(native_binary_builds_again),
        TEST(gives_globals),
        TEST(reports_devices),
        TEST(reports_limits),
        TEST(reports_driver),
        TEST(newer_versions_have_newer_functions),
        TEST(functions_can_be_missing),
        TEST(counter_based_events),
        TEST(host_functions),
        TEST(table_ends_with_its_version),
        TEST(reads_environment),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
