// SPDX-License-Identifier: MIT
//
// convert_ functions: each pair of types in each rounding mode, saturated and not, against arithmetic in long double,
// which has every value of them all.

#include "engine_harness.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "conversions.h"

#if LDBL_MANT_DIG < 64
#error "this test needs a long double that holds 64-bit integers"
#endif

enum { N = 160, RESULTS = 10 };

struct type {
    const char *name;
    unsigned size;
    bool is_signed;      // or a floating-point type
    int digits;          // of a floating-point type, with the one before the point
    int least, greatest; // its exponents
};

enum mode { NEAREST, TO_ZERO, UP, DOWN };

static const struct type type_char = {"char", 1, .is_signed = true};
static const struct type type_uchar = {"uchar", 1, .is_signed = false};
static const struct type type_short = {"short", 2, .is_signed = true};
static const struct type type_ushort = {"ushort", 2, .is_signed = false};
static const struct type type_int = {"int", 4, .is_signed = true};
static const struct type type_uint = {"uint", 4, .is_signed = false};
static const struct type type_long = {"long", 8, .is_signed = true};
static const struct type type_ulong = {"ulong", 8, .is_signed = false};
static const struct type type_half = {"half", 2, true, 11, -14, 15};
static const struct type type_float = {"float", 4, true, FLT_MANT_DIG, -126, 127};
static const struct type type_double = {"double", 8, true, DBL_MANT_DIG, -1022, 1023};

static struct zc_program *program;

static long double round_to_integer(long double x, enum mode mode)
{
    switch (mode) {
    case NEAREST:
        return rintl(x);
    case TO_ZERO:
        return truncl(x);
    case UP:
        return ceill(x);
    default:
        return floorl(x);
    }
}

static long double lowest(const struct type *type)
{
    return type->is_signed ? -ldexpl(1, (int)type->size * 8 - 1) : 0;
}

static long double highest(const struct type *type)
{
    return ldexpl(1, (int)type->size * 8 - type->is_signed) - 1;
}

static long double round_to_float(long double x, const struct type *type, enum mode mode)
{
    if (x == 0 || isnan(x) || isinf(x))
        return x;
    const int exponent = ilogbl(x) < type->least ? type->least : ilogbl(x);
    const int unit = exponent - type->digits + 1;
    const long double rounded = ldexpl(round_to_integer(ldexpl(x, -unit), mode), unit);
    const long double most = ldexpl(2 - ldexpl(1, 1 - type->digits), type->greatest);
    if (fabsl(rounded) <= most)
        return copysignl(rounded, x);
    const bool stays = mode == TO_ZERO || mode == (x > 0 ? DOWN : UP);
    return copysignl(stays ? most : INFINITY, x);
}

static uint64_t low_bits(uint64_t bits, unsigned size)
{
    return size == 8 ? bits : bits & ((UINT64_C(1) << size * 8) - 1);
}

// The bits of a value that the type has; of a number that is none, some.
static uint64_t encode_float(long double x, const struct type *type)
{
    const int fraction = type->digits - 1;
    const uint64_t sign = (uint64_t)(signbit(x) != 0) << (type->size * 8 - 1);
    const uint64_t all = (uint64_t)(type->greatest * 2 + 1) << fraction;
    if (isnan(x))
        return all | 1;
    if (isinf(x))
        return sign | all;
    if (x == 0)
        return sign;
    const int exponent = ilogbl(x) < type->least ? type->least : ilogbl(x);
    const uint64_t units = (uint64_t)ldexpl(fabsl(x), fraction - exponent);
    return sign | (((uint64_t)(exponent - type->least) << fraction) + units);
}

static long double decode_float(uint64_t bits, const struct type *type)
{
    const int fraction = type->digits - 1;
    const uint64_t units = bits & ((UINT64_C(1) << fraction) - 1);
    const int exponent = (int)(bits >> fraction) & (type->greatest * 2 + 1);
    long double x;
    if (exponent == type->greatest * 2 + 1)
        x = units == 0 ? INFINITY : NAN;
    else if (exponent == 0)
        x = ldexpl(units, type->least - fraction);
    else
        x = ldexpl(units | UINT64_C(1) << fraction, exponent - 1 + type->least - fraction);
    return bits >> (type->size * 8 - 1) & 1 ? -x : x;
}

static long double decode(uint64_t bits, const struct type *type)
{
    if (type->digits != 0)
        return decode_float(bits, type);
    const unsigned unused = 64 - type->size * 8;
    return type->is_signed ? (int64_t)(bits << unused) >> unused : (long double)bits;
}

static uint64_t encode_integer(long double x)
{
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

// Values at the edges of the types and random ones, those of large types also small.
static uint64_t input_at(int i, const struct type *type)
{
    static const double edges[] = {0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.5, 128, -128.5,
        255.5, 256, 32767.5, -32768.5, 65519, 65520, 65535.5, 0x1p31, 0x1p32, -0x1p31, 0x1p63,
        -0x1p63, 0x1p64, 0x1.fffffep127, 1e300, -1e300, 1e-300, 1e-40, 3e-8, INFINITY, -INFINITY,
        NAN, 2147483647.5, 1.0 + 0x1p-40, 1.0 + 0x1p-11, 1.0 + 3 * 0x1p-11, 0x1.ffep15,
        0x1.fffffffp30, 0x1.fffffe8p24};
    enum { EDGES = sizeof(edges) / sizeof(edges[0]) };
    const uint64_t random = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    if (type->digits != 0 && i < EDGES)
        return encode_float(round_to_float((long double)edges[i], type, NEAREST), type);
    if (type->digits != 0 && i < 100)
        return encode_float(round_to_float(ldexpl((int64_t)random, i - 116), type, NEAREST), type);
    if (i < EDGES)
        return low_bits(i % 2 ? ~UINT64_C(0) >> i : UINT64_C(1) << i % 64, type->size);
    if (i < EDGES + 8)
        return low_bits(
            (UINT64_C(1) << (type->size * 8 - 1)) + (uint64_t)(i - EDGES) - 4, type->size);
    return low_bits(random >> (type->digits == 0 && type->size == 8 ? i % 48 : 0), type->size);
}

static void fail_at(const struct type *from, const struct type *to, int result, long double x,
    uint64_t out, uint64_t expected)
{
    static const char *const names[RESULTS] = {
        "", "_rte", "_rtz", "_rtp", "_rtn", "_sat", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"};
    fail_msg("convert_%s%s(%s %.20Lg): %llx instead of %llx", to->name, names[result], from->name,
        x, (unsigned long long)out, (unsigned long long)expected);
}

static void check_integer(
    const struct type *from, const struct type *to, int result, long double x, uint64_t out)
{
    static const enum mode modes[5] = {TO_ZERO, NEAREST, TO_ZERO, UP, DOWN};
    const bool saturates = result >= 5;
    long double expected = isnan(x) ? 0 : round_to_integer(x, modes[result % 5]);
    const bool fits = !isnan(x) && expected >= lowest(to) && expected <= highest(to);
    if (!fits && !saturates) {
        if (from->digits != 0) // anything may come out
            return;
        const uint64_t wrapped = low_bits(encode_integer(x), to->size);
        expected = decode(wrapped, to);
    }
    expected = expected < lowest(to) ? lowest(to) : expected > highest(to) ? highest(to) : expected;
    if (out != encode_integer(expected))
        fail_at(from, to, result, x, out, encode_integer(expected));
}

static void check_float(
    const struct type *from, const struct type *to, int result, long double x, uint64_t out)
{
    static const enum mode modes[5] = {NEAREST, NEAREST, TO_ZERO, UP, DOWN};
    const uint64_t expected = encode_float(round_to_float(x, to, modes[result]), to);
    const bool is_right = isnan(x) ? isnan(decode_float(out, to)) : out == expected;
    if (!is_right)
        fail_at(from, to, result, x, out, expected);
}

static void check(const struct type *from, const struct type *to)
{
    unsigned char in[N * 8] __attribute__((aligned(8)));
    uint64_t out[N * RESULTS];
    char name[32];
    for (int i = 0; i < N; i++) {
        const uint64_t bits = input_at(i, from); // little-endian
        memcpy(in + (size_t)i * from->size, &bits, from->size);
    }
    snprintf(name, sizeof(name), "%s_%s", from->name, to->name);
    const struct {
        uint64_t *out;
        const unsigned char *in;
    } blob = {out, in};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {N, 1, 1}};
    run(find_kernel(program, name), &launch, &blob);
    for (int i = 0; i < N; i++) {
        const long double x = decode(input_at(i, from), from);
        for (int k = 0; k < (to->digits != 0 ? 5 : RESULTS); k++) {
            if (to->digits != 0)
                check_float(from, to, k, x, out[i * RESULTS + k]);
            else
                check_integer(from, to, k, x, out[i * RESULTS + k]);
        }
    }
}

#define DEFINE(from, to)                         \
    static void test_##from##_##to(void **state) \
    {                                            \
        (void)state;                             \
        check(&type_##from, &type_##to);         \
    }
FROM_ALL(INTEGERS_OF, DEFINE)
FROM_ALL(FLOATS_OF, DEFINE)

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    program = build_file("conversions.O2", "");
#define REGISTER(from, to) cmocka_unit_test(test_##from##_##to),
    const struct CMUnitTest tests[] = {
        FROM_ALL(INTEGERS_OF, REGISTER) FROM_ALL(FLOATS_OF, REGISTER)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failures;
}
