// SPDX-License-Identifier: MIT
//
// The custom persona: what ZE_CPU_FEATURES asks for is what is reported, and what is refused.
//   test_custom nothing|everything: what the variable holds
#include "harness.h"
#include "kernels.h"

#include <stdlib.h>
#include <string.h>
#include <ze_newer.h>

static struct {
    ze_device_module_flags_t flags;
    uint32_t sub_groups[4], group_size, local_memory, images, device_id, ip_version;
} expected = {.sub_groups = {8, 16, 32}, .group_size = 512, .local_memory = 65536};

static void expect_everything(void)
{
    expected.flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 |
                     ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
    memcpy(expected.sub_groups, (uint32_t[4]){4, 16}, sizeof expected.sub_groups);
    expected.group_size = 2048;
    expected.local_memory = 131072;
    expected.images = 1024;
    expected.device_id = 0x9a49;
    expected.ip_version = 0xfedcba98;
}

static void device_is_as_described(void **state)
{
    (void)state;
    ze_newer_device_ip_version_ext_t ip = {.stype = ZE_NEWER_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT};
    ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, .pNext = &ip};
    assert_ok(zeDeviceGetProperties(fx.device, &device));
    assert_int_equal(device.vendorId, 0x8086);
    assert_int_equal(device.deviceId, expected.device_id);
    assert_int_equal(ip.ipVersion, expected.ip_version);
    assert_string_equal(device.name, "ze-cpu (custom persona)");
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    assert_ok(zeDeviceGetModuleProperties(fx.device, &module));
    assert_int_equal(module.flags, expected.flags);
}

static void limits_are_as_described(void **state)
{
    (void)state;
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    assert_ok(zeDeviceGetComputeProperties(fx.device, &compute));
    assert_memory_equal(compute.subGroupSizes, expected.sub_groups, sizeof expected.sub_groups);
    assert_int_equal(compute.maxTotalGroupSize, expected.group_size);
    assert_int_equal(compute.maxSharedLocalMemory, expected.local_memory);
    ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    assert_ok(zeDeviceGetImageProperties(fx.device, &image));
    assert_int_equal(image.maxImageDims1D, expected.images);
    assert_int_equal(image.maxImageDims3D, expected.images);
    assert_int_equal(image.maxSamplers != 0, expected.images != 0);
}

static void ip_version_is_listed_where_there_is_one(void **state)
{
    (void)state;
    ze_driver_extension_properties_t list[32];
    uint32_t count = 32;
    bool found = false;
    assert_ok(zeDriverGetExtensionProperties(fx.driver, &count, list));
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(list[i].name, ZE_NEWER_DEVICE_IP_VERSION_EXT_NAME);
    assert_int_equal(found, expected.ip_version != 0);
}

static ze_result_t build(const char *name)
{
    struct file file = read_spirv(name);
    const ze_module_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pInputModule = file.bytes, .inputSize = file.size};
    ze_module_handle_t module = NULL;
    const ze_result_t result = zeModuleCreate(fx.context, fx.device, &desc, &module, NULL);
    if (module)
        assert_ok(zeModuleDestroy(module));
    free(file.bytes);
    return result;
}

static void modules_are_refused_as_described(void **state)
{
    (void)state;
    const bool fp64 = expected.flags & ZE_DEVICE_MODULE_FLAG_FP64;
    const bool eights = expected.sub_groups[0] == 8;
    assert_result(
        build("doubles"), fp64 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_result(
        build("eights"), eights ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_result(build("kernels"), ZE_RESULT_SUCCESS);
}

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "everything"))
        expect_everything();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_is_as_described),
        cmocka_unit_test(limits_are_as_described),
        cmocka_unit_test(ip_version_is_listed_where_there_is_one),
        cmocka_unit_test(modules_are_refused_as_described),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
