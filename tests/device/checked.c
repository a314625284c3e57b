// SPDX-License-Identifier: MIT
//
// Checked contexts: what kernels write beside allocations and into freed memory is found.

#include "harness.h"

enum {
    SMALL = 100,
    LARGE = 100000,
    MANY = 65 << 20
}; // of a pool, of the driver's own, and above the quarantine

static mez_error write_beside(mez_queue *queue, mez_kernel *beside, void *memory, int64_t offset)
{
    return mez_submit(
        queue, beside, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(memory), MEZ_VAL(offset)), NULL);
}

static uint64_t stray_writes(void)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(mez_test_context(), &statistics);
    return statistics.stray_writes;
}

// Are the fences of this kind looked at? docs/checking.md
static bool has_fences(mez_memory_kind kind)
{
    mez_driver_info driver;
    mez_context_get_driver_info(mez_test_context(), &driver);
    return kind != MEZ_MEMORY_DEVICE || driver.in_order_lists || mez_test_info()->integrated ||
           mez_test_info()->type != MEZ_DEVICE_GPU;
}

static void has_words(mez_error error, const char *words)
{
    char story[2000];
    mez_error_get_story(error, story, sizeof story);
    if (!strstr(story, words))
        fail_msg("\"%s\" is not in: %s", words, story);
}

// By the wait, where the host may look at the memory then, or by the free.
static void is_found(mez_queue *queue, mez_kernel *beside, mez_memory_kind kind, size_t size,
    int64_t offset, const char *words)
{
    const uint64_t before = stray_writes();
    void *memory = mez_test_alloc(kind, size);
    mez_test_ok(write_beside(queue, beside, memory, 0));
    mez_test_ok(write_beside(queue, beside, memory, (int64_t)size - 1));
    mez_test_ok(mez_queue_wait(queue));
    assert_int_equal(stray_writes(), before);
    mez_test_ok(write_beside(queue, beside, memory, offset));
    const mez_error waited = mez_queue_wait(queue);
    const mez_error freed = mez_free(mez_test_context(), memory);
    const mez_error error = mez_failed(waited) ? waited : freed;
    mez_test_fails(error, MEZ_ERRC_STRAY_WRITE);
    assert_false(mez_failed(waited) && mez_failed(freed));
    has_words(error, words);
    has_words(error, "given to kernels: \"beside\"");
    assert_int_equal(stray_writes(), before + 1);
}

// It has no room for fences, which says nothing of others.
static void make_a_huge_allocation(void)
{
    mez_error error;
    void *memory = mez_alloc_device(mez_test_context(), mez_test_info()->max_alloc_size, &error);
    if (memory)
        mez_test_free(memory);
}

static void writes_beside_allocations(void **state)
{
    mez_queue *queue = *state;
    mez_test_needs("results");
    mez_kernel *beside = mez_test_kernel("stray", "beside");
    make_a_huge_allocation();
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++) {
        if (!has_fences((mez_memory_kind)kind))
            continue;
        is_found(queue, beside, kind, SMALL, SMALL, "behind the end of an allocation of 100 bytes");
        is_found(queue, beside, kind, SMALL, SMALL + 200, "from offset 300 on");
        is_found(queue, beside, kind, SMALL, -1, "before the start of an allocation of 100 bytes");
        is_found(queue, beside, kind, LARGE, LARGE, "from offset 100000 on");
    }
    mez_kernel_destroy(&beside);
}

static void writes_into_freed_memory(void **state)
{
    mez_queue *queue = *state;
    mez_test_needs("results");
    mez_kernel *through = mez_test_kernel("stray", "through");
    for (int kind = MEZ_MEMORY_HOST; kind <= MEZ_MEMORY_SHARED; kind++) {
        char *memory = mez_test_alloc((mez_memory_kind)kind, SMALL);
        uint64_t *address = mez_test_shared(sizeof *address);
        void *others = mez_test_alloc(MEZ_MEMORY_HOST, MANY);
        *address = (uint64_t)(uintptr_t)(memory + 7);
        mez_test_free(memory);
        mez_test_ok(mez_submit(queue, through, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(address)), NULL));
        mez_test_ok(mez_queue_wait(queue));
        mez_test_free(address);
        const mez_error error = mez_free(mez_test_context(), others);
        mez_test_fails(error, MEZ_ERRC_STRAY_WRITE);
        has_words(error, "freed memory was written: an allocation of 100 bytes, from offset 7 on");
        has_words(error, ", freed at ");
    }
    mez_kernel_destroy(&through);
}

// Also on devices where nothing runs.
static void freed_memory_is_refused(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *beside = mez_test_kernel("stray", "beside");
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++) {
        char *memory = mez_test_alloc((mez_memory_kind)kind, SMALL);
        mez_test_ok(write_beside(queue, beside, memory, 0));
        mez_test_ok(mez_fill(queue, memory, "", 1, SMALL, NULL));
        mez_test_fails(mez_fill(queue, memory, "", 1, SMALL + 1, NULL), MEZ_ERRC_INVALID_PARAMETER);
        mez_test_ok(mez_queue_wait(queue));
        mez_test_free(memory);
        const mez_error error = write_beside(queue, beside, memory, 0);
        mez_test_fails(error, MEZ_ERRC_KERNEL_ARGUMENT);
        has_words(error, "freed memory: an allocation of 100 bytes, made at ");
        mez_test_fails(mez_fill(queue, memory, "", 1, 1, NULL), MEZ_ERRC_INVALID_PARAMETER);
    }
    mez_kernel_destroy(&beside);
}

// What is right has no findings.
static void good_programs_pass(void **state)
{
    mez_queue *queue = *state;
    const uint64_t before = stray_writes();
    char *memory[3 * 17];
    for (int i = 0; i < 3 * 17; i++) {
        const size_t size = i % 2 ? LARGE : SMALL;
        memory[i] = mez_test_alloc((mez_memory_kind)(i % 3), size);
        mez_test_ok(mez_fill(queue, memory[i], "", 1, size, NULL));
    }
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 3 * 17; i++)
        mez_test_free(memory[i]);
    assert_int_equal(stray_writes(), before);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(writes_beside_allocations),
        MEZ_DEVICE_TEST(writes_into_freed_memory),
        MEZ_DEVICE_TEST(freed_memory_is_refused),
        MEZ_DEVICE_TEST(good_programs_pass),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
