// SPDX-License-Identifier: MIT
//
// What kernels compute: barriers, local memory, atomics and mathematics give the right results.

#include <limits.h>
#include <math.h>

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
        assert_in_range(counters[6], 1, COUNT);
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

// 16 ulp is OpenCL's loosest bound for these functions (pow).
static void check_close(float got, double expected)
{
    const double error = fabs((double)got - expected);
    const double ulp = nextafterf(fabsf((float)expected), INFINITY) - fabsf((float)expected);
    if (!(error <= 16 * ulp))
        fail_msg("got %.9g, expected %.9g", (double)got, expected);
}

static void check_mathematics(const float *got, double x)
{
    const double expected[12] = {sqrt(x), exp(x), log(x), sin(x), cos(x), pow(x, 1.5), x * x + 1,
        floor(x), fmax(x, 2), atan2(x, 2), x / 3, tanh(x)};
    for (int i = 0; i < 12; i++)
        check_close(got[i], expected[i]);
}

static void mathematics(void **state)
{
    static const float inputs[] = {0.001f, 0.1f, 0.5f, 1.0f, 1.25f, 2.0f, 2.75f, 10.0f, 50.5f};
    enum { COUNT = sizeof inputs / sizeof *inputs };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("compute", "mathematics");
    float *in = mez_test_shared(sizeof inputs);
    float *out = mez_test_shared(12 * sizeof inputs);
    memcpy(in, inputs, sizeof inputs);
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(in), MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        check_mathematics(out + 12 * i, (double)inputs[i]);
    mez_test_free(in);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static void check_integers(const int32_t *got, int32_t x)
{
    const uint32_t bits = (uint32_t)x;
    const int64_t sum = (int64_t)x + INT_MAX;
    assert_int_equal(got[0], __builtin_popcount(bits));
    assert_int_equal(got[1], bits ? __builtin_clz(bits) : 32);
    assert_int_equal(got[2], (int64_t)x * 0x40000000 >> 32);
    assert_int_equal(got[3], sum > INT_MAX ? INT_MAX : sum);
    assert_int_equal((uint32_t)got[4], bits << 4 | bits >> 28);
    assert_int_equal(got[5], x < 0 ? -x : x);
    assert_int_equal(got[6], x < -10 ? -10 : x > 10 ? 10 : x);
    assert_int_equal(got[7], x < 0 ? 0 : x > 255 ? 255 : x);
}

static void integers(void **state)
{
    static const int32_t inputs[] = {0, 1, -1, 7, 255, 256, -300, 0x12345678, INT_MAX, -INT_MAX};
    enum { COUNT = sizeof inputs / sizeof *inputs };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("compute", "integers");
    int32_t *in = mez_test_shared(sizeof inputs);
    int32_t *out = mez_test_shared(8 * sizeof inputs);
    memcpy(in, inputs, sizeof inputs);
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(in), MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        check_integers(out + 8 * i, inputs[i]);
    mez_test_free(in);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        MEZ_DEVICE_TEST(local_reduction),
        MEZ_DEVICE_TEST(barriers_in_nested_loops),
        MEZ_DEVICE_TEST(atomics_of_32_bits),
        MEZ_DEVICE_TEST(atomics_of_64_bits),
        MEZ_DEVICE_TEST(atomics_in_local_memory),
        MEZ_DEVICE_TEST(mathematics),
        MEZ_DEVICE_TEST(integers),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
