// SPDX-License-Identifier: MIT
//
// Kernels do what they say: arguments, ids, memory, atomics, printing. Each test runs for SPIR-V
// from -O0 and -O2, and with the engine's optimiser on and off.

#include "engine_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct zc_program *program;

static const struct zc_kernel *kernel(const char *name)
{
    return find_kernel(program, name);
}

static void saxpy_computes(void **state)
{
    (void)state;
    enum { N = 1024 };
    static float x[N];
    static float y[N];
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    const struct {
        float *y;
        const float *x;
        float a;
    } blob = {y, x, 0.5f};
    const struct launch launch = {.groups = {N / 64, 1, 1}, .group_size = {64, 1, 1}};
    const struct zc_kernel *saxpy = kernel("saxpy");
    assert_int_equal(saxpy->argument_count, 3);
    assert_int_equal(saxpy->arguments[0].kind, ZC_ARGUMENT_GLOBAL);
    assert_int_equal(saxpy->arguments[2].kind, ZC_ARGUMENT_VALUE);
    assert_int_equal(saxpy->arguments[2].size, sizeof(float));
    assert_int_equal(saxpy->arguments[2].offset, 16);
    assert_false(saxpy->has_barrier);
    run(saxpy, &launch, &blob);
    for (int i = 0; i < N; i++)
        assert_true(y[i] == 0.5f * (float)i + 1.0f);
    run(kernel("empty"), &launch, &blob);
}

struct mixed {
    char c;
    double d;
    int i[3];
    float f;
};

static void structs_are_passed_by_value(void **state)
{
    (void)state;
    enum { N = 33 };
    float out[N];
    const struct zc_kernel *by_value = kernel("by_value");
    assert_int_equal(by_value->argument_count, 5);
    const struct zc_argument *a = by_value->arguments;
    assert_int_equal(a[1].kind, ZC_ARGUMENT_VALUE);
    assert_int_equal(a[1].size, sizeof(struct mixed));
    assert_int_equal(a[2].size, 16);
    assert_int_equal(a[3].size, 1);
    assert_int_equal(a[4].kind, ZC_ARGUMENT_LOCAL);
    char *blob = calloc(1, by_value->blob_size);
    assert_non_null(blob);
    const struct mixed s = {.c = 1, .d = 2, .i = {3, 4, 5}, .f = 6};
    const float v[4] = {7, 8, 9, 10};
    float *pointer = out;
    memcpy(blob + a[0].offset, &pointer, sizeof(pointer));
    memcpy(blob + a[1].offset, &s, sizeof(s));
    memcpy(blob + a[2].offset, v, sizeof(v));
    blob[a[3].offset] = 11;
    const struct launch launch = {
        .groups = {3, 1, 1}, .group_size = {11, 1, 1}, .local_memory_size = 64};
    run(by_value, &launch, blob);
    for (int i = 0; i < N; i++)
        assert_true(out[i] == (float)(1 + 2 + 3 + 4 + i + 5 + 12 + 7 + 8 + 9 + 10 + 11));
    assert_memory_equal(blob + a[1].offset, &s, sizeof(s));
    free(blob);
}

static void check_ids(const uint64_t *out, const struct launch *launch, const uint64_t id[3])
{
    const uint64_t *offset = launch->offset;
    for (int d = 0; d < 3; d++) {
        const uint64_t size = launch->groups[d] * launch->group_size[d];
        const uint64_t group = id[d] / launch->group_size[d];
        const uint64_t local = id[d] % launch->group_size[d];
        assert_int_equal(out[d], id[d] + offset[d]);
        assert_int_equal(out[3 + d], group << 32 | local);
        assert_int_equal(out[6 + d], size << 32 | launch->group_size[d]);
    }
    assert_int_equal(out[9], offset[0] + offset[1] + offset[2]);
    assert_int_equal(out[10], launch->groups[0] + launch->groups[1] + launch->groups[2]);
    const uint64_t *n = launch->group_size;
    const uint64_t index = id[0] % n[0] + n[0] * (id[1] % n[1] + n[1] * (id[2] % n[2]));
    assert_int_equal(out[11], 3 << 16 | index);
}

static void ids_in_three_dimensions(void **state)
{
    (void)state;
    const struct launch launch = {
        .groups = {2, 3, 2}, .group_size = {5, 2, 3}, .offset = {100, 20, 3}};
    const uint64_t size[3] = {10, 6, 6};
    uint64_t *out = calloc(10 * 6 * 6 * 12, sizeof(*out));
    assert_non_null(out);
    const struct {
        uint64_t *out;
    } blob = {out};
    run(kernel("ids"), &launch, &blob);
    for (uint64_t i = 0; i < 10 * 6 * 6; i++) {
        const uint64_t id[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        check_ids(out + i * 12, &launch, id);
    }
    free(out);
}

static void variables_belong_to_the_program(void **state)
{
    (void)state;
    enum { N = 16 };
    int old[N];
    float read[4];
    size_t size;
    int *counter = engine->global(program, "counter", &size);
    assert_non_null(counter);
    assert_int_equal(size, sizeof(int));
    assert_int_equal(*counter, 5);
    const int64_t *table = engine->global(program, "table", &size);
    assert_int_equal(size, 4 * sizeof(int64_t));
    const struct launch launch = {.groups = {4, 1, 1}, .group_size = {4, 1, 1}};
    const struct {
        int *out;
    } blob = {old};
    run(kernel("count"), &launch, &blob);
    assert_int_equal(*counter, 5 + N);
    for (int i = 0; i < 4; i++)
        assert_int_equal(table[i], i + 1 + 40);
    *counter = 3;
    const struct launch once = {.groups = {1, 1, 1}, .group_size = {4, 1, 1}};
    const struct {
        float *out;
    } read_blob = {read};
    run(kernel("read_count"), &once, &read_blob);
    for (int i = 0; i < 4; i++)
        assert_true(read[i] == (float)(3 << i));
    assert_null(engine->global(program, "no_such_variable", &size));
    *counter = 5;
}

static void check_atomics(const int *i, const uint32_t *u, const int64_t *l, int n)
{
    int bits = 0;
    int parity = 0;
    for (int x = 0; x < n; x++) {
        bits |= (int)(1u << (x & 31));
        parity ^= x;
    }
    assert_int_equal(i[0], n);
    assert_int_equal(i[1], -n * (n - 1) / 2);
    assert_int_equal(i[2], -7);
    assert_int_equal(i[3], n - 1);
    assert_int_equal(i[4], bits);
    assert_int_equal(i[5], parity);
    assert_int_equal(i[6], 2 * n);
    assert_true(i[7] >= 1 && i[7] <= n);
    assert_int_equal(i[8], 1);
    assert_true(i[9] >= 1 && i[9] <= n);
    assert_int_equal(i[10], 1);
    assert_int_equal(u[0], UINT32_MAX);
    assert_true(l[0] == (int64_t)n << 33);
    assert_true(l[1] == -(int64_t)(n - 1) * ((int64_t)1 << 32));
}

static void atomics_add_up(void **state)
{
    (void)state;
    enum { GROUPS = 4, SIZE = 16 };
    int i[11] = {0};
    uint32_t u[1] = {0};
    int64_t l[2] = {0};
    int sums[GROUPS] = {0};
    const struct {
        int *i;
        uint32_t *u;
        int64_t *l;
        uint64_t local_offset;
        int *local_out;
    } blob = {i, u, l, 0, sums};
    const struct launch launch = {
        .groups = {GROUPS, 1, 1}, .group_size = {SIZE, 1, 1}, .local_memory_size = 4};
    run(kernel("atomics"), &launch, &blob);
    check_atomics(i, u, l, GROUPS * SIZE);
    for (int g = 0; g < GROUPS; g++)
        assert_int_equal(sums[g], SIZE * g * SIZE + SIZE * (SIZE - 1) / 2);
}

static void local_memory_is_laid_out(void **state)
{
    (void)state;
    int out[8];
    const struct zc_kernel *layout = kernel("local_layout");
    assert_true(layout->static_local_size >= 48);
    assert_int_equal(layout->static_local_size % 16, 0);
    const struct {
        int *out;
        uint64_t offset;
    } blob = {out, layout->static_local_size};
    const struct launch launch = {
        .groups = {2, 1, 1}, .group_size = {4, 1, 1}, .local_memory_size = 16};
    run(layout, &launch, &blob);
    for (int i = 0; i < 8; i++) {
        const int l = i % 4;
        const int other = (l + 1) % 4;
        assert_int_equal(out[i], other + other * 10 + other * 100 + (l & 1 ? l : l * 100));
    }
}

static void required_sizes_are_reported(void **state)
{
    (void)state;
    const struct zc_kernel *required = kernel("required");
    assert_int_equal(required->required_group_size[0], 8);
    assert_int_equal(required->required_group_size[1], 4);
    assert_int_equal(required->required_group_size[2], 2);
    assert_int_equal(kernel("saxpy")->required_group_size[0], 0);
    assert_int_equal(kernel("saxpy")->sub_group_size, 16);
    int out[64];
    const struct {
        int *out;
    } blob = {out};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {8, 4, 2}};
    run(required, &launch, &blob);
    for (int i = 0; i < 64; i++)
        assert_int_equal(out[i], i);
}

// stdout goes to a file meanwhile.
static void prints_lines(void **state)
{
    (void)state;
    const struct {
        int n;
        float unused[3];
        float v[4];
    } blob = {42, {0}, {1, 2, 3, 0.5f}};
    const struct launch launch = {.groups = {2, 1, 1}, .group_size = {1, 1, 1}};
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    const int saved = dup(1);
    dup2(fileno(file), 1);
    run(kernel("print"), &launch, &blob);
    dup2(saved, 1);
    close(saved);
    char text[256] = "";
    rewind(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    static const char line[] =
        "line 42|text| 1.50|1.000000,2.000000,3.000000,0.500000|z|%|ffffffff\n";
    assert_int_equal(strlen(text), 2 * strlen(line));
    assert_memory_equal(text, line, strlen(line));
    assert_string_equal(text + strlen(line), line);
}

static void copies_private_arrays(void **state)
{
    (void)state;
    int in[64];
    int out[4 * 64];
    for (int i = 0; i < 64; i++)
        in[i] = i * i;
    const struct {
        int *out;
        const int *in;
    } blob = {out, in};
    const struct launch launch = {.groups = {2, 1, 1}, .group_size = {2, 1, 1}};
    run(kernel("wide_copy"), &launch, &blob);
    for (int w = 0; w < 4; w++) {
        for (int i = 0; i < 64; i++)
            assert_int_equal(out[w * 64 + i], in[(i + w) & 63]);
    }
}

struct variant {
    const char *file;
    const char *flags;
};

static int build_variant(void **state)
{
    const struct variant *variant = *state;
    program = build_file(variant->file, variant->flags);
    return 0;
}

static int destroy_program(void **state)
{
    (void)state;
    engine->destroy(program);
    return 0;
}

static int run_variant(const struct variant *variant)
{
    void *state = (void *)(uintptr_t)variant;
#define TEST(name) \
    cmocka_unit_test_prestate_setup_teardown(name, build_variant, destroy_program, state)
    const struct CMUnitTest tests[] = {
        TEST(saxpy_computes),
        TEST(structs_are_passed_by_value),
        TEST(ids_in_three_dimensions),
        TEST(variables_belong_to_the_program),
        TEST(atomics_add_up),
        TEST(local_memory_is_laid_out),
        TEST(required_sizes_are_reported),
        TEST(prints_lines),
        TEST(copies_private_arrays),
    };
    return cmocka_run_group_tests_name(variant->file, tests, NULL, NULL);
}

// Too many for loops over work-items, which is no reason to refuse the kernel.
static void runs_kernels_of_many_blocks(void **state)
{
    (void)state;
    enum { N = 8, CONDITIONS = 1100 };
    uint32_t in[N], out[N] = {0}, expected[N] = {0};
    for (uint32_t i = 0; i < N; i++) {
        in[i] = i * 170;
        for (uint32_t k = 0; k < CONDITIONS; k++)
            expected[i] = (in[i] ^ k) * 40503 & 64 ? in[i] ^ k : expected[i];
    }
    const struct {
        const uint32_t *in;
        void *out;
    } blob = {in, out};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {N, 1, 1}};
    program = build_file("blocks.O2", "");
    run(kernel("blocks"), &launch, &blob);
    assert_memory_equal(out, expected, sizeof(out));
    engine->destroy(program);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    static const struct variant variants[] = {
        {"basics.O2", ""},
        {"basics.O0", ""},
        {"basics.O2", "-ze-opt-disable"},
        {"basics.O0", "-ze-opt-disable"},
    };
    const struct CMUnitTest others[] = {cmocka_unit_test(runs_kernels_of_many_blocks)};
    int failures = cmocka_run_group_tests(others, NULL, NULL);
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
        failures += run_variant(&variants[i]);
    return failures;
}
