// SPDX-License-Identifier: MIT
//
// Programs that are built again and again. How often llvm-spirv runs is counted: a script in its place writes a line each time.
// argv[3]: the translator.

#include "engine_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/ze-cpu-recent-XXXXXX";
static char script[64], lines[64];

static int set_up_translator(const char *translator)
{
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(script, sizeof(script), "%s/translate", folder);
    snprintf(lines, sizeof(lines), "%s/lines", folder);
    FILE *file = fopen(script, "w");
    if (file == NULL)
        return -1;
    fprintf(file, "#!/bin/sh\necho >> %s\nexec '%s' \"$@\"\n", lines, translator);
    fclose(file);
    return chmod(script, 0700) || setenv("ZE_CPU_LLVM_SPIRV", script, 1);
}

static void remove_translator(void)
{
    unlink(script);
    unlink(lines);
    rmdir(folder);
}

static long translations(void)
{
    struct stat about;
    return stat(lines, &about) == 0 ? (long)about.st_size : 0;
}

static int count_up(const struct zc_program *program)
{
    int out[1] = {-1};
    const struct {
        int *out;
    } blob = {out};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(program, "count_up"), &launch, &blob);
    return out[0];
}

// Each has variables of its own, which begin with their values; also when the first is gone.
static void programs_with_variables_are_copied(void **state)
{
    (void)state;
    const long before = translations();
    struct zc_program *first = build_file("basics.O2", "");
    struct zc_program *second = build_file("basics.O2", "");
    assert_ptr_not_equal(first, second);
    assert_int_equal(count_up(first), 5);
    assert_int_equal(count_up(first), 6);
    assert_int_equal(count_up(second), 5);
    engine->destroy(first);
    assert_int_equal(count_up(second), 6);
    engine->destroy(second);
    struct zc_program *third = build_file("basics.O2", "");
    assert_int_equal(count_up(third), 5);
    engine->destroy(third);
    assert_int_equal(translations(), before + 1);
}

// All run the same code.
static void programs_without_variables_are_shared(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static struct zc_program *programs[COUNT];
    const long before = translations();
    for (int i = 0; i < COUNT; i++)
        programs[i] = build_file("values.O2", "");
    for (int i = 1; i < COUNT; i++)
        assert_ptr_equal(programs[i], programs[0]);
    const char *name = engine->kernel_name(programs[COUNT - 1], 0);
    for (int i = 0; i < COUNT - 1; i++)
        engine->destroy(programs[i]);
    assert_non_null(find_kernel(programs[COUNT - 1], name));
    engine->destroy(programs[COUNT - 1]);
    assert_int_equal(translations(), before + 1);
}

static struct zc_program *build_for(const struct zc_features *features, bool exposes_variables)
{
    struct bytes bytes = load_spirv("values.O0");
    const struct zc_spirv module = {.bytes = bytes.data, .size = bytes.size};
    const struct zc_build_request request = {.modules = &module,
        .module_count = 1,
        .features = features,
        .exposes_variables = exposes_variables};
    struct zc_program *program;
    char *log;
    assert_int_equal(engine->build(&request, &program, &log), ZC_BUILD_OK);
    free(log);
    free_bytes(&bytes);
    return program;
}

// Whatever a build depends on makes it another one.
static void different_builds_are_made(void **state)
{
    (void)state;
    struct zc_features other = all_features;
    other.sub_group_sizes = 16 | 32;
    const long before = translations();
    engine->destroy(build_for(&all_features, false));
    engine->destroy(build_for(&other, false));
    engine->destroy(build_for(&all_features, true));
    assert_int_equal(setenv("ZE_CPU_ENGINE_MODE", "scalar", 1), 0);
    engine->destroy(build_for(&all_features, false));
    assert_int_equal(unsetenv("ZE_CPU_ENGINE_MODE"), 0);
    engine->destroy(build_file("groups.O2", ""));
    engine->destroy(build_file("groups.O2", "-cl-opt-disable"));
    engine->destroy(build_file("groups.O0", ""));
    assert_int_equal(translations(), before + 7);
}

// Failures are not kept: the log has to say it each time.
static void failed_builds_are_made_again(void **state)
{
    (void)state;
    struct zc_features few = {.sub_group_sizes = 8 | 16 | 32, .device_name = "few"};
    const long before = translations();
    struct bytes bytes = load_spirv("halfs.O2");
    for (int i = 0; i < 2; i++) {
        struct zc_program *program;
        char *log;
        assert_int_equal(build_bytes(bytes, &few, &program, &log), ZC_BUILD_FAILED);
        assert_null(program);
        assert_string_not_equal(log, "");
        free(log);
    }
    free_bytes(&bytes);
    assert_int_equal(translations(), before + 2);
}

// Others push a program out, which can be built and used as before.
static void old_programs_go(void **state)
{
    (void)state;
    enum { COUNT = 70 };
    char flags[32];
    const long before = translations();
    struct zc_program *kept = build_file("halfs.O2", "-first");
    for (int i = 0; i < COUNT; i++) {
        snprintf(flags, sizeof(flags), "-flag=%d", i);
        engine->destroy(build_file("halfs.O2", flags));
    }
    assert_non_null(engine->kernel(kept, 0));
    engine->destroy(kept);
    engine->destroy(build_file("halfs.O2", "-first"));
    assert_int_equal(translations(), before + COUNT + 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_with_variables_are_copied),
        cmocka_unit_test(programs_without_variables_are_shared),
        cmocka_unit_test(different_builds_are_made),
        cmocka_unit_test(failed_builds_are_made_again),
        cmocka_unit_test(old_programs_go),
    };
    if (argc < 4 || set_up_translator(argv[3]))
        return 1;
    open_engine(argv);
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    remove_translator();
    return failures;
}
