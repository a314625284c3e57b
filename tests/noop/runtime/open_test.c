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

static char text_file[4096];      // "NAME=path" of a file that is not a library
static char noop_as_cpu[4096];    // MEZ_CPU_DRIVER=the no-op driver
static char newer_loader[4096];   // LD_LIBRARY_PATH=where the loader with zeInitDrivers is
static char staying_loader[4096]; // the same for one that stays when it is closed
static char both_drivers[8300];   // ZE_ENABLE_ALT_DRIVERS=the no-op driver and a copy of it

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
static int name_loader(const char *loader, const char *name, char variable[4096])
{
    char folder[2048], link[4096];
    snprintf(folder, sizeof folder, "%s/%s", getenv("MEZ_TEST_FILES"), name);
    snprintf(link, sizeof link, "%s/libze_loader.so.1", folder);
    snprintf(variable, 4096, "LD_LIBRARY_PATH=%s", folder);
    mkdir(folder, 0777); // may be there
    unlink(link);
    return symlink(loader, link);
}

static void copy_file(const char *from, const char *to)
{
    char buffer[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, in)) > 0;)
        assert_int_equal(fwrite(buffer, 1, got, out), got);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

// A link to a library is the same library to the dynamic linker, so the second one is a copy.
static void make_second_driver(void)
{
    char second[2048];
    const char *first = getenv("MEZ_TEST_DRIVER");
    snprintf(second, sizeof second, "%s/second_noop_driver.so", getenv("MEZ_TEST_FILES"));
    copy_file(first, second);
    snprintf(both_drivers, sizeof both_drivers, "ZE_ENABLE_ALT_DRIVERS=%s,%s", first, second);
}

static int name_files(void **state)
{
    (void)state;
    snprintf(text_file, sizeof text_file, "%s/kernels.spv", getenv("MEZ_TEST_FILES"));
    snprintf(noop_as_cpu, sizeof noop_as_cpu, "MEZ_CPU_DRIVER=%s", getenv("MEZ_TEST_DRIVER"));
    name_real_loader();
    make_second_driver();
    return name_loader(getenv("MEZ_TEST_NEWER_LOADER"), "newer_loader", newer_loader) ||
           name_loader(getenv("MEZ_TEST_STAYING_LOADER"), "staying_loader", staying_loader);
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
    assert_contains(said, "driver in ZE_ENABLE_ALT_DRIVERS: " MISSING " can't be loaded");
    assert_contains(said, "No such file");
}

static void test_named_driver_is_no_library(void **state)
{
    (void)state;
    char named[4200];
    snprintf(named, sizeof named, "ZE_ENABLE_ALT_DRIVERS=%s,", text_file);
    const char *said = play("open", ENVIRONMENT(named));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "kernels.spv can't be loaded");
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
    // A loader that asks for devices itself, as 1.20 does, drops such a driver.
    if (!strstr(said, "zeInit failed"))
        assert_contains(said, "no device fits \"any device\"");
}

static void test_drivers_without_meaning(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT("MEZ_DRIVERS=nonsense"));
    assert_contains(said, "condition 0x105");
    assert_contains(said, "MEZ_DRIVERS=nonsense is invalid: use gpu, cpu or gpu,cpu");
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
    assert_contains(said, "kernels.spv can't be loaded");
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
    assert_contains(said, "\"loud\" is not a known level");
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
    assert_contains(said, "build log: not available: the Level Zero loader wraps its drivers");
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
    assert_contains(said, "build log: not available");
}

// That loader ends the process when anything is called before zeInitDrivers or zeInit has gone well, and zeInit or zeDriverGet
// after zeInitDrivers has.
static void test_a_loader_that_inits_drivers(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader));
    assert_contains(said, "zeInitDrivers: 0x0\n");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
    said = play("open", ENVIRONMENT(newer_loader, "MEZ_LOG=ze:trace"));
    assert_contains(said, "zeInitDrivers(count, drivers, any) = ZE_RESULT_SUCCESS");
    assert_contains(
        play("count-drivers", ENVIRONMENT(newer_loader)), "drivers: 1, by zeInitDrivers\n");
}

static void test_init_drivers_fails(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader, "ZE_ENABLE_ALT_DRIVERS=" MISSING));
    assert_contains(said, "zeInitDrivers: 0x78000001\n");
    assert_contains(said, "condition 0x205");
    assert_contains(said, "zeInit failed");
    assert_contains(said, "zeInitDrivers failed");
}

// Drivers that are older than zeInitDrivers: the loader has it, and it fails.
static void test_drivers_that_know_init_alone(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader, "MEZ_TEST_INIT_DRIVERS=unsupported"));
    assert_contains(said, "zeInitDrivers: 0x78000003\nzeInit: 0x0\ncondition 0x0\n");
    assert_contains(said, "device no-op device\n");
    said = play("count-drivers", ENVIRONMENT(newer_loader, "MEZ_TEST_INIT_DRIVERS=none"));
    assert_contains(said, "zeInitDrivers: 0x78000001\nzeInit: 0x0\ndrivers: 1, by zeInit\n");
}

static void test_init_drivers_passes_over_one(void **state)
{
    (void)state;
    const char *said =
        play("count-drivers", ENVIRONMENT(newer_loader, both_drivers,
                                  "MEZ_TEST_INIT_DRIVERS=passes-over", "MEZ_LOG=ze:debug"));
    assert_contains(said, "zeInitDrivers: 0x0\n");
    assert_contains(said, "zeInitDrivers gives 1 of 2 drivers");
    // By this loader's zeInit, or by that of the real one, where it has stayed in the process and is found by its name.
    assert_contains(said, "drivers: 2, by zeInit\n");
}

// By an application, which has got it by zeInit.
static void test_adopting_one_that_is_passed_over(void **state)
{
    (void)state;
    const char *said = play("adopt-first-driver",
        ENVIRONMENT(newer_loader, both_drivers, "MEZ_TEST_INIT_DRIVERS=passes-over"));
    assert_contains(said, "zeInit: 0x0\n");
    assert_contains(said, "zeInitDrivers: 0x0\n");
    assert_contains(said, "condition 0x0\n");
}

static void test_init_drivers_finds_none(void **state)
{
    (void)state;
    const char *said = play("open", ENVIRONMENT(newer_loader, "MEZ_TEST_INIT_DRIVERS=no-device"));
    assert_contains(said, "condition 0x205");
    assert_contains(said, "zeInitDrivers found no driver");
}

// It can be initialised once: for the CPU driver, where there is no GPU. On a machine that has one, that is found.
static void test_no_gpu_for_a_loader_that_stays(void **state)
{
    (void)state;
    const char *said = play(
        "open", ENVIRONMENT(staying_loader, "ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS", noop_as_cpu));
    assert_contains(said, "condition 0x0\n");
}

static void test_a_failed_driver_under_a_loader_that_stays(void **state)
{
    (void)state;
    char named[4200];
    snprintf(named, sizeof named, "MEZ_CPU_DRIVER=%s", text_file);
    const char *said = play("open-twice",
        ENVIRONMENT(staying_loader, "ZE_ENABLE_ALT_DRIVERS", "MEZ_DRIVERS=cpu", named));
    assert_contains(said, "the CPU driver can't be loaded: ");
    assert_contains(said, "condition 0x0\ndevice no-op device\n");
}

// The drivers that the user names are the loader's affair. Correcting them in the same process is too late for this loader, and
// the second context does not take it for one that the application has opened.
static void test_a_loader_that_stays_is_initialised_once(void **state)
{
    (void)state;
    const char *said =
        play("open-twice", ENVIRONMENT(staying_loader, "ZE_ENABLE_ALT_DRIVERS=" MISSING));
    assert_contains(said, "stays in the process after it is closed");
    assert_contains(said, "driver in ZE_ENABLE_ALT_DRIVERS: " MISSING " can't be loaded");
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
        cmocka_unit_test(test_drivers_that_know_init_alone),
        cmocka_unit_test(test_init_drivers_passes_over_one),
        cmocka_unit_test(test_adopting_one_that_is_passed_over),
        cmocka_unit_test(test_init_drivers_finds_none),
        cmocka_unit_test(test_init_drivers_again_after_a_failure),
        cmocka_unit_test(test_no_gpu_for_a_loader_that_stays),
        cmocka_unit_test(test_a_failed_driver_under_a_loader_that_stays),
        cmocka_unit_test(test_a_loader_that_stays_is_initialised_once),
    };
    return cmocka_run_group_tests(tests, name_files, NULL);
}
