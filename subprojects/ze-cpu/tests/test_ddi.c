// SPDX-License-Identifier: MIT
//
// The entry point tables, fetched as the loader does: without it, by dlsym from the driver.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <newer.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES 128

typedef ze_result_t (*entry_fn)(void);
typedef ze_result_t (*getter_fn)(ze_api_version_t version, entry_fn *table);

static ze_result_t untouched(void)
{
    return ZE_RESULT_ERROR_UNKNOWN;
}

static getter_fn find_getter(const char *name)
{
    void *driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(driver);
    void *symbol = dlsym(driver, name);
    assert_non_null(symbol);
    getter_fn getter = NULL;
    memcpy(&getter, &symbol, sizeof getter);
    assert_int_equal(dlclose(driver), 0);
    return getter;
}

// How many entries a caller of API version 1.minor gets; what lies behind them must stay as it was.
static size_t count_entries(const char *name, uint32_t minor)
{
    entry_fn table[MAX_ENTRIES];
    size_t count = 0;
    for (size_t i = 0; i < MAX_ENTRIES; i++)
        table[i] = untouched;
    const ze_api_version_t version = (ze_api_version_t)ZE_MAKE_VERSION(1, minor);
    assert_int_equal(find_getter(name)(version, table), ZE_RESULT_SUCCESS);
    while (count < MAX_ENTRIES && table[count] != untouched)
        assert_non_null(table[count++]);
    for (size_t i = count; i < MAX_ENTRIES; i++)
        assert_true(table[i] == untouched);
    return count;
}

static void test_tables_grow_with_the_version(void **state)
{
    (void)state;
    assert_int_equal(count_entries("zeGetCommandListProcAddrTable", 0), 26);
    assert_int_equal(count_entries("zeGetCommandListProcAddrTable", 4), 28);
    assert_int_equal(count_entries("zeGetCommandListProcAddrTable", 6), 29);
    assert_int_equal(count_entries("zeGetGlobalProcAddrTable", 4), 1);
    assert_int_equal(count_entries("zeGetGlobalProcAddrTable", 17), 2);
    assert_int_equal(count_entries("zetGetMetricGroupProcAddrTable", 4), 3);
    assert_int_equal(count_entries("zesGetDeviceProcAddrTable", 4), 29);
}

static void test_refusals(void **state)
{
    (void)state;
    entry_fn table[MAX_ENTRIES] = {untouched};
    const getter_fn getter = find_getter("zeGetGlobalProcAddrTable");
    assert_int_equal(getter(ZE_API_VERSION_1_0, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_int_equal(getter((ze_api_version_t)ZE_MAKE_VERSION(2, 0), table),
        ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
    assert_true(table[0] == untouched);
}

static void test_what_is_missing_says_so(void **state)
{
    (void)state;
    entry_fn table[MAX_ENTRIES] = {NULL};
    assert_int_equal(
        find_getter("zeGetSamplerProcAddrTable")(ZE_API_VERSION_1_4, table), ZE_RESULT_SUCCESS);
    assert_int_equal(table[0](), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

// The newer mode's entry points are in the tables always; without the mode they say that they are not
// there.
static void test_newer_entries(void **state)
{
    (void)state;
    entry_fn table[MAX_ENTRIES] = {NULL};
    uint32_t count = 0;
    ze_driver_handle_t driver = NULL;
    const struct zc_init_driver_type_desc desc = {.flags = UINT32_MAX};
    ze_result_t (*init_drivers)(
        uint32_t *, ze_driver_handle_t *, const struct zc_init_driver_type_desc *) = NULL;
    const ze_api_version_t version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
    assert_int_equal(find_getter("zeGetGlobalProcAddrTable")(version, table), ZE_RESULT_SUCCESS);
    memcpy(&init_drivers, &table[1], sizeof init_drivers);
    if (!getenv("ZE_CPU_NEWER")) {
        assert_int_equal(init_drivers(&count, NULL, &desc), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        return;
    }
    assert_int_equal(init_drivers(&count, NULL, &desc), ZE_RESULT_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(init_drivers(&count, &driver, &desc), ZE_RESULT_SUCCESS);
    assert_non_null(driver);
}

// Loader 1.8.12 fails as a whole when one of these is missing.
static void test_mandatory_getters(void **state)
{
    (void)state;
    static const char *const names[] = {"zeGetGlobal", "zeGetDriver", "zeGetDevice", "zeGetContext",
        "zeGetCommandQueue", "zeGetCommandList", "zeGetEvent", "zeGetEventPool", "zeGetFence",
        "zeGetImage", "zeGetKernel", "zeGetMem", "zeGetModule", "zeGetModuleBuildLog",
        "zeGetPhysicalMem", "zeGetSampler", "zeGetVirtualMem", "zesGetDevice", "zesGetDriver",
        "zesGetDiagnostics", "zesGetEngine", "zesGetFabricPort", "zesGetFan", "zesGetFirmware",
        "zesGetFrequency", "zesGetLed", "zesGetMemory", "zesGetPerformanceFactor", "zesGetPower",
        "zesGetPsu", "zesGetRas", "zesGetScheduler", "zesGetStandby", "zesGetTemperature",
        "zetGetDevice", "zetGetContext", "zetGetCommandList", "zetGetKernel", "zetGetModule",
        "zetGetDebug", "zetGetMetric", "zetGetMetricGroup", "zetGetMetricQuery",
        "zetGetMetricQueryPool", "zetGetMetricStreamer", "zetGetTracerExp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64] = "";
        strcat(strcat(name, names[i]), "ProcAddrTable");
        assert_true(count_entries(name, 4) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_grow_with_the_version),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_what_is_missing_says_so),
        cmocka_unit_test(test_newer_entries),
        cmocka_unit_test(test_mandatory_getters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
