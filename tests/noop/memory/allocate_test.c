// SPDX-License-Identifier: MIT
//
// Allocating: kinds, alignments, pools, limits, and what is said when there is no memory.

#include "memory.h"

#include <stdlib.h>

enum { KIB = 1024, MIB = 1024 * 1024 };

static const mez_memory_params of_device = {.kind = MEZ_MEMORY_DEVICE};
static const mez_memory_params of_host = {.kind = MEZ_MEMORY_HOST};
static const mez_memory_params of_shared = {.kind = MEZ_MEMORY_SHARED};

static void check_alignments(mez_context *context, mez_memory_kind kind, size_t size)
{
    for (size_t alignment = 1; alignment <= 2 * MIB; alignment *= 2) {
        const mez_memory_params params = {.kind = kind, .alignment = alignment};
        char *first = get(context, &params, size);
        char *second = get(context, &params, size);
        assert_int_equal((uintptr_t)first % alignment, 0);
        assert_int_equal((uintptr_t)second % alignment, 0);
        assert_int_equal((uintptr_t)first % 64, 0);
        assert_int_equal((uintptr_t)second % 64, 0);
        assert_true(first + size <= second || second + size <= first);
        memset(first, 1, size);
        memset(second, 2, size);
        put(context, first);
        put(context, second);
    }
}

static void test_alignments(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 63, 64, 65, 4096, 5000, 32 * KIB, 32 * KIB + 1, 300000};
    struct noop_config config = noop_config_default();
    config.shared_memory |= ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT;
    mez_context *context = open_context(&config);
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            check_alignments(context, (mez_memory_kind)kind, sizes[i]);
    mez_context_destroy(&context);
}

static void test_many_small_ones_do_not_overlap(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static unsigned char *memory[MANY];
    mez_context *context = open_context(NULL);
    for (unsigned i = 0; i < MANY; i++) {
        memory[i] = get(context, &of_host, 1 + i % 200);
        memset(memory[i], (int)(i & 0xff), 1 + i % 200);
    }
    for (unsigned i = 0; i < MANY; i++) {
        for (unsigned j = 0; j < 1 + i % 200; j++)
            assert_int_equal(memory[i][j], i & 0xff);
        put(context, memory[i]);
    }
    mez_context_destroy(&context);
}

static void test_a_pool_asks_the_driver_once(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    put(context, get(context, &of_device, 100));
    const uint64_t calls = noop_calls_total();
    for (int i = 0; i < 1000; i++)
        put(context, get(context, &of_device, 100));
    assert_int_equal(noop_calls_total(), calls);
    assert_int_equal(driver_allocations(), 1);
    mez_context_destroy(&context);
}

// Slots of 32 KiB, 32 of them in a chunk of 1 MiB.
static void test_a_pool_keeps_one_empty_chunk(void **state)
{
    (void)state;
    enum { PER_CHUNK = 32, CHUNKS = 3 };
    void *memory[PER_CHUNK * CHUNKS];
    mez_context *context = open_context(NULL);
    for (int i = 0; i < PER_CHUNK * CHUNKS; i++)
        memory[i] = get(context, &of_device, 32 * KIB);
    mez_context_statistics statistics = statistics_of(context);
    assert_int_equal(statistics.device_memory.pool_chunks, CHUNKS);
    assert_int_equal(statistics.device_memory.driver_bytes, CHUNKS * MIB);
    assert_int_equal(statistics.device_memory.allocations, PER_CHUNK * CHUNKS);
    for (int i = 0; i < PER_CHUNK * CHUNKS; i++)
        put(context, memory[i]);
    statistics = statistics_of(context);
    assert_int_equal(statistics.device_memory.pool_chunks, 1);
    assert_int_equal(statistics.device_memory.driver_bytes, MIB);
    assert_int_equal(statistics.device_memory.allocations, 0);
    assert_int_equal(noop_calls("zeMemFree"), CHUNKS - 1);
    mez_context_destroy(&context);
}

static void test_limits_of_pools(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    void *smallest_dedicated = get(context, &of_device, 32 * KIB + 1);
    assert_int_equal(statistics_of(context).device_memory.pool_chunks, 0);
    assert_int_equal(statistics_of(context).device_memory.driver_bytes, 32 * KIB + 1);
    void *largest_pooled = get(context, &of_device, 32 * KIB);
    assert_int_equal(statistics_of(context).device_memory.pool_chunks, 1);
    void *dedicated =
        get(context, &(mez_memory_params){.kind = MEZ_MEMORY_DEVICE, .dedicated = true}, 32 * KIB);
    assert_int_equal(statistics_of(context).device_memory.pool_chunks, 1);
    assert_int_equal(driver_allocations(), 3);
    put(context, dedicated);
    put(context, largest_pooled);
    put(context, smallest_dedicated);
    assert_int_equal(noop_calls("zeMemFree"), 2);
    mez_context_destroy(&context);
}

static uint64_t shared_chunks(const struct noop_config *config)
{
    mez_context *context = open_context(config);
    void *memory = get(context, &of_shared, 100);
    const uint64_t chunks = statistics_of(context).shared_memory.pool_chunks;
    put(context, memory);
    mez_context_destroy(&context);
    return chunks;
}

// Elsewhere the driver moves whole allocations of its own between host and device, with everything that lies in them.
static void test_shared_memory_is_pooled_where_it_does_not_move(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    assert_int_equal(shared_chunks(&config), 0);
    config.shared_memory |= ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT;
    assert_int_equal(shared_chunks(&config), 1);
    config = noop_config_default();
    config.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
    assert_int_equal(shared_chunks(&config), 1);
}

static void test_each_device_has_its_pools(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.devices = 2;
    mez_context *context = open_context(&config);
    mez_device *second = mez_context_get_device(context, 1);
    void *here = get(context, &of_device, 64);
    void *there =
        get(context, &(mez_memory_params){.kind = MEZ_MEMORY_DEVICE, .device = second}, 64);
    assert_int_equal(driver_allocations(), 2);
    void *host = get(context, &of_host, 64);
    void *also_host =
        get(context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST, .device = second}, 64);
    assert_int_equal(driver_allocations(), 3); // host memory is one for all
    put(context, here);
    put(context, there);
    put(context, host);
    put(context, also_host);
    mez_context_destroy(&context);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL), *other;
    assert_ok(mez_context_create(NULL, &other));
    mez_error error;
    assert_null(mez_alloc(NULL, NULL, 64, &error));
    assert_condition(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_null(mez_alloc(context, NULL, 0, &error));
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, "0 bytes");
    assert_null(mez_alloc(context, &(mez_memory_params){.kind = (mez_memory_kind)3}, 1, &error));
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, "kind 3");
    assert_null(mez_alloc(context, &(mez_memory_params){.alignment = 48}, 1, &error));
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, "48 bytes is not a power of two");
    const mez_memory_params foreign = {.device = mez_context_get_device(other, 0)};
    assert_null(mez_alloc(context, &foreign, 1, &error));
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, "another context");
    assert_contains(story_of(error), "allocate_test.c:");
    mez_context_destroy(&other);
    mez_context_destroy(&context);
}

static void test_more_than_the_limit(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.max_allocation_size = 2 * MIB;
    config.memory_size = 8 * MIB;
    mez_context *context = open_context(&config);
    void *held = get(context, &of_device, MIB);
    void *small = get(context, &of_host, 1000);
    mez_error error;
    const mez_memory_params params = {.kind = MEZ_MEMORY_DEVICE, .debug_name = "weights"};
    const uint64_t calls = driver_allocations();
    assert_null(mez_alloc(context, &params, 2 * MIB + 1, &error));
    assert_int_equal(driver_allocations(), calls); // the driver was not asked
    assert_story(error, MEZ_ERRC_MEMORY_ALLOCATION, "device memory of 2097153 bytes (\"weights\")");
    assert_contains(story_of(error), "no-op device");
    assert_contains(story_of(error), "one allocation may have 2097152 bytes (2.0 MiB)");
    assert_contains(story_of(error), "its memory has 8388608 bytes (8.0 MiB)");
    assert_contains(story_of(error), "device memory: 1048576 bytes (1.0 MiB) in 1 allocations");
    assert_contains(story_of(error), "host memory: 1000 bytes in 1 allocations");
    assert_contains(story_of(error), "65536 bytes (64.0 KiB)");
    assert_contains(story_of(error), "large_buffers");
    put(context, held);
    put(context, small);
    mez_context_destroy(&context);
}

static void test_driver_has_no_memory(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    mez_error error;
    noop_fail_every("zeMemAllocHost", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    noop_fail_every("zeMemAllocDevice", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(mez_alloc_host(context, 100000, &error));
    assert_story(error, MEZ_ERRC_OUT_OF_HOST_MEMORY, "no host memory of 100000 bytes");
    assert_contains(story_of(error), "free are");
    assert_null(mez_alloc_device(context, 100, &error));
    assert_story(error, MEZ_ERRC_MEMORY_ALLOCATION, "no device memory of 100 bytes");
    assert_int_equal(mez_error_get_category(error), MEZ_CATEGORY_LEVEL_ZERO);
    assert_int_equal((uint32_t)error.value, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_contains(story_of(error), "what helps");
    assert_null(mez_alloc_device(context, 100, NULL)); // nobody wants to know
    mez_context_destroy(&context);
}

static void test_pools_give_way_before_an_allocation_fails(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    put(context, get(context, &of_device, 100)); // leaves an empty chunk
    mez_error error;
    noop_fail("zeMemAllocDevice", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    void *memory = mez_alloc_device(context, MIB, &error);
    assert_ok(error);
    assert_int_equal(noop_calls("zeMemFree"), 1);
    assert_int_equal(statistics_of(context).device_memory.pool_chunks, 0);
    noop_fail("zeMemAllocDevice", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(mez_alloc_device(context, MIB, &error)); // nothing is left to give
    assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
    put(context, memory);
    mez_context_destroy(&context);
}

static void test_a_lost_device_is_no_lack_of_memory(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    put(context, get(context, &of_device, 100));
    mez_error error;
    noop_fail("zeMemAllocDevice", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_null(mez_alloc_device(context, MIB, &error));
    assert_condition(error, MEZ_ERRC_DEVICE_LOST);
    assert_int_equal(noop_calls("zeMemAllocDevice"), 2); // not asked again
    mez_context_destroy(&context);
}

static struct noop_config small_limit(const char *const *extensions)
{
    struct noop_config config = noop_config_default();
    config.max_allocation_size = MIB;
    config.memory_size = 16 * MIB;
    config.extensions = extensions;
    return config;
}

static void test_large_buffers(void **state)
{
    (void)state;
    static const char *const relaxing[] = {"ZE_experimental_relaxed_allocation_limits", NULL};
    const struct noop_config config = small_limit(relaxing);
    mez_context *context = open_context_with(&config, &(mez_context_params){.large_buffers = true});
    put(context, get(context, &of_device, 16 * MIB));
    put(context, get(context, &of_host, 17 * MIB));
    put(context, get(context, &of_shared, 17 * MIB));
    mez_error error;
    assert_null(mez_alloc_device(context, 16 * MIB + 1, &error)); // more than the device has
    assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);

    char flags[256];
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_ok(mez_kernel_build(kernel, NULL));
    noop_build_flags(flags, sizeof flags);
    assert_contains(flags, "-ze-opt-greater-than-4GB-buffer-required");
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
}

static void test_large_buffers_on_a_driver_without(void **state)
{
    (void)state;
    const struct noop_config config = small_limit(NULL);
    mez_context *context = open_context_with(&config, &(mez_context_params){.large_buffers = true});
    mez_error error;
    assert_null(mez_alloc_device(context, 2 * MIB, &error));
    assert_story(error, MEZ_ERRC_MEMORY_ALLOCATION, "ZE_experimental_relaxed_allocation_limits");
    mez_context_destroy(&context);
}

static void test_without_large_buffers(void **state)
{
    (void)state;
    static const char *const relaxing[] = {"ZE_experimental_relaxed_allocation_limits", NULL};
    const struct noop_config config = small_limit(relaxing);
    mez_context *context = open_context(&config);
    mez_error error;
    assert_null(mez_alloc_device(context, 2 * MIB, &error));
    assert_story(error, MEZ_ERRC_MEMORY_ALLOCATION, "create the context with large_buffers");
    char flags[256];
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_ok(mez_kernel_build(kernel, NULL));
    noop_build_flags(flags, sizeof flags);
    assert_string_equal(flags, "");
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        MEMORY_TEST(test_alignments),
        MEMORY_TEST(test_many_small_ones_do_not_overlap),
        MEMORY_TEST(test_a_pool_asks_the_driver_once),
        MEMORY_TEST(test_a_pool_keeps_one_empty_chunk),
        MEMORY_TEST(test_limits_of_pools),
        MEMORY_TEST(test_shared_memory_is_pooled_where_it_does_not_move),
        MEMORY_TEST(test_each_device_has_its_pools),
        MEMORY_TEST(test_wrong_calls),
        MEMORY_TEST(test_more_than_the_limit),
        MEMORY_TEST(test_driver_has_no_memory),
        MEMORY_TEST(test_pools_give_way_before_an_allocation_fails),
        MEMORY_TEST(test_a_lost_device_is_no_lack_of_memory),
        MEMORY_TEST(test_large_buffers),
        MEMORY_TEST(test_large_buffers_on_a_driver_without),
        MEMORY_TEST(test_without_large_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
