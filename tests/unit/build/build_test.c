// SPDX-License-Identifier: MIT
//
// Images for targets, by programs that only look at what they were asked.

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "build/build.h"
#include "child/folder.h"

// clang-format off
static const uint32_t module[] = {
    0x07230203, 0x00010000, 0, 7, 0,
    0x00020011, 4, 0x00020011, 6,         // OpCapability Addresses, Kernel
    0x0003000e, 2, 2,                     // OpMemoryModel Physical64 OpenCL
    0x0004000f, 6, 3, 0x00656e6f,         // OpEntryPoint Kernel %3 "one"
    0x0004000f, 6, 5, 0x006f7774,         // OpEntryPoint Kernel %5 "two"
    0x00020013, 1, 0x00030021, 2, 1,      // %1 = OpTypeVoid, %2 = OpTypeFunction %1
    0x00050036, 1, 3, 0, 2, 0x000200f8, 4, 0x000100fd, 0x00010038,
    0x00050036, 1, 5, 0, 2, 0x000200f8, 6, 0x000100fd, 0x00010038,
};
// clang-format on

// Native code, as far as anybody looks at it. $6 is the folder and $8 the name of the result.
#define COMPILE "printf 'CTNI%s' \"$4\" > \"$6/$8\""

static mez_split *make_split(void)
{
    const mez_split_source source = {.name = "module", .code = module, .size = sizeof module};
    const mez_split_params params = {
        .sources = &source, .source_count = 1, .mode = MEZ_SPLIT_PER_KERNEL};
    mez_split *split;
    assert_ok(mez_split_create(&params, &split));
    assert_int_equal(mez_split_get_image_count(split), 2);
    return split;
}

static mez_error build(const mez_split *split, const char *program, mez_build **result)
{
    mez_stop stop = MEZ_STOP_INIT;
    const mez_target spirv = {.name = "spir64", .aot_toolchain = "", .aot_options = ""};
    const mez_target native = {
        .name = "intel_gpu_abacus", .aot_toolchain = program, .aot_options = "-device abacus"};
    const mez_target *const targets[] = {&spirv, &native};
    const mez_build_params params = {
        .split = split,
        .name = "app",
        .targets = targets,
        .target_count = 2,
        .jobs = 1,
        .stop = &stop,
    };
    return mez_build_create(&params, result);
}

// What a build with that script says.
static mez_error build_by_script(const char *folder, const char *script)
{
    char *program = make_program(folder, script);
    mez_split *split = make_split();
    mez_build *result;
    const mez_error error = build(split, program, &result);
    assert_true(mez_failed(error) == !result);
    assert_int_equal(count_files(folder), 1); // the program
    mez_build_destroy(&result);
    mez_split_destroy(&split);
    free(program);
    return error;
}

static void every_target_gets_every_image(void **state)
{
    static const mez_code_format formats[] = {
        MEZ_CODE_SPIRV, MEZ_CODE_NATIVE, MEZ_CODE_SPIRV, MEZ_CODE_NATIVE};
    char *program = make_program(*state, COMPILE);
    mez_split *split = make_split();
    mez_build *result;
    assert_ok(build(split, program, &result));
    assert_int_equal(result->bundle->count, 4);
    for (size_t i = 0; i < 4; i++) {
        const mez_binary *binary = &result->bundle->binaries[i];
        assert_int_equal(binary->format, formats[i]);
        assert_int_equal(binary->module, i / 2);
        assert_string_equal(mez_binary_compiled_for(binary), i % 2 ? "intel_gpu_abacus" : "");
        assert_int_equal(binary->kernel_count, 1);
        assert_int_equal(mez_code_recognise(binary->code, binary->code_size), formats[i]);
    }
    assert_int_equal(result->counts[0], 2);
    assert_int_equal(result->counts[1], 2);
    mez_build_destroy(&result);
    mez_split_destroy(&split);
    free(program);
}

static void what_a_failing_program_prints_is_in_the_story(void **state)
{
    const mez_error error = build_by_script(*state, "echo no such thing; exit 3");
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM, "app_0 can't be built for intel_gpu_abacus");
    assert_contains(story_of(error), "exit status 3");
    assert_contains(story_of(error), "it says: no such thing");
    assert_contains(story_of(error), "-device abacus");
    assert_contains(story_of(error), "kernels: one");
}

static void only_the_end_of_long_output_is_reported(void **state)
{
    const mez_error error = build_by_script(
        *state, "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exit 1");
    assert_contains(story_of(error), "line 2999");
    assert_contains(story_of(error), "it says: ...\n        line 2");
}

static void a_program_that_writes_nothing_of_use_has_failed(void **state)
{
    assert_story(
        build_by_script(*state, "true"), MEZ_ERRC_COMPILE_PROGRAM, "did not write 0_1.bin");
    assert_story(build_by_script(*state, "echo text > \"$6/$8\""), MEZ_ERRC_COMPILE_PROGRAM,
        "not native code");
    assert_story(
        build_by_script(*state, ": > \"$6/$8\""), MEZ_ERRC_COMPILE_PROGRAM, "not native code");
}

static void without_memory_nothing_stays(void **state)
{
    char *program = make_program(*state, COMPILE);
    char path[256];
    snprintf(path, sizeof path, "%s/app.table", (char *)*state);
    mez_split *split = make_split();
    bool good = false;
    for (uint64_t n = 1; !good; n++) {
        mez_build *result;
        mez_alloc_fail_at(n);
        mez_error error = build(split, program, &result);
        const bool built = !mez_failed(error);
        if (built)
            error = mez_build_write(result, path, MEZ_BUILD_TABLE);
        good = mez_alloc_fail_at(0) < n;
        mez_build_destroy(&result);
        assert_true(!good || !mez_failed(error));
        if (!built)
            assert_int_equal(count_files(*state), 1);
        if (mez_failed(error))
            assert_int_equal(access(path, F_OK), -1);
        else if (!good)
            unlink(path);
    }
    assert_int_equal(count_files(*state), 1 + 4 * 3 + 1); // program, images, table
    mez_split_destroy(&split);
    free(program);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_target_gets_every_image),
        TEST(what_a_failing_program_prints_is_in_the_story),
        TEST(only_the_end_of_long_output_is_reported),
        TEST(a_program_that_writes_nothing_of_use_has_failed),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
