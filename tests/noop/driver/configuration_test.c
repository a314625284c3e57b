// SPDX-License-Identifier: MIT
//
// What the driver claims to be, and its function tables.

#include "fixture.h"

#include <dlfcn.h>

// --- Configuration

static void test_reports_devices(void **state)
{
    const struct fixture *f = *state;
    struct noop_config config = noop_config_default();
    config.devices = 3;
    config.sub_devices = 2;
    config.type = ZE_DEVICE_TYPE_CPU;
    config.name = "persona";
    noop_configure(&config);

    uint32_t count = 0;
    assert_ok(ze.zeDeviceGet(f->driver, &count, NULL));
    assert_int_equal(count, 3);
    ze_device_handle_t devices[3], parts[2];
    assert_ok(ze.zeDeviceGet(f->driver, &count, devices));
    count = 2;
    assert_ok(ze.zeDeviceGetSubDevices(devices[2], &count, parts));
    assert_int_equal(count, 2);

    ze_device_properties_t root = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES}, part = root;
    assert_ok(ze.zeDeviceGetProperties(devices[2], &root));
    assert_int_equal(root.type, ZE_DEVICE_TYPE_CPU);
    assert_string_equal(root.name, "persona");
    assert_ok(ze.zeDeviceGetProperties(parts[1], &part));
    assert_int_equal(part.flags, ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
    assert_int_equal(part.subdeviceId, 1);
    assert_memory_not_equal(&root.uuid, &part.uuid, sizeof root.uuid);
}

static void test_reports_limits(void **state)
{
    const struct fixture *f = *state;
    struct noop_config config = noop_config_default();
    config.module_flags = ZE_DEVICE_MODULE_FLAG_FP16;
    config.max_group_size = 256;
    memcpy(config.sub_group_sizes, (uint32_t[]){16, 32, 0}, 3 * sizeof(uint32_t));
    config.queue_groups[1].queues = 0;
    noop_configure(&config);

    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    assert_ok(ze.zeDeviceGetModuleProperties(f->device, &module));
    assert_int_equal(module.flags, ZE_DEVICE_MODULE_FLAG_FP16);
    assert_int_equal(module.fp64flags, 0);
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    assert_ok(ze.zeDeviceGetComputeProperties(f->device, &compute));
    assert_int_equal(compute.maxTotalGroupSize, 256);
    assert_int_equal(compute.numSubGroupSizes, 2);
    assert_int_equal(compute.subGroupSizes[1], 32);
    uint32_t groups = 0;
    assert_ok(ze.zeDeviceGetCommandQueueGroupProperties(f->device, &groups, NULL));
    assert_int_equal(groups, 1);
}

static void test_reports_driver(void **state)
{
    const struct fixture *f = *state;
    const char *const extensions[] = {"ZE_extension_float_atomics", NULL};
    struct noop_config config = noop_config_default();
    config.driver_version = 42;
    config.extensions = extensions;
    noop_configure(&config);

    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    assert_ok(ze.zeDriverGetProperties(f->driver, &properties));
    assert_int_equal(properties.driverVersion, 42);
    uint32_t count = 0;
    assert_ok(ze.zeDriverGetExtensionProperties(f->driver, &count, NULL));
    assert_int_equal(count, 1);
    ze_driver_extension_properties_t extension;
    assert_ok(ze.zeDriverGetExtensionProperties(f->driver, &count, &extension));
    assert_string_equal(extension.name, "ZE_extension_float_atomics");
}

static void test_newer_versions_have_newer_functions(void **state)
{
    const struct fixture *f = *state;
    ze_result_t (*synchronize)(ze_command_list_handle_t, uint64_t) = NULL;
    const char *name = "zeCommandListHostSynchronize";
    assert_int_equal(ze.zeDriverGetExtensionFunctionAddress(f->driver, name, (void **)&synchronize),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 6);
    noop_configure(&config);
    ze_api_version_t version;
    assert_ok(ze.zeDriverGetApiVersion(f->driver, &version));
    assert_int_equal(version, ZE_MAKE_VERSION(1, 6));
    assert_ok(ze.zeDriverGetExtensionFunctionAddress(f->driver, name, (void **)&synchronize));

    ze_command_list_handle_t list = create_immediate_list(f);
    noop_hold(true);
    assert_ok(ze.zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_int_equal(synchronize(list, 0), ZE_RESULT_NOT_READY);
    noop_release(1);
    assert_ok(synchronize(list, 0));
    assert_ok(ze.zeCommandListDestroy(list));
}

// --- Tables

static void test_table_ends_with_its_version(void **state)
{
    (void)state;
    void *driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(driver);
    ze_result_t (*fill)(ze_api_version_t, void **) = NULL;
    *(void **)&fill = find(driver, "zeGetDriverProcAddrTable");

    void *table[16] = {0};
    assert_ok(fill(ZE_API_VERSION_1_0, table));
    assert_non_null(table[4]);
    assert_null(table[5]); // zeDriverGetExtensionFunctionAddress came with 1.1
    assert_ok(fill(ZE_API_VERSION_1_4, table));
    assert_non_null(table[5]);
    assert_null(table[6]);
    assert_int_equal(
        fill((ze_api_version_t)ZE_MAKE_VERSION(2, 0), table), ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
    dlclose(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_devices),
        TEST(reports_limits),
        TEST(reports_driver),
        TEST(newer_versions_have_newer_functions),
        TEST(table_ends_with_its_version),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
