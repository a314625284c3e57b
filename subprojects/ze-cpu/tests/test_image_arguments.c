// SPDX-License-Identifier: MIT
//
// Images and samplers as arguments of kernels: what kernels see of them, what is refused, and how long they live.
#include "harness.h"
#include "images.h"
#include "scripted.h"

#include <image.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define INVALID_ARGUMENT ZE_RESULT_ERROR_INVALID_ARGUMENT

static ze_module_handle_t module;

static int set_up_module(void **state)
{
    set_up(state);
    assert_ok(scripted_build("kernel:image_1d kernel:image_1d_array kernel:image_buffer "
                             "kernel:image_2d kernel:image_2d_array kernel:image_3d "
                             "kernel:image_copy kernel:image_sample kernel:image_write_later",
        NULL, &module, NULL));
    return 0;
}

static int tear_down_module(void **state)
{
    assert_ok(zeModuleDestroy(module));
    return tear_down(state);
}

static ze_result_t launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y)
{
    const ze_group_count_t groups = {x, y, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const ze_result_t result =
        zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
    assert_ok(zeCommandListDestroy(list));
    return result;
}

// ---- what kernels see ----

static const char *const describing[] = {
    [ZE_IMAGE_TYPE_1D] = "image_1d",
    [ZE_IMAGE_TYPE_1DARRAY] = "image_1d_array",
    [ZE_IMAGE_TYPE_2D] = "image_2d",
    [ZE_IMAGE_TYPE_2DARRAY] = "image_2d_array",
    [ZE_IMAGE_TYPE_3D] = "image_3d",
    [ZE_IMAGE_TYPE_BUFFER] = "image_buffer",
};

static struct zc_image see(const ze_image_desc_t *desc)
{
    struct zc_image *out = alloc_shared(sizeof *out);
    ze_kernel_handle_t kernel = scripted_kernel(module, describing[desc->type]);
    ze_image_handle_t image = create_image(desc);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, out));
    assert_ok(launch(kernel, 1, 1));
    const struct zc_image seen = *out;
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(image));
    free_memory(out);
    return seen;
}

static void expect_extents(
    const struct zc_image *seen, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers)
{
    assert_int_equal(seen->width, width);
    assert_int_equal(seen->height, height);
    assert_int_equal(seen->depth, depth);
    assert_int_equal(seen->layers, layers);
    assert_int_not_equal(seen->texels, 0);
    assert_true(seen->row_pitch >= (uint64_t)width * seen->texel_size);
    assert_true(seen->slice_pitch >= height * seen->row_pitch);
}

// What a type has no use for is 1, whatever the description says.
static void test_extents(void **state)
{
    (void)state;
    static const uint32_t expected[][4] = {
        [ZE_IMAGE_TYPE_1D] = {20, 1, 1, 1},
        [ZE_IMAGE_TYPE_1DARRAY] = {20, 1, 1, 5},
        [ZE_IMAGE_TYPE_2D] = {20, 7, 1, 1},
        [ZE_IMAGE_TYPE_2DARRAY] = {20, 7, 1, 5},
        [ZE_IMAGE_TYPE_3D] = {20, 7, 3, 1},
        [ZE_IMAGE_TYPE_BUFFER] = {5, 1, 1, 1}, // 20 bytes
    };
    for (uint32_t type = 0; type <= ZE_IMAGE_TYPE_BUFFER; type++) {
        ze_image_desc_t desc = image_desc((ze_image_type_t)type, 20, 7, 3);
        desc.arraylevels = 5;
        const struct zc_image seen = see(&desc);
        expect_extents(
            &seen, expected[type][0], expected[type][1], expected[type][2], expected[type][3]);
    }
}

struct format_case {
    ze_image_format_t format;
    uint32_t texel_size, channels, layout, type;
    uint32_t swizzle[4];
    uint32_t border_alpha, order, data_type;
};

#define R ZE_IMAGE_FORMAT_SWIZZLE_R
#define G ZE_IMAGE_FORMAT_SWIZZLE_G
#define B ZE_IMAGE_FORMAT_SWIZZLE_B
#define A ZE_IMAGE_FORMAT_SWIZZLE_A
#define ZERO ZE_IMAGE_FORMAT_SWIZZLE_0
#define ONE ZE_IMAGE_FORMAT_SWIZZLE_1
#define X ZE_IMAGE_FORMAT_SWIZZLE_X
#define LAYOUT(name) ZE_IMAGE_FORMAT_LAYOUT_##name
#define TYPE(name) ZE_IMAGE_FORMAT_TYPE_##name

static const struct format_case format_cases[] = {
    {{LAYOUT(8_8_8_8), TYPE(UNORM), R, G, B, A}, 4, 4, ZC_TEXEL_8, ZC_TEXEL_UNORM, {0, 1, 2, 3}, 0,
        0x10b5, 0x10d2},
    {{LAYOUT(8_8_8_8), TYPE(SNORM), B, G, R, A}, 4, 4, ZC_TEXEL_8, ZC_TEXEL_SNORM, {2, 1, 0, 3}, 0,
        0x10b6, 0x10d0},
    {{LAYOUT(8_8_8_8), TYPE(SINT), A, R, G, B}, 4, 4, ZC_TEXEL_8, ZC_TEXEL_SINT, {3, 0, 1, 2}, 0,
        0x10b7, 0x10d7},
    {{LAYOUT(8_8_8_8), TYPE(UINT), A, B, G, R}, 4, 4, ZC_TEXEL_8, ZC_TEXEL_UINT, {3, 2, 1, 0}, 0,
        0x10c3, 0x10da},
    {{LAYOUT(16), TYPE(FLOAT), R, ZERO, ZERO, ONE}, 2, 1, ZC_TEXEL_16, ZC_TEXEL_FLOAT,
        {0, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ONE}, 1, 0x10b0, 0x10dd},
    {{LAYOUT(16), TYPE(UNORM), R, X, X, X}, 2, 1, ZC_TEXEL_16, ZC_TEXEL_UNORM,
        {0, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ONE}, 1, 0x10b0, 0x10d3},
    {{LAYOUT(32), TYPE(FLOAT), R, R, R, R}, 4, 1, ZC_TEXEL_32, ZC_TEXEL_FLOAT, {0, 0, 0, 0}, 0,
        0x10b8, 0x10de},
    {{LAYOUT(32), TYPE(FLOAT), R, R, R, ONE}, 4, 1, ZC_TEXEL_32, ZC_TEXEL_FLOAT,
        {0, 0, 0, ZC_SWIZZLE_ONE}, 1, 0x10b9, 0x10de},
    // Alpha alone, and behind red.
    {{LAYOUT(8), TYPE(UNORM), ZERO, ZERO, ZERO, R}, 1, 1, ZC_TEXEL_8, ZC_TEXEL_UNORM,
        {ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, 0}, 0, 0x10b1, 0x10d2},
    {{LAYOUT(8_8), TYPE(UNORM), R, ZERO, ZERO, G}, 2, 2, ZC_TEXEL_8, ZC_TEXEL_UNORM,
        {0, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, 1}, 0, 0x10b3, 0x10d2},
    // The texel has no such channels.
    {{LAYOUT(32_32), TYPE(UINT), R, G, B, A}, 8, 2, ZC_TEXEL_32, ZC_TEXEL_UINT,
        {0, 1, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ONE}, 0, 0x10b5, 0x10dc},
    {{LAYOUT(16_16), TYPE(SINT), R, G, ZERO, ONE}, 4, 2, ZC_TEXEL_16, ZC_TEXEL_SINT,
        {0, 1, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ONE}, 1, 0x10b2, 0x10d8},
    {{LAYOUT(5_6_5), TYPE(UNORM), R, G, B, ONE}, 2, 3, ZC_TEXEL_5_6_5, ZC_TEXEL_UNORM,
        {0, 1, 2, ZC_SWIZZLE_ONE}, 1, 0x10b4, 0x10d4},
    {{LAYOUT(10_10_10_2), TYPE(UNORM), R, G, B, A}, 4, 4, ZC_TEXEL_10_10_10_2, ZC_TEXEL_UNORM,
        {0, 1, 2, 3}, 0, 0x10b5, 0x10e0},
    {{LAYOUT(11_11_10), TYPE(FLOAT), R, G, B, X}, 4, 3, ZC_TEXEL_11_11_10, ZC_TEXEL_FLOAT,
        {0, 1, 2, ZC_SWIZZLE_ONE}, 1, 0x10b4, 0},
};

static void test_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof format_cases / sizeof *format_cases; i++) {
        const struct format_case *expected = &format_cases[i];
        ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 3, 3, 1);
        desc.format = expected->format;
        const struct zc_image seen = see(&desc);
        assert_int_equal(seen.texel_size, expected->texel_size);
        assert_int_equal(seen.channel_count, expected->channels);
        assert_int_equal(seen.layout, expected->layout);
        assert_int_equal(seen.type, expected->type);
        assert_memory_equal(seen.swizzle, expected->swizzle, sizeof seen.swizzle);
        assert_int_equal(seen.border_alpha, expected->border_alpha);
        assert_int_equal(seen.channel_order, expected->order);
        assert_int_equal(seen.channel_data_type, expected->data_type);
    }
}

static void test_kernel_copies(void **state)
{
    (void)state;
    enum { WIDTH = 33, HEIGHT = 5, COUNT = WIDTH * HEIGHT };
    uint32_t in[COUNT], out[COUNT] = {0};
    const ze_image_desc_t desc = numbers_desc(WIDTH, HEIGHT);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_copy");
    ze_image_handle_t from = create_image(&desc), to = create_image(&desc);
    fill_with_bytes(in, sizeof in);
    write_image(from, in);
    assert_ok(set_handle(kernel, 0, from));
    assert_ok(set_handle(kernel, 1, to));
    assert_ok(launch(kernel, WIDTH, HEIGHT));
    read_image(to, out);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeImageDestroy(from));
    assert_ok(zeImageDestroy(to));
    assert_ok(zeKernelDestroy(kernel));
}

// ---- what is refused ----

static void test_types_that_do_not_fit(void **state)
{
    (void)state;
    for (uint32_t type = 0; type <= ZE_IMAGE_TYPE_BUFFER; type++) {
        ze_image_desc_t desc = image_desc((ze_image_type_t)type, 4, 4, 4);
        desc.arraylevels = 4;
        ze_image_handle_t image = create_image(&desc);
        for (uint32_t other = 0; other <= ZE_IMAGE_TYPE_BUFFER; other++) {
            ze_kernel_handle_t kernel = scripted_kernel(module, describing[other]);
            assert_result(
                set_handle(kernel, 0, image), other == type ? ZE_RESULT_SUCCESS : INVALID_ARGUMENT);
            assert_ok(zeKernelDestroy(kernel));
        }
        assert_ok(zeImageDestroy(image));
    }
}

static void test_other_handles(void **state)
{
    (void)state;
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    const ze_sampler_desc_t sampler_desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_sample");
    ze_image_handle_t image = create_image(&desc);
    ze_sampler_handle_t sampler = NULL;
    void *memory = alloc_device(64);
    assert_ok(zeSamplerCreate(fx.context, fx.device, &sampler_desc, &sampler));
    assert_result(set_handle(kernel, 0, memory), INVALID_ARGUMENT);
    assert_result(set_handle(kernel, 0, sampler), INVALID_ARGUMENT);
    assert_result(set_handle(kernel, 0, (void *)1), INVALID_ARGUMENT);
    assert_result(set_handle(kernel, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(set_handle(kernel, 1, memory), INVALID_ARGUMENT);
    assert_result(set_handle(kernel, 1, image), INVALID_ARGUMENT);
    assert_result(set_handle(kernel, 1, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(zeKernelSetArgumentValue(kernel, 0, 4, &image),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_result(zeKernelSetArgumentValue(kernel, 1, 0, &sampler),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    free_memory(memory);
    assert_ok(zeSamplerDestroy(sampler));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeKernelDestroy(kernel));
}

// Without a value an argument is missing again.
static void test_no_value(void **state)
{
    (void)state;
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    if (fx.wrapped)
        skip(); // the wrapping of 1.8.12 follows the pointer
    struct zc_image *out = alloc_shared(sizeof *out);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_2d");
    ze_image_handle_t image = create_image(&desc);
    assert_ok(set_handle(kernel, 1, out));
    assert_result(launch(kernel, 1, 1), INVALID_ARGUMENT);
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof image, NULL));
    assert_result(launch(kernel, 1, 1), INVALID_ARGUMENT);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(launch(kernel, 1, 1));
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof image, NULL));
    assert_ok(zeKernelSetArgumentValue(kernel, 0, sizeof image, NULL));
    assert_result(launch(kernel, 1, 1), INVALID_ARGUMENT);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(launch(kernel, 1, 1));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(image));
    free_memory(out);
}

// ---- how long they live ----

static void test_destroyed_image(void **state)
{
    (void)state;
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    struct zc_image *out = alloc_shared(sizeof *out);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_2d");
    ze_image_handle_t image = create_image(&desc), other = create_image(&desc);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, out));
    assert_ok(zeImageDestroy(image));
    assert_result(launch(kernel, 1, 1), INVALID_ARGUMENT);
    if (!fx.wrapped && !is_validated())
        assert_result(set_handle(kernel, 0, image), INVALID_ARGUMENT);
    assert_ok(set_handle(kernel, 0, other));
    assert_ok(launch(kernel, 1, 1));
    assert_ok(zeImageDestroy(other));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(out);
}

// A launch keeps the image that was set when it was appended, whatever happens to handles.
static void test_launch_keeps_image(void **state)
{
    (void)state;
    uint32_t in[4] = {1, 2, 3, 4}, out[4] = {0};
    const ze_image_desc_t desc = numbers_desc(2, 2);
    const ze_group_count_t groups = {2, 2, 1};
    ze_command_list_handle_t list = create_list();
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_copy");
    ze_image_handle_t from = create_image(&desc), to = create_image(&desc);
    assert_ok(set_handle(kernel, 0, from));
    assert_ok(set_handle(kernel, 1, to));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_ok(zeKernelDestroy(kernel));
    for (int round = 0; round < 3; round++) {
        in[round] += 10;
        write_image(from, in);
        execute_and_wait(queue, list);
        read_image(to, out);
        assert_memory_equal(in, out, sizeof in);
    }
    assert_ok(zeImageDestroy(from));
    execute_and_wait(queue, list); // the program's mistake, which crashes nothing
    read_image(to, out);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeImageDestroy(to));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeCommandQueueDestroy(queue));
}

static void test_destroyed_while_kernel_runs(void **state)
{
    (void)state;
    const ze_image_desc_t desc = numbers_desc(2, 2);
    const ze_group_count_t groups = {1, 1, 1};
    atomic_uint *flag = alloc_shared(sizeof *flag);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    ze_event_handle_t event = create_event(pool, 0);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_write_later");
    ze_image_handle_t image = create_image(&desc);
    atomic_init(flag, 0);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, flag));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeKernelDestroy(kernel));
    atomic_store(flag, 1);
    assert_ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    assert_ok(zeCommandListDestroy(list));
    free_memory(flag);
}

// ---- many threads ----

static void *copy_in_thread(void *argument)
{
    const ze_image_desc_t desc = numbers_desc(4, 1);
    bool *ok = argument;
    *ok = true;
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t in[4] = {i, i + 1, i + 2, i + 3};
        uint32_t out[4] = {0};
        ze_kernel_handle_t kernel = scripted_kernel(module, "image_copy");
        ze_image_handle_t from = create_image(&desc), to = create_image(&desc);
        write_image(from, in);
        *ok &= !set_handle(kernel, 0, from) && !set_handle(kernel, 1, to) && !launch(kernel, 4, 1);
        read_image(to, out);
        *ok &= !memcmp(in, out, sizeof in);
        *ok &= !zeImageDestroy(from) && !zeImageDestroy(to) && !zeKernelDestroy(kernel);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    run_in_threads(copy_in_thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_kernel_copies),
        cmocka_unit_test(test_types_that_do_not_fit),
        cmocka_unit_test(test_other_handles),
        cmocka_unit_test(test_no_value),
        cmocka_unit_test(test_destroyed_image),
        cmocka_unit_test(test_launch_keeps_image),
        cmocka_unit_test(test_destroyed_while_kernel_runs),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, set_up_module, tear_down_module);
}
