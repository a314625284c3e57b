// SPDX-License-Identifier: MIT
//
// Queues on the engine that only copies, and queues that use two engines: order and results are those of one.

#include "harness.h"

enum { ITEMS = 4096, LARGE = (1 << 20) / sizeof(uint32_t) };

static const mez_queue_kind kinds[] = {
    MEZ_QUEUE_ANY, MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC, MEZ_QUEUE_ADAPTIVE};

// NULL: the device has no such engine.
static mez_queue *create(const mez_queue_params *params)
{
    mez_queue *queue;
    const mez_error error = mez_queue_create(mez_test_context(), params, &queue);
    if (!mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED))
        mez_test_ok(error);
    return queue;
}

static mez_queue *create_copying(mez_queue_kind kind)
{
    mez_queue *queue = create(&(mez_queue_params){.kind = kind, .engine = MEZ_ENGINE_COPY});
    if (!queue)
        skip(); // the device has no copy engine
    return queue;
}

static void copies_on_the_copy_engine(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        mez_queue *queue = create_copying(kinds[k]);
        uint32_t *to = mez_test_alloc(MEZ_MEMORY_HOST, ITEMS * sizeof *to);
        uint32_t *device = mez_test_alloc(MEZ_MEMORY_DEVICE, ITEMS * sizeof *device);
        uint32_t *from = mez_test_alloc(MEZ_MEMORY_HOST, ITEMS * sizeof *from);
        for (uint32_t i = 0; i < ITEMS; i++)
            from[i] = i * 7;
        mez_test_ok(mez_copy(queue, device, from, ITEMS * sizeof *to, NULL));
        mez_test_ok(mez_copy(queue, to, device, ITEMS * sizeof *to, NULL));
        mez_test_ok(mez_queue_wait(queue));
        for (uint32_t i = 0; i < ITEMS && mez_test_has("results"); i++)
            assert_int_equal(to[i], i * 7);
        mez_test_free(to);
        mez_test_free(device);
        mez_test_free(from);
        mez_queue_destroy(&queue);
    }
}

// Patterns of all sizes, some of them for the other engine, over one another and between copies.
static void fills_on_the_copy_engine(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        mez_queue *queue = create_copying(kinds[k]);
        char *device = mez_test_alloc(MEZ_MEMORY_DEVICE, ITEMS);
        char *seen = mez_test_alloc(MEZ_MEMORY_HOST, 8 * ITEMS);
        char pattern[128];
        for (int i = 0; i < 128; i++)
            pattern[i] = (char)(i * 3 + 1);
        for (size_t turn = 0; turn < 8; turn++) {
            mez_test_ok(mez_fill(queue, device, pattern, (size_t)1 << turn, ITEMS, NULL));
            mez_test_ok(mez_copy(queue, seen + turn * ITEMS, device, ITEMS, NULL));
        }
        mez_test_ok(mez_queue_wait(queue));
        for (size_t i = 0; i < (size_t)8 * ITEMS && mez_test_has("results"); i++) {
            const size_t size = (size_t)1 << i / ITEMS;
            assert_int_equal(seen[i], pattern[i % ITEMS % size]);
        }
        mez_test_free(device);
        mez_test_free(seen);
        mez_queue_destroy(&queue);
    }
}

static void the_copy_engine_runs_no_kernels(void **state)
{
    (void)state;
    mez_queue *queue = create_copying(MEZ_QUEUE_ANY);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(ITEMS * sizeof *values);
    const uint32_t k = 1;
    mez_test_fails(
        mez_submit(queue, step, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), NULL),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED);
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(values);
    mez_kernel_destroy(&step);
    mez_queue_destroy(&queue);
}

// Up, three steps, and down again, each behind a barrier: with a copy engine that is two engines in turn.
static void large_copies_beside_kernels(void **state)
{
    (void)state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *device = mez_test_alloc(MEZ_MEMORY_DEVICE, LARGE * sizeof *device);
    uint32_t *host = mez_test_alloc(MEZ_MEMORY_HOST, LARGE * sizeof *host);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        mez_queue *queue =
            create(&(mez_queue_params){.kind = kinds[kind], .order = MEZ_OUT_OF_ORDER});
        for (uint32_t i = 0; i < LARGE; i++)
            host[i] = i;
        mez_test_ok(mez_copy(queue, device, host, LARGE * sizeof *host, NULL));
        for (uint32_t k = 0; k < 3; k++) {
            mez_test_ok(mez_barrier(queue, NULL));
            mez_test_ok(mez_submit(
                queue, step, MEZ_RANGE(LARGE), MEZ_ARGS(MEZ_PTR(device), MEZ_VAL(k)), NULL));
        }
        mez_test_ok(mez_barrier(queue, NULL));
        mez_test_ok(mez_copy(queue, host, device, LARGE * sizeof *host, NULL));
        mez_test_ok(mez_queue_wait(queue));
        for (uint32_t i = 0; i < LARGE && mez_test_has("results"); i++)
            assert_int_equal(host[i], ((i * 3) * 3 + 1) * 3 + 2);
        mez_queue_destroy(&queue);
    }
    mez_test_free(device);
    mez_test_free(host);
    mez_kernel_destroy(&step);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(copies_on_the_copy_engine),
        MEZ_DEVICE_TEST(fills_on_the_copy_engine),
        MEZ_DEVICE_TEST(the_copy_engine_runs_no_kernels),
        MEZ_DEVICE_TEST(large_copies_beside_kernels),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
