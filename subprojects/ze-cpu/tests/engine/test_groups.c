// SPDX-License-Identifier: MIT
//
// Operations of groups and sub-groups, in a group that is not a multiple of the sub-group size.

#include "engine_harness.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 2, SIZE = 40, N = GROUPS * SIZE, SUB_GROUP = 16 };

static struct zc_program *program;
static int input[N];

struct range {
    int first, end, me;
};

static struct range sub_group_of(int i)
{
    const int group = i / SIZE * SIZE;
    const int first = group + (i - group) / SUB_GROUP * SUB_GROUP;
    const int end = first + SUB_GROUP < group + SIZE ? first + SUB_GROUP : group + SIZE;
    return (struct range){first, end, i};
}

static int sum(int first, int end)
{
    int total = 0;
    for (int i = first; i < end; i++)
        total += input[i];
    return total;
}

static int least(int first, int end)
{
    int result = INT_MAX;
    for (int i = first; i < end; i++)
        result = input[i] < result ? input[i] : result;
    return result;
}

static int greatest(int first, int end)
{
    int result = INT_MIN;
    for (int i = first; i < end; i++)
        result = input[i] > result ? input[i] : result;
    return result;
}

static void check_sub_group(const int *out, struct range r)
{
    const int size = r.end - r.first;
    const int id = (r.first % SIZE) / SUB_GROUP;
    assert_int_equal(out[0], sum(r.first, r.end));
    assert_int_equal(out[1], sum(r.first, r.me + 1));
    assert_int_equal(out[2], greatest(r.first, r.me));
    assert_int_equal(out[3], input[r.first + 3]);
    assert_int_equal(out[4], (greatest(r.first, r.end) > 90) | (least(r.first, r.end) > 3) << 1);
    assert_int_equal(out[5], size << 16 | id << 8 | (r.me - r.first));
    assert_int_equal(out[6], (SIZE + SUB_GROUP - 1) / SUB_GROUP << 8 | SUB_GROUP);
    int repeated = 0;
    for (int k = 0; k < (id & 1 ? id : 0); k++)
        repeated += least(r.first, r.end) + k;
    assert_int_equal(out[7], repeated);
}

static void run_on_input(const char *kernel, void *out)
{
    const struct {
        void *out;
        const int *in;
    } blob = {out, input};
    const struct launch launch = {.groups = {GROUPS, 1, 1}, .group_size = {SIZE, 1, 1}};
    run(find_kernel(program, kernel), &launch, &blob);
}

static void sub_groups(void **state)
{
    (void)state;
    int out[N * 8];
    run_on_input("sub_groups", out);
    for (int i = 0; i < N; i++)
        check_sub_group(out + i * 8, sub_group_of(i));
}

static void work_groups(void **state)
{
    (void)state;
    float out[N * 4];
    run_on_input("work_groups", out);
    for (int i = 0; i < N; i++) {
        const int first = i / SIZE * SIZE;
        assert_true(out[i * 4] == (float)sum(first, first + SIZE));
        assert_true(out[i * 4 + 1] == (float)sum(first, i));
        assert_true(out[i * 4 + 2] == (float)input[first + 5]);
        int any = 0;
        for (int k = first; k < first + SIZE; k++)
            any |= input[k] == input[7];
        assert_true(out[i * 4 + 3] == (float)(any + 2));
    }
}

static void expect_operations(int i, int *out)
{
    const int group = i / SIZE * SIZE;
    const struct range sub_group = sub_group_of(i);
    const int start[8] = {1, 1, -1, 0, 0, 1, 0, 0};
    memcpy(out, start, sizeof(start));
    for (int k = group; k < group + SIZE; k++) {
        const int x = input[k];
        out[0] = (int)((unsigned)out[0] * (unsigned)x);
        out[3] |= k <= i ? x : 0;
        out[4] ^= k < i ? x : 0;
        out[7] ^= k <= i ? x & 1 : 0;
    }
    for (int k = sub_group.first; k <= i; k++) {
        const int x = input[k];
        out[1] *= 1 + (x & 1);
        out[2] &= k < i ? x | 64 : -1;
        out[5] &= x > 20;
        out[6] |= k < i && x > 80;
    }
}

static void more_operations(void **state)
{
    (void)state;
    int out[N * 8];
    run_on_input("more_operations", out);
    for (int i = 0; i < N; i++) {
        int expected[8];
        expect_operations(i, expected);
        for (int k = 0; k < 8; k++)
            assert_int_equal(out[i * 8 + k], expected[k]);
    }
}

static void async_copies(void **state)
{
    (void)state;
    int in[64];
    int out[128];
    for (int i = 0; i < 64; i++)
        in[i] = i * 3;
    const struct {
        int *out;
        const int *in;
        uint64_t block;
        uint64_t block_end; // of a checked kernel: the harness sets it
    } blob = {out, in, 0, 0};
    const struct launch launch = {
        .groups = {2, 1, 1}, .group_size = {32, 1, 1}, .local_memory_size = 128};
    run(find_kernel(program, "async_copies"), &launch, &blob);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(out[i], in[i] + 1);
        assert_int_equal(out[64 + i], in[i / 32 * 32 + i % 16 * 2]);
    }
}

static void required_sub_group_size(void **state)
{
    (void)state;
    int out[12];
    const struct {
        int *out;
    } blob = {out};
    const struct zc_kernel *kernel = find_kernel(program, "eight_wide");
    assert_int_equal(kernel->required_sub_group_size, 8);
    assert_int_equal(kernel->sub_group_size, 8);
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {12, 1, 1}};
    run(kernel, &launch, &blob);
    for (int i = 0; i < 12; i++)
        assert_int_equal(out[i], (i < 8 ? 800 : 400) + 8);
}

static void unavailable_sub_group_size(void **state)
{
    (void)state;
    struct zc_features features = all_features;
    features.sub_group_sizes = 16 | 32;
    struct bytes bytes = load_spirv("groups.O2");
    struct zc_program *refused;
    char *log;
    assert_int_equal(build_bytes(bytes, &features, &refused, &log), ZC_BUILD_FAILED);
    assert_null(refused);
    assert_non_null(strstr(log, "function 'eight_wide': sub-group size 8 is not supported"));
    free(log);
    free_bytes(&bytes);
}

static void group_of_one(void **state)
{
    (void)state;
    int out[3] = {0}, a[2] = {99, 99};
    const struct {
        int *out, *a;
        int n;
    } blob = {out, a, 5};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(program, "alone"), &launch, &blob);
    assert_int_equal(out[0], 8);
    assert_int_equal(out[1], 7);
    assert_int_equal(out[2], 4);
    assert_int_equal(a[0], 1);
    assert_int_equal(a[1], 17);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    for (int i = 0; i < N; i++)
        input[i] = (i * 37 + 11) % 101;
    program = build_file("groups.O2", "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sub_groups),
        cmocka_unit_test(work_groups),
        cmocka_unit_test(more_operations),
        cmocka_unit_test(async_copies),
        cmocka_unit_test(required_sub_group_size),
        cmocka_unit_test(unavailable_sub_group_size),
        cmocka_unit_test(group_of_one),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failures;
}
