// SPDX-License-Identifier: MIT
//
// Specialization constants.
#include "harness.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shown {
    int64_t integers[6];
    double reals[2];
};

static ze_result_t build(
    const char *name, const ze_module_constants_t *constants, ze_module_handle_t *module)
{
    struct file file = read_spirv(name);
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pInputModule = file.bytes,
        .inputSize = file.size,
        .pConstants = constants};
    *module = NULL;
    const ze_result_t result = zeModuleCreate(fx.context, fx.device, &desc, module, NULL);
    free(file.bytes);
    return result;
}

static struct shown show(ze_module_handle_t module)
{
    struct shown *shown = alloc_shared(sizeof *shown);
    ze_kernel_handle_t kernel = create_kernel(module, "show_constants");
    set_pointer(kernel, 0, shown->integers);
    set_pointer(kernel, 1, shown->reals);
    run_kernel(kernel, 1, 1);
    const struct shown copy = *shown;
    assert_ok(zeKernelDestroy(kernel));
    free_memory(shown);
    return copy;
}

static void expect_shown(const ze_module_constants_t *constants, const struct shown *expected)
{
    ze_module_handle_t module;
    assert_ok(build("constants", constants, &module));
    const struct shown shown = show(module);
    assert_memory_equal(shown.integers, expected->integers, sizeof shown.integers);
    assert_true(shown.reals[0] == expected->reals[0] && shown.reals[1] == expected->reals[1]);
    assert_ok(zeModuleDestroy(module));
}

static const struct shown defaults = {{1, -1, 2, 3, 4, 6}, {5, 6}};

static void without_values_the_defaults_hold(void **state)
{
    (void)state;
    const ze_module_constants_t none = {0};
    expect_shown(NULL, &defaults);
    expect_shown(&none, &defaults);
}

static void values_have_the_size_of_their_type(void **state)
{
    (void)state;
    // What follows each value must not be read into it.
    const struct {
        uint8_t flag, flag_rest[7];
        int8_t character, character_rest[7];
        uint16_t half_word, half_word_rest[3];
        int32_t word, word_rest;
        int64_t double_word;
        float real, real_rest;
        double double_real;
    } v = {0, {-1, -1}, -128, {-1, -1}, 40000, {77, 77}, -30, -1, INT64_MIN + 1, -5.5f, 99, 1e-300};
    const uint32_t ids[] = {60, 50, 40, 30, 20, 10, 0};
    const void *values[] = {
        &v.double_real, &v.real, &v.double_word, &v.word, &v.half_word, &v.character, &v.flag};
    const ze_module_constants_t constants = {7, ids, values};
    const struct shown expected = {{0, -128, 40000, -30, INT64_MIN + 1, -60}, {-5.5, 1e-300}};
    expect_shown(&constants, &expected);
}

static void any_byte_but_zero_is_true(void **state)
{
    (void)state;
    const uint32_t id = 0;
    const uint8_t flag = 0x80;
    const void *value = &flag;
    const ze_module_constants_t constants = {1, &id, &value};
    expect_shown(&constants, &defaults);
}

static void unknown_ids_are_passed_over(void **state)
{
    (void)state;
    const uint32_t ids[] = {31, 30, UINT32_MAX};
    const int32_t number = 33;
    const void *values[] = {&number, &number, &number};
    const ze_module_constants_t constants = {3, ids, values};
    struct shown expected = defaults;
    expected.integers[3] = 33;
    expected.integers[5] = 66;
    expect_shown(&constants, &expected);
}

static void the_native_binary_has_the_values(void **state)
{
    (void)state;
    const uint32_t id = 30;
    const int32_t number = 1000;
    const void *value = &number;
    const ze_module_constants_t constants = {1, &id, &value};
    ze_module_handle_t module;
    assert_ok(build("constants", &constants, &module));
    module = reload_module(module);
    assert_int_equal(show(module).integers[3], 1000);
    assert_ok(zeModuleDestroy(module));
}

static ze_module_handle_t build_program(
    const ze_module_constants_t *const *own, uint32_t count, const ze_module_constants_t *common)
{
    static const char *const names[] = {"constants", "kernels"};
    struct file files[2];
    const uint8_t *modules[2];
    size_t sizes[2];
    for (uint32_t i = 0; i < count; i++) {
        files[i] = read_spirv(names[i]);
        modules[i] = files[i].bytes;
        sizes[i] = files[i].size;
    }
    const ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = count,
        .inputSizes = sizes,
        .pInputModules = modules,
        .pConstants = (const ze_module_constants_t **)own};
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .pInputModule = modules[0],
        .inputSize = sizes[0],
        .pConstants = common};
    ze_module_handle_t module = NULL;
    assert_ok(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL));
    for (uint32_t i = 0; i < count; i++)
        free(files[i].bytes);
    return module;
}

static void each_input_of_a_program_has_its_own(void **state)
{
    (void)state;
    const uint32_t id = 30;
    const int32_t number = -9;
    const void *value = &number;
    const ze_module_constants_t constants = {1, &id, &value};
    const ze_module_constants_t *mine[] = {&constants, NULL}, *others[] = {NULL, &constants};
    ze_module_handle_t module = build_program(mine, 2, NULL);
    assert_int_equal(show(module).integers[3], -9);
    assert_ok(zeModuleDestroy(module));
    module = build_program(others, 2, NULL);
    assert_int_equal(show(module).integers[3], 3);
    assert_ok(zeModuleDestroy(module));
    module = build_program(NULL, 1, &constants);
    assert_int_equal(show(module).integers[3], 3);
    assert_ok(zeModuleDestroy(module));
}

static void missing_lists_are_refused(void **state)
{
    (void)state;
    const uint32_t id = 30;
    const void *value = NULL;
    ze_module_handle_t module;
    const ze_module_constants_t no_ids = {1, NULL, &value}, no_values = {1, &id, NULL},
                                no_value = {1, &id, &value};
    assert_result(build("constants", &no_ids, &module), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(build("constants", &no_values, &module), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(build("constants", &no_value, &module), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_null(module);
}

static bool is_there(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", getenv("SPIRV_FOLDER"), name);
    return access(path, R_OK) == 0;
}

// Without setting a group size.
static void launch_as_required(ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

static void expect_sized(const ze_module_constants_t *constants, uint32_t size, uint32_t stored)
{
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    uint32_t *out = alloc_shared(sizeof *out);
    ze_module_handle_t module;
    assert_ok(build("specialised", constants, &module));
    ze_kernel_handle_t kernel = create_kernel(module, "sized_by_constants");
    assert_ok(zeKernelGetProperties(kernel, &properties));
    assert_int_equal(properties.requiredGroupSizeX, size);
    assert_int_equal(properties.requiredGroupSizeY, 2 * size);
    assert_int_equal(properties.requiredGroupSizeZ, 1);
    set_pointer(kernel, 0, out);
    launch_as_required(kernel);
    assert_int_equal(*out, stored);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    free_memory(out);
}

static void sizes_and_computed_constants_follow(void **state)
{
    (void)state;
    const uint32_t ids[] = {7, 8}, size = 10;
    const uint8_t flag = 1;
    const void *values[] = {&size, &flag};
    const ze_module_constants_t only_size = {1, ids, values}, both = {2, ids, values};
    if (!is_there("specialised"))
        skip(); // the assembler was not there when this was built
    expect_sized(NULL, 4, 1);
    expect_sized(&only_size, 10, 1);
    expect_sized(&both, 10, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_values_the_defaults_hold),
        cmocka_unit_test(values_have_the_size_of_their_type),
        cmocka_unit_test(any_byte_but_zero_is_true),
        cmocka_unit_test(unknown_ids_are_passed_over),
        cmocka_unit_test(the_native_binary_has_the_values),
        cmocka_unit_test(each_input_of_a_program_has_its_own),
        cmocka_unit_test(missing_lists_are_refused),
        cmocka_unit_test(sizes_and_computed_constants_follow),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
