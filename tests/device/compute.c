// SPDX-License-Identifier: MIT
//
// What kernels compute: barriers, local memory and atomics give the right results.

#include <limits.h>

#include "harness.h"

static void local_reduction(void **state)
{
    enum { GROUP = 64, GROUPS = 9, COUNT = GROUP * GROUPS };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("compute", "reduce");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    int32_t *sums = mez_test_shared(GROUPS * sizeof *sums);
    int32_t expected[GROUPS] = {0};
    for (int i = 0; i < COUNT; i++) {
        values[i] = i * i - 1000;
        expected[i / GROUP] += values[i];
    }
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_LOCAL(GROUP * sizeof(int32_t)), MEZ_PTR(sums)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < GROUPS && mez_test_has("results"); i++)
        assert_int_equal(sums[i], expected[i]);
    mez_test_free(values);
    mez_test_free(sums);
    mez_kernel_destroy(&kernel);
}

static void barriers_in_nested_loops(void **state)
{
    enum { GROUP = 24, COUNT = 4 * GROUP };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("compute", "rotate_values");
    int32_t *out = mez_test_shared(COUNT * sizeof *out);
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP));
    for (int32_t rounds = 0; rounds < 9; rounds++) {
        mez_test_ok(mez_submit(queue, kernel, range,
            MEZ_ARGS(MEZ_VAL(rounds), MEZ_LOCAL(GROUP * sizeof *out),
                MEZ_LOCAL(GROUP * sizeof *out), MEZ_PTR(out)),
            NULL));
        mez_test_ok(mez_queue_wait(queue));
        for (int i = 0; i < COUNT && mez_test_has("results"); i++)
            assert_int_equal(out[i], (i + rounds) % GROUP + rounds / 3 * 100);
    }
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static void atomics_of_32_bits(void **state)
{
    enum { COUNT = 2048 };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("compute", "atomics32");
    int32_t *counters = mez_test_shared(8 * sizeof *counters);
    memset(counters, 0, 8 * sizeof *counters);
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(counters)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results")) {
        const int32_t expected[] = {
            COUNT * (COUNT - 1) / 2, -2 * COUNT, COUNT - 1, 1 - COUNT, INT_MAX, COUNT};
        for (int i = 0; i < 6; i++)
            assert_int_equal(counters[i], expected[i]);
        assert_uint_in_range(counters[6], 1, COUNT);
        assert_int_equal(counters[7], 1);
    }
    mez_test_free(counters);
    mez_kernel_destroy(&kernel);
}

static void atomics_of_64_bits(void **state)
{
    enum { COUNT = 1024 };
    mez_queue *queue = *state;
    mez_test_needs("int64_atomics");
    mez_kernel *kernel = mez_test_kernel("compute", "atomics64");
    int64_t *counters = mez_test_shared(3 * sizeof *counters);
    memset(counters, 0, 3 * sizeof *counters);
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(counters)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results")) {
        assert_int_equal(counters[0], (int64_t)COUNT * (COUNT - 1) / 2 << 32);
        assert_int_equal(counters[1], (int64_t)(COUNT - 1) << 33);
        assert_int_equal(counters[2], COUNT);
    }
    mez_test_free(counters);
    mez_kernel_destroy(&kernel);
}

static void atomics_in_local_memory(void **state)
{
    enum { GROUP = 32, COUNT = 3 * GROUP };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("compute", "local_atomics");
    int32_t *out = mez_test_shared(COUNT * sizeof *out);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP)),
        MEZ_ARGS(MEZ_LOCAL(sizeof *out), MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_int_equal(out[i], 3 * GROUP);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(local_reduction),
        MEZ_DEVICE_TEST(barriers_in_nested_loops),
        MEZ_DEVICE_TEST(atomics_of_32_bits),
        MEZ_DEVICE_TEST(atomics_of_64_bits),
        MEZ_DEVICE_TEST(atomics_in_local_memory),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
