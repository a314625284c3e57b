// SPDX-License-Identifier: MIT
//
// Arguments of every kind arrive as they were given.

#include "harness.h"

static void submit_one(mez_queue *queue, mez_kernel *kernel, const mez_args *args)
{
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(1), args, NULL));
    mez_test_ok(mez_queue_wait(queue));
}

static void check_longs(const int64_t *out, const int64_t *expected, size_t count)
{
    for (size_t i = 0; i < count && mez_test_has("results"); i++)
        assert_int_equal(out[i], expected[i]);
}

static void check_ints(const int32_t *out, const int32_t *expected, size_t count)
{
    for (size_t i = 0; i < count && mez_test_has("results"); i++)
        assert_int_equal(out[i], expected[i]);
}

static void scalars_of_all_sizes(void **state)
{
    const int8_t a = -8;
    const uint8_t b = 250;
    const int16_t c = -3000;
    const uint16_t d = 60000;
    const int32_t e = -100000;
    const uint32_t f = 4000000000u;
    const int64_t g = INT64_MIN + 5;
    const uint64_t h = UINT64_MAX - 5;
    const float i = 1.5f; // 0x3fc00000
    const int64_t expected[] = {-8, 250, -3000, 60000, -100000, 4000000000, g, -6, 0x3fc00000};
    mez_kernel *kernel = mez_test_kernel("arguments", "scalars");
    int64_t *out = mez_test_shared(sizeof expected);
    submit_one(*state, kernel,
        MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b), MEZ_VAL(c), MEZ_VAL(d), MEZ_VAL(e), MEZ_VAL(f), MEZ_VAL(g),
            MEZ_VAL(h), MEZ_VAL(i), MEZ_PTR(out)));
    check_longs(out, expected, 9);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static uint64_t count_calls(void)
{
    static uint64_t calls;
    return ++calls;
}

static void values_of_expressions(void **state)
{
    const int32_t three = 3;
    const int64_t expected[] = {-8, 250, -3000, 6, 4, 7, -9, 1, 0x3fc00000};
    mez_kernel *kernel = mez_test_kernel("arguments", "scalars");
    int64_t *out = mez_test_shared(sizeof expected);
    submit_one(*state, kernel,
        MEZ_ARGS(MEZ_VAL((int8_t)-8), MEZ_VAL((uint8_t)250), MEZ_VAL((int16_t)-3000),
            MEZ_VAL((uint16_t)(2 * three)), MEZ_VAL(three + 1), MEZ_VAL(7u), MEZ_VAL(INT64_C(-9)),
            MEZ_VAL(count_calls()), MEZ_VAL(1.5f), MEZ_PTR(out)));
    check_longs(out, expected, 9);
    assert_int_equal(count_calls(), 2);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

// Vectors of three take the room of four.
static void vectors(void **state)
{
    const int8_t a[2] = {-1, 2};
    const uint8_t b[4] = {3, 4, 5, 99};
    const int16_t c[4] = {6, -7, 8, 9};
    const int32_t d[4] = {10, 11, -12, 99};
    const float e[4] = {13, 14, 15, 99};
    const float f[4] = {16, -17, 18, 19};
    const int32_t g[8] = {20, 21, 22, 23, 24, 25, 26, 27};
    int16_t h[16];
    const int64_t i[2] = {44, -45};
    for (int16_t at = 0; at < 16; at++)
        h[at] = (int16_t)(28 + at);
    const int32_t expected[45] = {-1, 2, 3, 4, 5, 6, -7, 8, 9, 10, 11, -12, 13, 14, 15, 16, -17, 18,
        19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41,
        42, 43, 44, -45};
    mez_kernel *kernel = mez_test_kernel("arguments", "vectors");
    int32_t *out = mez_test_shared(sizeof expected);
    submit_one(*state, kernel,
        MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b), MEZ_VAL(c), MEZ_VAL(d), MEZ_VAL(e), MEZ_VAL(f), MEZ_VAL(g),
            MEZ_VAL(h), MEZ_VAL(i), MEZ_PTR(out)));
    check_ints(out, expected, 45);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

struct inner { // both as in arguments.cl
    int16_t small[3];
    int8_t tiny;
};

struct outer {
    int8_t first;
    int32_t second;
    struct inner inner;
    int64_t last;
};

static void structs_by_value(void **state)
{
    const struct outer a = {-1, 70000, {{3, 4, 5}, 6}, INT64_C(-7000000000)};
    const struct inner b = {{8, -9, 10}, 11};
    const int64_t expected[] = {-1, 70000, 3, 5, 6, -7000000000, -9, 11};
    mez_kernel *kernel = mez_test_kernel("arguments", "structs");
    int64_t *out = mez_test_shared(sizeof expected);
    submit_one(*state, kernel, MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b), MEZ_PTR(out)));
    check_longs(out, expected, 8);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static void pointers(void **state)
{
    enum { COUNT = 40 };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("arguments", "pointers");
    int32_t *a = mez_test_alloc(MEZ_MEMORY_SHARED, COUNT * sizeof *a);
    int32_t *b = mez_test_alloc(MEZ_MEMORY_HOST, COUNT * sizeof *b);
    int16_t *c = mez_test_alloc(MEZ_MEMORY_SHARED, (COUNT + 2) * sizeof *c);
    int32_t *out = mez_test_alloc(MEZ_MEMORY_HOST, COUNT * sizeof *out);
    memset(c, 0x11, (COUNT + 2) * sizeof *c);
    for (int i = 0; i < COUNT; i++) {
        a[i] = i;
        b[i] = 100 * i;
    }
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_PTR(a), MEZ_PTR(b), MEZ_PTR(c + 1), MEZ_PTR(NULL), MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++) {
        assert_int_equal(c[i + 1], 101 * i);
        assert_int_equal(out[i], 1);
    }
    assert_int_equal(c[0], 0x1111);
    assert_int_equal(c[COUNT + 1], 0x1111);
    mez_test_free(a);
    mez_test_free(b);
    mez_test_free(c);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static void local_memory(void **state)
{
    enum { GROUP = 16, COUNT = 8 * GROUP };
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("arguments", "local_memory");
    int32_t *out = mez_test_shared(COUNT * sizeof *out);
    const int32_t add = 500;
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP)),
        MEZ_ARGS(MEZ_LOCAL(GROUP * sizeof(int32_t)), MEZ_VAL(add), MEZ_LOCAL(GROUP), MEZ_PTR(out)),
        NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_int_equal(out[i], (GROUP - 1 - i % GROUP) * 1000 + GROUP + add);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static void none_at_all(void **state)
{
    mez_kernel *kernel = mez_test_kernel("arguments", "nothing");
    assert_int_equal(mez_kernel_get_argument_count(kernel), 0);
    submit_one(*state, kernel, NULL);
    mez_kernel_destroy(&kernel);
}

// Arguments travel with the submission: what changes afterwards does not matter.
static void many_and_gone_after_the_call(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("arguments", "many");
    int32_t *out = mez_test_shared(2 * 16 * sizeof *out);
    int32_t v[16];
    for (int32_t round = 0; round < 2; round++) {
        for (int32_t i = 0; i < 16; i++)
            v[i] = 1000 * round + i;
        mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(1),
            MEZ_ARGS(MEZ_VAL(v[0]), MEZ_VAL(v[1]), MEZ_VAL(v[2]), MEZ_VAL(v[3]), MEZ_VAL(v[4]),
                MEZ_VAL(v[5]), MEZ_VAL(v[6]), MEZ_VAL(v[7]), MEZ_VAL(v[8]), MEZ_VAL(v[9]),
                MEZ_VAL(v[10]), MEZ_VAL(v[11]), MEZ_VAL(v[12]), MEZ_VAL(v[13]), MEZ_VAL(v[14]),
                MEZ_VAL(v[15]), MEZ_PTR(out + 16 * round)),
            NULL));
    }
    memset(v, 0xee, sizeof v);
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 32 && mez_test_has("results"); i++)
        assert_int_equal(out[i], 1000 * (i / 16) + i % 16);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

static void wrong_ones_are_refused(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("arguments", "structs");
    const int64_t number = 1;
    const struct outer a = {0};
    const struct inner b = {0};
    int64_t *out = mez_test_shared(64);
    const mez_args *wrong[] = {
        NULL,
        MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b)),
        MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b), MEZ_PTR(out), MEZ_PTR(out)),
        MEZ_ARGS(MEZ_VAL(number), MEZ_VAL(b), MEZ_PTR(out)),
        MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(out), MEZ_PTR(out)),
        MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b), MEZ_VAL(number)),
        MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(b), MEZ_LOCAL(64)),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        mez_test_fails(
            mez_submit(queue, kernel, MEZ_RANGE(1), wrong[i], NULL), MEZ_ERRC_KERNEL_ARGUMENT);
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

// --- What the kernel says of them

typedef struct declared {
    mez_declared_kind kind;
    mez_arg_kind passed_as;
    size_t size;
    const char *type;
} declared;

static void check_declared(const char *name, const declared *expected, uint32_t count)
{
    mez_kernel *kernel = mez_test_kernel("arguments", name);
    assert_int_equal(mez_kernel_get_argument_count(kernel), count);
    assert_null(mez_kernel_get_argument(kernel, count));
    for (uint32_t i = 0; i < count; i++) {
        const mez_kernel_argument *argument = mez_kernel_get_argument(kernel, i);
        assert_ptr_equal(argument, mez_kernel_get_argument(kernel, i));
        assert_int_equal(argument->kind, expected[i].kind);
        assert_int_equal(argument->passed_as, expected[i].passed_as);
        assert_int_equal(argument->size, expected[i].size);
        assert_string_equal(argument->type, expected[i].type);
        if (argument->kind == MEZ_DECLARED_VALUE)
            assert_string_equal(argument->number_type, expected[i].type);
    }
    mez_kernel_destroy(&kernel);
}

static void arguments_are_described(void **state)
{
    (void)state;
    static const declared vectors[] = {
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 2, "char2"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 4, "char3"}, // of uchar3, too
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 8, "short4"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 16, "int3"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 16, "float3"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 16, "float4"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 32, "int8"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 32, "short16"},
        {MEZ_DECLARED_VALUE, MEZ_ARG_VALUE, 16, "long2"},
        {MEZ_DECLARED_GLOBAL_POINTER, MEZ_ARG_POINTER, 8, "global int *"},
    };
    static const declared structs[] = {
        {MEZ_DECLARED_STRUCT, MEZ_ARG_VALUE, sizeof(struct outer), "struct"},
        {MEZ_DECLARED_STRUCT, MEZ_ARG_VALUE, sizeof(struct inner), "struct"},
        {MEZ_DECLARED_GLOBAL_POINTER, MEZ_ARG_POINTER, 8, "global long *"},
    };
    check_declared("vectors", vectors, 10);
    check_declared("structs", structs, 3);
    check_declared("nothing", NULL, 0);
}

static void pointers_are_described(void **state)
{
    (void)state;
    static const mez_declared_kind kinds[] = {MEZ_DECLARED_LOCAL_POINTER, MEZ_DECLARED_VALUE,
        MEZ_DECLARED_LOCAL_POINTER, MEZ_DECLARED_GLOBAL_POINTER};
    static const mez_arg_kind passed[] = {
        MEZ_ARG_LOCAL, MEZ_ARG_VALUE, MEZ_ARG_LOCAL, MEZ_ARG_POINTER};
    mez_kernel *kernel = mez_test_kernel("arguments", "local_memory");
    for (uint32_t i = 0; i < 4; i++) {
        const mez_kernel_argument *argument = mez_kernel_get_argument(kernel, i);
        assert_int_equal(argument->kind, kinds[i]);
        assert_int_equal(argument->passed_as, passed[i]);
    }
    mez_kernel_destroy(&kernel);
    kernel = mez_test_kernel("arguments", "pointers");
    assert_int_equal(mez_kernel_get_argument(kernel, 1)->kind, MEZ_DECLARED_CONSTANT_POINTER);
    assert_int_equal(mez_kernel_get_argument(kernel, 2)->pointee_size, 2);
    mez_kernel_destroy(&kernel);
}

static void drivers_describe_what_they_built(void **state)
{
    (void)state;
    const mez_kernel_info *info, *again;
    mez_kernel *kernel = mez_test_kernel("arguments", "local_memory");
    mez_test_ok(mez_kernel_get_info(kernel, mez_test_device(), &info));
    mez_test_ok(mez_kernel_get_info(kernel, NULL, &again));
    assert_ptr_equal(info, again);
    assert_ptr_equal(info->device, mez_test_device());
    assert_false(info->native);
    assert_int_equal(info->argument_count, 4);
    assert_int_equal(info->required_group_size[0], 0);
    assert_int_equal(info->max_group_size, mez_test_info()->max_group_size);
    assert_int_equal(info->required_sub_group_size, 0);
    assert_in_range(info->max_sub_group_size, 0, 64); // 0: it uses none
    assert_in_range(info->max_sub_group_count, 0, mez_test_info()->max_group_size);
    assert_in_range(info->preferred_group_multiple, 1, mez_test_info()->max_group_size);
    assert_in_range(info->local_memory, 0, mez_test_info()->local_memory);
    mez_kernel_destroy(&kernel);
}

// No argument says what the kernel reaches then: all memory of the context is kept within its reach.
static void pointers_in_memory(void **state)
{
    mez_queue *queue = *state;
    enum { COUNT = 17 };
    static const mez_memory_kind kinds[] = {MEZ_MEMORY_DEVICE, MEZ_MEMORY_HOST, MEZ_MEMORY_SHARED};
    mez_kernel *kernel = mez_test_kernel("arguments", "follow");
    int **lists = mez_test_shared(COUNT * sizeof *lists),
        *out = mez_test_shared(COUNT * sizeof *out);
    uint64_t *addresses = mez_test_shared(COUNT * sizeof *addresses);
    for (int i = 0; i < COUNT; i++) {
        lists[i] = mez_test_alloc(kinds[i % 3], sizeof(int));
        addresses[i] = (uintptr_t)lists[i];
        mez_test_ok(mez_fill(queue, lists[i], &i, sizeof i, sizeof i, NULL));
    }
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_PTR(lists), MEZ_PTR(addresses), MEZ_PTR(out)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT; i++) {
        if (mez_test_has("results"))
            assert_int_equal(out[i], 2 * i);
        mez_test_free(lists[i]);
    }
    mez_test_free(lists);
    mez_test_free(addresses);
    mez_test_free(out);
    mez_kernel_destroy(&kernel);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(scalars_of_all_sizes),
        MEZ_DEVICE_TEST(values_of_expressions),
        MEZ_DEVICE_TEST(vectors),
        MEZ_DEVICE_TEST(structs_by_value),
        MEZ_DEVICE_TEST(pointers),
        MEZ_DEVICE_TEST(pointers_in_memory),
        MEZ_DEVICE_TEST(local_memory),
        MEZ_DEVICE_TEST(none_at_all),
        MEZ_DEVICE_TEST(many_and_gone_after_the_call),
        MEZ_DEVICE_TEST(wrong_ones_are_refused),
        MEZ_DEVICE_TEST(arguments_are_described),
        MEZ_DEVICE_TEST(pointers_are_described),
        MEZ_DEVICE_TEST(drivers_describe_what_they_built),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
