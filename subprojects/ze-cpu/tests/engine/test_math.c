// SPDX-License-Identifier: MIT
//
// Accuracy of mathematics: each function against glibc in double, over ordinary, extreme and
// special values.

#include "engine_harness.h"
#include "ulp.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "math_functions.h"

// What OpenCL allows is between 2 and 16; we keep to this.
#define MAX_ULP 4.0

enum { COUNT = 2048 };

static float x[COUNT] __attribute__((aligned(16)));
static float y[COUNT] __attribute__((aligned(16)));
static struct zc_program *program;

static void check(
    const char *name, const char *shape, int items, double (*reference)(double, double))
{
    static float out[COUNT] __attribute__((aligned(16)));
    char full[64];
    snprintf(full, sizeof(full), "%s_%s", name, shape);
    const struct {
        float *out;
        const float *x;
        const float *y;
    } blob = {out, x, y};
    const struct launch launch = {.groups = {4, 1, 1}, .group_size = {(uint64_t)items / 4, 1, 1}};
    run(find_kernel(program, full), &launch, &blob);
    for (int i = 0; i < COUNT; i++) {
        const double expected = reference((double)x[i], (double)y[i]);
        const double error = ulp_error(out[i], expected);
        if (error > MAX_ULP)
            fail_msg("%s(%a, %a) = %a, should be %a: %g ulp", full, (double)x[i], (double)y[i],
                (double)out[i], expected, error);
    }
}

// Where exp(y * log(x)) has no limit.
static bool powr_is_undefined(double base, double exponent)
{
    return base < 0 || isnan(base) || isnan(exponent) || (base == 1 && isinf(exponent)) ||
           ((base == 0 || isinf(base)) && exponent == 0);
}

#define DEFINE(name, expression)                             \
    static double reference_##name(double x, double y)       \
    {                                                        \
        (void)x;                                             \
        (void)y;                                             \
        return expression;                                   \
    }                                                        \
    static void test_##name(void **state)                    \
    {                                                        \
        (void)state;                                         \
        check(#name, "scalar", COUNT, reference_##name);     \
        check(#name, "vector", COUNT / 4, reference_##name); \
    }

FUNCTIONS_OF_ONE(DEFINE)
FUNCTIONS_OF_TWO(DEFINE)

static bool is_near(double value, double expected)
{
    const double ulp = nextafter(fabs(expected), INFINITY) - fabs(expected);
    return value == expected || (isnan(value) && isnan(expected)) ||
           fabs(value - expected) <= MAX_ULP * ulp;
}

// Whose exponent, one over the degree, has no exact value.
static void roots_of_doubles(void **state)
{
    (void)state;
    static const double powers[] = {
        1e-300, 1e300, 5e-324, DBL_MAX, 27.0, 0.001, 1.0, 0.0, INFINITY, -1e-300, -1e300, NAN};
    static const int degrees[] = {3, -3, 7, -15, 1000003};
    enum { POWERS = sizeof(powers) / sizeof(powers[0]), DEGREES = 5, ROOTS = POWERS * DEGREES };
    double in[ROOTS], out[ROOTS];
    int degree[ROOTS];
    for (int i = 0; i < ROOTS; i++) {
        in[i] = powers[i / DEGREES];
        degree[i] = degrees[i % DEGREES];
    }
    const struct {
        double *out;
        const double *in;
        const int *degree;
    } blob = {out, in, degree};
    const struct launch launch = {.groups = {ROOTS, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(program, "roots"), &launch, &blob);
    for (int i = 0; i < ROOTS; i++) {
        const long double size = powl(fabsl((long double)in[i]), 1.0L / degree[i]);
        const double expected = (double)copysignl(size, (long double)in[i]);
        if (!is_near(out[i], expected))
            fail_msg("rootn(%a, %d) = %a, should be %a", in[i], degree[i], out[i], expected);
    }
}

// LLVM knows them as exp2 of a product, which is rounded.
static void powers_of_constants(void **state)
{
    (void)state;
    enum { POWERS = 64 };
    double exponents[POWERS], out[2 * POWERS];
    for (int i = 0; i < POWERS; i++)
        exponents[i] = (i - 32) * 1.6180339887498949;
    const struct {
        double *out;
        const double *exponents;
    } blob = {out, exponents};
    const struct launch launch = {.groups = {POWERS, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(program, "powers"), &launch, &blob);
    for (int i = 0; i < 2 * POWERS; i++) {
        const double base = i % 2 == 0 ? 0x1p-19 : 1024.0, exponent = exponents[i / 2];
        const double expected = (double)powl(base, exponent);
        if (!is_near(out[i], expected))
            fail_msg("%a to the power of %a = %a, should be %a", base, exponent, out[i], expected);
    }
}

// Ordinary values, whole and half ones, and random bits, among them infinities and tiny numbers.
static void fill(float *values, unsigned seed)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, 0.5f, -0.5f, 3.0f, INFINITY,
        -INFINITY, NAN, FLT_MIN, FLT_MAX, -FLT_MAX, 1e-40f, 10.0f};
    for (unsigned i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float unit = (float)(seed >> 8) / 16777216.0f;
        if (i < 256)
            values[i] = special[seed >> 28];
        else if (i < 1024)
            values[i] = 20.0f * unit - 10.0f;
        else if (i < 1536)
            values[i] = 2.0f * unit - 1.0f;
        else if (i < 1664)
            values[i] = truncf(16.0f * unit - 8.0f) / 2.0f;
        else
            memcpy(&values[i], &seed, sizeof(seed));
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    fill(x, 1);
    fill(y, 99);
    program = build_file("math.O2", "");
#define REGISTER(name, expression) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {FUNCTIONS_OF_ONE(REGISTER) FUNCTIONS_OF_TWO(REGISTER)
                                           cmocka_unit_test(roots_of_doubles),
        cmocka_unit_test(powers_of_constants)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failures;
}
