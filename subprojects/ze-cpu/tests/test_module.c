// SPDX-License-Identifier: MIT
//
// Modules and kernel handles, with the scripted engine.
#include "harness.h"
#include "scripted.h"
#include "scripted_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The loader (1.8.12) hands out the log of a failed build unwrapped and crashes when it gets it
// back.
static bool can_read_logs_of_failures(void)
{
    return !fx.wrapped;
}

static void expect_in_log(ze_module_build_log_handle_t log, const char *words)
{
    char *text = scripted_take_log(log);
    assert_non_null(strstr(text, words));
    free(text);
}

static void test_build_and_log(void **state)
{
    (void)state;
    ze_module_handle_t module = NULL;
    ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    char *log = NULL, expected[ZE_MAX_DEVICE_NAME + 64];
    assert_ok(zeDeviceGetProperties(fx.device, &device));
    snprintf(expected, sizeof expected, "built for %s, flags '-cl-fast-math", device.name);
    assert_ok(scripted_build("kernel:count", "-cl-fast-math", &module, &log));
    assert_has(log, expected);
    free(log);
    assert_ok(zeModuleDestroy(module));
}

static void test_failed_build(void **state)
{
    (void)state;
    ze_module_handle_t module = NULL;
    char *log = NULL;
    const bool logged = can_read_logs_of_failures();
    assert_result(scripted_build("broken", NULL, &module, logged ? &log : NULL),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_null(module);
    if (logged)
        assert_non_null(strstr(log, "failed for"));
    free(log);
}

static void expect_refused(const void *bytes, size_t size, const char *reason)
{
    const ze_module_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pInputModule = bytes, .inputSize = size};
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    assert_result(zeModuleCreate(fx.context, fx.device, &desc, &module,
                      can_read_logs_of_failures() ? &log : NULL),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_null(module);
    if (can_read_logs_of_failures())
        expect_in_log(log, reason);
    assert_result(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
}

static void test_not_spirv(void **state)
{
    (void)state;
    uint32_t words[8] = {0x07230203};
    expect_refused(words, 4, "shorter");
    expect_refused(words, 21, "multiple of 4");
    words[0] = 0x03022307;
    expect_refused(words, sizeof words, "byte order is reversed");
    expect_refused("#include <stdio.h> /* C, not SPIR-V */  ", 40, "magic number");
}

static void test_refused_descriptions(void **state)
{
    (void)state;
    uint32_t words[8] = {0x07230203};
    ze_base_desc_t stranger = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    ze_module_program_exp_desc_t several = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC};
    ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &stranger,
        .pInputModule = (const uint8_t *)words,
        .inputSize = sizeof words};
    ze_module_handle_t module = NULL;
    assert_result(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    desc.format = ZE_MODULE_FORMAT_NATIVE;
    assert_result(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    desc.pNext = &several;
    const ze_result_t result = zeModuleCreate(fx.context, fx.device, &desc, &module, NULL);
    // The validation layer of newer loaders refuses this, before the driver can.
    if (!is_validated() || result != ZE_RESULT_ERROR_INVALID_ARGUMENT)
        assert_result(result, ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

static uint8_t *native_binary(ze_module_handle_t module, size_t *size)
{
    *size = 0;
    assert_ok(zeModuleGetNativeBinary(module, size, NULL));
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    size_t less = *size - 1;
    assert_result(zeModuleGetNativeBinary(module, &less, bytes), ZE_RESULT_ERROR_INVALID_SIZE);
    assert_ok(zeModuleGetNativeBinary(module, size, bytes));
    return bytes;
}

static ze_result_t load_native(const void *bytes, size_t size, ze_module_handle_t *module)
{
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_NATIVE,
        .pInputModule = bytes,
        .inputSize = size};
    return zeModuleCreate(fx.context, fx.device, &desc, module, NULL);
}

static void test_native(void **state)
{
    (void)state;
    ze_module_handle_t module = NULL, again = NULL;
    size_t size;
    assert_ok(scripted_build("kernel:count", NULL, &module, NULL));
    uint8_t *bytes = native_binary(module, &size);
    assert_memory_equal(bytes, SCRIPTED_NATIVE, strlen(SCRIPTED_NATIVE));
    assert_ok(zeModuleDestroy(module));
    assert_ok(load_native(bytes, size, &again));
    assert_ok(zeKernelDestroy(scripted_kernel(again, "count")));
    assert_ok(zeModuleDestroy(again));
    bytes[0] ^= 1;
    again = NULL;
    assert_result(load_native(bytes, size, &again), ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
    assert_null(again);
    free(bytes);
}

static ze_module_property_flags_t module_flags(ze_module_handle_t module)
{
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    assert_ok(zeModuleGetProperties(module, &properties));
    return properties.flags;
}

static void test_unlinked(void **state)
{
    (void)state;
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "count"};
    ze_module_handle_t module = NULL;
    ze_kernel_handle_t kernel = NULL;
    char *log = NULL;
    assert_ok(scripted_build("kernel:count import:helper import:other", NULL, &module, &log));
    assert_non_null(strstr(log, "unresolved external symbol helper\n"));
    assert_non_null(strstr(log, "unresolved external symbol other\n"));
    free(log);
    assert_int_equal(module_flags(module), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    assert_result(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    assert_ok(zeModuleDestroy(module));
}

// The loader (1.8.12) crashes in this call when it wraps handles: it takes the array for a handle.
static void test_dynamic_link(void **state)
{
    (void)state;
    ze_module_handle_t modules[2] = {NULL};
    ze_module_build_log_handle_t log = NULL;
    if (fx.wrapped)
        skip();
    assert_ok(scripted_build("kernel:count import:helper", NULL, &modules[0], NULL));
    assert_ok(scripted_build("export:helper", NULL, &modules[1], NULL));
    assert_result(zeModuleDynamicLink(1, modules, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
    expect_in_log(log, "Unresolved Symbol <helper>\n");
    assert_ok(zeModuleDynamicLink(2, modules, NULL));
    assert_int_equal(module_flags(modules[0]), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    assert_ok(zeKernelDestroy(scripted_kernel(modules[0], "count")));
    assert_ok(zeModuleDestroy(modules[0]));
    assert_ok(zeModuleDestroy(modules[1]));
}

static void test_program(void **state)
{
    (void)state;
    const char *texts[] = {"kernel:count import:helper", "export:helper"};
    ze_module_handle_t module = NULL;
    assert_ok(scripted_link(texts, NULL, 2, NULL, &module));
    assert_int_equal(module_flags(module), 0);
    ze_kernel_handle_t kernel = scripted_kernel(module, "count");
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

static void test_duplicate_symbol(void **state)
{
    (void)state;
    const char *texts[] = {"export:helper", "export:helper"};
    ze_module_handle_t module = NULL;
    assert_result(
        scripted_link(texts, NULL, 2, NULL, &module), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
}

static void expect_variable(ze_module_handle_t module)
{
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t device = NULL;
    uint64_t *address = NULL;
    size_t size = 0;
    assert_ok(zeModuleGetGlobalPointer(module, "answer", &size, (void **)&address));
    assert_int_equal(size, sizeof *address);
    assert_int_equal(*address, 0x1234);
    assert_ok(zeMemGetAllocProperties(fx.context, address, &properties, &device));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_DEVICE);
    assert_result(zeMemFree(fx.context, address), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeModuleGetGlobalPointer(module, "question", &size, (void **)&address),
        ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeMemGetAllocProperties(fx.context, address, &properties, &device));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
}

static void test_variables(void **state)
{
    (void)state;
    static const char *const flags[] = {"-ze-take-global-address", "-x -library-compilation",
        "-ze-opt-disable ", " -cl-opt-disable"};
    const char *texts[] = {"kernel:count", "variable:answer"};
    const char *own_flags[] = {NULL, "-ze-take-global-address"};
    ze_module_handle_t module = NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        assert_ok(scripted_build("variable:answer", flags[i], &module, NULL));
        expect_variable(module);
    }
    assert_ok(scripted_link(texts, own_flags, 2, NULL, &module));
    expect_variable(module);
    assert_ok(scripted_link(texts, NULL, 2, "-ze-take-global-address", &module));
    expect_variable(module);
}

static void test_hidden_variables(void **state)
{
    (void)state;
    ze_module_handle_t module = NULL;
    void *address = NULL;
    size_t size = 0;
    assert_ok(scripted_build("variable:answer", "-ze-take-global-address-not", &module, NULL));
    assert_result(zeModuleGetGlobalPointer(module, "answer", &size, &address),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeModuleDestroy(module));
}

static void test_kernel_names(void **state)
{
    (void)state;
    const char *names[4] = {NULL};
    uint32_t count = 0;
    ze_module_handle_t module = NULL;
    assert_ok(scripted_build("kernel:count kernel:fail", NULL, &module, NULL));
    assert_ok(zeModuleGetKernelNames(module, &count, NULL));
    assert_int_equal(count, 2);
    assert_ok(zeModuleGetKernelNames(module, &count, names));
    assert_string_equal(names[0], "count");
    assert_string_equal(names[1], "fail");
    assert_ok(zeModuleDestroy(module));
}

static void test_kernel_handle(void **state)
{
    (void)state;
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "none"};
    ze_module_handle_t module = NULL;
    ze_kernel_handle_t kernel = NULL;
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    ze_kernel_indirect_access_flags_t access = 0;
    char name[16];
    size_t size = 0;
    assert_ok(scripted_build("kernel:sized", NULL, &module, NULL));
    assert_result(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    kernel = scripted_kernel(module, "sized");
    assert_ok(zeKernelGetName(kernel, &size, NULL));
    assert_int_equal(size, sizeof "sized");
    assert_ok(zeKernelGetName(kernel, &size, name));
    assert_string_equal(name, "sized");
    assert_ok(zeKernelGetProperties(kernel, &properties));
    assert_int_equal(properties.numKernelArgs, 1);
    assert_int_equal(properties.requiredGroupSizeX, 4);
    assert_int_equal(properties.requiredSubgroupSize, 8);
    ze_kernel_preferred_group_size_properties_t preferred = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES};
    properties.pNext = &preferred;
    assert_ok(zeKernelGetProperties(kernel, &properties));
    assert_int_equal(
        preferred.preferredMultiple, properties.maxSubgroupSize ? properties.maxSubgroupSize : 1);
    assert_ok(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST));
    assert_ok(zeKernelGetIndirectAccess(kernel, &access));
    assert_int_equal(access, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

static void test_group_sizes(void **state)
{
    (void)state;
    ze_module_handle_t module = NULL;
    uint32_t x, y, z;
    assert_ok(scripted_build("kernel:sized kernel:count", NULL, &module, NULL));
    ze_kernel_handle_t sized = scripted_kernel(module, "sized");
    ze_kernel_handle_t count = scripted_kernel(module, "count");
    assert_ok(zeKernelSetGroupSize(sized, 4, 2, 1));
    assert_result(
        zeKernelSetGroupSize(sized, 2, 4, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    assert_ok(zeKernelSuggestGroupSize(sized, 64, 64, 1, &x, &y, &z));
    assert_true(x == 4 && y == 2 && z == 1);
    assert_ok(zeKernelSetGroupSize(count, 1024, 1, 1));
    assert_ok(zeKernelSetGroupSize(count, 16, 8, 8));
    assert_result(
        zeKernelSetGroupSize(count, 16, 16, 8), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    assert_result(
        zeKernelSetGroupSize(count, 0, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    assert_result(zeKernelSetGroupSize(count, 1u << 31, 1u << 31, 4),
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    assert_ok(zeKernelSuggestGroupSize(count, 1000, 7, 3, &x, &y, &z));
    assert_int_equal(x, 250);
    assert_int_equal(1000 % x + 7 % y + 3 % z, 0);
    assert_true(x * y * z <= 1024);
    assert_ok(zeKernelDestroy(sized));
    assert_ok(zeKernelDestroy(count));
    assert_ok(zeModuleDestroy(module));
}

static void test_argument_values(void **state)
{
    (void)state;
    // The loader (1.8.12) reads 8 bytes at every argument when it wraps handles.
    uint64_t value = 0;
    ze_module_handle_t module = NULL;
    assert_ok(scripted_build("kernel:increment kernel:describe", NULL, &module, NULL));
    ze_kernel_handle_t increment = scripted_kernel(module, "increment");
    ze_kernel_handle_t describe = scripted_kernel(module, "describe");
    assert_ok(zeKernelSetArgumentValue(increment, 0, 8, &value));
    assert_ok(zeKernelSetArgumentValue(increment, 0, 8, NULL));
    assert_ok(zeKernelSetArgumentValue(increment, 1, 4, &value));
    assert_result(zeKernelSetArgumentValue(increment, 2, 4, &value),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
    assert_result(zeKernelSetArgumentValue(increment, 0, 4, &value),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_ok(zeKernelSetArgumentValue(describe, 1, 512, NULL));
    assert_result(zeKernelSetArgumentValue(describe, 1, 0, NULL),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_ok(zeKernelDestroy(increment));
    assert_ok(zeKernelDestroy(describe));
    assert_ok(zeModuleDestroy(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_and_log),
        cmocka_unit_test(test_failed_build),
        cmocka_unit_test(test_not_spirv),
        cmocka_unit_test(test_refused_descriptions),
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_unlinked),
        cmocka_unit_test(test_dynamic_link),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_duplicate_symbol),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_hidden_variables),
        cmocka_unit_test(test_kernel_names),
        cmocka_unit_test(test_kernel_handle),
        cmocka_unit_test(test_group_sizes),
        cmocka_unit_test(test_argument_values),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
