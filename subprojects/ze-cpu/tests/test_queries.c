// SPDX-License-Identifier: MIT
//
// What came with API 1.6 to 1.17 to ask objects what they are, found by name as with the loader of Debian 12.
#include "extensions.h"
#include "harness.h"
#include "scripted.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// Each takes an object, and where to write the answer.
typedef ze_result_t (*query)(void *object, void *answer);

static query find(const char *name)
{
    query function = NULL;
    find_extension(name, &function);
    return function;
}

static void expect_number(const char *name, void *object, uint32_t expected)
{
    const query ask = find(name);
    uint32_t answer = ~expected;
    assert_ok(ask(object, &answer));
    if (answer != expected)
        fail_msg("%s says %u, not %u", name, answer, expected);
    assert_result(ask(NULL, &answer), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(ask(object, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

static void expect_handle(const char *name, void *object, const void *expected)
{
    const query ask = find(name);
    void *answer = &answer;
    assert_ok(ask(object, &answer));
    assert_ptr_equal(answer, expected);
    assert_result(ask(NULL, &answer), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(ask(object, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

static void expect_refused(const char *name, void *object)
{
    uint64_t answer;
    assert_result(find(name)(object, &answer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

static const ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
    .flags = ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY,
    .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
    .priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH};

static void test_queues(void **state)
{
    (void)state;
    ze_command_queue_handle_t queue = NULL;
    assert_ok(zeCommandQueueCreate(fx.context, fx.device, &queue_desc, &queue));
    expect_number("zeCommandQueueGetOrdinal", queue, 0);
    expect_number("zeCommandQueueGetIndex", queue, 0);
    expect_number("zeCommandQueueGetFlags", queue, ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY);
    expect_number("zeCommandQueueGetMode", queue, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    expect_number("zeCommandQueueGetPriority", queue, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH);
    assert_ok(zeCommandQueueDestroy(queue));
}

static void test_regular_lists(void **state)
{
    (void)state;
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
        .flags = ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING | ZE_NEWER_COMMAND_LIST_FLAG_IN_ORDER};
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
    expect_handle("zeCommandListGetDeviceHandle", list, fx.device);
    expect_handle("zeCommandListGetContextHandle", list, fx.context);
    expect_number("zeCommandListGetOrdinal", list, 0);
    expect_number("zeCommandListGetFlags", list, desc.flags);
    expect_refused("zeCommandListImmediateGetIndex", list);
    expect_refused("zeCommandListImmediateGetFlags", list);
    expect_refused("zeCommandListImmediateGetMode", list);
    expect_refused("zeCommandListImmediateGetPriority", list);
    assert_ok(zeCommandListDestroy(list));
}

static void test_immediate_lists(void **state)
{
    (void)state;
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreateImmediate(fx.context, fx.device, &queue_desc, &list));
    expect_handle("zeCommandListGetDeviceHandle", list, fx.device);
    expect_handle("zeCommandListGetContextHandle", list, fx.context);
    expect_number("zeCommandListGetOrdinal", list, 0);
    expect_number("zeCommandListImmediateGetIndex", list, 0);
    expect_number("zeCommandListImmediateGetFlags", list, queue_desc.flags);
    expect_number("zeCommandListImmediateGetMode", list, queue_desc.mode);
    expect_number("zeCommandListImmediateGetPriority", list, queue_desc.priority);
    expect_refused("zeCommandListGetFlags", list);
    assert_ok(zeCommandListDestroy(list));
}

// Each event finds its pool, also where several lie beside each other.
static void test_events(void **state)
{
    (void)state;
    enum { POOLS = 17 };
    ze_event_pool_handle_t pools[POOLS];
    ze_event_handle_t events[POOLS];
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
        .index = 2,
        .signal = ZE_EVENT_SCOPE_FLAG_HOST,
        .wait = ZE_EVENT_SCOPE_FLAG_DEVICE};
    for (size_t i = 0; i < POOLS; i++) {
        pools[i] = create_pool(3, i % 2 ? ZE_EVENT_POOL_FLAG_IPC : 0);
        assert_ok(zeEventCreate(pools[i], &desc, &events[i]));
    }
    for (size_t i = 0; i < POOLS; i++) {
        expect_handle("zeEventPoolGetContextHandle", pools[i], fx.context);
        expect_number("zeEventPoolGetFlags", pools[i],
            ZE_EVENT_POOL_FLAG_HOST_VISIBLE | (i % 2 ? ZE_EVENT_POOL_FLAG_IPC : 0));
        expect_handle("zeEventGetEventPool", events[i], pools[i]);
        expect_number("zeEventGetSignalScope", events[i], ZE_EVENT_SCOPE_FLAG_HOST);
        expect_number("zeEventGetWaitScope", events[i], ZE_EVENT_SCOPE_FLAG_DEVICE);
        expect_refused("zeEventGetCounterBasedFlags", events[i]);
    }
    for (size_t i = 0; i < POOLS; i++) {
        assert_ok(zeEventDestroy(events[i]));
        assert_ok(zeEventPoolDestroy(pools[i]));
    }
}

static void test_counter_based_events(void **state)
{
    (void)state;
    const uint32_t flags = ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                           ZE_NEWER_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE;
    ze_event_handle_t event = create_counter_event(flags);
    expect_number("zeEventGetCounterBasedFlags", event, flags);
    expect_number("zeEventGetSignalScope", event, ZE_EVENT_SCOPE_FLAG_HOST);
    expect_number("zeEventGetWaitScope", event, 0);
    expect_refused("zeEventGetEventPool", event);
    assert_ok(zeEventDestroy(event));
}

typedef ze_result_t (*query_timestamps)(ze_event_handle_t event, ze_device_handle_t device,
    uint32_t *count, ze_newer_event_query_kernel_timestamps_results_ext_properties_t *results);

static void expect_synchronized_timestamps(void)
{
    ze_newer_event_query_kernel_timestamps_ext_properties_t timestamps = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES};
    ze_device_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, .pNext = &timestamps};
    assert_ok(zeDeviceGetProperties(fx.device, &properties));
    assert_int_equal(
        timestamps.flags, ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL |
                              ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_SYNCHRONIZED);
}

static void test_timestamps(void **state)
{
    (void)state;
    query_timestamps ask = NULL;
    expect_synchronized_timestamps();
    find_extension("zeEventQueryKernelTimestampsExt", &ask);
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_kernel_timestamp_result_t times = {0};
    ze_newer_synchronized_timestamp_result_ext_t synchronized = {0};
    ze_newer_event_query_kernel_timestamps_results_ext_properties_t results = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES};
    uint32_t count = 0;
    assert_ok(ask(event, fx.device, &count, NULL));
    assert_int_equal(count, 1);
    assert_result(ask(event, fx.device, &count, &results), ZE_RESULT_NOT_READY);
    assert_ok(zeCommandListAppendBarrier(list, event, 0, NULL));
    assert_ok(ask(event, fx.device, &count, &results)); // no buffer is asked for
    results.pKernelTimestampsBuffer = &times;
    results.pSynchronizedTimestampsBuffer = &synchronized;
    count = 5;
    assert_ok(ask(event, fx.device, &count, &results));
    assert_int_equal(count, 1);
    assert_true(times.global.kernelStart > 0);
    assert_true(times.global.kernelEnd >= times.global.kernelStart);
    assert_int_equal(synchronized.global.kernelStart, times.global.kernelStart);
    assert_int_equal(synchronized.context.kernelEnd, times.context.kernelEnd);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

typedef ze_result_t (*launch_with_parameters)(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *counts, const void *chain,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits);

static void test_launches(void **state)
{
    (void)state;
    launch_with_parameters launch = NULL;
    find_extension("zeCommandListAppendLaunchKernelWithParameters", &launch);
    ze_newer_command_list_append_launch_kernel_param_cooperative_desc_t cooperative = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC};
    const ze_base_desc_t unknown = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC};
    ze_module_handle_t module;
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    int *values = alloc_shared(64 * sizeof *values);
    const int step = 1;
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof values, &values));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof step, &step));
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    assert_ok(launch(list, kernel, &(const ze_group_count_t){64, 1, 1}, NULL, NULL, 0, NULL));
    assert_int_equal(values[63], 1);
    assert_ok(
        launch(list, kernel, &(const ze_group_count_t){64, 1, 1}, &cooperative, NULL, 0, NULL));
    assert_int_equal(values[63], 2);
    cooperative.isCooperative = true;
    assert_ok(
        launch(list, kernel, &(const ze_group_count_t){64, 1, 1}, &cooperative, NULL, 0, NULL));
    assert_int_equal(values[63], 3);
    assert_result(launch(list, kernel, &(const ze_group_count_t){1u << 20, 1, 1}, &cooperative,
                      NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT); // more groups than can run at the same time
    assert_result(launch(list, kernel, &(const ze_group_count_t){1, 1, 1}, &unknown, NULL, 0, NULL),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    free_memory(values);
}

typedef ze_result_t (*query_allocations)(ze_kernel_handle_t kernel, uint32_t *count,
    ze_newer_kernel_allocation_exp_properties_t *properties);

static void test_allocations_of_kernels(void **state)
{
    (void)state;
    query_allocations ask = NULL;
    find_extension("zeKernelGetAllocationPropertiesExp", &ask);
    ze_newer_kernel_allocation_exp_properties_t properties = {.argIndex = 77};
    ze_module_handle_t module;
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    char *memory = alloc_device(1000), *inside = memory + 100;
    uint32_t count = 0;
    assert_ok(ask(kernel, &count, NULL));
    assert_int_equal(count, 0);
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof inside, &inside));
    assert_ok(ask(kernel, &count, NULL));
    assert_int_equal(count, 1);
    count = 4;
    assert_ok(ask(kernel, &count, &properties));
    assert_int_equal(count, 1);
    assert_int_equal(properties.base, (uintptr_t)memory);
    assert_int_equal(properties.size, 1000);
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_DEVICE);
    assert_int_equal(properties.argIndex, 0);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    free_memory(memory);
}

typedef ze_result_t (*query_physical)(ze_context_handle_t context, ze_physical_mem_handle_t memory,
    ze_newer_physical_mem_properties_t *properties);

static ze_result_t create_physical(const void *chain, size_t size, ze_physical_mem_handle_t *memory)
{
    ze_physical_mem_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .pNext = chain, .size = size};
    return zePhysicalMemCreate(fx.context, fx.device, &desc, memory);
}

static void map(ze_physical_mem_handle_t memory, size_t size, char **at)
{
    assert_ok(zeVirtualMemReserve(fx.context, NULL, size, (void **)at));
    assert_ok(
        zeVirtualMemMap(fx.context, *at, size, memory, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
}

static void unmap(char *at, size_t size)
{
    assert_ok(zeVirtualMemUnmap(fx.context, at, size));
    assert_ok(zeVirtualMemFree(fx.context, at, size));
}

static void test_physical_memory(void **state)
{
    (void)state;
    const size_t size = 2 << 16;
    query_physical ask = NULL;
    find_extension("zePhysicalMemGetProperties", &ask);
    ze_external_memory_export_fd_t export = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, .fd = -1};
    ze_newer_physical_mem_properties_t first = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES, .pNext = &export};
    ze_newer_physical_mem_properties_t second = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES};
    ze_physical_mem_handle_t memory = NULL, imported = NULL;
    char *one, *other;
    assert_ok(create_physical(NULL, size, &memory));
    assert_ok(ask(fx.context, memory, &first));
    assert_int_equal(first.size, size);
    const ze_external_memory_import_fd_t import = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, .fd = export.fd};
    assert_ok(create_physical(&import, size, &imported));
    assert_result(create_physical(&import, 2 * size, &imported), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    close(export.fd);
    assert_ok(ask(fx.context, imported, &second));
    assert_int_not_equal(first.id, second.id);
    map(memory, size, &one);
    map(imported, size, &other);
    one[size - 1] = 9;
    assert_int_equal(other[size - 1], 9);
    unmap(one, size);
    unmap(other, size);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
    assert_ok(zePhysicalMemDestroy(fx.context, imported));
}

static void test_descriptors(void **state)
{
    (void)state;
    ze_result_t (*get_descriptor)(
        ze_context_handle_t context, ze_ipc_mem_handle_t handle, uint64_t * descriptor) = NULL;
    ze_result_t (*get_handle)(
        ze_context_handle_t context, uint64_t descriptor, ze_ipc_mem_handle_t * handle) = NULL;
    ze_result_t (*with_properties)(ze_context_handle_t context, const void *pointer, void *chain,
        ze_ipc_mem_handle_t *handle) = NULL;
    find_extension("zeMemGetFileDescriptorFromIpcHandleExp", &get_descriptor);
    find_extension("zeMemGetIpcHandleFromFileDescriptorExp", &get_handle);
    find_extension("zeMemGetIpcHandleWithProperties", &with_properties);
    char *memory = alloc_device(5000), *opened = NULL;
    ze_ipc_mem_handle_t handle, another;
    uint64_t descriptor = 0;
    assert_ok(with_properties(fx.context, memory, NULL, &handle));
    assert_ok(get_descriptor(fx.context, handle, &descriptor));
    const int received = dup((int)descriptor); // as from a socket
    assert_ok(get_handle(fx.context, (uint64_t)received, &another));
    assert_ok(zeMemOpenIpcHandle(fx.context, fx.device, another, 0, (void **)&opened));
    memory[4999] = 6;
    assert_int_equal(opened[4999], 6);
    assert_ok(zeMemCloseIpcHandle(fx.context, opened));
    close(received);
    assert_result(
        get_handle(fx.context, (uint64_t)received, &another), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(get_handle(fx.context, UINT64_MAX, &another), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    free_memory(memory);
}

// Without zeInit, which the fixture has called all the same.
static void test_sysman(void **state)
{
    (void)state;
    struct uuid {
        uint8_t id[ZE_MAX_DEVICE_UUID_SIZE];
    } uuid, nobodys = {{77}};
    ze_result_t (*init)(uint32_t flags) = NULL;
    ze_result_t (*get_drivers)(uint32_t * count, ze_driver_handle_t * drivers) = NULL;
    ze_result_t (*get_devices)(
        ze_driver_handle_t driver, uint32_t * count, ze_device_handle_t * devices) = NULL;
    ze_result_t (*find_device)(ze_driver_handle_t driver, struct uuid uuid,
        ze_device_handle_t * device, ze_bool_t * is_part, uint32_t * part) = NULL;
    ze_result_t (*get_parts)(ze_device_handle_t device, uint32_t * count,
        zes_newer_subdevice_exp_properties_t * parts) = NULL;
    find_extension("zesInit", &init);
    find_extension("zesDriverGet", &get_drivers);
    find_extension("zesDeviceGet", &get_devices);
    find_extension("zesDriverGetDeviceByUuidExp", &find_device);
    find_extension("zesDeviceGetSubDevicePropertiesExp", &get_parts);
    ze_driver_handle_t driver = NULL;
    ze_device_handle_t device = NULL, found = NULL;
    ze_bool_t is_part = true;
    uint32_t count = 1, part = 7;
    assert_result(get_drivers(&count, &driver), ZE_RESULT_ERROR_UNINITIALIZED);
    assert_result(init(5), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_ok(init(0));
    assert_ok(get_drivers(&count, &driver));
    assert_ok(get_devices(driver, &count, &device));
    assert_ptr_equal(device, fx.device);
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGetProperties(device, &properties));
    memcpy(&uuid, &properties.uuid, sizeof uuid);
    assert_ok(find_device(driver, uuid, &found, &is_part, &part));
    assert_ptr_equal(found, device);
    assert_false(is_part);
    assert_int_equal(part, 0);
    assert_result(
        find_device(driver, nobodys, &found, &is_part, &part), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    count = 3;
    assert_ok(get_parts(device, &count, NULL));
    assert_int_equal(count, 0);
}

static void test_runtime(void **state)
{
    (void)state;
    uint32_t (*to_number)(ze_device_handle_t device) = NULL;
    ze_device_handle_t (*to_device)(uint32_t number) = NULL;
    ze_context_handle_t (*get_context)(void) = NULL;
    ze_context_handle_t (*get_default)(ze_driver_handle_t driver) = NULL;
    ze_result_t (*last_error)(const char **text) = NULL;
    find_extension("zerTranslateDeviceHandleToIdentifier", &to_number);
    find_extension("zerTranslateIdentifierToDeviceHandle", &to_device);
    find_extension("zerGetDefaultContext", &get_context);
    find_extension("zeDriverGetDefaultContext", &get_default);
    find_extension("zerGetLastErrorDescription", &last_error);
    const char *text = NULL;
    assert_int_equal(to_number(fx.device), 0);
    assert_ptr_equal(to_device(0), fx.device);
    assert_null(to_device(1));
    assert_int_equal(to_number(NULL), UINT32_MAX);
    assert_ptr_equal(get_context(), get_default(fx.driver));
    assert_non_null(get_context());
    assert_result(zeContextDestroy(get_context()), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(last_error(&text));
    assert_has(text, "zeContextDestroy returns 0x78000004");
}

typedef ze_result_t (*synchronize)(ze_device_handle_t device);

static synchronize find_synchronize(void)
{
    synchronize function = NULL;
    find_extension("zeDeviceSynchronize", &function);
    return function;
}

static void signal_go(void *event)
{
    assert_ok(zeEventHostSignal(event));
}

// Lists and queues that wait for the host; what follows is done when the device is waited for.
static void test_synchronization(void **state)
{
    (void)state;
    enum { LISTS = 17 };
    const synchronize synchronize_device = find_synchronize();
    ze_event_pool_handle_t pool = create_pool(LISTS + 1, 0);
    ze_event_handle_t go = create_event(pool, LISTS), done[LISTS];
    ze_command_list_handle_t lists[LISTS];
    assert_ok(synchronize_device(fx.device)); // nothing is to be done
    for (uint32_t i = 0; i < LISTS; i++) {
        done[i] = create_event(pool, i);
        lists[i] = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        assert_ok(zeCommandListAppendBarrier(lists[i], done[i], 1, &go));
        assert_result(zeEventQueryStatus(done[i]), ZE_RESULT_NOT_READY);
    }
    const unsigned long thread = start_later(20 * ONE_MILLISECOND, signal_go, go);
    assert_ok(synchronize_device(fx.device));
    for (uint32_t i = 0; i < LISTS; i++)
        assert_ok(zeEventQueryStatus(done[i]));
    join_later(thread);
    for (uint32_t i = 0; i < LISTS; i++) {
        assert_ok(zeCommandListDestroy(lists[i]));
        assert_ok(zeEventDestroy(done[i]));
    }
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
    assert_result(synchronize_device(NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

static atomic_bool stops;

static void submit_on_and_on(void *unused)
{
    (void)unused;
    while (!atomic_load(&stops)) {
        ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        for (int i = 0; i < 10; i++)
            assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        assert_ok(zeCommandListDestroy(list));
    }
}

// Who goes on submitting, and creates and destroys queues, doesn't keep those who wait.
static void test_synchronization_beside_others(void **state)
{
    (void)state;
    const synchronize synchronize_device = find_synchronize();
    atomic_store(&stops, false);
    const unsigned long thread = start_later(0, submit_on_and_on, NULL);
    for (int i = 0; i < 50; i++)
        assert_ok(synchronize_device(fx.device));
    atomic_store(&stops, true);
    join_later(thread);
}

static int set_up_newer(void **state)
{
    const int failed = set_up(state);
    find_newer_functions();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queues),
        cmocka_unit_test(test_regular_lists),
        cmocka_unit_test(test_immediate_lists),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_counter_based_events),
        cmocka_unit_test(test_timestamps),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_allocations_of_kernels),
        cmocka_unit_test(test_physical_memory),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_sysman),
        cmocka_unit_test(test_runtime),
        cmocka_unit_test(test_synchronization),
        cmocka_unit_test(test_synchronization_beside_others),
    };
    return cmocka_run_group_tests(tests, set_up_newer, tear_down);
}
