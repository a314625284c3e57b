// SPDX-License-Identifier: MIT
//
// Compiled kernels with images and samplers, from the program's pixels to its results.
#include "harness.h"
#include "images.h"
#include "kernels.h"

#include <string.h>

#define WIDTH 37u
#define HEIGHT 21u

static ze_module_handle_t module;

static void run_over(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const ze_group_count_t groups = {x, y, z};
    assert_ok(zeKernelSetGroupSize(kernel, 1, 1, 1));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

// What read_imagef and write_imagef are for.
static ze_image_desc_t floats_desc(ze_image_type_t type, uint32_t width, uint32_t height)
{
    ze_image_desc_t desc = image_desc(type, width, height, 1);
    desc.format.type = ZE_IMAGE_FORMAT_TYPE_UNORM;
    return desc;
}

static ze_sampler_handle_t create_sampler(ze_sampler_filter_mode_t filter)
{
    const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
        .addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
        .filterMode = filter,
        .isNormalized = true};
    ze_sampler_handle_t sampler = NULL;
    assert_ok(zeSamplerCreate(fx.context, fx.device, &desc, &sampler));
    return sampler;
}

static void expect_flipped(const uint32_t *in, const uint32_t *out)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(out[y * WIDTH + x], in[y * WIDTH + WIDTH - 1 - x]);
}

// In the middle of texels both filters read what is there.
static void test_samplers(void **state)
{
    (void)state;
    static uint32_t in[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
    const ze_image_desc_t desc = floats_desc(ZE_IMAGE_TYPE_2D, WIDTH, HEIGHT);
    ze_image_handle_t from = create_image(&desc), to = create_image(&desc);
    ze_kernel_handle_t kernel = create_kernel(module, "flip");
    fill_with_bytes(in, sizeof in);
    write_image(from, in);
    assert_ok(set_handle(kernel, 0, from));
    assert_ok(set_handle(kernel, 1, to));
    for (int filter = 0; filter < 2; filter++) {
        ze_sampler_handle_t sampler =
            create_sampler(filter ? ZE_SAMPLER_FILTER_MODE_LINEAR : ZE_SAMPLER_FILTER_MODE_NEAREST);
        memset(out, 0, sizeof out);
        write_image(to, out);
        assert_ok(set_handle(kernel, 2, sampler));
        run_over(kernel, WIDTH, HEIGHT, 1);
        read_image(to, out);
        expect_flipped(in, out);
        assert_ok(zeSamplerDestroy(sampler));
    }
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(from));
    assert_ok(zeImageDestroy(to));
}

static uint32_t sum_around(const uint32_t *in, int x, int y)
{
    uint32_t total = 0;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (i >= 0 && i < (int)WIDTH && j >= 0 && j < (int)HEIGHT)
                total += in[j * (int)WIDTH + i];
    return total;
}

static void test_borders(void **state)
{
    (void)state;
    static uint32_t in[WIDTH * HEIGHT];
    const ze_image_desc_t desc = numbers_desc(WIDTH, HEIGHT);
    ze_image_handle_t from = create_image(&desc);
    ze_kernel_handle_t kernel = create_kernel(module, "sum");
    uint32_t *out = alloc_shared(sizeof in);
    fill_with_bytes(in, sizeof in);
    write_image(from, in);
    assert_ok(set_handle(kernel, 0, from));
    set_pointer(kernel, 1, out);
    run_over(kernel, WIDTH, HEIGHT, 1);
    for (int y = 0; y < (int)HEIGHT; y++)
        for (int x = 0; x < (int)WIDTH; x++)
            assert_int_equal(out[y * (int)WIDTH + x], sum_around(in, x, y));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(from));
    free_memory(out);
}

// Seventeen images by one kernel, whose argument changes.
static void test_in_place(void **state)
{
    (void)state;
    enum { SIZE = 5 * 4 * 3, IMAGES = 17 };
    int32_t values[IMAGES][SIZE], out[SIZE];
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_3D, 5, 4, 3);
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_32;
    desc.format.type = ZE_IMAGE_FORMAT_TYPE_SINT;
    ze_kernel_handle_t kernel = create_kernel(module, "increment");
    ze_image_handle_t images[IMAGES];
    for (int i = 0; i < IMAGES; i++) {
        for (int k = 0; k < SIZE; k++)
            values[i][k] = 1000 * i - k;
        images[i] = create_image(&desc);
        write_image(images[i], values[i]);
        assert_ok(set_handle(kernel, 0, images[i]));
        run_over(kernel, 5, 4, 3);
    }
    for (int i = 0; i < IMAGES; i++) {
        read_image(images[i], out);
        for (int k = 0; k < SIZE; k++)
            assert_int_equal(out[k], values[i][k] + 1);
        assert_ok(zeImageDestroy(images[i]));
    }
    assert_ok(zeKernelDestroy(kernel));
}

static void test_layers(void **state)
{
    (void)state;
    enum { LAYERS = 9 };
    uint8_t texels[LAYERS][2][2][4];
    ze_image_desc_t desc = floats_desc(ZE_IMAGE_TYPE_2DARRAY, 2, 2);
    desc.arraylevels = LAYERS;
    ze_image_handle_t image = create_image(&desc);
    ze_kernel_handle_t kernel = create_kernel(module, "layers");
    float *out = alloc_shared((LAYERS + 1) * sizeof *out);
    memset(texels, 0, sizeof texels);
    for (int i = 0; i < LAYERS; i++)
        texels[i][0][0][1] = (uint8_t)(i * 25);
    write_image(image, texels);
    assert_ok(set_handle(kernel, 0, image));
    set_pointer(kernel, 1, out);
    run_over(kernel, LAYERS, 1, 1);
    for (int i = 0; i < LAYERS; i++)
        assert_float_equal(out[i], (float)(i * 25) / 255.0f, 1e-6f);
    assert_true(out[LAYERS] == (float)LAYERS);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(image));
    free_memory(out);
}

static void test_lines(void **state)
{
    (void)state;
    enum { SIZE = 1000 };
    static uint32_t in[SIZE], out[SIZE];
    const ze_image_desc_t buffer = floats_desc(ZE_IMAGE_TYPE_BUFFER, sizeof in, 1); // in bytes
    const ze_image_desc_t line = floats_desc(ZE_IMAGE_TYPE_1D, SIZE, 1);
    ze_image_handle_t from = create_image(&buffer), to = create_image(&line);
    ze_kernel_handle_t kernel = create_kernel(module, "line");
    fill_with_bytes(in, sizeof in);
    write_image(from, in);
    assert_ok(set_handle(kernel, 0, from));
    assert_ok(set_handle(kernel, 1, to));
    run_over(kernel, SIZE, 1, 1);
    read_image(to, out);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(from));
    assert_ok(zeImageDestroy(to));
}

// What was built, and what its native binary makes of it.
static void test_native(void **state)
{
    module = reload_module(module);
    test_samplers(state);
    test_in_place(state);
}

static int set_up_module(void **state)
{
    const int failed = set_up(state);
    module = load_module("images", NULL);
    return failed;
}

static int tear_down_module(void **state)
{
    assert_ok(zeModuleDestroy(module));
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samplers),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_native),
    };
    return cmocka_run_group_tests(tests, set_up_module, tear_down_module);
}
