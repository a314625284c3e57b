// SPDX-License-Identifier: MIT
//
// Modules and kernels.

#include "fixture.h"

static void test_lists_kernels(void **state)
{
    ze_module_handle_t module = create_module(*state);
    uint32_t count = 0;
    assert_ok(ze.zeModuleGetKernelNames(module, &count, NULL));
    assert_int_equal(count, 2);
    const char *names[2] = {0};
    assert_ok(ze.zeModuleGetKernelNames(module, &count, names));
    assert_string_equal(names[0], "add");
    assert_string_equal(names[1], "run");
    assert_ok(ze.zeModuleDestroy(module));
}

static uint32_t count_arguments(ze_kernel_handle_t kernel)
{
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    assert_ok(ze.zeKernelGetProperties(kernel, &properties));
    return properties.numKernelArgs;
}

static void test_knows_arguments(void **state)
{
    ze_module_handle_t module = create_module(*state);
    ze_kernel_handle_t add = NULL, run = NULL, none = NULL;
    assert_ok(create_kernel(module, "add", &add));
    assert_int_equal(create_kernel(module, "ad", &none), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    assert_int_equal(count_arguments(add), 3);
    const int value = 1;
    assert_ok(ze.zeKernelSetArgumentValue(add, 2, sizeof value, &value));
    assert_int_equal(ze.zeKernelSetArgumentValue(add, 3, sizeof value, &value),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);

    struct noop_config config = noop_config_default();
    config.kernel_arguments = 7;
    noop_configure(&config);
    assert_ok(create_kernel(module, "run", &run));
    assert_int_equal(count_arguments(run), 7);
    char name[8];
    size_t size = sizeof name;
    assert_ok(ze.zeKernelGetName(run, &size, name));
    assert_string_equal(name, "run");
    assert_ok(ze.zeKernelDestroy(add));
    assert_ok(ze.zeKernelDestroy(run));
    assert_ok(ze.zeModuleDestroy(module));
}

static void test_suggests_divisors(void **state)
{
    ze_module_handle_t module = create_module(*state);
    ze_kernel_handle_t kernel = NULL;
    assert_ok(create_kernel(module, "add", &kernel));
    uint32_t x, y, z;
    assert_ok(ze.zeKernelSuggestGroupSize(kernel, 1000, 4096, 3, &x, &y, &z));
    assert_int_equal(x, 8);
    assert_int_equal(y, 64);
    assert_int_equal(z, 1);
    assert_ok(ze.zeKernelDestroy(kernel));
    assert_ok(ze.zeModuleDestroy(module));
}

static bool reports_imports(ze_module_handle_t module)
{
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    assert_ok(ze.zeModuleGetProperties(module, &properties));
    return properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS;
}

static void test_reports_imports(void **state)
{
    ze_module_handle_t module = create_module(*state);
    assert_true(reports_imports(module));
    struct noop_config config = noop_config_default();
    config.resolved_imports = "extern ext";
    noop_configure(&config);
    assert_false(reports_imports(module));
    config.resolved_imports = "extern exte";
    noop_configure(&config);
    assert_true(reports_imports(module));
    assert_ok(ze.zeModuleDynamicLink(1, &module, NULL));
    assert_false(reports_imports(module));
    assert_ok(ze.zeModuleDestroy(module));
}

// kernel void use(void), which exports what the other module imports.
static const uint32_t exporter[] = {
    0x07230203, 0x00010000, 0, 20, 0,              // header
    WORDS(4) | 15, 6, 1, STRING('u', 's', 'e', 0), // OpEntryPoint Kernel %1 "use"
    WORDS(5) | 71, 9, 41, STRING('e', 'x', 't', 0),
    0, // OpDecorate %9 LinkageAttributes "ext" Export
};

static void test_program_resolves_its_parts(void **state)
{
    const struct fixture *f = *state;
    const uint8_t *parts[] = {(const uint8_t *)spirv, (const uint8_t *)exporter};
    const size_t sizes[] = {sizeof spirv, sizeof exporter};
    const ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = 2,
        .inputSizes = sizes,
        .pInputModules = parts};
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .format = ZE_MODULE_FORMAT_IL_SPIRV};
    ze_module_handle_t module = NULL;
    assert_ok(ze.zeModuleCreate(f->context, f->device, &desc, &module, NULL));
    assert_false(reports_imports(module));
    ze_kernel_handle_t kernel = NULL;
    assert_ok(create_kernel(module, "use", &kernel));
    assert_ok(ze.zeKernelDestroy(kernel));
    assert_ok(ze.zeModuleDestroy(module));
}

static void check_log(ze_module_build_log_handle_t log, const char *expected)
{
    char text[64];
    size_t size = sizeof text;
    assert_ok(ze.zeModuleBuildLogGetString(log, &size, text));
    assert_string_equal(text, expected);
    assert_ok(ze.zeModuleBuildLogDestroy(log));
}

static void test_failed_build_has_a_log(void **state)
{
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    assert_int_equal(build(*state, "no SPIR-V at all, this", 20, &module, &log),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    check_log(log, "error: the input is not SPIR-V\n");

    struct noop_config config = noop_config_default();
    config.build_log = "error: as planned";
    noop_configure(&config);
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    assert_int_equal(
        build(*state, spirv, sizeof spirv, &module, &log), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    check_log(log, "error: as planned");
    assert_null(module);
}

static void test_truncated_module_is_read_to_its_end(void **state)
{
    for (size_t size = 1; size <= sizeof spirv; size++) {
        char *copy = malloc(size + 1); // the sanitizer sees a step beyond
        memcpy(copy, spirv, size);
        ze_module_handle_t module = NULL;
        const ze_result_t result = build(*state, copy, size, &module, NULL);
        assert_int_equal(
            result, size < 20 ? ZE_RESULT_ERROR_MODULE_BUILD_FAILURE : ZE_RESULT_SUCCESS);
        if (module != NULL)
            assert_ok(ze.zeModuleDestroy(module));
        free(copy);
    }
}

static void test_native_binary_builds_again(void **state)
{
    ze_module_handle_t module = create_module(*state), again = NULL;
    size_t size = 0;
    assert_ok(ze.zeModuleGetNativeBinary(module, &size, NULL));
    uint8_t *binary = malloc(size);
    assert_ok(ze.zeModuleGetNativeBinary(module, &size, binary));
    assert_ok(build(*state, binary, size, &again, NULL));
    ze_kernel_handle_t kernel = NULL;
    assert_ok(create_kernel(again, "add", &kernel));
    assert_ok(ze.zeKernelDestroy(kernel));
    assert_ok(ze.zeModuleDestroy(again));
    assert_ok(ze.zeModuleDestroy(module));
    free(binary);
}

static void test_gives_globals(void **state)
{
    assert_null(noop_global("flag"));
    ze_module_handle_t module = create_module(*state);
    void *flag = NULL, *same = NULL;
    size_t size = 0;
    assert_ok(ze.zeModuleGetGlobalPointer(module, "flag", &size, &flag));
    assert_true(size >= 704);
    assert_int_equal(*(int *)flag, 0);
    assert_ptr_equal(noop_global("flag"), flag);
    assert_ok(ze.zeModuleGetGlobalPointer(module, "flag", NULL, &same));
    assert_ptr_equal(same, flag);
    assert_ok(ze.zeModuleDestroy(module));
    assert_null(noop_global("flag"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lists_kernels),
        TEST(knows_arguments),
        TEST(suggests_divisors),
        TEST(reports_imports),
        TEST(program_resolves_its_parts),
        TEST(failed_build_has_a_log),
        TEST(truncated_module_is_read_to_its_end),
        TEST(native_binary_builds_again),
        TEST(gives_globals),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
