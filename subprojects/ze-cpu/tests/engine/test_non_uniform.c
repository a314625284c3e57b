// SPDX-License-Identifier: MIT
//
// Operations of sub-groups that not all their members come to, in a group that is not a multiple of the sub-group
// size: each against a loop over those that come.

#include "engine_harness.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "non_uniform.h"

enum { SIZE = 40, GROUPS = 2, N = SIZE * GROUPS, SUB_GROUP = 16 };

typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// All, some at both ends, one, and every other one.
static const uint32_t masks[] = {0xffff, 0x8421, 0x0008, 0x5555, 0xfff7};
enum { MASKS = sizeof(masks) / sizeof(masks[0]) };
static const char *const files[] = {"non_uniform.O2", "non_uniform.O0"};
enum { FILES = 2 };

static struct zc_program *programs[FILES];
static const struct launch launch = {.groups = {GROUPS, 1, 1}, .group_size = {SIZE, 1, 1}};

struct blob {
    void *out;
    const void *in;
    uint32_t mask;
};

struct member {
    int first, size, me; // of the sub-group: the first work-item and how many there are
};

static struct member member_at(int i)
{
    const int first = i / SIZE * SIZE + i % SIZE / SUB_GROUP * SUB_GROUP;
    const int end = (i / SIZE + 1) * SIZE;
    return (struct member){first, end - first < SUB_GROUP ? end - first : SUB_GROUP, i - first};
}

static uint32_t active_of(struct member m, uint32_t mask)
{
    return mask & (uint32_t)((UINT64_C(1) << m.size) - 1);
}

// Of what comes from `from` to before `end`.
#define DEFINE(type, name, start, combine)                                                  \
    static type combine_##type##_##name(const type *in, uint32_t active, int from, int end) \
    {                                                                                       \
        type a = (type)start;                                                               \
        for (int i = from; i < end; i++) {                                                  \
            const type b = in[i];                                                           \
            if (active >> i & 1)                                                            \
                a = combine;                                                                \
        }                                                                                   \
        return a;                                                                           \
    }                                                                                       \
    static void expect_##type##_##name(const type *in, int i, uint32_t mask, type *out)     \
    {                                                                                       \
        const struct member m = member_at(i);                                               \
        const int cluster = m.me / 4 * 4;                                                   \
        if (mask >> m.me & 1) {                                                             \
            out[0] = combine_##type##_##name(in + m.first, mask, 0, m.size);                \
            out[1] = combine_##type##_##name(in + m.first, mask, 0, m.me + 1);              \
            out[2] = combine_##type##_##name(in + m.first, mask, 0, m.me);                  \
            out[3] = combine_##type##_##name(                                               \
                in + m.first, mask, cluster, cluster + 4 < m.size ? cluster + 4 : m.size);  \
        }                                                                                   \
        out[4] = combine_##type##_##name(in + m.first, 0xffff, 0, m.size);                  \
    }                                                                                       \
    static void test_##type##_##name(void **state)                                          \
    {                                                                                       \
        (void)state;                                                                        \
        type in[N], out[N * 5], expected[N * 5];                                            \
        for (int k = 0; k < MASKS; k++) {                                                   \
            const uint32_t mask = masks[k];                                                 \
            memset(out, 0x11, sizeof(out));                                                 \
            memset(expected, 0x11, sizeof(expected));                                       \
            for (int i = 0; i < N; i++)                                                     \
                in[i] = (type)((i * 37 + 11) % 7);                                          \
            for (int i = 0; i < N; i++)                                                     \
                expect_##type##_##name(in, i, mask, expected + (size_t)i * 5);              \
            const struct blob blob = {out, in, mask};                                       \
            run(find_kernel(programs[0], #type "_" #name), &launch, &blob);                 \
            for (int i = 0; i < N * 5; i++) {                                               \
                if (memcmp(&out[i], &expected[i], sizeof(type)) != 0)                       \
                    fail_msg(#type "_" #name                                                \
                                   ", mask %x, work-item %d, result %d: %g instead of %g",  \
                        mask, i / 5, i % 5, (double)out[i], (double)expected[i]);           \
            }                                                                               \
        }                                                                                   \
    }
OPERATIONS(DEFINE)

static void compare(
    const char *what, uint32_t mask, const uint32_t *out, const uint32_t *expected, int results)
{
    for (int i = 0; i < N * results; i++) {
        if (out[i] != expected[i])
            fail_msg("%s, mask %x, work-item %d, result %d: %x instead of %x", what, mask,
                i / results, i % results, out[i], expected[i]);
    }
}

static int lowest(uint32_t bits)
{
    return bits == 0 ? 0 : __builtin_ctz(bits);
}

static void expect_votes(const int *in, int i, uint32_t mask, uint32_t *out)
{
    const struct member m = member_at(i);
    const int *values = in + m.first;
    const uint32_t all = active_of(m, 0xffff), active = active_of(m, mask), others = all & ~mask;
    uint32_t odd = 0, high = 0, above = 0, equal = 0;
    for (int k = 0; k < m.size; k++) {
        odd |= (uint32_t)(values[k] & 1) << k & active;
        high |= (uint32_t)(values[k] > 80) << k & active;
        above |= (uint32_t)(values[k] > 3) << k & active;
        equal |= (uint32_t)(values[k] == values[m.me]) << k & active;
    }
    out[15] = all;
    if (!(mask >> m.me & 1)) {
        out[0] = m.me == lowest(others);
        out[6] = others;
        return;
    }
    const uint32_t below = (1u << m.me) - 1;
    const uint32_t expected[15] = {m.me == lowest(active), high != 0, above == active,
        equal == active, 1, (uint32_t)values[lowest(active)], odd, 0, odd >> m.me & 1, odd >> 7 & 1,
        (uint32_t)__builtin_popcount(odd), (uint32_t)__builtin_popcount(odd & (below << 1 | 1)),
        (uint32_t)__builtin_popcount(odd & below), (uint32_t)lowest(odd),
        odd == 0 ? 0 : 31 - (uint32_t)__builtin_clz(odd)};
    memcpy(out, expected, sizeof(expected));
}

static void votes(void **state)
{
    (void)state;
    int in[N];
    uint32_t out[N * 16], expected[N * 16];
    for (int k = 0; k < MASKS * FILES; k++) {
        memset(out, 0x11, sizeof(out));
        memset(expected, 0x11, sizeof(expected));
        for (int i = 0; i < N; i++)
            in[i] = (i * 37 + 11) % 101;
        for (int i = 0; i < N; i++)
            expect_votes(in, i, masks[k / FILES], expected + (size_t)i * 16);
        const struct blob blob = {out, in, masks[k / FILES]};
        run(find_kernel(programs[k % FILES], "votes"), &launch, &blob);
        compare(files[k % FILES], masks[k / FILES], out, expected, 16);
    }
}

// Nearly all members say the same.
static void equal_truth(void **state)
{
    (void)state;
    int in[N];
    uint32_t out[N * 3], expected[N * 3];
    for (int i = 0; i < N; i++)
        in[i] = (i * 37 + 11) % 101;
    for (int k = 0; k < MASKS * FILES; k++) {
        const uint32_t mask = masks[k / FILES];
        memset(out, 0x11, sizeof(out));
        memset(expected, 0x11, sizeof(expected));
        for (int i = 0; i < N; i++) {
            const struct member m = member_at(i);
            uint32_t yes = 0;
            for (int n = 0; n < m.size; n++)
                yes |= (uint32_t)(in[m.first + n] > 11) << n & active_of(m, mask);
            for (int n = 0; n < 3 && (mask >> m.me & 1); n++)
                expected[i * 3 + n] = yes == 0 || yes == active_of(m, mask);
        }
        const struct blob blob = {out, in, mask};
        run(find_kernel(programs[k % FILES], "equal_truth"), &launch, &blob);
        compare(files[k % FILES], mask, out, expected, 3);
    }
}

static void bit_masks(void **state)
{
    (void)state;
    uint32_t out[N * 5], expected[N * 5];
    for (int i = 0; i < N; i++) {
        const uint32_t bit = 1u << member_at(i).me;
        const uint32_t row[5] = {
            bit, 0xffff & ~(bit - 1), 0xffff & ~(bit * 2 - 1), bit * 2 - 1, bit - 1};
        memcpy(expected + (size_t)i * 5, row, sizeof(row));
    }
    for (int f = 0; f < FILES; f++) {
        const struct blob blob = {.out = out};
        run(find_kernel(programs[f], "masks"), &launch, &blob);
        compare(files[f], 0, out, expected, 5);
    }
}

static void loops(void **state)
{
    (void)state;
    int in[N];
    uint32_t out[N * 2], expected[N * 2];
    for (int i = 0; i < N; i++)
        in[i] = (i * 37 + 11) % 101;
    for (int i = 0; i < N; i++) {
        const struct member m = member_at(i);
        uint32_t sum = 0;
        for (int k = 0; k < in[i] % 7; k++) {
            uint32_t left = 0;
            for (int other = m.first; other < m.first + m.size; other++)
                left += k < in[other] % 7 && !((k ^ in[other] % 7) & 1);
            sum += (k ^ in[i] % 7) & 1 ? 0 : left << k * 4;
        }
        expected[i * 2] = sum;
        expected[i * 2 + 1] = active_of(m, 0xffff);
    }
    for (int f = 0; f < FILES; f++) {
        const struct blob blob = {out, in, 0};
        run(find_kernel(programs[f], "rounds"), &launch, &blob);
        compare(files[f], 0, out, expected, 2);
    }
}

static void loops_in_loops(void **state)
{
    (void)state;
    int in[N];
    uint32_t out[N], expected[N];
    for (int i = 0; i < N; i++)
        in[i] = (i * 37 + 11) % 101;
    for (int i = 0; i < N; i++) {
        const struct member m = member_at(i);
        uint32_t seen = 0;
        for (int k = 0; k < 2 * (in[i] % 3 + 1); k++) {
            uint32_t left = 0;
            for (int other = m.first; other < m.first + m.size; other++)
                left += k % (in[i] % 3 + 1) <= in[other] % 3;
            seen = seen * 17 + left;
        }
        expected[i] = seen;
    }
    for (int f = 0; f < FILES; f++) {
        const struct blob blob = {out, in, 0};
        run(find_kernel(programs[f], "rounds_of_rounds"), &launch, &blob);
        compare(files[f], 0, out, expected, 1);
    }
}

static void members_that_have_ended(void **state)
{
    (void)state;
    for (int k = 0; k < MASKS * FILES; k++) {
        uint32_t out[N], expected[N];
        const uint32_t mask = masks[k / FILES];
        for (int i = 0; i < N; i++) {
            const struct member m = member_at(i);
            const uint32_t active = active_of(m, mask), is_first = m.me == lowest(active);
            expected[i] = mask >> m.me & 1 ? active | is_first << 16 | 1 << 17 : 77;
        }
        const struct {
            uint32_t *out;
            uint32_t mask;
        } blob = {out, mask};
        run(find_kernel(programs[k % FILES], "early"), &launch, &blob);
        compare(files[k % FILES], mask, out, expected, 1);
    }
}

#define EXCHANGE(type)                                                                           \
    static void exchange_##type(void **state)                                                    \
    {                                                                                            \
        (void)state;                                                                             \
        type in[N], out[N * 8];                                                                  \
        for (int i = 0; i < N; i++)                                                              \
            in[i] = (type)((i * 37 + 11) % 101);                                                 \
        for (int f = 0; f < FILES; f++) {                                                        \
            const struct blob blob = {out, in, 0};                                               \
            run(find_kernel(programs[f], "exchange_" #type), &launch, &blob);                    \
            for (int i = 0; i < N; i++) {                                                        \
                const struct member m = member_at(i);                                            \
                const type *v = in + m.first;                                                    \
                const int turned = (m.me + 5) % SUB_GROUP;                                       \
                const type expected[8] = {v[5], v[m.me ^ 3], v[m.me ^ 1],                        \
                    v[m.me < 2 ? m.me : m.me - 2], v[m.me + 3 < m.size ? m.me + 3 : m.me],       \
                    v[turned < m.size ? turned : m.me], v[m.me / 4 * 4 + (m.me + 3) % 4], v[0]}; \
                for (int k = 0; k < 8; k++) {                                                    \
                    if (memcmp(&out[i * 8 + k], &expected[k], sizeof(type)) != 0)                \
                        fail_msg("%s " #type " work-item %d, result %d", files[f], i, k);        \
                }                                                                                \
            }                                                                                    \
        }                                                                                        \
    }
EXCHANGE(char)
EXCHANGE(ushort)
EXCHANGE(int)
EXCHANGE(ulong)
EXCHANGE(float)
EXCHANGE(double)

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    for (int f = 0; f < FILES; f++)
        programs[f] = build_file(files[f], "");
#define REGISTER(type, name, start, combine) cmocka_unit_test(test_##type##_##name),
    const struct CMUnitTest tests[] = {OPERATIONS(REGISTER) cmocka_unit_test(votes),
        cmocka_unit_test(equal_truth), cmocka_unit_test(bit_masks), cmocka_unit_test(loops),
        cmocka_unit_test(loops_in_loops), cmocka_unit_test(members_that_have_ended),
        cmocka_unit_test(exchange_char), cmocka_unit_test(exchange_ushort),
        cmocka_unit_test(exchange_int), cmocka_unit_test(exchange_ulong),
        cmocka_unit_test(exchange_float), cmocka_unit_test(exchange_double)};
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    for (int f = 0; f < FILES; f++)
        engine->destroy(programs[f]);
    return failures;
}
