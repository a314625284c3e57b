// SPDX-License-Identifier: MIT
//
// Several devices together: memory, events and kernels of one for the other, and what they don't share. What needs a second device is
// skipped where there is none.
#include "devices.h"
#include "images.h"
#include "scripted.h"

// ---- together ----

// One device's commands: a kernel adds its index plus one to the number in its memory, which is then copied to the next device's.
struct link {
    ze_module_handle_t module;
    ze_kernel_handle_t kernel;
    ze_command_list_handle_t list;
    uint32_t *memory;
    ze_event_handle_t computed, copied;
};

static void create_link(struct link *link, uint32_t index, ze_event_pool_handle_t pool)
{
    const uint32_t amount = index + 1;
    link->memory = alloc_on(index, sizeof *link->memory);
    link->list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(scripted_build("kernel:increment", NULL, &link->module, NULL));
    link->kernel = scripted_kernel(link->module, "increment");
    assert_ok(zeKernelSetArgumentValue(link->kernel, 0, sizeof link->memory, &link->memory));
    assert_ok(zeKernelSetArgumentValue(link->kernel, 1, sizeof amount, &amount));
    link->computed = create_event(pool, 2 * index);
    link->copied = create_event(pool, 2 * index + 1);
}

static void destroy_link(struct link *link)
{
    assert_ok(zeCommandListDestroy(link->list));
    assert_ok(zeKernelDestroy(link->kernel));
    assert_ok(zeModuleDestroy(link->module));
    assert_ok(zeEventDestroy(link->computed));
    assert_ok(zeEventDestroy(link->copied));
    free_memory(link->memory);
}

static void append_link(struct link *link, struct link *next, ze_event_handle_t *before)
{
    const ze_group_count_t one = {1, 1, 1};
    assert_ok(zeCommandListAppendLaunchKernel(
        link->list, link->kernel, &one, link->computed, before ? 1 : 0, before));
    assert_ok(zeCommandListAppendMemoryCopy(link->list, next->memory, link->memory,
        sizeof *link->memory, link->copied, 1, &link->computed));
}

static ze_event_pool_handle_t create_pool_of_all(uint32_t count)
{
    const ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = count};
    ze_event_pool_handle_t pool = NULL;
    assert_ok(zeEventPoolCreate(fx.context, &desc, all.count, all.devices, &pool));
    return pool;
}

static void read_number(uint32_t *number, const uint32_t *memory)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendMemoryCopy(list, number, memory, sizeof *number, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

// The number goes once around. The last are appended first, so that each device waits for the one before.
static void test_chain(void **state)
{
    (void)state;
    static struct link links[MAX_DEVICES];
    ze_event_pool_handle_t pool = create_pool_of_all(2 * all.count + 1);
    ze_event_handle_t go = create_event(pool, 2 * all.count);
    uint32_t number = 0;
    for (uint32_t i = 0; i < all.count; i++)
        create_link(&links[i], i, pool);
    ze_command_list_handle_t first = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendMemoryCopy(
        first, links[0].memory, &number, sizeof number, NULL, 0, NULL));
    for (uint32_t i = all.count; i-- > 0;)
        append_link(&links[i], &links[after(i)], i ? &links[i - 1].copied : &go);
    assert_ok(zeEventHostSignal(go));
    assert_ok(zeEventHostSynchronize(links[all.count - 1].copied, UINT64_MAX));
    read_number(&number, links[0].memory);
    assert_int_equal(number, all.count * (all.count + 1) / 2);
    assert_ok(zeCommandListDestroy(first));
    for (uint32_t i = 0; i < all.count; i++)
        destroy_link(&links[i]);
    assert_ok(zeEventDestroy(go));
    assert_ok(zeEventPoolDestroy(pool));
}

// A kernel of each device works in the memory of the next.
static void test_kernels_reach_the_next(void **state)
{
    (void)state;
    const ze_group_count_t groups = {17, 1, 1};
    const uint32_t amount = 3;
    for (uint32_t i = 0; i < all.count; i++) {
        ze_module_handle_t module = NULL;
        fx.device = all.devices[after(i)];
        uint32_t *numbers = alloc_shared(17 * sizeof *numbers);
        fx.device = all.devices[i];
        ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
        assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
        ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
        assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
        assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof amount, &amount));
        assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        for (uint32_t k = 0; k < 17; k++)
            assert_int_equal(numbers[k], amount);
        assert_ok(zeCommandListDestroy(list));
        assert_ok(zeKernelDestroy(kernel));
        assert_ok(zeModuleDestroy(module));
        free_memory(numbers);
    }
}

// A fence of one queue, whose list waits for an event of another device.
static void test_fences(void **state)
{
    (void)state;
    ze_device_handle_t second = second_device();
    const ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence = NULL;
    ze_event_pool_handle_t pool = create_pool_of_all(1);
    ze_event_handle_t event = create_event(pool, 0);
    fx.device = all.devices[0];
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t waiting = create_list();
    assert_ok(zeCommandListAppendBarrier(waiting, NULL, 1, &event));
    assert_ok(zeCommandListClose(waiting));
    assert_ok(zeFenceCreate(queue, &desc, &fence));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &waiting, fence));
    assert_result(zeFenceHostSynchronize(fence, 20 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    fx.device = second;
    ze_command_list_handle_t signalling = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendSignalEvent(signalling, event));
    assert_ok(zeFenceHostSynchronize(fence, UINT64_MAX));
    assert_ok(zeFenceDestroy(fence));
    assert_ok(zeCommandListDestroy(signalling));
    assert_ok(zeCommandListDestroy(waiting));
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

// ---- what they don't share ----

static void test_foreign_kernels_and_lists(void **state)
{
    (void)state;
    const ze_group_count_t one = {1, 1, 1};
    const uint32_t amount = 1;
    ze_module_handle_t module = NULL;
    fx.device = second_device();
    uint32_t *numbers = alloc_host(sizeof *numbers);
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    ze_command_list_handle_t list = create_list();
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof amount, &amount));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    fx.device = all.devices[0];
    ze_command_list_handle_t on_first = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_result(zeCommandListAppendLaunchKernel(on_first, kernel, &one, NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(
        zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeCommandListDestroy(on_first));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    free_memory(numbers);
}

static void expect_allocations(
    ze_context_handle_t context, ze_device_handle_t device, ze_result_t expected)
{
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL, *shared = NULL;
    assert_result(zeMemAllocDevice(context, &desc, 64, 0, device, &memory), expected);
    assert_result(zeMemAllocShared(context, &desc, &host, 64, 0, device, &shared), expected);
    if (expected)
        return;
    assert_ok(zeMemFree(context, memory));
    assert_ok(zeMemFree(context, shared));
}

// The context is for one of the two.
static void expect_no_images(
    ze_context_handle_t context, ze_device_handle_t device, ze_device_handle_t other)
{
    const ze_image_desc_t desc = numbers_desc(4, 4);
    const ze_sampler_desc_t sampler_desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
    ze_image_handle_t image = NULL, none = NULL;
    ze_sampler_handle_t sampler = NULL;
    assert_result(zeImageCreate(context, other, &desc, &none), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_result(
        zeSamplerCreate(context, other, &sampler_desc, &sampler), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeImageCreate(context, device, &desc, &image));
    assert_result(
        zeImageViewCreateExp(context, other, &desc, image, &none), ZE_RESULT_ERROR_DEVICE_LOST);
    assert_ok(zeImageDestroy(image));
}

static void test_contexts_of_some(void **state)
{
    (void)state;
    ze_device_handle_t second = second_device();
    const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    ze_device_handle_t none = NULL;
    assert_result(zeContextCreateEx(fx.driver, &desc, 1, &none, &context),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(zeContextCreateEx(fx.driver, &desc, 1, &second, &context));
    expect_allocations(context, second, ZE_RESULT_SUCCESS);
    expect_allocations(context, all.devices[0], ZE_RESULT_ERROR_DEVICE_LOST);
    expect_no_images(context, second, all.devices[0]);
    assert_ok(zeContextDestroy(context));
    assert_ok(zeContextCreateEx(fx.driver, &desc, all.count, all.devices, &context));
    expect_allocations(context, all.devices[0], ZE_RESULT_SUCCESS);
    expect_allocations(context, all.devices[all.count - 1], ZE_RESULT_SUCCESS);
    assert_ok(zeContextDestroy(context));
}

// A kernel that fails takes its queue with it, and neither its device nor another.
static void test_failures_stay_where_they_are(void **state)
{
    (void)state;
    const ze_group_count_t groups = {3, 1, 1};
    for (uint32_t i = 0; i < all.count; i++) {
        ze_module_handle_t module = NULL;
        fx.device = all.devices[i];
        ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
        assert_ok(scripted_build("kernel:stray", NULL, &module, NULL));
        ze_kernel_handle_t kernel = scripted_kernel(module, "stray");
        assert_result(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL),
            ZE_RESULT_ERROR_DEVICE_LOST);
        assert_ok(zeCommandListDestroy(list));
        assert_ok(zeKernelDestroy(kernel));
        assert_ok(zeModuleDestroy(module));
    }
    for (uint32_t i = 0; i < all.count; i++)
        assert_ok(zeDeviceGetStatus(all.devices[i]));
    test_kernels_reach_the_next(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_kernels_reach_the_next),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_foreign_kernels_and_lists),
        cmocka_unit_test(test_contexts_of_some),
        cmocka_unit_test(test_failures_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down);
}
