// SPDX-License-Identifier: MIT
//
// The newer mode (ZE_CPU_NEWER=1).
#include "extensions.h"
#include "harness.h"
#include "scripted.h"
#include "scripted_engine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static ze_module_handle_t module;

static int set_up_module(void **state)
{
    set_up(state);
    find_newer_functions();
    assert_ok(scripted_build(
        "kernel:increment kernel:describe kernel:wait_for_host", NULL, &module, NULL));
    return 0;
}

static int tear_down_module(void **state)
{
    assert_ok(zeModuleDestroy(module));
    return tear_down(state);
}

static bool is_listed(const char *name)
{
    ze_driver_extension_properties_t extensions[32];
    uint32_t count = 32;
    bool found = false;
    assert_ok(zeDriverGetExtensionProperties(fx.driver, &count, extensions));
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(extensions[i].name, name);
    return found;
}

static void test_version_and_extensions(void **state)
{
    (void)state;
    ze_api_version_t version;
    assert_ok(zeDriverGetApiVersion(fx.driver, &version));
    assert_int_equal(version, ZE_MAKE_VERSION(1, 14));
    assert_true(is_listed("ZE_experimental_event_pool_counter_based"));
    assert_true(is_listed("ZE_experimental_immediate_command_list_append"));
    assert_true(is_listed(ZE_MODULE_PROGRAM_EXP_NAME));
}

static void test_kinds_of_lists(void **state)
{
    (void)state;
    ze_bool_t immediate = 7;
    ze_command_list_handle_t regular = create_list();
    ze_command_list_handle_t in_order = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(ext.is_immediate(regular, &immediate));
    assert_false(immediate);
    assert_ok(ext.is_immediate(in_order, &immediate));
    assert_true(immediate);
    assert_result(ext.host_synchronize(regular, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ext.host_synchronize(in_order, 0));
    assert_ok(zeCommandListDestroy(regular));
    assert_ok(zeCommandListDestroy(in_order));
}

// It is there without being created, and stays.
static void test_default_context(void **state)
{
    (void)state;
    ze_context_handle_t (*get_default_context)(ze_driver_handle_t driver) = NULL;
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    find_extension("zeDriverGetDefaultContext", &get_default_context);
    ze_context_handle_t context = get_default_context(fx.driver);
    assert_non_null(context);
    assert_result(zeContextDestroy(context), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeContextGetStatus(context));
    assert_ok(zeMemAllocHost(context, &desc, 64, 0, &memory));
    assert_ok(zeMemGetAddressRange(fx.context, memory, NULL, NULL));
    assert_ok(zeMemFree(context, memory));
}

static void test_host_synchronize(void **state)
{
    (void)state;
    int *numbers = alloc_shared(2 * sizeof *numbers);
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t go = create_event(pool, 0);
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    numbers[0] = 3;
    assert_ok(zeCommandListAppendMemoryCopy(list, numbers + 1, numbers, sizeof(int), NULL, 1, &go));
    assert_result(ext.host_synchronize(list, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(go));
    assert_ok(ext.host_synchronize(list, UINT64_MAX));
    assert_int_equal(numbers[1], 3);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
}

static void test_launch_with_arguments(void **state)
{
    (void)state;
    const ze_group_count_t counts = {4, 1, 1};
    const ze_newer_group_size_t size = {16, 1, 1};
    uint32_t *numbers = alloc_shared(64 * sizeof *numbers), amount = 5;
    void *arguments[] = {&numbers, &amount};
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(
        ext.launch_with_arguments(list, kernel, counts, size, arguments, NULL, NULL, 0, NULL));
    for (int i = 0; i < 64; i++)
        assert_int_equal(numbers[i], 5);
    assert_result(ext.launch_with_arguments(list, kernel, counts, size, NULL, NULL, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(numbers);
}

// As if group size and arguments had been set one by one.
static void test_launch_with_arguments_leaves_them_set(void **state)
{
    (void)state;
    const ze_group_count_t counts = {4, 1, 1};
    const ze_newer_group_size_t size = {16, 1, 1};
    uint32_t *numbers = alloc_shared(64 * sizeof *numbers), amount = 5;
    void *arguments[] = {&numbers, &amount};
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(
        ext.launch_with_arguments(list, kernel, counts, size, arguments, NULL, NULL, 0, NULL));
    amount = 100; // was read
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &counts, NULL, 0, NULL));
    for (int i = 0; i < 64; i++)
        assert_int_equal(numbers[i], 10);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(numbers);
}

// The value of a local argument is its size.
static void test_launch_with_local_argument(void **state)
{
    (void)state;
    const ze_group_count_t counts = {1, 1, 1};
    const ze_newer_group_size_t size = {1, 1, 1};
    struct scripted_description *description = alloc_shared(sizeof *description);
    size_t local_size = 64;
    void *arguments[] = {&description, &local_size};
    ze_kernel_handle_t kernel = scripted_kernel(module, "describe");
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(
        ext.launch_with_arguments(list, kernel, counts, size, arguments, NULL, NULL, 0, NULL));
    assert_int_equal(description->local_memory_size, 128 + 64);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(description);
}

struct call {
    const int *number;
    int seen;
    pthread_t thread;
};

static void look_at_number(void *argument)
{
    struct call *call = argument;
    call->seen = *call->number;
    call->thread = pthread_self();
}

static void test_host_function(void **state)
{
    (void)state;
    int *numbers = alloc_shared(2 * sizeof *numbers);
    struct call call = {.number = numbers + 1};
    ze_event_handle_t done = create_counter_event(0);
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    numbers[0] = 11;
    assert_ok(
        zeCommandListAppendMemoryCopy(list, numbers + 1, numbers, sizeof(int), NULL, 0, NULL));
    assert_ok(ext.host_function(list, look_at_number, &call, NULL, done, 0, NULL));
    assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
    assert_int_equal(call.seen, 11);
    assert_false(pthread_equal(call.thread, pthread_self()));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(done));
    free_memory(numbers);
}

static void test_counter_event_starts_signalled(void **state)
{
    (void)state;
    ze_event_handle_t event = create_counter_event(0);
    assert_ok(zeEventQueryStatus(event));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeEventDestroy(event));
}

// By the name that Intel's drivers gave it before the specification did.
static void test_counter_event_by_its_older_name(void **state)
{
    (void)state;
    const ze_newer_event_counter_based_desc_t desc = {.stype = (ze_structure_type_t)0x0003001c,
        .flags = ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                 ZE_NEWER_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE,
        .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_result_t (*create)(ze_context_handle_t, ze_device_handle_t,
        const ze_newer_event_counter_based_desc_t *, ze_event_handle_t *);
    ze_event_handle_t event = NULL;
    find_extension("zexCounterBasedEventCreate2", &create);
    assert_ok(create(fx.context, fx.device, &desc, &event));
    assert_ok(zeEventQueryStatus(event));
    assert_result(zeEventHostReset(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeEventDestroy(event));
}

static void test_counter_event_refusals(void **state)
{
    (void)state;
    ze_event_handle_t event = create_counter_event(0);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t in_order = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_result(zeEventHostSignal(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeEventHostReset(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeCommandListAppendEventReset(in_order, event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeCommandListAppendSignalEvent(list, event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandListAppendSignalEvent(in_order, event));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandListDestroy(in_order));
    assert_ok(zeEventDestroy(event));
}

// A wait belongs to the use of the event that was the latest when it was appended; a later use does
// not take it along.
static void test_counter_event_is_reused_in_flight(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t first_go = create_event(pool, 0), second_go = create_event(pool, 1);
    ze_event_handle_t event = create_counter_event(0), waited = create_counter_event(0);
    ze_command_list_handle_t first = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t second = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t waiter = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(first, event, 1, &first_go));
    assert_ok(zeCommandListAppendBarrier(waiter, waited, 1, &event));
    assert_ok(zeCommandListAppendBarrier(second, event, 1, &second_go));
    assert_result(zeEventHostSynchronize(waited, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(first_go));
    assert_ok(zeEventHostSynchronize(waited, UINT64_MAX));
    assert_result(zeEventHostSynchronize(event, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_ok(zeEventDestroy(waited));
    assert_ok(zeEventHostSignal(second_go));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeCommandListDestroy(first));
    assert_ok(zeCommandListDestroy(second));
    assert_ok(zeCommandListDestroy(waiter));
    assert_ok(zeEventDestroy(first_go));
    assert_ok(zeEventDestroy(second_go));
    assert_ok(zeEventPoolDestroy(pool));
}

// Destroying such an event does not wait for its command.
static void test_counter_event_goes_in_flight(void **state)
{
    (void)state;
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t go = create_event(pool, 0), event = create_counter_event(0);
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendBarrier(list, event, 1, &go));
    assert_ok(zeCommandListAppendBarrier(list, NULL, 1, &event));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventHostSignal(go));
    assert_ok(ext.host_synchronize(list, UINT64_MAX));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_counter_event_of_a_regular_list(void **state)
{
    (void)state;
    const ze_command_list_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = ZE_NEWER_COMMAND_LIST_FLAG_IN_ORDER};
    ze_event_pool_handle_t pool = create_pool(1, 0);
    ze_event_handle_t go = create_event(pool, 0);
    ze_event_handle_t event = create_counter_event(ZE_NEWER_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreate(fx.context, fx.device, &desc, &list));
    assert_ok(zeCommandListAppendBarrier(list, event, 1, &go));
    assert_ok(zeCommandListClose(list));
    for (int i = 0; i < 3; i++) {
        assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        assert_result(zeEventHostSynchronize(event, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
        assert_ok(zeEventHostSignal(go));
        assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
        assert_ok(zeCommandQueueSynchronize(queue, UINT64_MAX));
        assert_ok(zeEventHostReset(go));
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_counter_event_from_a_pool(void **state)
{
    (void)state;
    const ze_newer_event_pool_counter_based_exp_desc_t counter_based = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC};
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .pNext = &counter_based,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
        .count = 1};
    ze_kernel_timestamp_result_t result = {0};
    ze_event_pool_handle_t pool = NULL;
    assert_ok(zeEventPoolCreate(fx.context, &desc, 0, NULL, &pool));
    ze_event_handle_t event = create_event(pool, 0);
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeEventQueryStatus(event));
    assert_ok(zeCommandListAppendBarrier(list, event, 0, NULL));
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeEventQueryKernelTimestamp(event, &result));
    assert_true(result.global.kernelStart && result.global.kernelStart <= result.global.kernelEnd);
    assert_result(zeEventHostReset(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

static void test_description_of_the_last_error(void **state)
{
    (void)state;
    const char *text = NULL;
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    assert_result(
        zeKernelSetGroupSize(kernel, 0, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    assert_ok(ext.last_error(fx.driver, &text));
    assert_non_null(strstr(text, "zeKernelSetGroupSize"));
    assert_non_null(strstr(text, "0x78000013"));
    assert_result(zeEventDestroy(NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(ext.last_error(fx.driver, &text));
    assert_non_null(strstr(text, "zeEventDestroy"));
    assert_ok(zeKernelDestroy(kernel));
}

// Appends a copy of one number; each closed list copies to the next.
static ze_command_list_handle_t list_of_copy(int *to, const int *from)
{
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendMemoryCopy(list, to, from, sizeof *to, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    return list;
}

// They stand in the order of an in-order list, wait for the event, and signal when all is done; again and again.
static void test_lists_in_an_immediate_list(void **state)
{
    (void)state;
    int *numbers = alloc_shared(4 * sizeof *numbers);
    ze_event_pool_handle_t pool = create_pool(2, 0);
    ze_event_handle_t go = create_event(pool, 0), done = create_event(pool, 1);
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t step = list_of_copy(numbers + 2, numbers + 1);
    for (int i = 1; i <= 3; i++) {
        numbers[0] = i;
        numbers[3] = 0;
        assert_ok(
            zeCommandListAppendMemoryCopy(list, numbers + 1, numbers, sizeof(int), NULL, 0, NULL));
        assert_ok(ext.append_lists(list, 1, &step, done, 1, &go));
        assert_ok(zeCommandListAppendMemoryCopy(
            list, numbers + 3, numbers + 2, sizeof(int), NULL, 0, NULL));
        assert_result(zeEventHostSynchronize(done, ONE_MILLISECOND), ZE_RESULT_NOT_READY);
        assert_int_equal(numbers[3], 0);
        assert_ok(zeEventHostSignal(go));
        assert_ok(zeEventHostSynchronize(done, UINT64_MAX));
        assert_int_equal(numbers[2], i);
        assert_ok(ext.host_synchronize(list, UINT64_MAX));
        assert_int_equal(numbers[3], i);
        assert_ok(zeEventHostReset(go));
        assert_ok(zeEventHostReset(done));
    }
    assert_ok(zeCommandListDestroy(step));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventDestroy(done));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(numbers);
}

static void test_lists_that_are_refused(void **state)
{
    (void)state;
    ze_command_list_handle_t list = create_in_order(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t open = create_list();
    assert_result(
        ext.append_lists(list, 1, &open, NULL, 0, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandListClose(open));
    assert_ok(ext.append_lists(list, 1, &open, NULL, 0, NULL));
    assert_result(
        ext.append_lists(list, 1, &list, NULL, 0, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(ext.append_lists(list, 0, &open, NULL, 0, NULL), ZE_RESULT_ERROR_INVALID_SIZE);
    assert_result(
        ext.append_lists(list, 1, NULL, NULL, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(
        ext.append_lists(NULL, 1, &open, NULL, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(ext.host_synchronize(list, UINT64_MAX));
    assert_ok(zeCommandListDestroy(open));
    open = create_list();
    assert_result(
        ext.append_lists(open, 1, &list, NULL, 0, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandListDestroy(open));
    assert_ok(zeCommandListDestroy(list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_and_extensions),
        cmocka_unit_test(test_kinds_of_lists),
        cmocka_unit_test(test_default_context),
        cmocka_unit_test(test_host_synchronize),
        cmocka_unit_test(test_launch_with_arguments),
        cmocka_unit_test(test_launch_with_arguments_leaves_them_set),
        cmocka_unit_test(test_launch_with_local_argument),
        cmocka_unit_test(test_host_function),
        cmocka_unit_test(test_lists_in_an_immediate_list),
        cmocka_unit_test(test_lists_that_are_refused),
        cmocka_unit_test(test_counter_event_starts_signalled),
        cmocka_unit_test(test_counter_event_by_its_older_name),
        cmocka_unit_test(test_counter_event_refusals),
        cmocka_unit_test(test_counter_event_is_reused_in_flight),
        cmocka_unit_test(test_counter_event_goes_in_flight),
        cmocka_unit_test(test_counter_event_of_a_regular_list),
        cmocka_unit_test(test_counter_event_from_a_pool),
        cmocka_unit_test(test_description_of_the_last_error),
    };
    return cmocka_run_group_tests(tests, set_up_module, tear_down_module);
}
