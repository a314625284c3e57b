// SPDX-License-Identifier: MIT
//
// Kernels made at random give the same in each mode of the engine.
//
//     test_random ENGINE FOLDER FILE...

#include "engine_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 2, MAX_ITEMS = 64, INPUTS = 256, OUTPUTS = 4 * GROUPS * MAX_ITEMS };

static const uint64_t shapes[][3] = {{64, 1, 1}, {16, 4, 1}, {7, 3, 2}, {1, 5, 1}};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const char *const modes[] = {"scalar", "coroutine", "fission"};
enum { MODES = sizeof(modes) / sizeof(modes[0]), FISSION = MODES - 1 };

static int input[INPUTS];
static const char *file;

struct blob {
    int *out;
    const int *in;
    int n;
};

static void run_shape(const struct zc_kernel *kernel, const uint64_t *shape, int *out)
{
    struct launch launch = {.groups = {GROUPS, 1, 1}};
    memcpy(launch.group_size, shape, sizeof(launch.group_size));
    memset(out, 0x55, OUTPUTS * sizeof(*out));
    const struct blob blob = {out, input, 5};
    run(kernel, &launch, &blob);
}

static void compare(struct zc_program *const *programs, uint32_t index)
{
    static int expected[OUTPUTS], actual[OUTPUTS];
    const char *name = engine->kernel_name(programs[0], index);
    for (int s = 0; s < SHAPES; s++) {
        run_shape(engine->kernel(programs[0], index), shapes[s], expected);
        for (int m = 1; m < MODES; m++) {
            run_shape(find_kernel(programs[m], name), shapes[s], actual);
            if (memcmp(actual, expected, sizeof(actual)) != 0)
                fail_msg("%s, %s, group %d: %s differs from %s", file, name, s, modes[m], modes[0]);
        }
    }
}

static void unknown_mode(void **state)
{
    struct zc_program *program;
    char *log;
    struct bytes bytes = load_spirv(*state);
    setenv("ZE_CPU_ENGINE_MODE", "loops", 1);
    assert_int_equal(build_bytes(bytes, &all_features, &program, &log), ZC_BUILD_FAILED);
    assert_string_equal(
        log, "error: ZE_CPU_ENGINE_MODE=loops is not one of: fission coroutine scalar\n");
    free(log);
    free_bytes(&bytes);
}

static void same_in_each_mode(void **state)
{
    struct zc_program *programs[MODES];
    uint32_t loops = 0;
    file = *state;
    for (int m = 0; m < MODES; m++) {
        setenv("ZE_CPU_ENGINE_MODE", modes[m], 1);
        programs[m] = build_file(file, "");
    }
    const uint32_t count = engine->kernel_count(programs[0]);
    for (uint32_t i = 0; i < count; i++) {
        compare(programs, i);
        loops += !engine->kernel(programs[FISSION], i)->runs_coroutines;
    }
    printf("%s: %u of %u kernels are loops\n", file, loops, count);
    assert_true(loops > count / 2);
    for (int m = 0; m < MODES; m++)
        engine->destroy(programs[m]);
}

int main(int argc, char **argv)
{
    open_engine(argv);
    for (int i = 0; i < INPUTS; i++)
        input[i] = (i * 7919 + 13) % 1009;
    int failed = 0;
    for (int i = 3; i < argc; i++) {
        const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(unknown_mode, argv[i]),
            cmocka_unit_test_prestate(same_in_each_mode, argv[i])};
        failed |= cmocka_run_group_tests_name(argv[i], tests, NULL, NULL);
    }
    return failed;
}
