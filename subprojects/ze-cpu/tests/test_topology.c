// SPDX-License-Identifier: MIT
//
// Devices and sub-devices. The argument says which are to be seen: "whole" or "partN", behind "N:" where it is of another device than the
// first of its persona, a star where it is reported as a sub-device, "<whole" where the newer mode names its root, and in parentheses its
// sub-devices.
#include "extensions.h"
#include "harness.h"
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 8

static const char *expected;

static uint8_t byte_of_uuid(ze_device_handle_t device, size_t index)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGetProperties(device, &properties));
    return properties.uuid.id[index];
}

static uint8_t part_of(ze_device_handle_t device)
{
    return byte_of_uuid(device, ZE_MAX_DEVICE_UUID_SIZE - 1);
}

static uint8_t number_of(ze_device_handle_t device)
{
    return byte_of_uuid(device, ZE_MAX_DEVICE_UUID_SIZE - 2);
}

static bool is_sub_device(ze_device_handle_t device)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    assert_ok(zeDeviceGetProperties(device, &properties));
    const bool flag = properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    assert_int_equal(properties.subdeviceId, flag ? part_of(device) - 1 : 0);
    return flag;
}

static ze_device_handle_t root_of(ze_device_handle_t device)
{
    ze_device_handle_t root = NULL;
    ze_result_t (*get_root)(ze_device_handle_t, ze_device_handle_t *) = NULL;
    if (!getenv("ZE_CPU_NEWER"))
        return NULL;
    find_extension("zeDeviceGetRootDevice", &get_root);
    assert_ok(get_root(device, &root));
    return root;
}

static void describe_device(FILE *out, ze_device_handle_t device)
{
    if (number_of(device))
        fprintf(out, "%d:", number_of(device));
    if (part_of(device))
        fprintf(out, "part%d", part_of(device) - 1);
    else
        fprintf(out, "whole");
    if (is_sub_device(device))
        fprintf(out, "*");
    if (root_of(device)) {
        assert_int_equal(part_of(root_of(device)), 0);
        assert_int_equal(number_of(root_of(device)), number_of(device));
        fprintf(out, "<whole");
    }
}

static void describe_tree(FILE *out, ze_device_handle_t device)
{
    ze_device_handle_t parts[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;
    describe_device(out, device);
    assert_ok(zeDeviceGetSubDevices(device, &count, parts));
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, i ? " " : "(");
        describe_device(out, parts[i]);
    }
    fprintf(out, count ? ")" : "");
}

static void test_what_is_seen(void **state)
{
    (void)state;
    char text[256] = "";
    ze_device_handle_t devices[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, i ? " " : "");
        describe_tree(out, devices[i]);
    }
    fclose(out);
    assert_string_equal(text, expected);
}

static void launch_on(ze_device_handle_t device)
{
    const ze_command_queue_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    const ze_group_count_t groups = {4, 1, 1};
    const uint32_t amount = 3;
    ze_module_handle_t module = NULL;
    ze_command_list_handle_t list = NULL;
    uint32_t *numbers = alloc_shared(4 * sizeof *numbers);
    assert_ok(scripted_build("kernel:increment", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "increment");
    assert_ok(zeCommandListCreateImmediate(fx.context, device, &desc, &list));
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof amount, &amount));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(numbers[i], amount);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    free_memory(numbers);
}

// Every device may be used for everything: `fx.device` is what the shorthands take.
static void use_device(ze_device_handle_t device)
{
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t owner = NULL;
    ze_bool_t access = 0;
    fx.device = device;
    void *memory = alloc_device(64);
    assert_ok(zeMemGetAllocProperties(fx.context, memory, &properties, &owner));
    assert_ptr_equal(owner, device);
    free_memory(memory);
    assert_ok(zeDeviceCanAccessPeer(device, fx.device, &access));
    assert_true(access);
    launch_on(device);
}

static void test_all_can_be_used(void **state)
{
    (void)state;
    ze_device_handle_t devices[MAX_DEVICES], parts[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;
    assert_ok(zeDeviceGet(fx.driver, &count, devices));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t part_count = MAX_DEVICES;
        assert_ok(zeDeviceGetSubDevices(devices[i], &part_count, parts));
        use_device(devices[i]);
        for (uint32_t k = 0; k < part_count; k++)
            use_device(parts[k]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_seen),
        cmocka_unit_test(test_all_can_be_used),
    };
    if (argc != 2)
        return 2;
    expected = argv[1];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
