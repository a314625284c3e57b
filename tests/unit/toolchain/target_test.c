// SPDX-License-Identifier: MIT
//
// Targets as programs see them.

#include <stdlib.h>
#include <unistd.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "unit.h"

static const char good[] = "intel_gpu_abacus:\n"
                           "  aspects: [fp16, gpu]\n"
                           "  may_support_other_aspects: false\n"
                           "  sub-group-sizes: [16]\n"
                           "  aot-toolchain: \"ocloc\"\n"
                           "  aot-toolchain-options: \"-device abacus\"\n";

static char path[] = "/tmp/mez-targets-XXXXXX";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_file(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_file(void **state)
{
    (void)state;
    unsetenv("MEZ_DEVICE_CONFIG");
    return unlink(path);
}

static void a_target_says_what_it_has(void **state)
{
    (void)state;
    mez_targets *targets;
    const mez_targets *builtin;
    const char *names[1], *nearest;
    mez_target_limits limits;
    write_file(good);
    assert_ok(mez_targets_load(path, NULL, &targets));
    assert_int_equal(mez_targets_get_count(targets), 1);
    assert_null(mez_targets_get_target(targets, 1));
    const mez_target *target = mez_targets_find(targets, "abacus", NULL);
    assert_ptr_equal(target, mez_targets_get_target(targets, 0));
    assert_string_equal(mez_target_get_name(target), "intel_gpu_abacus");
    assert_null(mez_targets_find(targets, "intel_gpu_abacos", &nearest));
    assert_string_equal(nearest, "intel_gpu_abacus");
    assert_true(mez_target_has_aspect(target, "fp16"));
    assert_false(mez_target_has_aspect(target, "fp64"));
    assert_false(mez_target_has_aspect(target, "fp1"));
    assert_int_equal(mez_target_get_aspects(target, names, 1), 2);
    assert_true(mez_target_has_aspect(target, names[0]));
    mez_target_get_limits(target, &limits);
    assert_int_equal(limits.sub_group_size_count, 1);
    assert_int_equal(limits.sub_group_sizes[0], 16);
    assert_int_equal(limits.max_group_size, 0);
    assert_string_equal(limits.compiler, "ocloc");
    assert_string_equal(limits.compiler_options, "-device abacus");
    assert_true(limits.takes_spirv);
    assert_int_equal(limits.spirv_version, 0);
    assert_false(limits.may_have_other_aspects);
    assert_ok(mez_targets_get_default(&builtin));
    mez_target_get_limits(mez_targets_find(builtin, "spir64", NULL), &limits);
    assert_true(limits.may_have_other_aspects);
    mez_targets_destroy(&targets);
    assert_null(targets);
    mez_targets_destroy(&targets);
}

static void count_warning(void *user, const char *text)
{
    assert_contains(text, path);
    ++*(int *)user;
}

static void odd_lines_are_warned_of(void **state)
{
    (void)state;
    int warnings = 0;
    mez_targets *targets;
    write_file("intel_gpu_abacus:\n  aspects: [fp16, fp17]\n");
    const mez_targets_params params = {.warn = count_warning, .user = &warnings};
    assert_ok(mez_targets_load(path, &params, &targets));
    assert_int_equal(warnings, 1);
    mez_targets_destroy(&targets);
}

static void files_that_are_wrong_are_refused(void **state)
{
    (void)state;
    mez_targets *targets;
    assert_story(mez_targets_load("/nowhere/targets.yaml", NULL, &targets), MEZ_ERRC_FILE,
        "/nowhere/targets.yaml");
    assert_null(targets);
    write_file("- no\n- mapping\n");
    assert_story(mez_targets_load(path, NULL, &targets), MEZ_ERRC_INVALID_PARAMETER, ":1:1: ");
    assert_story(
        mez_targets_load(NULL, NULL, &targets), MEZ_ERRC_INVALID_PARAMETER, "needs \"path\"");
    assert_condition(mez_targets_load(path, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_targets_load(path, &(mez_targets_params){.reserved = {1}}, &targets),
        MEZ_ERRC_INVALID_PARAMETER, "mez_targets_params.reserved is not zero");
    mez_alloc_fail_at(1);
    assert_story(mez_targets_load(path, NULL, &targets), MEZ_ERRC_OUT_OF_HOST_MEMORY, path);
    mez_alloc_fail_at(0);
}

static void the_default_table_is_one(void **state)
{
    (void)state;
    const mez_targets *targets, *again;
    assert_ok(mez_targets_get_default(&targets));
    assert_ok(mez_targets_get_default(&again));
    assert_ptr_equal(targets, again);
    assert_non_null(mez_targets_find(targets, "intel_gpu_tgllp", NULL));
    assert_condition(mez_targets_get_default(NULL), MEZ_ERRC_INVALID_PARAMETER);

    setenv("MEZ_DEVICE_CONFIG", "/nowhere/targets.yaml", 1);
    assert_story(mez_targets_get_default(&targets), MEZ_ERRC_FILE, "MEZ_DEVICE_CONFIG=/nowhere");
    write_file("- no\n- mapping\n");
    setenv("MEZ_DEVICE_CONFIG", path, 1);
    assert_story(mez_targets_get_default(&targets), MEZ_ERRC_INVALID_PARAMETER, ":1:1: ");
    write_file(good);
    mez_alloc_fail_at(1);
    assert_story(
        mez_targets_get_default(&targets), MEZ_ERRC_OUT_OF_HOST_MEMORY, "MEZ_DEVICE_CONFIG=");
    mez_alloc_fail_at(0);
    assert_ok(mez_targets_get_default(&targets));
    assert_int_equal(mez_targets_get_count(targets), 1);
}

static void without_memory_nothing_stays(void **state)
{
    (void)state;
    bool good_turn = false;
    write_file(good);
    for (uint64_t n = 1; !good_turn; n++) {
        mez_targets *targets;
        mez_alloc_fail_at(n);
        const mez_error error = mez_targets_load(path, NULL, &targets);
        good_turn = mez_alloc_fail_at(0) < n;
        assert_true(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY));
        assert_int_equal(mez_failed(error), !targets);
        assert_true(!good_turn || targets);
        mez_targets_destroy(&targets);
    }
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_target_says_what_it_has),
        TEST(odd_lines_are_warned_of),
        TEST(files_that_are_wrong_are_refused),
        TEST(without_memory_nothing_stays),
        TEST(the_default_table_is_one),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
