// SPDX-License-Identifier: MIT
//
// Functions that modules of llvm-spirv 15 import by their names in OpenCL C (builtins/opencl_names.cl), compared with plain C.

#include "engine_harness.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

static struct zc_program *program;

// ---- dot products ----

enum { DOTS = 600 };

static int64_t byte_of(uint32_t packed, int index, bool is_signed)
{
    const uint32_t byte = packed >> (8 * index) & 255;
    return is_signed && byte > 127 ? (int64_t)byte - 256 : byte;
}

static int64_t dot(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += byte_of(a, i, a_signed) * byte_of(b, i, b_signed);
    return sum;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static uint32_t a[DOTS], b[DOTS], c[DOTS];

static void choose_factors(void)
{
    static const uint32_t edges[] = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x01010101};
    static const uint32_t sums[] = {0, INT_MAX, (uint32_t)INT_MIN, 0xffffffff, 0xffff0000};
    for (int i = 0; i < DOTS; i++) {
        a[i] = i < 125 ? edges[i % 5] : (uint32_t)next_random();
        b[i] = i < 125 ? edges[i / 5 % 5] : (uint32_t)next_random();
        c[i] = i < 125 ? sums[i / 25] : (uint32_t)next_random();
    }
}

static void run_dots(const char *name, void *out)
{
    const struct {
        void *out;
        const uint32_t *a, *b, *c;
    } blob = {out, a, b, c};
    run(find_kernel(program, name),
        &(struct launch){.groups = {DOTS, 1, 1}, .group_size = {1, 1, 1}}, &blob);
}

static void dot_products(void **state)
{
    (void)state;
    static int32_t out[DOTS * 8];
    choose_factors();
    run_dots("dots", out);
    static const bool is_signed[4][2] = {
        {true, true}, {false, false}, {true, false}, {false, true}};
    for (int i = 0; i < DOTS * 4; i++) {
        const int n = i / 4, form = i % 4;
        const int64_t plain = dot(a[n], b[n], is_signed[form][0], is_signed[form][1]);
        const int64_t sum = form == 1 ? clamp(plain + c[n], 0, UINT32_MAX)
                                      : clamp(plain + (int32_t)c[n], INT_MIN, INT_MAX);
        assert_int_equal((uint32_t)out[n * 8 + form], (uint32_t)plain);
        assert_int_equal((uint32_t)out[n * 8 + 4 + form], (uint32_t)sum);
    }
}

static int64_t short_of(uint32_t packed, int index)
{
    return (int16_t)(packed >> (16 * index));
}

// Products that don't overflow, as what then comes out is undefined; the sum with the last number may.
static void other_dot_products(void **state)
{
    (void)state;
    static int64_t out[DOTS * 5];
    choose_factors();
    run_dots("other_dots", out);
    for (int i = 0; i < DOTS; i++) {
        int64_t halved = 0, unsigned_halved = 0, scaled = 0;
        for (int k = 0; k < 2; k++) {
            halved += byte_of(a[i], k, true) / 2 * byte_of(b[i], k, false);
            unsigned_halved += byte_of(a[i], k, false) / 2 * byte_of(b[i], k, false);
        }
        for (int k = 0; k < 4; k++)
            scaled += byte_of(a[i], k, true) * 90 * byte_of(b[i], k, false);
        const int64_t expected[5] = {scaled,
            short_of(a[i], 0) * short_of(b[i], 0) + short_of(a[i], 1) * short_of(b[i], 1),
            dot(a[i], b[i], false, false), clamp(halved + (int16_t)c[i], INT16_MIN, INT16_MAX),
            clamp(unsigned_halved + (uint16_t)c[i], 0, UINT16_MAX)};
        for (int k = 0; k < 5; k++)
            assert_true(out[i * 5 + k] == expected[k]);
    }
}

// ---- reductions and scans ----

enum { ITEMS = 20, SUB_GROUP = 8, GROUPS = 3, ALL = ITEMS * GROUPS };
enum operation { AND, OR, XOR, LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR, ADD, MIN, MAX };

struct type {
    const char *name;
    unsigned bits;
    bool is_signed;
};

// What the type keeps of a number.
static int64_t as_type(const struct type *type, int64_t x)
{
    if (type->bits == 64)
        return x;
    const int64_t low = x & (int64_t)((UINT64_C(1) << type->bits) - 1);
    return type->is_signed && low >> (type->bits - 1) ? low - (INT64_C(1) << type->bits) : low;
}

static int64_t first(const struct type *type, enum operation operation)
{
    const int64_t highest =
        type->is_signed ? (int64_t)((UINT64_C(1) << (type->bits - 1)) - 1) : as_type(type, -1);
    switch (operation) {
    case AND:
        return as_type(type, -1);
    case LOGICAL_AND:
        return 1;
    case MIN:
        return highest;
    case MAX:
        return type->is_signed ? -highest - 1 : 0;
    default:
        return 0;
    }
}

static int64_t combine(enum operation operation, int64_t a, int64_t b)
{
    switch (operation) {
    case AND:
        return a & b;
    case OR:
        return a | b;
    case XOR:
        return a ^ b;
    case LOGICAL_AND:
        return a && b;
    case LOGICAL_OR:
        return a || b;
    case LOGICAL_XOR:
        return !a != !b;
    case ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

// Of the values from `begin` to before `end`.
static int64_t combine_all(
    const struct type *type, enum operation operation, const int64_t *in, int begin, int end)
{
    int64_t result = first(type, operation);
    for (int i = begin; i < end; i++)
        result = as_type(type, combine(operation, result, as_type(type, in[i])));
    return result;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void run_kernel(const char *operation, const char *type, const int64_t *in, int64_t *out)
{
    char name[64];
    snprintf(name, sizeof(name), "%s_%s", operation, type);
    const struct {
        int64_t *out;
        const int64_t *in;
    } blob = {out, in};
    run(find_kernel(program, name),
        &(struct launch){.groups = {GROUPS, 1, 1}, .group_size = {ITEMS, 1, 1}}, &blob);
}

static const char *const names[] = {
    "and", "or", "xor", "logical_and", "logical_or", "logical_xor", "add", "min", "max"};

// Reduced and scanned both ways; `size` items belong together.
static void check_three(
    const struct type *type, enum operation operation, const int64_t *in, int size)
{
    int64_t out[ALL * 3];
    run_kernel(names[operation], type->name, in, out);
    for (int i = 0; i < ALL; i++) {
        const int begin = i - i % ITEMS % size;
        const int end = least(begin + size, i - i % ITEMS + ITEMS);
        assert_true(out[i * 3] == combine_all(type, operation, in, begin, end));
        assert_true(out[i * 3 + 1] == combine_all(type, operation, in, begin, i + 1));
        assert_true(out[i * 3 + 2] == combine_all(type, operation, in, begin, i));
    }
}

// Many equal bits, so that and and or don't always come to the same.
static void fill(int64_t in[ALL])
{
    for (int i = 0; i < ALL; i++)
        in[i] = (int64_t)(i % 2 ? next_random() : ~(next_random() & next_random() & next_random()));
}

static void bits_of_groups(void **state)
{
    (void)state;
    static const struct type types[] = {
        {"int", 32, true}, {"uint", 32, false}, {"long", 64, true}, {"ulong", 64, false}};
    int64_t in[ALL];
    for (int t = 0; t < 4; t++) {
        fill(in);
        for (enum operation operation = AND; operation <= XOR; operation++)
            check_three(&types[t], operation, in, ITEMS);
    }
}

// A group of which all say yes, one of which none does, and one in between.
static void truth_in_groups(void **state)
{
    (void)state;
    static const struct type type = {"int", 32, true};
    int64_t in[ALL];
    fill(in);
    for (int i = 0; i < ALL; i++)
        in[i] = i < ITEMS ? 6 : i < 2 * ITEMS ? 0 : in[i] & 6;
    for (enum operation operation = LOGICAL_AND; operation <= LOGICAL_XOR; operation++)
        check_three(&type, operation, in, ITEMS);
}

static void narrow_in_sub_groups(void **state)
{
    (void)state;
    static const struct type types[] = {
        {"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false}};
    int64_t in[ALL], out[ALL];
    for (int t = 0; t < 4; t++) {
        fill(in);
        for (enum operation operation = ADD; operation <= MAX; operation++)
            check_three(&types[t], operation, in, SUB_GROUP);
        run_kernel("broadcast", types[t].name, in, out);
        for (int i = 0; i < ALL; i++)
            assert_true(out[i] == as_type(&types[t], in[i - i % ITEMS % SUB_GROUP + 3]));
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    program = build_file("opencl_names.O2", "");
    const struct CMUnitTest tests[] = {cmocka_unit_test(dot_products),
        cmocka_unit_test(other_dot_products), cmocka_unit_test(bits_of_groups),
        cmocka_unit_test(truth_in_groups), cmocka_unit_test(narrow_in_sub_groups)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failed;
}
