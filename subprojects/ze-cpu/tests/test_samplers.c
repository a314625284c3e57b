// SPDX-License-Identifier: MIT
//
// Samplers, and what kernels see of them.
#include "harness.h"
#include "images.h"
#include "scripted.h"

#include <image.h>
#include <stdlib.h>

#define NULL_HANDLE ZE_RESULT_ERROR_INVALID_NULL_HANDLE
#define NULL_POINTER ZE_RESULT_ERROR_INVALID_NULL_POINTER

static ze_sampler_handle_t create_sampler(
    ze_sampler_address_mode_t address, ze_sampler_filter_mode_t filter, ze_bool_t normalized)
{
    const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
        .addressMode = address,
        .filterMode = filter,
        .isNormalized = normalized};
    ze_sampler_handle_t sampler = NULL;
    assert_ok(zeSamplerCreate(fx.context, fx.device, &desc, &sampler));
    return sampler;
}

static void launch_once(ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {1, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

// What a kernel sees of a sampler, which is destroyed before the launch: it stands for numbers.
static uint64_t bits_seen(
    ze_kernel_handle_t kernel, ze_sampler_handle_t sampler, const uint64_t *out)
{
    assert_ok(zeKernelSetArgumentValue(kernel, 1, sizeof sampler, &sampler));
    assert_ok(zeSamplerDestroy(sampler));
    launch_once(kernel);
    return out[0];
}

static void test_bits(void **state)
{
    (void)state;
    static const uint64_t addresses[] = {ZC_SAMPLER_ADDRESS_NONE, ZC_SAMPLER_REPEAT,
        ZC_SAMPLER_CLAMP_TO_EDGE, ZC_SAMPLER_CLAMP, ZC_SAMPLER_MIRRORED_REPEAT};
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 1, 1, 1);
    const unsigned char texel[4] = {9, 0, 0, 0};
    uint64_t *out = alloc_shared(2 * sizeof *out);
    ze_image_handle_t image = create_image(&desc);
    ze_module_handle_t module = NULL;
    assert_ok(scripted_build("kernel:image_sample", NULL, &module, NULL));
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_sample");
    write_image(image, texel);
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
    assert_ok(zeKernelSetArgumentValue(kernel, 2, sizeof(void *), &out));
    for (uint32_t i = 0; i < 5 * 4; i++) {
        const uint32_t address = i / 4, linear = i / 2 % 2, normalized = i % 2;
        const uint64_t expected =
            addresses[address] | (linear ? ZC_SAMPLER_LINEAR : ZC_SAMPLER_NEAREST) | normalized;
        assert_int_equal(bits_seen(kernel,
                             create_sampler((ze_sampler_address_mode_t)address,
                                 (ze_sampler_filter_mode_t)linear, (ze_bool_t)normalized),
                             out),
            expected);
        assert_int_equal(out[1], 9);
    }
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeModuleDestroy(module));
    assert_ok(zeImageDestroy(image));
    free_memory(out);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
    ze_sampler_handle_t sampler = NULL;
    if (fx.wrapped)
        skip(); // the wrapping of 1.8.12 follows null handles
    assert_result(zeSamplerCreate(NULL, fx.device, &desc, &sampler), NULL_HANDLE);
    assert_result(zeSamplerCreate(fx.context, NULL, &desc, &sampler), NULL_HANDLE);
    assert_result(zeSamplerCreate(fx.context, fx.device, NULL, &sampler), NULL_POINTER);
    assert_result(zeSamplerCreate(fx.context, fx.device, &desc, NULL), NULL_POINTER);
    desc.addressMode = (ze_sampler_address_mode_t)5;
    assert_result(zeSamplerCreate(fx.context, fx.device, &desc, &sampler),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    desc.addressMode = ZE_SAMPLER_ADDRESS_MODE_NONE;
    desc.filterMode = (ze_sampler_filter_mode_t)2;
    assert_result(zeSamplerCreate(fx.context, fx.device, &desc, &sampler),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_null(sampler);
    assert_result(zeSamplerDestroy(NULL), NULL_HANDLE);
}

static void test_handles_of_no_sampler(void **state)
{
    (void)state;
    if (fx.wrapped || is_validated())
        skip();
    ze_sampler_handle_t sampler =
        create_sampler(ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_LINEAR, 0);
    assert_ok(zeSamplerDestroy(sampler));
    assert_result(zeSamplerDestroy(sampler), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(
        zeSamplerDestroy((ze_sampler_handle_t)fx.device), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

static void create_many(size_t count)
{
    ze_sampler_handle_t *samplers = calloc(count, sizeof(ze_sampler_handle_t));
    assert_non_null(samplers);
    for (size_t i = 0; i < count; i++)
        samplers[i] =
            create_sampler(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, 1);
    for (size_t i = 0; i < count; i++)
        assert_ok(zeSamplerDestroy(samplers[i * 7 % count]));
    free(samplers);
}

static void test_many(void **state)
{
    (void)state;
    create_many(1);
    create_many(16);
    create_many(17);
    create_many(2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_handles_of_no_sampler),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
