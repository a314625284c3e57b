// SPDX-License-Identifier: MIT
//
// Builtins other than mathematics: integers, conversions, comparisons, vectors in memory.

#include "engine_harness.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 signed_wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static const char *const files[] = {"values.O2", "values.O0"};

static void run_one(const char *file, const char *name, const void *blob)
{
    struct zc_program *program = build_file(file, "");
    const struct launch one = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(program, name), &one, blob);
    engine->destroy(program);
}

static void check_longs(
    const char *name, const int64_t *expected, size_t count, const void *blob, const int64_t *out)
{
    for (size_t f = 0; f < 2; f++) {
        run_one(files[f], name, blob);
        for (size_t i = 0; i < count; i++) {
            if (out[i] != expected[i])
                fail_msg("%s %s[%zu]: %lld, should be %lld", files[f], name, i, (long long)out[i],
                    (long long)expected[i]);
        }
    }
}

static void integers(void **state)
{
    (void)state;
    const int a = -2000000000;
    const int b = 7;
    const uint32_t u = 0x00f0f000;
    const int64_t l = INT64_C(-0x123456789abcdef);
    const int64_t m = INT64_C(0x7edcba9876543210);
    const unsigned_wide product = (unsigned_wide)(uint64_t)l * (uint64_t)m;
    const signed_wide signed_product = (signed_wide)l * m;
    const int64_t expected[] = {2000000000, 2000000007, INT32_MIN, 127, (a + b) >> 1,
        (a + b + 1) >> 1, 8, 12, 8, ((int64_t)a * b) >> 32, (int64_t)(signed_product >> 64),
        (int64_t)(uint64_t)(product >> 64), INT32_MAX, INT64_MIN, 0x0f0f0000,
        (int64_t)((uint64_t)a << 32 | u), -47, -5, 200, -200};
    int64_t out[sizeof(expected) / sizeof(expected[0])];
    const struct {
        int64_t *out;
        int64_t a;
        int64_t b;
        uint64_t u;
        int64_t l;
        int64_t m;
    } blob = {out, a, b, u, l, m};
    check_longs("integers", expected, sizeof(expected) / sizeof(expected[0]), &blob, out);
}

// The first eight have no result that anybody may rely on.
static void divisions(void **state)
{
    (void)state;
    const int64_t expected[] = {-100, INT32_MIN + 1, 33, 0, 1, INT64_C(1) << 62, INT32_MAX, -14};
    int64_t out[8 + sizeof(expected) / sizeof(expected[0])];
    const struct {
        int64_t *out;
        int64_t zero;
        int64_t minus;
        int64_t least;
        int dividends[4];
        int divisors[4];
    } blob = {out, 0, -1, INT64_MIN, {7, 100, INT32_MIN + 1, 100}, {0, -1, 1, 3}};
    for (size_t f = 0; f < 2; f++) {
        memset(out, 0, sizeof(out));
        run_one(files[f], "divisions", &blob);
        for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
            assert_int_equal(out[8 + i], expected[i]);
    }
}

static int bits_of(float f)
{
    int bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static void conversions(void **state)
{
    (void)state;
    const float f = 2.5f;
    const double d = 1.0 + 0x1p-40;
    const int64_t l = INT64_C(0x7fffffffffffffff);
    const uint64_t u = UINT64_C(0x8000000000000001);
    const int64_t expected[] = {5, 3, 2, 2, 255, -128, -1, INT64_MIN, 0, 127, 0xffffffff, 32767,
        bits_of(nextafterf(1.0f, 2.0f)), bits_of(1.0f), bits_of(-1.0f),
        bits_of(nextafterf(0x1p63f, 0.0f)), bits_of(nextafterf(0x1p63f, INFINITY)), 0x4100, 2, 5,
        -2, INT32_MAX};
    int64_t out[sizeof(expected) / sizeof(expected[0])];
    const struct {
        int64_t *out;
        float f;
        float padding;
        double d;
        int64_t i;
        uint64_t u;
        int64_t l;
    } blob = {out, f, 0, d, -5, u, l};
    check_longs("conversions", expected, sizeof(expected) / sizeof(expected[0]), &blob, out);
}

static void comparisons(void **state)
{
    (void)state;
    int out[11];
    const struct {
        int *out;
        uint64_t padding;
        float a[4];
        float b[4];
    } blob = {out, 0, {1, -2, 3, NAN}, {2, -3, INFINITY, 5}};
    int a;
    int b;
    memcpy(&a, &blob.a[0], sizeof(a));
    memcpy(&b, &blob.b[0], sizeof(b));
    const int expected[11] = {
        2 | 4 | 8 | 16, 1, 1 | 4, -1, -1, -1, 2, -2, (a & ~0xff) | (b & 0xff), 20, 1 | 2 | 4};
    for (size_t f = 0; f < 2; f++) {
        run_one(files[f], "comparisons", &blob);
        for (int i = 0; i < 11; i++) {
            if (out[i] != expected[i])
                fail_msg("%s comparisons[%d]: %d, should be %d", files[f], i, out[i], expected[i]);
        }
    }
}

static void vectors(void **state)
{
    (void)state;
    enum { COUNT = 39 };
    const float in[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const float length = sqrtf(7 * 7 + 8 * 8 + 9 * 9);
    const float expected[COUNT] = {7, 8, 9, 4, 3, 2, 1, 12, 3, 1, 2, 3, 4, 0x1.554p-2f, 30, length,
        2 * 9 - 3 * 8, 3 * 7 - 1 * 9, 1 * 8 - 2 * 7, 7 / length, 8 / length, 9 / length, sqrtf(72),
        0.75f, 4, 0.5f, 3, -0.5f, -4, sinf(2), cosf(2), 16, 32, -4, 1.75f, 0.5f, 2, 9, 2};
    float out[COUNT];
    uint16_t halfs[8];
    const struct {
        float *out;
        const float *in;
        uint16_t *halfs;
    } blob = {out, in, halfs};
    for (size_t f = 0; f < 2; f++) {
        run_one(files[f], "vectors", &blob);
        for (int i = 0; i < COUNT; i++) {
            if (fabsf(out[i] - expected[i]) > 1e-6f * fabsf(expected[i]))
                fail_msg("%s vectors[%d]: %a, should be %a", files[f], i, (double)out[i],
                    (double)expected[i]);
        }
    }
}

static void dimensions_that_are_not_there(void **state)
{
    (void)state;
    const int64_t expected[] = {0, 0, 1, 1, 1, 7, 0, 0, 1, 1, 1};
    int64_t out[sizeof(expected) / sizeof(expected[0])];
    const struct {
        int64_t *out;
        uint64_t fourth;
    } blob = {out, 3};
    check_longs("dimensions", expected, sizeof(expected) / sizeof(expected[0]), &blob, out);
}

static void half_arithmetic(void **state)
{
    (void)state;
    const _Alignas(2) uint16_t in[4] = {0x3c00, 0x4000, 0x4400, 0x4900}; // 1 2 4 10
    const uint16_t expected[4] = {0x4000, 0x43a8, 0x4880, 0x5014};       // sqrt(x) * x + 1
    uint16_t out[4];
    struct zc_program *program = build_file("halfs.O2", "");
    const struct launch four = {.groups = {1, 1, 1}, .group_size = {4, 1, 1}};
    const struct {
        uint16_t *out;
        const uint16_t *in;
    } blob = {out, in};
    run(find_kernel(program, "halfs"), &four, &blob);
    engine->destroy(program);
    for (int i = 0; i < 4; i++)
        assert_uint_in_range(out[i], expected[i] - 1, expected[i] + 1);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(divisions),
        cmocka_unit_test(dimensions_that_are_not_there),
        cmocka_unit_test(conversions),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(vectors),
        cmocka_unit_test(half_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
