// SPDX-License-Identifier: MIT
//
// Generic pointers, and what came to OpenCL C by extensions: fields of bits, dot products of integers, blocks of sub-groups,
// atomics of floats, halfs.

#include "engine_harness.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static struct zc_program *program;

static struct launch items(uint64_t groups, uint64_t size)
{
    return (struct launch){.groups = {groups, 1, 1}, .group_size = {size, 1, 1}};
}

// ---- fields of bits, one bit after the other ----

static uint64_t bit_of(uint64_t bits, unsigned place)
{
    return bits >> place & 1;
}

static void expect_fields(
    uint64_t base, uint64_t insert, unsigned offset, unsigned count, unsigned size, uint64_t *out)
{
    memset(out, 0, 5 * sizeof(*out));
    for (unsigned i = 0; i < size; i++) {
        const int inside = i >= offset && i < offset + count;
        out[0] |= (inside ? bit_of(insert, i - offset) : bit_of(base, i)) << i;
        out[3] |= bit_of(base, size - 1 - i) << i;
        out[4] |= (inside ? bit_of(base, i - offset) : bit_of(insert, i)) << i;
    }
    for (unsigned i = 0; i < count; i++)
        out[2] |= bit_of(base, offset + i) << i;
    const int is_negative = count > 0 && bit_of(base, offset + count - 1);
    out[1] = is_negative && count < 64 ? out[2] | ~UINT64_C(0) << count : out[2];
}

enum { FIELDS = 65 * 66 / 2 };

static void check_fields(const char *name, unsigned size)
{
    static uint32_t offsets[FIELDS], counts[FIELDS];
    static uint64_t out[FIELDS * 5];
    const uint64_t base = UINT64_C(0x9d3b57f1a2c8e6b5), insert = UINT64_C(0x6a95c3d2b1e0f788);
    uint64_t n = 0;
    for (unsigned offset = 0; offset < size; offset++) {
        for (unsigned count = 0; offset + count <= size; count++) {
            offsets[n] = offset;
            counts[n++] = count;
        }
    }
    const struct {
        uint64_t *out;
        const uint32_t *offsets, *counts;
        uint64_t base, insert;
    } blob = {out, offsets, counts, base, insert};
    const struct launch launch = items(n, 1);
    run(find_kernel(program, name), &launch, &blob);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t expected[5];
        expect_fields(base, insert, offsets[i], counts[i], size, expected);
        for (int k = 0; k < 5; k++) {
            if (out[i * 5 + (uint64_t)k] != expected[k])
                fail_msg("%s, offset %u, count %u, result %d: %llx instead of %llx", name,
                    offsets[i], counts[i], k, (unsigned long long)out[i * 5 + (uint64_t)k],
                    (unsigned long long)expected[k]);
        }
    }
}

static void fields_of_bits(void **state)
{
    (void)state;
    check_fields("fields_char", 8);
    check_fields("fields_short", 16);
    check_fields("fields_int", 32);
    check_fields("fields_long", 64);
}

static void dot_products(void **state)
{
    (void)state;
    int out[11];
    const struct {
        int *out;
        _Alignas(8) int8_t a[4];
        _Alignas(8) int8_t b[4];
        _Alignas(8) uint8_t c[4];
        _Alignas(8) uint8_t d[4];
        _Alignas(8) int most;
    } blob = {
        out, {-128, 127, 3, -4}, {-128, -127, 5, 6}, {255, 254, 3, 0}, {255, 1, 2, 9}, INT_MAX - 5};
    int sums[4] = {0};
    for (int i = 0; i < 4; i++) {
        sums[0] += blob.a[i] * blob.b[i];
        sums[1] += blob.c[i] * blob.d[i];
        sums[2] += blob.a[i] * blob.d[i];
        sums[3] += blob.c[i] * blob.b[i];
    }
    const struct launch one = items(1, 1);
    run(find_kernel(program, "dot_products"), &one, &blob);
    for (int i = 0; i < 4; i++)
        assert_int_equal(out[i], sums[i]);
    assert_int_equal(out[4], sums[0] + 1000);
    assert_int_equal(out[5], sums[2] > 5 ? INT_MAX : INT_MAX - 5 + sums[2]);
    assert_int_equal((unsigned)out[6], UINT_MAX);
    assert_int_equal(out[7], sums[1] + 1);
    assert_int_equal(out[8], sums[0]);
    assert_int_equal(out[9], sums[1]);
    assert_int_equal(out[10], sums[2] + 7);
}

// ---- blocks ----

enum { GROUPS = 2, SIZE = 32, SUB_GROUP = 16, ELEMENTS = GROUPS * SIZE * 8 };

static const int block_order[8] = {7, 5, 3, 1, 6, 4, 0, 2};

#define BLOCKS(name, type)                                                                      \
    static void blocks_##name(void **state)                                                     \
    {                                                                                           \
        (void)state;                                                                            \
        static type in[ELEMENTS], out[ELEMENTS];                                                \
        for (int i = 0; i < ELEMENTS; i++)                                                      \
            in[i] = (type)(i * 2654435761u);                                                    \
        const struct {                                                                          \
            type *out;                                                                          \
            const type *in;                                                                     \
        } blob = {out, in};                                                                     \
        const struct launch launch = items(GROUPS, SIZE);                                       \
        run(find_kernel(program, "blocks_" #name), &launch, &blob);                             \
        for (int i = 0; i < ELEMENTS; i++) {                                                    \
            const int row = i / SUB_GROUP % 8, first = i / (SUB_GROUP * 8) * SUB_GROUP * 8;     \
            assert_int_equal(out[i], in[first + block_order[row] * SUB_GROUP + i % SUB_GROUP]); \
        }                                                                                       \
    }
BLOCKS(us, uint16_t)
BLOCKS(ui, uint32_t)

// ---- generic pointers ----

static const int space_bits[5] = {1 | 8, 2 | 16, 2 | 16, 4, 1 | 8};

static void spaces(void **state)
{
    (void)state;
    enum { ITEMS = 40, GROUP = 20 };
    int out[ITEMS * 2];
    const struct {
        int *out;
        uint64_t block;
        uint64_t block_end; // of a checked kernel: the harness sets it
    } blob = {out, 0, 0};
    struct launch launch = items(ITEMS / GROUP, GROUP);
    launch.local_memory_size = GROUP * sizeof(int);
    run(find_kernel(program, "spaces"), &launch, &blob);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(out[i], space_bits[i % 5]);
        const int kept = i + (i % GROUP & 3);
        assert_int_equal(out[ITEMS + i], space_bits[(i + 3) % 5] + 100 * (kept + 3));
    }
}

static void spaces_without_barriers(void **state)
{
    (void)state;
    int out[64];
    const struct {
        int *out;
    } blob = {out};
    const struct launch launch = items(4, 16);
    run(find_kernel(program, "simple_spaces"), &launch, &blob);
    for (int i = 0; i < 64; i++)
        assert_int_equal(out[i], space_bits[i & 1 ? 0 : 3]);
}

static void float_atomics(void **state)
{
    (void)state;
    float sums[3] = {0.5f, 0, 0};
    double wide[3] = {0.25, 0, 0};
    const struct {
        float *sums;
        double *wide;
    } blob = {sums, wide};
    const struct launch launch = items(4, 16);
    run(find_kernel(program, "float_atomics"), &launch, &blob);
    assert_true(sums[0] == 2016.5f && sums[1] == -63 && sums[2] == 63);
    assert_true(wide[0] == 2016.25 && wide[1] == -63 && wide[2] == 63);
}

// ---- halfs ----

// Of a value that a half has, and that is not tiny.
static uint16_t half_of(double x)
{
    int exponent;
    const double size = frexp(fabs(x), &exponent);
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (x == 0)
        return sign;
    return (uint16_t)(sign | ((exponent + 14) << 10) | ((int)(size * 2048) & 0x3ff));
}

static double value_of(uint16_t half)
{
    const int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    const double size =
        exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
    return half & 0x8000 ? -size : size;
}

static void check_extremes(const char *name, int size)
{
    _Alignas(32) uint16_t in[48], out[96];
    for (int i = 0; i < 48; i++)
        in[i] = half_of((i * 37 + 11) % 101 / 4.0 - 12);
    const struct {
        uint16_t *out;
        const uint16_t *in;
    } blob = {out, in};
    const struct launch one = items(1, 1);
    run(find_kernel(program, name), &one, &blob);
    for (int i = 0; i < size; i++) {
        const double a = value_of(in[i]), b = value_of(in[size + i]),
                     c = value_of(in[2 * size + i]);
        const double least = fmin(a, b), most = fmax(a, b);
        const double expected[6] = {
            most, least, most, least, fmin(fmax(c, least), most), fmax(a, 2)};
        for (int k = 0; k < 6; k++) {
            if (out[k * size + i] != half_of(expected[k]))
                fail_msg("%s, element %d, result %d: %g instead of %g", name, i, k,
                    value_of(out[k * size + i]), expected[k]);
        }
    }
}

static void extremes_of_halfs(void **state)
{
    (void)state;
    check_extremes("extremes2", 2);
    check_extremes("extremes3", 3);
    check_extremes("extremes4", 4);
    check_extremes("extremes8", 8);
    check_extremes("extremes16", 16);
}

static void extremes_in_loops(void **state)
{
    (void)state;
    uint16_t in[257], out[256];
    for (int i = 0; i < 257; i++)
        in[i] = half_of((i * 37 + 11) % 101 / 4.0 - 12);
    const struct {
        uint16_t *out;
        const uint16_t *in;
    } blob = {out, in};
    const struct launch launch = items(1, 256);
    run(find_kernel(program, "many_extremes"), &launch, &blob);
    for (int i = 0; i < 256; i++)
        assert_int_equal(out[i], half_of(fmax(value_of(in[i]), value_of(in[i + 1]))));
}

static void parts_of_halfs(void **state)
{
    (void)state;
    static const double inputs[5] = {2.75, -2.75, 0.5, 100.125, -0.25};
    uint16_t in[5], out[5 * 12];
    for (int i = 0; i < 5; i++)
        in[i] = half_of(inputs[i]);
    const struct {
        uint16_t *out;
        const uint16_t *in;
        uint64_t code;
    } blob = {out, in, 0x15};
    const struct launch launch = items(5, 1);
    run(find_kernel(program, "half_parts"), &launch, &blob);
    for (int i = 0; i < 5; i++) {
        const double x = inputs[i], below = floor(x);
        const uint16_t *mine = out + (size_t)i * 12;
        double whole;
        int exponent;
        const double rest = modf(x, &whole), significand = frexp(x, &exponent);
        const double expected[11] = {x - below, below, rest, whole, sin(x), cos(x), rest, whole,
            x - below, significand, exponent};
        for (int k = 0; k < 11; k++) {
            const double allowed = k == 4 || k == 5 ? 0x1p-10 * fabs(expected[k]) : 0;
            if (fabs(value_of(mine[k]) - expected[k]) > allowed)
                fail_msg(
                    "of %g, result %d: %g instead of %g", x, k, value_of(mine[k]), expected[k]);
        }
        assert_int_equal(mine[3] >> 15, x < 0);
        assert_int_equal(mine[11], 0x7e15);
    }
}

static const char *const files[] = {"extended.O2", "extended.O0"};

static int build(void **state)
{
    program = build_file(*state, "");
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    engine->destroy(program);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    int failures = 0;
    for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
        void *file = (void *)(uintptr_t)files[f];
#define TEST(name) cmocka_unit_test_prestate_setup_teardown(name, build, destroy, file)
        const struct CMUnitTest tests[] = {TEST(fields_of_bits), TEST(dot_products),
            TEST(blocks_us), TEST(blocks_ui), TEST(spaces), TEST(spaces_without_barriers),
            TEST(float_atomics), TEST(extremes_of_halfs), TEST(extremes_in_loops),
            TEST(parts_of_halfs)};
        failures += cmocka_run_group_tests_name(files[f], tests, NULL, NULL);
    }
    return failures;
}
