// SPDX-License-Identifier: MIT
//
// How much memory is free. The argument says whether Sysman was asked for: "on" or "off".
#include "harness.h"

#include <level_zero/zes_api.h>
#include <string.h>
#include <unistd.h>

#define MAX_DEVICES 8

static bool on;

static zes_mem_handle_t module_of(ze_device_handle_t device)
{
    uint32_t count = 0;
    zes_mem_handle_t module = NULL;
    const zes_device_handle_t handle = (zes_device_handle_t)device;
    assert_ok(zesDeviceEnumMemoryModules(handle, &count, NULL));
    assert_int_equal(count, 1);
    count = 5;
    assert_ok(zesDeviceEnumMemoryModules(handle, &count, &module));
    assert_int_equal(count, 1);
    assert_non_null(module);
    return module;
}

static uint64_t total_of(ze_device_handle_t device)
{
    uint32_t one = 1;
    ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    assert_ok(zeDeviceGetMemoryProperties(device, &one, &memory));
    return memory.totalSize;
}

static void check_state(ze_device_handle_t device)
{
    zes_mem_state_t state = {.stype = ZES_STRUCTURE_TYPE_MEM_STATE};
    assert_ok(zesMemoryGetState(module_of(device), &state));
    assert_int_equal(state.size, total_of(device));
    assert_uint_in_range(state.free, 1 << 20, state.size);
}

static void check_device(ze_device_handle_t device)
{
    zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
    assert_ok(zesMemoryGetProperties(module_of(device), &properties));
    assert_false(properties.onSubdevice);
    assert_int_equal(properties.location, ZES_MEM_LOC_SYSTEM);
    assert_int_equal(properties.physicalSize, total_of(device));
    check_state(device);
}

static void test_devices(void **unused)
{
    (void)unused;
    if (!on)
        skip();
    uint32_t count = MAX_DEVICES;
    ze_device_handle_t devices[MAX_DEVICES];
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    for (uint32_t i = 0; i < count; i++) {
        check_device(devices[i]);
        assert_true(i == 0 || module_of(devices[i]) != module_of(devices[0]));
    }
}

static void test_sub_devices(void **unused)
{
    (void)unused;
    if (!on)
        skip();
    uint32_t count = 2;
    ze_device_handle_t parts[2];
    assert_ok(zeDeviceGetSubDevices(fx.device, &count, parts));
    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
        assert_ok(zesMemoryGetProperties(module_of(parts[i]), &properties));
        assert_true(properties.onSubdevice);
        assert_int_equal(properties.subdeviceId, i);
        check_state(parts[i]);
    }
}

static void test_properties(void **unused)
{
    (void)unused;
    if (!on)
        skip();
    zes_device_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    ze_device_properties_t core = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    zes_device_state_t state = {.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE, .reset = 99};
    const zes_device_handle_t device = (zes_device_handle_t)fx.device;
    assert_ok(zeDeviceGetProperties(fx.device, &core));
    assert_ok(zesDeviceGetProperties(device, &properties));
    assert_memory_equal(&properties.core.uuid, &core.uuid, sizeof core.uuid);
    assert_int_equal(properties.numSubdevices, 2);
    assert_string_equal(properties.brandName, "ze-cpu");
    assert_int_equal(strncmp(properties.modelName, core.name, ZES_STRING_PROPERTY_SIZE - 1), 0);
    assert_string_equal(properties.serialNumber, "unknown");
    assert_ok(zesDeviceGetState(device, &state));
    assert_int_equal(state.reset, 0);
    assert_int_equal(state.repaired, ZES_REPAIR_STATUS_UNSUPPORTED);
}

static uint64_t used_memory(void)
{
    zes_process_state_t process = {.stype = ZES_STRUCTURE_TYPE_PROCESS_STATE};
    uint32_t count = 0;
    assert_ok(zesDeviceProcessesGetState((zes_device_handle_t)fx.device, &count, NULL));
    assert_int_equal(count, 1);
    assert_ok(zesDeviceProcessesGetState((zes_device_handle_t)fx.device, &count, &process));
    assert_int_equal(process.processId, getpid());
    assert_int_equal(process.engines, ZES_ENGINE_TYPE_FLAG_COMPUTE);
    return process.memSize;
}

static void test_processes(void **unused)
{
    (void)unused;
    if (!on)
        skip();
    const uint64_t before = used_memory();
    void *memory = alloc_device(12345);
    assert_int_equal(used_memory(), before + 12345);
    free_memory(memory);
    assert_int_equal(used_memory(), before);
}

static void test_wrong_calls(void **unused)
{
    (void)unused;
    if (!on)
        skip();
    zes_mem_state_t state = {.stype = ZES_STRUCTURE_TYPE_MEM_STATE};
    const zes_device_handle_t device = (zes_device_handle_t)fx.device;
    assert_result(
        zesDeviceEnumMemoryModules(device, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(
        zesMemoryGetState(module_of(fx.device), NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(zesMemoryGetState(NULL, &state), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

static void test_off(void **unused)
{
    (void)unused;
    if (on)
        skip();
    uint32_t count = 0;
    assert_result(zesDeviceEnumMemoryModules((zes_device_handle_t)fx.device, &count, NULL),
        ZE_RESULT_ERROR_UNINITIALIZED);
    assert_int_equal(count, 0);
}

int main(int argc, char **argv)
{
    on = argc == 2 && !strcmp(argv[1], "on");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_sub_devices),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_processes),
        cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_off),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
