// SPDX-License-Identifier: MIT
//
// Devices whose memory is used up: ZE_CPU_MEMORY=64M, two devices of two parts.
#include "devices.h"
#include "images.h"

#include <pthread.h>

#define MIB ((size_t)1 << 20)
#define TOTAL (64 * MIB)
#define FULL ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY

static ze_result_t allocate(ze_device_handle_t device, size_t size, void **memory)
{
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    *memory = NULL;
    return zeMemAllocDevice(fx.context, &desc, size, 0, device, memory);
}

// Exactly so much is left.
static void expect_left(ze_device_handle_t device, size_t left)
{
    void *memory;
    assert_result(allocate(device, left + 1, &memory),
        left == TOTAL ? ZE_RESULT_ERROR_UNSUPPORTED_SIZE : FULL);
    if (left == 0)
        return;
    assert_ok(allocate(device, left, &memory));
    free_memory(memory);
}

static void test_reported(void **state)
{
    (void)state;
    uint32_t one = 1;
    ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    assert_ok(zeDeviceGetMemoryProperties(fx.device, &one, &memory));
    assert_int_equal(memory.totalSize, TOTAL);
    assert_int_equal(all.properties[0].maxMemAllocSize, TOTAL);
}

static void test_allocations(void **state)
{
    (void)state;
    void *first, *second;
    expect_left(fx.device, TOTAL);
    assert_ok(allocate(fx.device, 40 * MIB, &first));
    expect_left(fx.device, 24 * MIB);
    assert_ok(allocate(fx.device, 24 * MIB, &second));
    expect_left(fx.device, 0);
    void *shared = alloc_shared(40 * MIB), *host = alloc_host(40 * MIB); // lie elsewhere
    expect_left(second_device(), TOTAL);
    free_memory(first);
    expect_left(fx.device, 40 * MIB);
    free_memory(second);
    free_memory(shared);
    free_memory(host);
    expect_left(fx.device, TOTAL);
}

static void test_parts(void **state)
{
    (void)state;
    ze_device_handle_t parts[2];
    uint32_t count = 2;
    void *first, *second;
    assert_ok(zeDeviceGetSubDevices(fx.device, &count, parts));
    assert_int_equal(count, 2);
    assert_ok(allocate(parts[0], 30 * MIB, &first));
    assert_result(allocate(parts[0], 3 * MIB, &second), FULL);
    expect_left(fx.device, 34 * MIB);
    assert_ok(allocate(fx.device, 33 * MIB, &second));
    void *third;
    assert_result(allocate(parts[1], 2 * MIB, &third), FULL); // of the whole
    free_memory(second);
    assert_ok(allocate(parts[1], 32 * MIB, &third));
    free_memory(first);
    free_memory(third);
    expect_left(fx.device, TOTAL);
}

static void test_images(void **state)
{
    (void)state;
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4096, 2048, 1); // 32 MiB
    ze_image_handle_t first = create_image(&desc), second = create_image(&desc), third = NULL;
    assert_result(zeImageCreate(fx.context, fx.device, &desc, &third), FULL);
    expect_left(fx.device, 0);
    assert_ok(zeImageDestroy(first));
    expect_left(fx.device, 32 * MIB);
    assert_ok(zeImageDestroy(second));
    expect_left(fx.device, TOTAL);
}

static void test_physical_memory(void **state)
{
    (void)state;
    ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = 48 * MIB};
    ze_physical_mem_handle_t memory = NULL, another = NULL;
    assert_ok(zePhysicalMemCreate(fx.context, fx.device, &desc, &memory));
    assert_result(zePhysicalMemCreate(fx.context, fx.device, &desc, &another), FULL);
    expect_left(fx.device, 16 * MIB);
    assert_ok(zePhysicalMemDestroy(fx.context, memory));
    expect_left(fx.device, TOTAL);
}

static void *allocate_and_free(void *unused)
{
    for (int i = 0; i < 50; i++) {
        void *memory;
        if (allocate(fx.device, 20 * MIB, &memory) == ZE_RESULT_SUCCESS)
            zeMemFree(fx.context, memory);
    }
    return unused;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_free, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    expect_left(fx.device, TOTAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reported),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_physical_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down);
}
