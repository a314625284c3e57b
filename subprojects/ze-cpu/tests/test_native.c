// SPDX-License-Identifier: MIT
//
// Native binaries of OpenCL C kernels: taken from one module, given to another.
#include "harness.h"
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

static ze_result_t try_native(
    struct file file, ze_module_handle_t *module, ze_module_build_log_handle_t *log)
{
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_NATIVE,
        .pInputModule = file.bytes,
        .inputSize = file.size};
    *module = NULL;
    return zeModuleCreate(fx.context, fx.device, &desc, module, log);
}

static struct file build_native(const char *name, const char *flags)
{
    ze_module_handle_t module = load_module(name, flags);
    struct file file = native_binary(module);
    assert_ok(zeModuleDestroy(module));
    return file;
}

static void expect_sums(ze_module_handle_t module)
{
    enum { GROUPS = 3, SIZE = 16 };
    uint32_t *in = alloc_shared(GROUPS * SIZE * sizeof *in);
    uint32_t *out = alloc_shared(GROUPS * sizeof *out);
    ze_kernel_handle_t kernel = create_kernel(module, "sum_group");
    for (uint32_t i = 0; i < GROUPS * SIZE; i++)
        in[i] = i;
    set_pointer(kernel, 0, in);
    set_pointer(kernel, 1, out);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, SIZE * sizeof *in, NULL));
    run_kernel(kernel, SIZE, GROUPS);
    for (uint32_t i = 0; i < GROUPS; i++)
        assert_int_equal(out[i], SIZE * SIZE * i + SIZE * (SIZE - 1) / 2);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(in);
    free_memory(out);
}

static void kernels_run_without_a_compiler(void **state)
{
    (void)state;
    struct file file = build_native("kernels", NULL);
    struct file spirv = read_spirv("kernels");
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pInputModule = spirv.bytes,
        .inputSize = spirv.size};
    ze_module_handle_t module = NULL;
    setenv("ZE_CPU_LLVM_SPIRV", "/nonexistent", 1); // the translator
    assert_result(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    module = load_native(file);
    expect_sums(module);
    unsetenv("ZE_CPU_LLVM_SPIRV");
    assert_ok(zeModuleDestroy(module));
    free(spirv.bytes);
    free(file.bytes);
}

static ze_kernel_properties_t properties_of(ze_module_handle_t module, const char *name)
{
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    ze_kernel_handle_t kernel = create_kernel(module, name);
    assert_ok(zeKernelGetProperties(kernel, &properties));
    assert_ok(zeKernelDestroy(kernel));
    memset(&properties.uuid, 0, sizeof properties.uuid); // of the module
    return properties;
}

static void kernels_say_the_same_of_themselves(void **state)
{
    (void)state;
    const char *names[16];
    uint32_t count = 16, count_again = 0;
    ze_module_handle_t module = load_module("kernels", NULL);
    struct file file = native_binary(module);
    ze_module_handle_t again = load_native(file);
    assert_ok(zeModuleGetKernelNames(module, &count, names));
    assert_ok(zeModuleGetKernelNames(again, &count_again, NULL));
    assert_int_equal(count, count_again);
    for (uint32_t i = 0; i < count; i++) {
        const ze_kernel_properties_t before = properties_of(module, names[i]);
        const ze_kernel_properties_t after = properties_of(again, names[i]);
        assert_memory_equal(&before, &after, sizeof before);
    }
    struct file file_again = native_binary(again);
    assert_int_equal(file.size, file_again.size);
    assert_memory_equal(file.bytes, file_again.bytes, file.size);
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeModuleDestroy(again));
    free(file.bytes);
    free(file_again.bytes);
}

static uint32_t *variable(ze_module_handle_t module, const char *name)
{
    uint32_t *address = NULL;
    size_t size = 0;
    assert_ok(zeModuleGetGlobalPointer(module, name, &size, (void **)&address));
    assert_int_equal(size, sizeof *address);
    return address;
}

static ze_module_handle_t build_program(void)
{
    struct file user = read_spirv("user"), library = read_spirv("library");
    const uint8_t *modules[] = {user.bytes, library.bytes};
    const size_t sizes[] = {user.size, library.size};
    const ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = 2,
        .inputSizes = sizes,
        .pInputModules = modules};
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .pInputModule = user.bytes,
        .inputSize = user.size,
        .pBuildFlags = "-ze-take-global-address"};
    ze_module_handle_t module = NULL;
    assert_ok(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL));
    free(user.bytes);
    free(library.bytes);
    return module;
}

static void run_helper(ze_module_handle_t module)
{
    uint32_t *numbers = alloc_shared(16 * sizeof *numbers);
    ze_kernel_handle_t kernel = create_kernel(module, "use_helper");
    for (uint32_t i = 0; i < 16; i++)
        numbers[i] = i;
    set_pointer(kernel, 0, numbers);
    run_kernel(kernel, 4, 4);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(numbers[i], 3 * i);
    assert_ok(zeKernelDestroy(kernel));
    free_memory(numbers);
}

// No flag is given any more: the binary knows that its variables are to be found.
static void programs_get_variables_of_their_own(void **state)
{
    (void)state;
    ze_module_handle_t module = build_program();
    struct file file = native_binary(module);
    run_helper(module);
    ze_module_handle_t first = load_native(file), second = load_native(file);
    run_helper(first);
    run_helper(first);
    assert_int_equal(*variable(module, "calls"), 16);
    assert_int_equal(*variable(first, "calls"), 32);
    assert_int_equal(*variable(second, "calls"), 0);
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeModuleDestroy(first));
    run_helper(second);
    assert_int_equal(*variable(second, "calls"), 16);
    assert_ok(zeModuleDestroy(second));
    free(file.bytes);
}

static void hidden_variables_stay_hidden(void **state)
{
    (void)state;
    void *address = NULL;
    struct file file = build_native("library", NULL);
    ze_module_handle_t module = load_native(file);
    assert_result(zeModuleGetGlobalPointer(module, "calls", NULL, &address),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeModuleDestroy(module));
    free(file.bytes);
}

static void unlinked_modules_stay_unlinked(void **state)
{
    (void)state;
    const ze_kernel_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "use_helper"};
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    ze_kernel_handle_t kernel = NULL;
    struct file file = build_native("user", NULL);
    ze_module_handle_t module = load_native(file);
    assert_ok(zeModuleGetProperties(module, &properties));
    assert_int_equal(properties.flags, ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    assert_result(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    assert_ok(zeModuleDestroy(module));
    free(file.bytes);
}

static void expect_refused(struct file file, const char *reason)
{
    ze_module_handle_t module;
    ze_module_build_log_handle_t log = NULL;
    char text[1024] = "";
    size_t size = sizeof text;
    assert_result(try_native(file, &module, &log), ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
    assert_null(module);
    assert_ok(zeModuleBuildLogGetString(log, &size, text));
    assert_ok(zeModuleBuildLogDestroy(log));
    if (!strstr(text, reason))
        fail_msg("log says '%s', not '%s'", text, reason);
}

static void damage_is_refused(void **state)
{
    (void)state;
    struct file file = build_native("kernels", NULL);
    expect_refused((struct file){file.bytes, 5}, "shorter than a header");
    expect_refused((struct file){file.bytes, file.size - 1}, "not as large");
    for (size_t at = 0; at < file.size; at += 1 + file.size / 300) {
        file.bytes[at] ^= 0x10;
        expect_refused(file, "this native binary cannot be used: it ");
        file.bytes[at] ^= 0x10;
    }
    ze_module_handle_t module = load_native(file);
    assert_ok(zeModuleDestroy(module));
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_run_without_a_compiler),
        cmocka_unit_test(kernels_say_the_same_of_themselves),
        cmocka_unit_test(programs_get_variables_of_their_own),
        cmocka_unit_test(hidden_variables_stay_hidden),
        cmocka_unit_test(unlinked_modules_stay_unlinked),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
