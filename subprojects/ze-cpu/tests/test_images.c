// SPDX-License-Identifier: MIT
//
// Images: formats, limits, wrong arguments, and what is reported of them.
#include "harness.h"
#include "images.h"

#include <string.h>

#define NULL_HANDLE ZE_RESULT_ERROR_INVALID_NULL_HANDLE
#define NULL_POINTER ZE_RESULT_ERROR_INVALID_NULL_POINTER
#define UNSUPPORTED_FORMAT ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT
#define UNSUPPORTED_SIZE ZE_RESULT_ERROR_UNSUPPORTED_SIZE

// ---- formats ----

#define BIT(type) (1u << ZE_IMAGE_FORMAT_TYPE_##type)
#define ALL_BUT_FLOAT (BIT(UINT) | BIT(SINT) | BIT(UNORM) | BIT(SNORM))
#define NUMBERS (BIT(UINT) | BIT(SINT) | BIT(FLOAT))

static const struct {
    size_t size;
    uint32_t types;
} layouts[] = {
    [ZE_IMAGE_FORMAT_LAYOUT_8] = {1, ALL_BUT_FLOAT},
    [ZE_IMAGE_FORMAT_LAYOUT_8_8] = {2, ALL_BUT_FLOAT},
    [ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8] = {4, ALL_BUT_FLOAT},
    [ZE_IMAGE_FORMAT_LAYOUT_16] = {2, ALL_BUT_FLOAT | BIT(FLOAT)},
    [ZE_IMAGE_FORMAT_LAYOUT_16_16] = {4, ALL_BUT_FLOAT | BIT(FLOAT)},
    [ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16] = {8, ALL_BUT_FLOAT | BIT(FLOAT)},
    [ZE_IMAGE_FORMAT_LAYOUT_32] = {4, NUMBERS},
    [ZE_IMAGE_FORMAT_LAYOUT_32_32] = {8, NUMBERS},
    [ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32] = {16, NUMBERS},
    [ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2] = {4, BIT(UINT) | BIT(UNORM)},
    [ZE_IMAGE_FORMAT_LAYOUT_11_11_10] = {4, BIT(FLOAT)},
    [ZE_IMAGE_FORMAT_LAYOUT_5_6_5] = {2, BIT(UNORM)},
    [ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1] = {2, BIT(UNORM)},
    [ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4] = {2, BIT(UNORM)},
};
#define LAYOUTS (sizeof layouts / sizeof *layouts)

static ze_image_sampler_filter_flags_t filters_of(const ze_image_desc_t *desc)
{
    ze_image_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, .samplerFilterFlags = 0xff};
    assert_ok(zeImageGetProperties(fx.device, desc, &properties));
    return properties.samplerFilterFlags;
}

static void expect_round_trip(const ze_image_desc_t *desc, size_t texel)
{
    unsigned char in[15 * 16], out[sizeof in] = {0};
    ze_image_handle_t image = create_image(desc);
    ze_image_memory_properties_exp_t memory = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES};
    assert_ok(zeImageGetMemoryPropertiesExp(image, &memory));
    assert_true(memory.rowPitch >= 5 * texel && memory.slicePitch >= 3 * memory.rowPitch);
    assert_true(memory.size >= memory.slicePitch);
    fill_with_bytes(in, 15 * texel);
    write_image(image, in);
    read_image(image, out);
    assert_memory_equal(in, out, 15 * texel);
    assert_ok(zeImageDestroy(image));
}

static void test_formats(void **state)
{
    (void)state;
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 5, 3, 1);
    for (size_t i = 0; i < LAYOUTS; i++)
        for (uint32_t type = 0; type <= ZE_IMAGE_FORMAT_TYPE_FLOAT; type++) {
            const bool is_integer =
                type == ZE_IMAGE_FORMAT_TYPE_UINT || type == ZE_IMAGE_FORMAT_TYPE_SINT;
            desc.format.layout = (ze_image_format_layout_t)i;
            desc.format.type = (ze_image_format_type_t)type;
            if (layouts[i].types & (1u << type)) {
                expect_round_trip(&desc, layouts[i].size);
                assert_int_equal(filters_of(&desc), is_integer ? 1 : 3);
            } else {
                assert_result(try_image(&desc), UNSUPPORTED_FORMAT);
                assert_int_equal(filters_of(&desc), 0);
            }
        }
}

static void test_formats_of_media(void **state)
{
    (void)state;
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 16, 16, 1);
    for (uint32_t i = ZE_IMAGE_FORMAT_LAYOUT_Y8; i <= ZE_IMAGE_FORMAT_LAYOUT_BRGP + 10; i++) {
        desc.format.layout = (ze_image_format_layout_t)i;
        assert_result(try_image(&desc), UNSUPPORTED_FORMAT);
        assert_int_equal(filters_of(&desc), 0);
    }
    desc = image_desc(ZE_IMAGE_TYPE_2D, 16, 16, 1);
    desc.format.type = (ze_image_format_type_t)5;
    assert_result(try_image(&desc), UNSUPPORTED_FORMAT);
    desc = image_desc(ZE_IMAGE_TYPE_2D, 16, 16, 1);
    desc.format.y = (ze_image_format_swizzle_t)8;
    assert_result(try_image(&desc), UNSUPPORTED_FORMAT);
}

// ---- extents ----

static ze_result_t try_extents(
    ze_image_type_t type, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers)
{
    ze_image_desc_t desc = image_desc(type, width, height, depth);
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_8;
    desc.arraylevels = layers;
    return try_image(&desc);
}

static void test_limits(void **state)
{
    (void)state;
    ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    assert_ok(zeDeviceGetImageProperties(fx.device, &limits));
    const uint32_t one = limits.maxImageDims1D, two = limits.maxImageDims2D,
                   three = limits.maxImageDims3D, layers = limits.maxImageArraySlices;
    assert_ok(try_extents(ZE_IMAGE_TYPE_1D, one, 0, 0, 0));
    assert_result(try_extents(ZE_IMAGE_TYPE_1D, one + 1, 0, 0, 0), UNSUPPORTED_SIZE);
    assert_result(try_extents(ZE_IMAGE_TYPE_1D, 0, 0, 0, 0), UNSUPPORTED_SIZE);
    assert_ok(try_extents(ZE_IMAGE_TYPE_1DARRAY, one, 0, 0, layers));
    assert_result(try_extents(ZE_IMAGE_TYPE_1DARRAY, 1, 0, 0, layers + 1), UNSUPPORTED_SIZE);
    assert_result(try_extents(ZE_IMAGE_TYPE_1DARRAY, 1, 0, 0, 0), UNSUPPORTED_SIZE);
    assert_ok(try_extents(ZE_IMAGE_TYPE_2D, two, two, 0, 0));
    assert_result(try_extents(ZE_IMAGE_TYPE_2D, two, two + 1, 0, 0), UNSUPPORTED_SIZE);
    assert_result(try_extents(ZE_IMAGE_TYPE_2D, two + 1, two, 0, 0), UNSUPPORTED_SIZE);
    assert_result(try_extents(ZE_IMAGE_TYPE_2D, 1, 0, 0, 0), UNSUPPORTED_SIZE);
    assert_ok(try_extents(ZE_IMAGE_TYPE_2DARRAY, 64, 2, 0, layers));
    assert_result(try_extents(ZE_IMAGE_TYPE_2DARRAY, 1, 1, 0, layers + 1), UNSUPPORTED_SIZE);
    assert_ok(try_extents(ZE_IMAGE_TYPE_3D, three, 1, three, 0));
    assert_result(try_extents(ZE_IMAGE_TYPE_3D, three, 1, three + 1, 0), UNSUPPORTED_SIZE);
    assert_result(try_extents(ZE_IMAGE_TYPE_3D, 1, three + 1, 1, 0), UNSUPPORTED_SIZE);
    assert_result(try_extents(ZE_IMAGE_TYPE_3D, 1, 1, 0, 0), UNSUPPORTED_SIZE);
    // Larger than any allocation.
    assert_result(try_extents(ZE_IMAGE_TYPE_3D, three, three, three, 0), UNSUPPORTED_SIZE);
}

// A width that 32 bits don't hold, and buffers, whose width is bytes.
static void test_widths(void **state)
{
    (void)state;
    ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    assert_ok(zeDeviceGetImageProperties(fx.device, &limits));
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_1D, 1, 1, 1);
    desc.width = (UINT64_C(1) << 32) + 1;
    assert_result(try_image(&desc), UNSUPPORTED_SIZE);
    desc = image_desc(ZE_IMAGE_TYPE_BUFFER, 3, 0, 0);
    assert_result(try_image(&desc), UNSUPPORTED_SIZE); // less than a texel
    desc.width = limits.maxImageBufferSize;
    assert_ok(try_image(&desc));
    desc.width = limits.maxImageBufferSize + 1;
    assert_result(try_image(&desc), UNSUPPORTED_SIZE);
}

// ---- arguments ----

static void test_wrong_arguments(void **state)
{
    (void)state;
    const ze_image_desc_t good = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
    ze_image_desc_t desc = good;
    ze_image_handle_t image = NULL;
    if (fx.wrapped)
        skip(); // the wrapping of 1.8.12 follows null handles
    assert_result(zeImageCreate(NULL, fx.device, &desc, &image), NULL_HANDLE);
    assert_result(zeImageCreate(fx.context, NULL, &desc, &image), NULL_HANDLE);
    assert_result(zeImageCreate(fx.context, fx.device, NULL, &image), NULL_POINTER);
    assert_result(zeImageCreate(fx.context, fx.device, &desc, NULL), NULL_POINTER);
    assert_result(zeImageGetProperties(NULL, &desc, &properties), NULL_HANDLE);
    assert_result(zeImageGetProperties(fx.device, NULL, &properties), NULL_POINTER);
    assert_result(zeImageGetProperties(fx.device, &desc, NULL), NULL_POINTER);
    desc.flags = 4;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_result(
        zeImageGetProperties(fx.device, &desc, &properties), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    desc = good;
    desc.type = (ze_image_type_t)6;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_result(
        zeImageGetProperties(fx.device, &desc, &properties), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    desc = good;
    desc.miplevels = 1;
    assert_ok(try_image(&desc));
    desc.miplevels = 2;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeImageDestroy(NULL), NULL_HANDLE);
}

static void test_wrong_handles(void **state)
{
    (void)state;
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    ze_image_allocation_ext_properties_t allocation = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES};
    ze_image_memory_properties_exp_t memory = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES};
    ze_image_handle_t image, view = NULL;
    if (fx.wrapped)
        skip(); // the wrapping of 1.8.12 follows null handles
    image = create_image(&desc);
    assert_result(zeImageGetAllocPropertiesExt(NULL, image, &allocation), NULL_HANDLE);
    assert_result(zeImageGetAllocPropertiesExt(fx.context, NULL, &allocation), NULL_HANDLE);
    assert_result(zeImageGetAllocPropertiesExt(fx.context, image, NULL), NULL_POINTER);
    assert_result(zeImageGetMemoryPropertiesExp(NULL, &memory), NULL_HANDLE);
    assert_result(zeImageGetMemoryPropertiesExp(image, NULL), NULL_POINTER);
    assert_result(zeContextMakeImageResident(NULL, fx.device, image), NULL_HANDLE);
    assert_result(zeContextMakeImageResident(fx.context, NULL, image), NULL_HANDLE);
    assert_result(zeContextMakeImageResident(fx.context, fx.device, NULL), NULL_HANDLE);
    assert_result(zeContextEvictImage(fx.context, fx.device, NULL), NULL_HANDLE);
    assert_result(zeImageViewCreateExp(NULL, fx.device, &desc, image, &view), NULL_HANDLE);
    assert_result(zeImageViewCreateExp(fx.context, NULL, &desc, image, &view), NULL_HANDLE);
    assert_result(zeImageViewCreateExp(fx.context, fx.device, NULL, image, &view), NULL_POINTER);
    assert_result(zeImageViewCreateExp(fx.context, fx.device, &desc, NULL, &view), NULL_HANDLE);
    assert_result(zeImageViewCreateExp(fx.context, fx.device, &desc, image, NULL), NULL_POINTER);
    assert_ok(zeContextMakeImageResident(fx.context, fx.device, image));
    assert_ok(zeContextEvictImage(fx.context, fx.device, image));
    assert_ok(zeImageDestroy(image));
}

// The loader's wrapping would follow such handles.
static void test_handles_of_no_image(void **state)
{
    (void)state;
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    ze_image_memory_properties_exp_t memory = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES};
    ze_image_handle_t image, view = NULL, none = (ze_image_handle_t)fx.device;
    if (fx.wrapped || is_validated())
        skip();
    image = create_image(&desc);
    assert_ok(zeImageDestroy(image));
    assert_result(zeImageDestroy(image), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeImageDestroy(none), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeImageGetMemoryPropertiesExp(none, &memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(
        zeContextMakeImageResident(fx.context, fx.device, none), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeImageViewCreateExp(fx.context, fx.device, &desc, none, &view),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

static void test_unsupported_extensions(void **state)
{
    (void)state;
    ze_external_memory_import_fd_t import = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
        .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
        .fd = 0};
    const ze_external_memory_export_desc_t export = {
        .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
        .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
    const ze_image_view_planar_exp_desc_t planar = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXP_DESC, .planeIndex = 1};
    ze_srgb_ext_desc_t srgb = {.stype = ZE_STRUCTURE_TYPE_SRGB_EXT_DESC, .sRGB = 1};
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    desc.pNext = &import;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    desc.pNext = &export;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    desc.pNext = &planar;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    desc.pNext = &srgb;
    assert_result(try_image(&desc), UNSUPPORTED_FORMAT);
    srgb.sRGB = 0;
    assert_ok(try_image(&desc));
}

// ---- extensions ----

static bool is_listed(const char *name)
{
    ze_driver_extension_properties_t extensions[64];
    uint32_t count = 64;
    bool found = false;
    assert_ok(zeDriverGetExtensionProperties(fx.driver, &count, extensions));
    for (uint32_t i = 0; i < count; i++)
        found |= !strcmp(extensions[i].name, name);
    return found;
}

static void test_extensions(void **state)
{
    (void)state;
    assert_true(is_listed(ZE_IMAGE_COPY_EXT_NAME));
    assert_true(is_listed(ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME));
    assert_true(is_listed(ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME));
    assert_true(is_listed(ZE_IMAGE_VIEW_EXP_NAME));
    assert_false(is_listed(ZE_IMAGE_VIEW_PLANAR_EXP_NAME));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_formats_of_media),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_wrong_handles),
        cmocka_unit_test(test_handles_of_no_image),
        cmocka_unit_test(test_unsupported_extensions),
        cmocka_unit_test(test_extensions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
