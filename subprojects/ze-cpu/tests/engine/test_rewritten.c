// SPDX-License-Identifier: MIT
//
// Instructions that llvm-spirv 15 does not know and the engine says otherwise (engine/rewriting.h), compared with plain C.
// rewritten.py has the kernels.

#include "engine_harness.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static struct zc_program *program;

static const struct launch one = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};

struct two_numbers {
    uint64_t *out;
    uint64_t a, b;
};

// ---- two numbers for one ----

// Sum, carry, difference, borrow, then products without and with signs, low parts first.
static void expect_wide(uint64_t a, uint64_t b, unsigned bits, uint64_t expected[8])
{
    const uint64_t mask = ~UINT64_C(0) >> (64 - bits);
    a &= mask;
    b &= mask;
    const wide signed_a = (wide)a - ((wide)(a >> (bits - 1)) << bits);
    const wide signed_b = (wide)b - ((wide)(b >> (bits - 1)) << bits);
    const unsigned_wide sum = (unsigned_wide)a + b, product = (unsigned_wide)a * b;
    const wide signed_product = signed_a * signed_b;
    const uint64_t all[8] = {(uint64_t)sum, (uint64_t)(sum >> bits), a - b, a < b,
        (uint64_t)product, (uint64_t)(product >> bits), (uint64_t)signed_product,
        (uint64_t)(signed_product >> bits)};
    for (int i = 0; i < 8; i++)
        expected[i] = all[i] & mask;
}

// Edges of all widths against each other, then anything.
enum { EDGES = 11, PAIRS = EDGES * EDGES + 300 };

static void choose(int i, unsigned bits, uint64_t *a, uint64_t *b)
{
    const uint64_t top = UINT64_C(1) << (bits - 1);
    const uint64_t edges[EDGES] = {0, 1, 2, 3, top - 1, top, top + 1, top - 2,
        ~UINT64_C(0) >> (64 - bits), (~UINT64_C(0) >> (64 - bits)) - 1, top >> 1};
    *a = i < EDGES * EDGES ? edges[i % EDGES] : next_random();
    *b = i < EDGES * EDGES ? edges[i / EDGES] : next_random();
}

static void check_wide(const char *name, unsigned bits)
{
    const struct zc_kernel *kernel = find_kernel(program, name);
    for (int i = 0; i < PAIRS; i++) {
        uint64_t out[8], expected[8];
        struct two_numbers blob = {.out = out};
        choose(i, bits, &blob.a, &blob.b);
        run(kernel, &one, &blob);
        expect_wide(blob.a, blob.b, bits, expected);
        for (int k = 0; k < 8; k++) {
            if (out[k] != expected[k])
                fail_msg("%s(%llx, %llx), result %d: %llx instead of %llx", name,
                    (unsigned long long)blob.a, (unsigned long long)blob.b, k,
                    (unsigned long long)out[k], (unsigned long long)expected[k]);
        }
    }
}

static void wide_numbers(void **state)
{
    (void)state;
    check_wide("wide_i8", 8);
    check_wide("wide_i16", 16);
    check_wide("wide_i32", 32);
    check_wide("wide_i64", 64);
}

static void wide_vectors(void **state)
{
    (void)state;
    const struct zc_kernel *kernel = find_kernel(program, "wide_vectors");
    for (int i = 0; i < PAIRS; i++) {
        uint64_t out[16], ab[8], ba[8];
        struct two_numbers blob = {.out = out};
        choose(i, 32, &blob.a, &blob.b);
        run(kernel, &one, &blob);
        expect_wide(blob.a, blob.b, 32, ab);
        expect_wide(blob.b, blob.a, 32, ba);
        for (int k = 0; k < 8; k++) {
            assert_int_equal(out[k * 2], ab[k]);
            assert_int_equal(out[k * 2 + 1], ba[k]);
        }
    }
}

// ---- pointers ----

struct record {
    uint8_t byte;
    _Alignas(16) uint32_t vector[4];
};

static void pointers(void **state)
{
    (void)state;
    static struct record records[5];
    for (int i = 0; i < 25; i++) {
        int64_t out[5];
        const int a = i % 5, b = i / 5;
        const struct {
            int64_t *out;
            struct record *a, *b;
        } blob = {out, records + a, records + b};
        run(find_kernel(program, "pointers"), &one, &blob);
        assert_int_equal(out[0], a == b ? 1 : 7);
        assert_int_equal(out[1], a != b ? 1 : 7);
        assert_true(out[2] == a - b);
        assert_true(out[3] == a - b);
        assert_int_equal(out[4], sizeof(struct record));
    }
}

// Each copies one vector, from the end on.
static void copies(void **state)
{
    (void)state;
    _Alignas(16) uint32_t to[12] = {0}, from[12];
    for (uint32_t i = 0; i < 12; i++)
        from[i] = (uint32_t)next_random();
    const struct {
        uint32_t *to;
        const uint32_t *from;
    } blob = {to, from};
    run(find_kernel(program, "copies"), &one, &blob);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(to + i * 4, from + (2 - i) * 4, 16);
}

// ---- composites, zeros, roundings ----

static void composites(void **state)
{
    (void)state;
    uint64_t out[5];
    run(find_kernel(program, "composites"), &one, &(struct two_numbers){out, 11, 22});
    static const uint64_t expected[5] = {11, 22, 11, 22, 22};
    assert_memory_equal(out, expected, sizeof(out));
}

static void vectors(void **state)
{
    (void)state;
    uint64_t out[12];
    run(find_kernel(program, "vectors"), &one, &(struct two_numbers){out, 11, 22});
    static const uint64_t expected[12] = {11, 22, 11, 22, 22, 11, 22, 22, 22, 11, 11, 22};
    assert_memory_equal(out, expected, sizeof(out));
}

static void nulls(void **state)
{
    (void)state;
    uint64_t out[7];
    memset(out, 255, sizeof(out));
    run(find_kernel(program, "nulls"), &one, &(struct two_numbers){out, 11, 22});
    static const uint64_t expected[7] = {0, 0, 0, 0, 0, 0, 22};
    assert_memory_equal(out, expected, sizeof(out));
}

static bool are_same(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void roundings(void **state)
{
    (void)state;
    static const float cases[][2] = {{1, 1}, {-1, -1}, {0, 0}, {0x1.555556p-2F, 0x1.554p-2F},
        {65504, 65504}, {65519, 65504}, {65520, INFINITY}, {-70000, -INFINITY}, {2049, 2048},
        {2051, 2052}, {-2049, -2048}, {0x1p-14F, 0x1p-14F}, {1e-20F, 0}, {INFINITY, INFINITY},
        {NAN, NAN}};
    enum { COUNT = sizeof(cases) / sizeof(cases[0]) };
    for (int i = 0; i < COUNT; i++) {
        const float *a = cases[i], *b = cases[(i + 1) % COUNT];
        float out[3];
        const struct {
            float *out;
            _Alignas(8) float a;
            _Alignas(8) float b;
        } blob = {out, a[0], b[0]};
        run(find_kernel(program, "roundings"), &one, &blob);
        assert_true(are_same(out[0], a[1]));
        assert_true(are_same(out[1], b[1]));
        assert_true(are_same(out[2], a[1]));
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    program = build_file("rewritten", "");
    const struct CMUnitTest tests[] = {cmocka_unit_test(wide_numbers),
        cmocka_unit_test(wide_vectors), cmocka_unit_test(pointers), cmocka_unit_test(copies),
        cmocka_unit_test(composites), cmocka_unit_test(vectors), cmocka_unit_test(nulls),
        cmocka_unit_test(roundings)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failed;
}
