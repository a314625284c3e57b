// SPDX-License-Identifier: MIT
//
// The entry point tables, fetched as the loader does: without it, by dlsym from the driver.
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <stdlib.h>
#include <string.h>
#include <ze_newer.h>

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
    assert_int_equal(find_getter("zetGetMetricGroupProcAddrTable")(ZE_API_VERSION_1_4, table),
        ZE_RESULT_SUCCESS);
    assert_int_equal(table[0](), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

typedef ze_result_t (*init_drivers_fn)(
    uint32_t *count, ze_driver_handle_t *drivers, const ze_newer_init_driver_type_desc_t *desc);

static init_drivers_fn find_init_drivers(void)
{
    entry_fn table[MAX_ENTRIES] = {NULL};
    init_drivers_fn init_drivers = NULL;
    const ze_api_version_t version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
    assert_int_equal(find_getter("zeGetGlobalProcAddrTable")(version, table), ZE_RESULT_SUCCESS);
    memcpy(&init_drivers, &table[1], sizeof init_drivers);
    return init_drivers;
}

// In every mode: a loader that has zeInitDrivers lets programs start by it only where the driver has it, too.
static void test_init_drivers(void **state)
{
    (void)state;
    uint32_t count = 0;
    ze_driver_handle_t driver = NULL;
    ze_newer_init_driver_type_desc_t desc = {.flags = UINT32_MAX};
    const init_drivers_fn init_drivers = find_init_drivers();
    assert_int_equal(init_drivers(&count, NULL, &desc), ZE_RESULT_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(init_drivers(&count, &driver, &desc), ZE_RESULT_SUCCESS);
    assert_non_null(driver);
    desc.flags = ZE_NEWER_INIT_DRIVER_TYPE_FLAG_GPU;
    assert_int_equal(init_drivers(&count, NULL, &desc), ZE_RESULT_SUCCESS);
    assert_int_equal(count, 0); // it is a CPU
    desc.flags = 0;
    assert_int_equal(init_drivers(&count, NULL, &desc), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_int_equal(init_drivers(NULL, NULL, &desc), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_int_equal(init_drivers(&count, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

typedef ze_context_handle_t (*get_default_context_fn)(ze_driver_handle_t driver);

// A handle where the newer mode has it; nothing that looks like one where there is none.
static void test_default_context(void **state)
{
    (void)state;
    enum { ENTRY = 8 };
    entry_fn table[MAX_ENTRIES] = {NULL};
    get_default_context_fn get_default_context = NULL;
    uint32_t count = 1;
    ze_driver_handle_t driver = NULL;
    const ze_newer_init_driver_type_desc_t desc = {.flags = UINT32_MAX};
    const char *newer = getenv("ZE_CPU_NEWER");
    assert_int_equal(find_init_drivers()(&count, &driver, &desc), ZE_RESULT_SUCCESS);
    assert_int_equal(
        find_getter("zeGetDriverProcAddrTable")((ze_api_version_t)ZE_MAKE_VERSION(1, 17), table),
        ZE_RESULT_SUCCESS);
    memcpy(&get_default_context, &table[ENTRY], sizeof get_default_context);
    assert_null(get_default_context(NULL));
    if (newer && !strcmp(newer, "1")) {
        assert_non_null(get_default_context(driver));
        assert_ptr_equal(get_default_context(driver), get_default_context(driver));
    } else {
        assert_null(get_default_context(driver));
    }
}

// Handles hold nothing, so there is nothing to give back; the older mode does not know the functions.
static void test_put_handles(void **state)
{
    (void)state;
    enum { POOL_ENTRY = 5, MEMORY_ENTRY = 10 };
    const char *newer = getenv("ZE_CPU_NEWER");
    const bool has_them = newer && !strcmp(newer, "1");
    const ze_api_version_t version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
    const ze_ipc_mem_handle_t memory = {{0}};
    const ze_ipc_event_pool_handle_t events = {{0}};
    ze_result_t (*put_memory)(ze_context_handle_t context, ze_ipc_mem_handle_t handle) = NULL;
    ze_result_t (*put_pool)(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle) = NULL;
    entry_fn table[MAX_ENTRIES] = {NULL};
    assert_int_equal(find_getter("zeGetMemProcAddrTable")(version, table), ZE_RESULT_SUCCESS);
    memcpy(&put_memory, &table[MEMORY_ENTRY], sizeof put_memory);
    assert_int_equal(find_getter("zeGetEventPoolProcAddrTable")(version, table), ZE_RESULT_SUCCESS);
    memcpy(&put_pool, &table[POOL_ENTRY], sizeof put_pool);
    const ze_result_t without =
        has_them ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const ze_result_t with = has_them ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    ze_context_handle_t context = (void *)table; // which is not looked at
    assert_int_equal(put_memory(NULL, memory), without);
    assert_int_equal(put_pool(NULL, events), without);
    assert_int_equal(put_memory(context, memory), with);
    assert_int_equal(put_pool(context, events), with);
}

static void test_init_drivers_without_devices(void **state)
{
    (void)state;
    uint32_t count = 0;
    const ze_newer_init_driver_type_desc_t desc = {.flags = UINT32_MAX};
    assert_int_equal(find_init_drivers()(&count, NULL, &desc), ZE_RESULT_ERROR_UNINITIALIZED);
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

int main(int argc, char **argv)
{
    const struct CMUnitTest masked_out[] = {cmocka_unit_test(test_init_drivers_without_devices)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_grow_with_the_version),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_what_is_missing_says_so),
        cmocka_unit_test(test_init_drivers),
        cmocka_unit_test(test_default_context),
        cmocka_unit_test(test_put_handles),
        cmocka_unit_test(test_mandatory_getters),
    };
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(masked_out, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
