// SPDX-License-Identifier: MIT
//
// Opening Level Zero in bad surroundings: the error says what is wrong with them.

#include "unit.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"

#define MISSING "/nowhere/libze_missing.so"

static char text_file[4096];    // "NAME=path" of a file that is no library
static char noop_as_cpu[4096];  // MEZ_CPU_DRIVER=the no-op driver
static char newer_loader[4096]; // LD_LIBRARY_PATH=where the loader with zeInitDrivers is

// For the newer loader, which stands behind its name.
static void name_real_loader(void)
{
    struct link_map *map = NULL;
    void *loader = dlopen("libze_loader.so.1", RTLD_LAZY);
    assert_non_null(loader);
    assert_int_equal(dlinfo(loader, RTLD_DI_LINKMAP, &map), 0);
    setenv("MEZ_TEST_REAL_LOADER", map->l_name, 1);
    dlclose(loader);
}

// A folder in which nothing but that loader is, under the real one's name.
static int name_newer_loader(void)
{
    char folder[2048], link[4096];
    snprintf(folder, sizeof folder, "%s/newer_loader", getenv("MEZ_TEST_FILES"));
    snprintf(link, sizeof link, "%s/libze_loader.so.1", folder);
    snprintf(newer_loader, sizeof newer_loader, "LD_LIBRARY_PATH=%s", folder);
    mkdir(folder, 0777); // may be there
    unlink(link);
    return symlink(getenv("MEZ_TEST_NEWER_LOADER"), link);
}

static int name_files(void **state)
{
    (void)state;
    snprintf(text_file, sizeof text_file, "%s/kernels.spv", getenv("MEZ_TEST_FILES"));
    snprintf(noop_as_cpu, sizeof noop_as_cpu, "MEZ_CPU_DRIVER=%s", getenv("MEZ_TEST_DRIVER"));
    name_real_loader();
    return name_newer_loader();
}

static const char *play(const char *scene, const char *const *environment)
{
    static child result;
    child_run(&result, scene, environment);
    if (result.exit_code != 0)
        fail_msg("signal %d, exit code %d:\n%s", result.signal, result.exit_code, result.output);
    return result.output;
}

#define ENVIRONMENT(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_as_it_should_be(void **state)
{
    (void)state;
    assert_string_equal(play("open", NULL), "condition 0x0\ndevice no-op device\n");
}

static void test_named_driver_is_missing(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS=" MISSING));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "driver in ZE_ENABLE_ALT_DRIVERS: " MISSING " does not load");
    assert_contains(said, "No such file");
}

static void test_named_driver_is_no_library(void **state)
{
    (void)state;
    char named[4200];
    snprintf(named, sizeof named, "ZE_ENABLE_ALT_DRIVERS=%s,", text_file);
    const char *said = play("open", ENVIRONMENT(named));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "kernels.spv does not load");
}

// The loader itself would crash.
static void test_empty_list_of_drivers(void **state)
{
    (void)state;
    const char *said =
        play("open", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS=", "MEZ_DRIVERS=cpu", noop_as_cpu));
    assert_contains(said, "ZE_ENABLE_ALT_DRIVERS is empty");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
}

static void test_no_such_device(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("MEZ_DEVICE=nonsense"));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "no device fits \"nonsense\"");
    assert_contains(said, "from: MEZ_DEVICE=nonsense");
}

static void test_part_of_a_name(void **state)
{
    (void)state;
    assert_contains(play("open", ENVIRONMENT("MEZ_DEVICE=NO-OP")), "condition 0x0\n");
    assert_contains(play("open", ENVIRONMENT("MEZ_DEVICE=gpu")), "condition 0x0\n");
    assert_contains(play("open", ENVIRONMENT("MEZ_DEVICE=cpu")), "no device fits \"cpu\"");
    assert_contains(play("open", ENVIRONMENT("MEZ_DEVICE=")), "condition 0x0\n");
}

static void test_no_device_at_all(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("NOOP_DEVICES=0"));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "no device fits \"any device\"");
}

static void test_drivers_without_meaning(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("MEZ_DRIVERS=nonsense"));
    assert_contains(said, "condition 0x105");
    assert_contains(said, "MEZ_DRIVERS=nonsense has no meaning: use gpu, cpu or gpu,cpu");
}

static void test_cpu_driver_is_missing(void **state)
{
    (void)state;
    const char *said = play(
        "open", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", "MEZ_CPU_DRIVER=" MISSING));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "no CPU driver at " MISSING);
}

// Where the machine has a GPU, there is nothing to see.
static void test_neither_driver_opens(void **state)
{
    (void)state;
    const char *said = play(
        "open", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS", "MEZ_CPU_DRIVER=" MISSING));
    if (strstr(said, "condition 0x0\n"))
        skip();
    assert_contains(said, "condition 0x205");
    assert_contains(said, "no CPU driver at " MISSING);
    assert_contains(said, "before that: mezzanine: ");
}

static void test_cpu_driver_is_no_library(void **state)
{
    (void)state;
    char named[4200];
    snprintf(named, sizeof named, "MEZ_CPU_DRIVER=%s", text_file);
    const char *said = play("open", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", named));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "kernels.spv does not load");
}

static void test_a_failed_open_can_be_repeated(void **state)
{
    (void)state;
    const char *said = play("open-twice",
        ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", "MEZ_CPU_DRIVER=" MISSING));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
}

// The loader had been opened and found its driver useless.
static void test_a_failed_driver_can_be_replaced(void **state)
{
    (void)state;
    char named[4200];
    snprintf(named, sizeof named, "MEZ_CPU_DRIVER=%s", text_file);
    const char *said =
        play("open-twice", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", named));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
}

static void test_another_set_of_drivers(void **state)
{
    (void)state;
    // MEZ_DEVICE would decide for both contexts.
    const char *said = play(
        "open-another-set", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", noop_as_cpu));
    assert_contains(said, "condition 0x10c");
    assert_contains(said, "MEZ_DRIVERS=gpu,cpu");
}

static void test_log_levels_without_meaning(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("MEZ_LOG=loud"));
    assert_contains(said, "\"loud\" is no level");
    assert_contains(said, "from: MEZ_LOG=loud");
    assert_contains(said, "condition 0x0\n");
}

static void test_every_call_can_be_traced(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("MEZ_LOG=ze:trace"));
    assert_contains(said, "zeInit(0) = ZE_RESULT_SUCCESS");
    assert_contains(said, "zeContextCreate(");
}

// Reading the build log would crash the loader.
static void test_build_log_of_a_wrapped_driver(void **state)
{
    (void)state;
    const char *said = play("build-wrapped", ENVIRONMENT("ZE_ENABLE_LOADER_INTERCEPT=1"));
    assert_contains(said, "condition 0x201");
    assert_contains(said, "build log: not to be had: the Level Zero loader wraps its drivers");
    assert_contains(play("build-wrapped", NULL), "build log: (empty)");
}

// zeModuleDynamicLink would crash it, too.
static void test_modules_of_a_wrapped_driver_are_not_linked(void **state)
{
    (void)state;
    const char *said = play("link-wrapped", ENVIRONMENT("ZE_ENABLE_LOADER_INTERCEPT=1"));
    assert_contains(said, "modules can't be linked while the Level Zero loader wraps its drivers");
    assert_contains(said, "modules linked: 0");
    assert_contains(play("link-wrapped", NULL), "modules linked: 1");
}

// Also where one of the two has no device, and the loader drops it.
static void test_build_log_with_both_drivers(void **state)
{
    (void)state;
    const char *said =
        play("build-wrapped", ENVIRONMENT("ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=gpu,cpu",
                                  "MEZ_DEVICE=no-op", noop_as_cpu));
    assert_contains(said, "condition 0x201");
    assert_contains(said, "build log: not to be had");
}

// That loader ends the process when anything is called before zeInitDrivers has gone well, and zeInit or zeDriverGet ever.
static void test_a_loader_that_inits_drivers(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader));
    assert_contains(said, "zeInitDrivers: 0x0\n");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
    said = play("open", ENVIRONMENT(newer_loader, "MEZ_LOG=ze:trace"));
    assert_contains(said, "zeInitDrivers(count, drivers, any) = ZE_RESULT_SUCCESS");
}

static void test_init_drivers_fails(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader, "ZE_ENABLE_ALT_DRIVERS=" MISSING));
    assert_contains(said, "zeInitDrivers: 0x78000001\n");
    assert_contains(said, "condition 0x205");
    assert_contains(said, "zeInitDrivers failed");
}

static void test_init_drivers_finds_none(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader, "MEZ_TEST_NO_DRIVER=1"));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "zeInitDrivers found no driver");
}

static void test_init_drivers_again_after_a_failure(void **state)
{
    (void)state;
    char named[4200];
    snprintf(named, sizeof named, "MEZ_CPU_DRIVER=%s", text_file);
    const char *said = play(
        "open-twice", ENVIRONMENT(newer_loader, "ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", named));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_it_should_be),
        cmocka_unit_test(test_named_driver_is_missing),
        cmocka_unit_test(test_named_driver_is_no_library),
        cmocka_unit_test(test_empty_list_of_drivers),
        cmocka_unit_test(test_no_such_device),
        cmocka_unit_test(test_part_of_a_name),
        cmocka_unit_test(test_no_device_at_all),
        cmocka_unit_test(test_drivers_without_meaning),
        cmocka_unit_test(test_cpu_driver_is_missing),
        cmocka_unit_test(test_neither_driver_opens),
        cmocka_unit_test(test_cpu_driver_is_no_library),
        cmocka_unit_test(test_a_failed_open_can_be_repeated),
        cmocka_unit_test(test_a_failed_driver_can_be_replaced),
        cmocka_unit_test(test_another_set_of_drivers),
        cmocka_unit_test(test_log_levels_without_meaning),
        cmocka_unit_test(test_every_call_can_be_traced),
        cmocka_unit_test(test_build_log_of_a_wrapped_driver),
        cmocka_unit_test(test_modules_of_a_wrapped_driver_are_not_linked),
        cmocka_unit_test(test_build_log_with_both_drivers),
        cmocka_unit_test(test_a_loader_that_inits_drivers),
        cmocka_unit_test(test_init_drivers_fails),
        cmocka_unit_test(test_init_drivers_finds_none),
        cmocka_unit_test(test_init_drivers_again_after_a_failure),
    };
    return cmocka_run_group_tests(tests, name_files, NULL);
}
