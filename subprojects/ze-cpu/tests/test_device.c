// SPDX-License-Identifier: MIT
//
// What driver and device report, for the persona that ZE_CPU_PERSONA names.
#include "harness.h"

#include <stdlib.h>
#include <string.h>

struct expectation {
    const char *persona;
    ze_device_module_flags_t module_flags;
    uint32_t max_group_size, local_memory, spirv_version;
    uint32_t sub_group_sizes[4]; // ends with 0
    uint32_t group_count;
    uint32_t device_id, image_size;
};

#define FP16_FP64_ATOMICS \
    (ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS)
#define FP16_ATOMICS (ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS)

static const struct expectation expectations[] = {
    {"host", FP16_FP64_ATOMICS, 1024, 65536, ZE_MAKE_VERSION(1, 4), {8, 16, 32}, 1, 0, 16384},
    {"skl", FP16_FP64_ATOMICS, 256, 65536, ZE_MAKE_VERSION(1, 2), {8, 16, 32}, 1, 0x1912, 16384},
    {"tgllp", FP16_ATOMICS, 512, 65536, ZE_MAKE_VERSION(1, 2), {8, 16, 32}, 1, 0x9a49, 16384},
    {"dg2", FP16_ATOMICS, 1024, 65536, ZE_MAKE_VERSION(1, 2), {8, 16, 32}, 2, 0x56a0, 16384},
    {"mtl", FP16_FP64_ATOMICS, 1024, 65536, ZE_MAKE_VERSION(1, 4), {8, 16, 32}, 3, 0x7d40, 16384},
    {"bmg", FP16_FP64_ATOMICS, 1024, 131072, ZE_MAKE_VERSION(1, 4), {16, 32}, 2, 0xe202, 16384},
    {"lnl", FP16_FP64_ATOMICS, 1024, 131072, ZE_MAKE_VERSION(1, 4), {16, 32}, 2, 0x6420, 16384},
    {"ptl", FP16_FP64_ATOMICS, 1024, 131072, ZE_MAKE_VERSION(1, 4), {16, 32}, 2, 0xb080, 16384},
    {"pvc", FP16_FP64_ATOMICS, 1024, 131072, ZE_MAKE_VERSION(1, 2), {16, 32}, 3, 0x0bd5, 0},
};

static const struct expectation *expected(void)
{
    const char *persona = getenv("ZE_CPU_PERSONA");
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
        if (!strcmp(expectations[i].persona, persona ? persona : "host"))
            return &expectations[i];
    fail_msg("no expectations for persona %s", persona);
    return NULL;
}

static void test_driver(void **state)
{
    (void)state;
    ze_api_version_t version;
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    ze_driver_ipc_properties_t ipc = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES, .flags = 9};
    assert_ok(zeDriverGetApiVersion(fx.driver, &version));
    assert_int_equal(version, ZE_API_VERSION_1_3);
    assert_ok(zeDriverGetProperties(fx.driver, &properties));
    assert_int_not_equal(properties.driverVersion, 0);
    assert_ok(zeDriverGetIpcProperties(fx.driver, &ipc));
    assert_int_equal(ipc.flags, ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL);
    void *function = NULL;
    assert_result(zeDriverGetExtensionFunctionAddress(fx.driver, "zeNoSuchThing", &function),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

static void test_extensions(void **state)
{
    (void)state;
    ze_driver_extension_properties_t extensions[32];
    uint32_t count = 0;
    assert_ok(zeDriverGetExtensionProperties(fx.driver, &count, NULL));
    assert_uint_in_range(count, 1, 32);
    assert_ok(zeDriverGetExtensionProperties(fx.driver, &count, extensions));
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(extensions[i].name, ZE_MODULE_PROGRAM_EXP_NAME);
    assert_true(found);
}

static void test_device(void **state)
{
    (void)state;
    const char *type = getenv("ZE_CPU_DEVICE_TYPE");
    const bool gpu = type && !strcmp(type, "gpu");
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGetProperties(fx.device, &properties));
    assert_int_equal(properties.type, gpu ? ZE_DEVICE_TYPE_GPU : ZE_DEVICE_TYPE_CPU);
    assert_non_null(strstr(properties.name, expected()->persona));
    assert_int_equal(properties.vendorId, expected()->device_id ? 0x8086 : 0);
    assert_int_equal(properties.deviceId, expected()->device_id);
    assert_int_equal(properties.timerResolution, 1);
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    assert_ok(zeDeviceGetProperties(fx.device, &properties));
    assert_int_equal(properties.timerResolution, ONE_SECOND);
}

static void test_compute(void **state)
{
    (void)state;
    ze_device_compute_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    assert_ok(zeDeviceGetComputeProperties(fx.device, &properties));
    assert_int_equal(properties.maxTotalGroupSize, expected()->max_group_size);
    assert_int_equal(properties.maxSharedLocalMemory, expected()->local_memory);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(properties.subGroupSizes[i], expected()->sub_group_sizes[i]);
    assert_int_equal(properties.numSubGroupSizes, expected()->sub_group_sizes[2] ? 3 : 2);
}

static void test_module(void **state)
{
    (void)state;
    ze_device_module_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    ze_float_atomic_ext_properties_t atomics = {
        .stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES, .fp16Flags = 99};
    properties.pNext = &atomics;
    assert_ok(zeDeviceGetModuleProperties(fx.device, &properties));
    assert_int_equal(atomics.fp16Flags, 0);
    assert_true(atomics.fp32Flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX);
    assert_int_equal(
        atomics.fp64Flags, properties.flags & ZE_DEVICE_MODULE_FLAG_FP64 ? atomics.fp32Flags : 0);
    assert_int_equal(properties.flags, expected()->module_flags);
    assert_int_equal(properties.spirvVersionSupported, expected()->spirv_version);
    assert_int_equal(
        properties.fp64flags != 0, (expected()->module_flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0);
}

static void test_queue_groups(void **state)
{
    (void)state;
    ze_command_queue_group_properties_t groups[8] = {0};
    uint32_t count = 0;
    assert_ok(zeDeviceGetCommandQueueGroupProperties(fx.device, &count, NULL));
    assert_int_equal(count, expected()->group_count);
    assert_ok(zeDeviceGetCommandQueueGroupProperties(fx.device, &count, groups));
    assert_true(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
        assert_int_not_equal(groups[i].numQueues, 0);
        assert_int_not_equal(groups[i].maxMemoryFillPatternSize, 0);
    }
}

static void test_memory(void **state)
{
    (void)state;
    uint32_t count = 1;
    ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    ze_device_memory_access_properties_t access = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
    ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
    ze_device_image_properties_t image = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES, .maxImageDims2D = 7};
    assert_ok(zeDeviceGetMemoryProperties(fx.device, &count, &memory));
    assert_int_equal(count, 1);
    assert_int_not_equal(memory.totalSize, 0);
    assert_ok(zeDeviceGetMemoryAccessProperties(fx.device, &access));
    assert_true(access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
    assert_int_equal(access.sharedSystemAllocCapabilities != 0, expected()->device_id == 0);
    assert_ok(zeDeviceGetCacheProperties(fx.device, &count, &cache));
    assert_ok(zeDeviceGetImageProperties(fx.device, &image));
    assert_int_equal(image.maxImageDims1D, expected()->image_size);
    assert_int_equal(image.maxImageDims2D, expected()->image_size);
    assert_int_equal(image.maxImageDims3D, expected()->image_size ? 2048 : 0);
}

static void test_peers(void **state)
{
    (void)state;
    uint32_t count = 5;
    ze_bool_t access = 0;
    ze_device_p2p_properties_t p2p = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
    assert_ok(zeDeviceGetSubDevices(fx.device, &count, NULL));
    assert_int_equal(count, 0);
    assert_ok(zeDeviceCanAccessPeer(fx.device, fx.device, &access));
    assert_true(access);
    assert_ok(zeDeviceGetP2PProperties(fx.device, fx.device, &p2p));
    assert_ok(zeDeviceGetStatus(fx.device));
}

static void test_timestamps(void **state)
{
    (void)state;
    uint64_t host = 0, device = 0, later = 0;
    assert_ok(zeDeviceGetGlobalTimestamps(fx.device, &host, &device));
    assert_int_equal(host, device);
    assert_ok(zeDeviceGetGlobalTimestamps(fx.device, &host, &later));
    assert_true(later >= device && later - device < ONE_SECOND);
}

// Where the persona has none, images and samplers are refused.
static void test_images(void **state)
{
    (void)state;
    const ze_image_desc_t image = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC, .width = 4};
    const ze_sampler_desc_t sampler = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
    ze_image_handle_t new_image = NULL;
    ze_sampler_handle_t new_sampler = NULL;
    ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
    const ze_result_t result =
        expected()->image_size ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    assert_ok(zeImageGetProperties(fx.device, &image, &properties));
    assert_int_equal(properties.samplerFilterFlags != 0, expected()->image_size != 0);
    assert_result(zeImageCreate(fx.context, fx.device, &image, &new_image), result);
    assert_result(zeSamplerCreate(fx.context, fx.device, &sampler, &new_sampler), result);
    if (!result) {
        assert_ok(zeImageDestroy(new_image));
        assert_ok(zeSamplerDestroy(new_sampler));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_compute),
        cmocka_unit_test(test_module),
        cmocka_unit_test(test_queue_groups),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_peers),
        cmocka_unit_test(test_timestamps),
        cmocka_unit_test(test_images),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
