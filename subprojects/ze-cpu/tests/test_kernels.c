// SPDX-License-Identifier: MIT
//
// OpenCL C kernels all the way: through loader, driver and engine. The folder of their SPIR-V is
// SPIRV_FOLDER.
#include "harness.h"
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

static char *take_log(ze_module_build_log_handle_t log)
{
    char *text = calloc(1, 1 << 16);
    size_t size = 1 << 16;
    assert_non_null(text);
    assert_ok(zeModuleBuildLogGetString(log, &size, text));
    assert_ok(zeModuleBuildLogDestroy(log));
    return text;
}

static void launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
    const ze_group_count_t groups = {x, y, z};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

static void destroy(ze_kernel_handle_t kernel, ze_module_handle_t module)
{
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

static void test_saxpy(void **state)
{
    (void)state;
    enum { COUNT = 10240 };
    float *x = alloc_shared(COUNT * sizeof *x), *y = alloc_shared(COUNT * sizeof *y);
    // 8 bytes, because the loader reads that many when it wraps handles.
    const union {
        float value;
        uint64_t whole;
    } a = {.value = 2};
    ze_module_handle_t module = load_module("kernels", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "saxpy");
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof a.value, &a));
    set_pointer(kernel, 1, x);
    set_pointer(kernel, 2, y);
    assert_ok(zeKernelSetGroupSize(kernel, 128, 1, 1));
    launch(kernel, COUNT / 128, 1, 1);
    for (int i = 0; i < COUNT; i++)
        assert_true(y[i] == 2 * (float)i + 1);
    destroy(kernel, module);
    free_memory(x);
    free_memory(y);
}

static void test_ids_and_offset(void **state)
{
    (void)state;
    uint64_t *out = alloc_shared(4 * 4 * 6 * 6 * sizeof *out);
    ze_module_handle_t module = load_module("kernels", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "where_am_i");
    set_pointer(kernel, 0, out);
    assert_ok(zeKernelSetGroupSize(kernel, 2, 3, 2));
    launch(kernel, 2, 2, 3);
    for (uint64_t i = 0; i < 4 * 6 * 6; i++) {
        const uint64_t x = i % 4, y = i / 4 % 6, z = i / 24;
        assert_int_equal(out[4 * i], x);
        assert_int_equal(out[4 * i + 1], y);
        assert_int_equal(out[4 * i + 2], z / 2);
        assert_int_equal(out[4 * i + 3], x % 2 + 2 * (y % 3) + 6 * (z % 2));
    }
    destroy(kernel, module);
    free_memory(out);
}

static void test_barriers_and_local_memory(void **state)
{
    (void)state;
    enum { GROUPS = 40, SIZE = 64 };
    uint32_t *in = alloc_shared(GROUPS * SIZE * sizeof *in);
    uint32_t *out = alloc_shared(GROUPS * sizeof *out);
    ze_module_handle_t module = load_module("kernels", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "sum_group");
    for (uint32_t i = 0; i < GROUPS * SIZE; i++)
        in[i] = i;
    set_pointer(kernel, 0, in);
    set_pointer(kernel, 1, out);
    assert_ok(zeKernelSetArgumentValue(kernel, 2, SIZE * sizeof *in, NULL));
    assert_ok(zeKernelSetGroupSize(kernel, SIZE, 1, 1));
    launch(kernel, GROUPS, 1, 1);
    for (uint32_t i = 0; i < GROUPS; i++)
        assert_int_equal(out[i], SIZE * SIZE * i + SIZE * (SIZE - 1) / 2);
    destroy(kernel, module);
    free_memory(in);
    free_memory(out);
}

static void test_cooperative_groups(void **state)
{
    (void)state;
    enum { GROUPS = 4, SIZE = 8 };
    const ze_group_count_t groups = {GROUPS, 1, 1};
    uint32_t *arrived = alloc_shared(sizeof *arrived);
    uint32_t *numbers = alloc_shared(GROUPS * sizeof *numbers);
    uint32_t *sums = alloc_shared(GROUPS * SIZE * sizeof *sums);
    ze_module_handle_t module = load_module("kernels", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "sum_across_groups");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    set_pointer(kernel, 0, arrived);
    set_pointer(kernel, 1, numbers);
    set_pointer(kernel, 2, sums);
    assert_ok(zeKernelSetGroupSize(kernel, SIZE, 1, 1));
    assert_ok(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, NULL, 0, NULL));
    for (uint32_t i = 0; i < GROUPS * SIZE; i++)
        assert_int_equal(sums[i], GROUPS * (GROUPS + 1) / 2);
    assert_ok(zeCommandListDestroy(list));
    destroy(kernel, module);
    free_memory(arrived);
    free_memory(numbers);
    free_memory(sums);
}

static void test_required_group_size(void **state)
{
    (void)state;
    uint32_t *out = alloc_shared(sizeof *out);
    ze_module_handle_t module = load_module("kernels", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "sized");
    set_pointer(kernel, 0, out);
    assert_result(
        zeKernelSetGroupSize(kernel, 16, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    launch(kernel, 1, 1, 1);
    assert_int_equal(*out, 8);
    destroy(kernel, module);
    free_memory(out);
}

struct stress {
    ze_kernel_handle_t kernel;
    uint32_t *counter;
};

static void launch_many(void *argument)
{
    struct stress *stress = argument;
    const ze_group_count_t groups = {50, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    for (int i = 0; i < 20; i++)
        assert_ok(zeCommandListAppendLaunchKernel(list, stress->kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

static void test_atomics_from_many_queues(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    struct stress stress[THREADS];
    unsigned long threads[THREADS];
    uint32_t *counter = alloc_shared(sizeof *counter);
    ze_module_handle_t module = load_module("kernels", NULL);
    for (int i = 0; i < THREADS; i++) {
        stress[i] = (struct stress){create_kernel(module, "count_all"), counter};
        set_pointer(stress[i].kernel, 0, counter);
        assert_ok(zeKernelSetGroupSize(stress[i].kernel, 32, 1, 1));
        threads[i] = start_later(0, launch_many, &stress[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        join_later(threads[i]);
        assert_ok(zeKernelDestroy(stress[i].kernel));
    }
    assert_int_equal(*counter, THREADS * 20 * 50 * 32);
    assert_ok(zeModuleDestroy(module));
    free_memory(counter);
}

static bool device_has_fp64(void)
{
    ze_device_module_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    assert_ok(zeDeviceGetModuleProperties(fx.device, &properties));
    return properties.flags & ZE_DEVICE_MODULE_FLAG_FP64;
}

static void expect_doubles_work(void)
{
    double *numbers = alloc_shared(8 * sizeof *numbers);
    ze_module_handle_t module = load_module("doubles", NULL);
    ze_kernel_handle_t kernel = create_kernel(module, "halve");
    numbers[5] = 3;
    set_pointer(kernel, 0, numbers);
    assert_ok(zeKernelSetGroupSize(kernel, 8, 1, 1));
    launch(kernel, 1, 1, 1);
    assert_true(numbers[5] == 1.5);
    destroy(kernel, module);
    free_memory(numbers);
}

static void expect_refused(const char *name, const char *reason)
{
    struct file file = read_spirv(name);
    const ze_module_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pInputModule = file.bytes, .inputSize = file.size};
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    assert_result(zeModuleCreate(fx.context, fx.device, &desc, &module, &log),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    char *text = take_log(log);
    assert_non_null(strstr(text, reason));
    free(text);
    free(file.bytes);
}

static void test_doubles(void **state)
{
    (void)state;
    if (device_has_fp64())
        expect_doubles_work();
    else
        expect_refused("doubles", "function 'halve': double precision (fp64) is not supported");
}

static ze_device_compute_properties_t compute_properties(void)
{
    ze_device_compute_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    assert_ok(zeDeviceGetComputeProperties(fx.device, &properties));
    return properties;
}

// One kernel that can't be built fails the module.
static void test_required_sub_group_size(void **state)
{
    (void)state;
    if (compute_properties().subGroupSizes[0] > 8) {
        expect_refused("eights", "function 'by_eights': sub-group size 8 is not supported");
        return;
    }
    ze_module_handle_t module = load_module("eights", NULL);
    destroy(create_kernel(module, "by_eights"), module);
}

// The module builds, whatever its kernels require.
static void test_group_beyond_the_limit(void **state)
{
    (void)state;
    const uint32_t limit = compute_properties().maxTotalGroupSize;
    ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "of_2048"};
    ze_module_handle_t module = load_module("limits", NULL);
    ze_kernel_handle_t kernel = NULL;
    assert_result(
        zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    desc.pKernelName = "of_512";
    assert_result(zeKernelCreate(module, &desc, &kernel),
        limit < 512 ? ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION : ZE_RESULT_SUCCESS);
    if (kernel)
        assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
}

static ze_module_handle_t link_user_and_library(const char *flags)
{
    struct file user = read_spirv("user"), library = read_spirv("library");
    const uint8_t *modules[] = {user.bytes, library.bytes};
    const size_t sizes[] = {user.size, library.size};
    const ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = 2,
        .inputSizes = sizes,
        .pInputModules = modules,
    };
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .pInputModule = user.bytes,
        .inputSize = user.size,
        .pBuildFlags = flags};
    ze_module_handle_t module = NULL;
    assert_ok(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL));
    free(user.bytes);
    free(library.bytes);
    return module;
}

static void test_linked_modules(void **state)
{
    (void)state;
    uint32_t *numbers = alloc_shared(16 * sizeof *numbers), *calls = NULL;
    size_t size = 0;
    ze_module_handle_t module = link_user_and_library("-ze-take-global-address");
    ze_kernel_handle_t kernel = create_kernel(module, "use_helper");
    for (uint32_t i = 0; i < 16; i++)
        numbers[i] = i;
    set_pointer(kernel, 0, numbers);
    assert_ok(zeKernelSetGroupSize(kernel, 4, 1, 1));
    launch(kernel, 4, 1, 1);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(numbers[i], 3 * i);
    assert_ok(zeModuleGetGlobalPointer(module, "calls", &size, (void **)&calls));
    assert_int_equal(size, sizeof *calls);
    assert_int_equal(*calls, 16);
    destroy(kernel, module);
    free_memory(numbers);
}

static void test_unlinked_module(void **state)
{
    (void)state;
    const ze_kernel_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "use_helper"};
    struct file user = read_spirv("user");
    const ze_module_desc_t module_desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pInputModule = user.bytes, .inputSize = user.size};
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    ze_kernel_handle_t kernel = NULL;
    assert_ok(zeModuleCreate(fx.context, fx.device, &module_desc, &module, &log));
    char *text = take_log(log);
    assert_non_null(strstr(text, "unresolved external symbol helper"));
    assert_ok(zeModuleGetProperties(module, &properties));
    assert_int_equal(properties.flags, ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    assert_result(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    assert_ok(zeModuleDestroy(module));
    free(text);
    free(user.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_saxpy),
        cmocka_unit_test(test_ids_and_offset),
        cmocka_unit_test(test_barriers_and_local_memory),
        cmocka_unit_test(test_cooperative_groups),
        cmocka_unit_test(test_required_group_size),
        cmocka_unit_test(test_atomics_from_many_queues),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_required_sub_group_size),
        cmocka_unit_test(test_group_beyond_the_limit),
        cmocka_unit_test(test_linked_modules),
        cmocka_unit_test(test_unlinked_module),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
