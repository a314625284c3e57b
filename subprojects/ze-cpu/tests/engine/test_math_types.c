// SPDX-License-Identifier: MIT
//
// Accuracy of mathematics of doubles and halfs: each function against glibc in long double. Of one half, all values.

#include "engine_harness.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tgmath.h>

#undef M_PI
#define M_PI 3.14159265358979323846264338327950288L
#include "math_functions.h"

// OpenCL allows doubles between 2 and 16 units in the last place, halfs 2 and more.
#define MAX_ULP_DOUBLE 6.0L
#define MAX_ULP_HALF 1.0L

enum { DOUBLES = 2048, HALFS = 65536, GROUPS = 4 };

static struct zc_program *program;
static double double_x[DOUBLES], double_y[DOUBLES];
static uint16_t half_x[HALFS], half_y[HALFS];

static long double value_of(uint16_t half)
{
    const int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    const long double size = exponent == 0x1f
                                 ? (fraction == 0 ? (long double)INFINITY : (long double)NAN)
                             : exponent == 0 ? ldexp((long double)fraction, -24)
                                             : ldexp((long double)fraction + 1024, exponent - 25);
    return half & 0x8000 ? -size : size;
}

// The distance of neighbours at x, in a type with so many digits, exponents from `least`, and what it rounds to infinity.
struct precision {
    int digits, least;
    long double most;
};
static const struct precision of_double = {DBL_MANT_DIG, -1022, DBL_MAX};
static const struct precision of_half = {11, -14, 65504};

static long double ulp_error(long double actual, long double expected, const struct precision *type)
{
    if (isnan(expected) || isnan(actual))
        return isnan(expected) && isnan(actual) ? 0 : (long double)INFINITY;
    if (actual == expected)
        return 0;
    if (isinf(expected) ||
        fabs(expected) > type->most) // it may round to the largest or to infinity
        return fabs(actual) >= type->most && signbit(actual) == signbit(expected)
                   ? 0
                   : (long double)INFINITY;
    if (isinf(actual))
        return (long double)INFINITY;
    const int exponent = expected == 0 ? type->least : ilogb(expected);
    const int unit = (exponent < type->least ? type->least : exponent) - type->digits + 1;
    return fabs(actual - expected) / ldexp(1.0L, unit);
}

static void run_function(const char *name, void *out, const void *x, const void *y, uint64_t count)
{
    const struct {
        void *out;
        const void *x, *y;
    } blob = {out, x, y};
    const struct launch launch = {.groups = {GROUPS, 1, 1}, .group_size = {count / GROUPS, 1, 1}};
    run(find_kernel(program, name), &launch, &blob);
}

typedef long double reference(long double x, long double y);

static void check_doubles(const char *name, reference *expect)
{
    static double out[DOUBLES];
    run_function(name, out, double_x, double_y, DOUBLES);
    for (int i = 0; i < DOUBLES; i++) {
        const long double expected = expect(double_x[i], double_y[i]);
        const long double error = ulp_error(out[i], expected, &of_double);
        if (error > MAX_ULP_DOUBLE)
            fail_msg("%s(%a, %a) = %a, should be %La: %Lg ulp", name, double_x[i], double_y[i],
                out[i], expected, error);
    }
}

static void check_halfs(const char *name, reference *expect)
{
    static uint16_t out[HALFS];
    run_function(name, out, half_x, half_y, HALFS);
    for (int i = 0; i < HALFS; i++) {
        const long double x = value_of(half_x[i]), y = value_of(half_y[i]);
        const long double expected = expect(x, y);
        const long double error = ulp_error(value_of(out[i]), expected, &of_half);
        if (error > MAX_ULP_HALF)
            fail_msg("%s(%La, %La) = %La, should be %La: %Lg ulp", name, x, y, value_of(out[i]),
                expected, error);
    }
}

// Where exp(y * log(x)) has no limit.
static bool powr_is_undefined(long double base, long double exponent)
{
    return base < 0 || isnan(base) || isnan(exponent) || (base == 1 && isinf(exponent)) ||
           ((base == 0 || isinf(base)) && exponent == 0);
}

#define DEFINE(name, expression)                                      \
    static long double reference_##name(long double x, long double y) \
    {                                                                 \
        (void)x;                                                      \
        (void)y;                                                      \
        return expression;                                            \
    }                                                                 \
    static void test_##name(void **state)                             \
    {                                                                 \
        (void)state;                                                  \
        check_doubles(#name "_double", reference_##name);             \
        check_halfs(#name "_half", reference_##name);                 \
    }
COMMON_FUNCTIONS_OF_ONE(DEFINE)
FUNCTIONS_OF_TWO(DEFINE)

// Ordinary values, whole and half ones, and random bits, among them infinities and tiny numbers.
static void fill_doubles(double *values, uint64_t seed)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0, INFINITY, -INFINITY,
        NAN, DBL_MIN, DBL_MAX, -DBL_MAX, 1e-310, 10.0};
    for (int i = 0; i < DOUBLES; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const double unit = (double)(seed >> 11) * 0x1p-53;
        if (i < 256)
            values[i] = special[seed >> 60];
        else if (i < 1024)
            values[i] = 20 * unit - 10;
        else if (i < 1536)
            values[i] = 2 * unit - 1;
        else if (i < 1664)
            values[i] = trunc(16 * unit - 8) / 2;
        else
            memcpy(&values[i], &seed, sizeof(seed));
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    fill_doubles(double_x, 1);
    fill_doubles(double_y, 99);
    for (uint32_t i = 0; i < HALFS; i++) {
        half_x[i] = (uint16_t)i;
        half_y[i] = (uint16_t)(i * 40503u >> 3);
    }
    program = build_file("math_types.O2", "");
#define REGISTER(name, expression) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {
        COMMON_FUNCTIONS_OF_ONE(REGISTER) FUNCTIONS_OF_TWO(REGISTER)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failures;
}
