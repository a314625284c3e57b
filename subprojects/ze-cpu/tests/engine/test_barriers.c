// SPDX-License-Identifier: MIT
//
// Barriers in awkward places: the engine against threads.

#include "engine_harness.h"
#include "barriers_reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { GROUPS = 3, INPUTS = 1024, OUTPUTS = GROUPS * REFERENCE_GROUP_SIZE };

struct blob {
    int *out;
    const int *in;
    int n;
};

static int input[INPUTS];

static void check_kernel(const struct zc_program *program, const struct reference_kernel *kernel,
    const uint64_t group_size[3])
{
    static int expected[OUTPUTS];
    static int actual[OUTPUTS];
    memset(actual, 0x55, sizeof(actual));
    for (int group = 0; group < GROUPS; group++)
        run_reference_group(kernel, group, expected, input, 5);
    struct launch launch = {.groups = {GROUPS, 1, 1}};
    memcpy(launch.group_size, group_size, sizeof(launch.group_size));
    const struct zc_kernel *compiled = find_kernel(program, kernel->name);
    assert_true(compiled->has_barrier);
    assert_true(compiled->private_size > 0);
    const struct blob blob = {actual, input, 5};
    run(compiled, &launch, &blob);
    for (int i = 0; i < OUTPUTS; i++) {
        if (actual[i] != expected[i])
            fail_msg("%s[%d]: %d, should be %d", kernel->name, i, actual[i], expected[i]);
    }
}

static void check_file(const char *name, const char *flags)
{
    static const uint64_t flat[3] = {REFERENCE_GROUP_SIZE, 1, 1};
    struct zc_program *program = build_file(name, flags);
    for (size_t i = 0; i < reference_kernel_count; i++)
        check_kernel(program, &reference_kernels[i], flat);
    engine->destroy(program);
}

static void optimised(void **state)
{
    (void)state;
    check_file("barriers.O2", "");
}

static void optimised_from_plain_input(void **state)
{
    (void)state;
    check_file("barriers.O0", NULL);
}

static void without_optimisation(void **state)
{
    (void)state;
    check_file("barriers.O2", "-cl-opt-disable");
    check_file("barriers.O0", "-x -ze-opt-disable");
}

// Bytes of address space in use.
static rlim_t used_address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

// A group whose frames do not fit into memory is refused, and the next one runs.
static void out_of_memory(void **state)
{
    (void)state;
    static int out[OUTPUTS];
    const struct blob blob = {out, input, 5};
    struct zc_program *program = build_file("barriers.O2", "");
    const struct zc_kernel *kernel = find_kernel(program, "private_arrays");
    struct zc_worker *worker = engine->worker_create();
    struct zc_group group = {.group_count = {1, 1, 1},
        .local_size = {1 << 24, 16, 1},
        .dimensions = 3,
        .local_memory_size = kernel->static_local_size};
    struct rlimit before;
    getrlimit(RLIMIT_AS, &before);
    const struct rlimit tight = {used_address_space() + (64 << 20), before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    const bool ran = engine->run_groups(worker, kernel, &group, 1, &blob);
    setrlimit(RLIMIT_AS, &before);
    assert_false(ran);
    group.local_size[0] = REFERENCE_GROUP_SIZE / 16;
    assert_true(engine->run_groups(worker, kernel, &group, 1, &blob));
    engine->worker_destroy(worker);
    engine->destroy(program);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    for (int i = 0; i < INPUTS; i++)
        input[i] = (i * 7919 + 13) % 1009;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimised),
        cmocka_unit_test(optimised_from_plain_input),
        cmocka_unit_test(without_optimisation),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
