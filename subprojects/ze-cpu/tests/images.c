// SPDX-License-Identifier: MIT
//
// Images for tests.
#include "images.h"

#include "harness.h"

#include <pthread.h>

ze_image_desc_t image_desc(ze_image_type_t type, uint32_t width, uint32_t height, uint32_t depth)
{
    return (ze_image_desc_t){
        .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
        .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
        .type = type,
        .format = {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UINT,
            ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B,
            ZE_IMAGE_FORMAT_SWIZZLE_A},
        .width = width,
        .height = height,
        .depth = depth,
    };
}

ze_image_desc_t numbers_desc(uint32_t width, uint32_t height)
{
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, width, height, 1);
    desc.format = (ze_image_format_t){ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UINT,
        ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_0, ZE_IMAGE_FORMAT_SWIZZLE_0,
        ZE_IMAGE_FORMAT_SWIZZLE_1};
    return desc;
}

ze_image_handle_t create_image(const ze_image_desc_t *desc)
{
    ze_image_handle_t image = NULL;
    assert_ok(zeImageCreate(fx.context, fx.device, desc, &image));
    assert_non_null(image);
    return image;
}

ze_result_t try_image(const ze_image_desc_t *desc)
{
    ze_image_handle_t image = NULL;
    const ze_result_t result = zeImageCreate(fx.context, fx.device, desc, &image);
    if (result)
        assert_null(image);
    else
        assert_ok(zeImageDestroy(image));
    return result;
}

void write_image(ze_image_handle_t image, const void *texels)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendImageCopyFromMemory(list, image, texels, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

void read_image(ze_image_handle_t image, void *texels)
{
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeCommandListAppendImageCopyToMemory(list, texels, image, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

ze_result_t set_handle(ze_kernel_handle_t kernel, uint32_t index, void *handle)
{
    return zeKernelSetArgumentValue(kernel, index, sizeof handle, &handle);
}

void run_in_threads(void *(*body)(void *ok))
{
    pthread_t threads[4];
    bool ok[4];
    if (fx.wrapped)
        skip(); // the loader's wrapping of 1.8.12 has no lock
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, &ok[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(ok[i]);
    }
}

void fill_with_bytes(void *bytes, size_t size)
{
    unsigned char *out = bytes;
    for (size_t i = 0; i < size; i++)
        out[i] = (unsigned char)(i * 7 + i / 251 + 3);
}
