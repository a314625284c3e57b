// SPDX-License-Identifier: MIT
//
// Memory of all kinds, copies between them, fills.

#include "harness.h"

enum { SIZE = 10000 };

static uint8_t byte_at(size_t i, unsigned salt)
{
    return (uint8_t)(i * 7 + salt + i / 251);
}

static void write_bytes(uint8_t *bytes, size_t size, unsigned salt)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = byte_at(i, salt);
}

static void check_bytes(const uint8_t *bytes, size_t size, unsigned salt)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != byte_at(i, salt))
            fail_msg("byte %zu is %u", i, bytes[i]);
}

static void kinds_and_alignments(void **state)
{
    (void)state;
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++) {
        for (size_t alignment = 1; alignment <= 4096; alignment *= 8) {
            const mez_memory_params params = {
                .kind = (mez_memory_kind)kind, .alignment = alignment};
            mez_error error;
            uint8_t *memory = mez_alloc(mez_test_context(), &params, 1000, &error);
            mez_test_ok(error);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            if (kind != MEZ_MEMORY_DEVICE) {
                write_bytes(memory, 1000, 1);
                check_bytes(memory, 1000, 1);
            }
            mez_test_free(memory);
        }
    }
}

static void allocations_do_not_overlap(void **state)
{
    (void)state;
    uint8_t *memory[40];
    for (unsigned i = 0; i < 40; i++) {
        memory[i] = mez_test_alloc(i % 2 ? MEZ_MEMORY_HOST : MEZ_MEMORY_SHARED, 100 + i);
        write_bytes(memory[i], 100 + i, i);
    }
    for (unsigned i = 0; i < 40; i++) {
        check_bytes(memory[i], 100 + i, i);
        mez_test_free(memory[i]);
    }
}

static void wrong_allocations_are_refused(void **state)
{
    (void)state;
    mez_error error;
    const mez_memory_params odd = {.kind = MEZ_MEMORY_HOST, .alignment = 3};
    assert_null(mez_alloc(mez_test_context(), &odd, 100, &error));
    mez_test_fails(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_null(mez_alloc_device(mez_test_context(), 0, &error));
    mez_test_fails(error, MEZ_ERRC_INVALID_PARAMETER);
    const uint64_t limit = mez_test_info()->max_alloc_size;
    if (limit < SIZE_MAX) {
        assert_null(mez_alloc_device(mez_test_context(), limit + 1, &error));
        mez_test_fails(error, MEZ_ERRC_MEMORY_ALLOCATION);
    }
    int on_stack;
    mez_test_fails(mez_free(mez_test_context(), &on_stack), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_ok(mez_free(mez_test_context(), NULL));
}

static void check_query(mez_memory_kind kind, size_t size)
{
    char *memory = mez_test_alloc(kind, size);
    mez_memory_info info;
    mez_test_ok(mez_memory_get_info(mez_test_context(), memory + size - 1, &info));
    assert_int_equal(info.origin, MEZ_POINTER_ALLOCATION);
    assert_int_equal(info.kind, kind);
    assert_ptr_equal(info.base, memory);
    assert_int_equal(info.size, size);
    assert_int_equal(info.offset, size - 1);
    mez_test_free(memory);
}

static void addresses_are_known(void **state)
{
    (void)state;
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++) {
        check_query((mez_memory_kind)kind, 100);
        check_query((mez_memory_kind)kind, 1000000);
    }
    mez_memory_info info = {0};
    mez_test_ok(mez_memory_get_info(mez_test_context(), &info, &info));
    assert_int_equal(info.origin, MEZ_POINTER_PLAIN);
}

static void statistics_follow_allocations(void **state)
{
    (void)state;
    mez_context_statistics before, during, after;
    mez_context_get_statistics(mez_test_context(), &before);
    void *small = mez_test_alloc(MEZ_MEMORY_DEVICE, 100);
    void *large = mez_test_alloc(MEZ_MEMORY_DEVICE, 100000);
    mez_context_get_statistics(mez_test_context(), &during);
    mez_test_free(small);
    mez_test_free(large);
    mez_context_get_statistics(mez_test_context(), &after);
    assert_int_equal(during.device_memory.allocations, before.device_memory.allocations + 2);
    assert_int_equal(during.device_memory.bytes, before.device_memory.bytes + 100100);
    assert_true(during.device_memory.driver_bytes >= during.device_memory.bytes);
    assert_int_equal(after.device_memory.allocations, before.device_memory.allocations);
    assert_int_equal(after.device_memory.bytes, before.device_memory.bytes);
    assert_int_equal(after.queues, 1);
}

static void refusals_report_the_limit(void **state)
{
    (void)state;
    const uint64_t limit = mez_test_info()->max_alloc_size;
    char story[4096], number[32];
    mez_error error;
    snprintf(number, sizeof number, "%llu bytes", (unsigned long long)limit);
    assert_null(mez_alloc_device(mez_test_context(), limit + 1, &error));
    mez_test_fails(error, MEZ_ERRC_MEMORY_ALLOCATION);
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, number));
    assert_non_null(strstr(story, "what helps"));
}

// One more page than the device allows at once: where there is room, a driver that lists the extension gives it.
static void check_large_allocation(mez_context *context)
{
    const size_t size = mez_test_info()->max_alloc_size + 4096;
    char story[4096];
    mez_error error;
    if (size > (size_t)8 << 30 || size > mez_test_info()->memory_size)
        return; // not in a test
    void *memory = mez_alloc_device(context, size, &error);
    if (memory) {
        mez_memory_info info;
        mez_test_ok(mez_memory_get_info(context, (char *)memory + size - 1, &info));
        assert_ptr_equal(info.base, memory);
        assert_int_equal(info.size, size);
        mez_test_ok(mez_free(context, memory));
        return;
    }
    mez_test_fails(error, MEZ_ERRC_MEMORY_ALLOCATION);
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, "what helps"));
}

static void check_kernel_for_large_buffers(mez_context *context)
{
    enum { COUNT = 100 };
    const float a = 2.0f;
    mez_kernel *kernel;
    mez_queue *queue;
    mez_error error;
    mez_test_ok(mez_queue_create(context, NULL, &queue));
    mez_test_ok(mez_kernel_load(context, mez_test_kernel_path("launch"), "saxpy", &kernel));
    float *x = mez_alloc_shared(context, COUNT * sizeof *x, &error);
    mez_test_ok(error);
    float *y = mez_alloc_shared(context, COUNT * sizeof *y, &error);
    mez_test_ok(error);
    for (int i = 0; i < COUNT; i++)
        x[i] = y[i] = (float)i;
    mez_test_ok(mez_submit(
        queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_true(y[i] == 3.0f * (float)i);
    mez_test_ok(mez_free(context, x));
    mez_test_ok(mez_free(context, y));
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
}

static void large_buffers(void **state)
{
    (void)state;
    mez_context *context;
    const mez_context_params params = {.large_buffers = true};
    mez_test_ok(mez_context_create(&params, &context));
    check_large_allocation(context);
    check_kernel_for_large_buffers(context);
    mez_context_destroy(&context);
}

// Each source is freed as soon as its copy is submitted, and the next one would overwrite it if it were given out again.
static void memory_is_freed_in_flight(void **state)
{
    mez_queue *queue = *state;
    enum { COPIES = 200 };
    static const size_t sizes[] = {64, 4096, 40000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i];
        uint8_t *all = mez_test_alloc(MEZ_MEMORY_HOST, COPIES * size);
        for (unsigned copy = 0; copy < COPIES; copy++) {
            uint8_t *from = mez_test_alloc(MEZ_MEMORY_HOST, size);
            write_bytes(from, size, copy);
            mez_test_ok(mez_copy(queue, all + copy * size, from, size, NULL));
            mez_test_free(from);
        }
        mez_test_ok(mez_queue_wait(queue));
        for (unsigned copy = 0; copy < COPIES && mez_test_has("results"); copy++)
            check_bytes(all + copy * size, size, copy);
        mez_context_statistics statistics;
        mez_context_get_statistics(mez_test_context(), &statistics);
        assert_int_equal(statistics.host_memory.deferred, 0);
        mez_test_free(all);
    }
}

enum { PLAIN = MEZ_MEMORY_SHARED + 1 };

static uint8_t *get(int kind)
{
    return kind == PLAIN ? malloc(SIZE) : mez_test_alloc((mez_memory_kind)kind, SIZE);
}

static void put(int kind, uint8_t *memory)
{
    if (kind == PLAIN)
        free(memory);
    else
        mez_test_free(memory);
}

// From plain memory over both kinds back to plain memory.
static void copy_over(mez_queue *queue, int first, int second)
{
    uint8_t *start = malloc(SIZE), *end = malloc(SIZE);
    uint8_t *a = get(first), *b = get(second);
    write_bytes(start, SIZE, (unsigned)(10 * first + second));
    memset(end, 0, SIZE);
    mez_test_ok(mez_copy(queue, a, start, SIZE, NULL));
    mez_test_ok(mez_copy(queue, b, a, SIZE, NULL));
    mez_test_ok(mez_copy(queue, end, b, SIZE, NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results"))
        check_bytes(end, SIZE, (unsigned)(10 * first + second));
    put(first, a);
    put(second, b);
    free(start);
    free(end);
}

static void copies_between_all_kinds(void **state)
{
    for (int first = 0; first <= PLAIN; first++)
        for (int second = 0; second <= PLAIN; second++)
            copy_over(*state, first, second);
}

// Odd places and sizes, and nothing beside them is touched.
static void copies_of_odd_parts(void **state)
{
    mez_queue *queue = *state;
    static const size_t sizes[] = {0, 1, 3, 64, 255, 1025};
    uint8_t *device = mez_test_alloc(MEZ_MEMORY_DEVICE, SIZE);
    uint8_t *from = mez_test_alloc(MEZ_MEMORY_HOST, SIZE);
    uint8_t *to = mez_test_alloc(MEZ_MEMORY_HOST, SIZE);
    write_bytes(from, SIZE, 3);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t offset = 2 * i + 1, size = sizes[i];
        memset(to, 0xee, SIZE);
        mez_test_ok(mez_copy(queue, device + offset, from, size, NULL));
        mez_test_ok(mez_copy(queue, to + 5, device + offset, size, NULL));
        mez_test_ok(mez_queue_wait(queue));
        assert_int_equal(to[4], 0xee);
        assert_int_equal(to[5 + size], 0xee);
        if (mez_test_has("results"))
            check_bytes(to + 5, size, 3);
    }
    mez_test_free(device);
    mez_test_free(from);
    mez_test_free(to);
}

static void overlapping_copies_are_refused(void **state)
{
    mez_queue *queue = *state;
    uint8_t *memory = mez_test_shared(100);
    mez_test_fails(mez_copy(queue, memory, memory + 10, 11, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_copy(queue, memory + 10, memory, 11, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_ok(mez_copy(queue, memory + 10, memory, 10, NULL));
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(memory);
}

static void fill_with(mez_queue *queue, size_t pattern_size)
{
    const size_t size = pattern_size * 37;
    uint8_t pattern[128];
    uint8_t *device = mez_test_alloc(MEZ_MEMORY_DEVICE, size + 2 * pattern_size);
    uint8_t *host = mez_test_alloc(MEZ_MEMORY_HOST, size + 2 * pattern_size);
    write_bytes(pattern, sizeof pattern, 77);
    const uint8_t zero = 0;
    mez_test_ok(mez_fill(queue, device, &zero, 1, size + 2 * pattern_size, NULL));
    mez_test_ok(mez_fill(queue, device + pattern_size, pattern, pattern_size, size, NULL));
    memset(pattern, 0, sizeof pattern); // the call has copied it
    mez_test_ok(mez_copy(queue, host, device, size + 2 * pattern_size, NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (size_t i = 0; i < size + 2 * pattern_size && mez_test_has("results"); i++) {
        const bool inside = i >= pattern_size && i < size + pattern_size;
        assert_int_equal(host[i], inside ? byte_at(i % pattern_size, 77) : 0);
    }
    mez_test_free(device);
    mez_test_free(host);
}

static void fills_with_patterns(void **state)
{
    for (size_t pattern_size = 1; pattern_size <= 16; pattern_size *= 2)
        fill_with(*state, pattern_size);
}

static void wrong_fills_are_refused(void **state)
{
    mez_queue *queue = *state;
    const uint8_t pattern[256] = {0};
    uint8_t *memory = mez_test_shared(512);
    mez_test_fails(mez_fill(queue, memory, pattern, 3, 300, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_fill(queue, memory, pattern, 0, 300, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_fill(queue, memory, pattern, 8, 300, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_fill(queue, memory, pattern, 256, 512, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_test_free(memory);
}

// A driver that looks at each allocation is to see each of them, and not pools.
static void guarded_memory_lies_apart(void **state)
{
    (void)state;
    mez_test_needs("guards");
    char *memory[16];
    for (size_t i = 0; i < 16; i++) {
        mez_error error;
        memory[i] = mez_alloc(mez_test_context(), NULL, 128, &error);
        mez_test_ok(error);
        for (size_t k = 0; k < i; k++)
            assert_true(memory[i] > memory[k] + 4096 || memory[k] > memory[i] + 4096);
    }
    for (size_t i = 0; i < 16; i++)
        mez_test_free(memory[i]);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(kinds_and_alignments),
        MEZ_DEVICE_TEST(guarded_memory_lies_apart),
        MEZ_DEVICE_TEST(allocations_do_not_overlap),
        MEZ_DEVICE_TEST(wrong_allocations_are_refused),
        MEZ_DEVICE_TEST(addresses_are_known),
        MEZ_DEVICE_TEST(statistics_follow_allocations),
        MEZ_DEVICE_TEST(refusals_report_the_limit),
        MEZ_DEVICE_TEST(large_buffers),
        MEZ_DEVICE_TEST(memory_is_freed_in_flight),
        MEZ_DEVICE_TEST(copies_between_all_kinds),
        MEZ_DEVICE_TEST(copies_of_odd_parts),
        MEZ_DEVICE_TEST(overlapping_copies_are_refused),
        MEZ_DEVICE_TEST(fills_with_patterns),
        MEZ_DEVICE_TEST(wrong_fills_are_refused),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
