// SPDX-License-Identifier: MIT
//
// The functions of the kernel language give the right results; a few of each family.

#include <limits.h>
#include <math.h>

#include "harness.h"

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
    mez_kernel *kernel = mez_test_kernel("mathematics", "mathematics");
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
    mez_kernel *kernel = mez_test_kernel("mathematics", "integers");
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
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(mathematics),
        MEZ_DEVICE_TEST(integers),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
