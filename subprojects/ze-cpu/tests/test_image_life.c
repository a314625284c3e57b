// SPDX-License-Identifier: MIT
//
// Life of images and of their texels: views, many of them, threads, and contexts that go first.
#include "harness.h"
#include "images.h"

#include <stdlib.h>
#include <string.h>

#define UNSUPPORTED_FORMAT ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT

// ---- views ----

static uint64_t id_of(ze_image_handle_t image)
{
    ze_image_allocation_ext_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES};
    assert_ok(zeImageGetAllocPropertiesExt(fx.context, image, &properties));
    return properties.id;
}

static ze_image_handle_t create_view(ze_image_handle_t image, const ze_image_desc_t *desc)
{
    ze_image_handle_t view = NULL;
    assert_ok(zeImageViewCreateExp(fx.context, fx.device, desc, image, &view));
    return view;
}

// They share the texels, which live as long as one of them does.
static void test_views(void **state)
{
    (void)state;
    unsigned char in[4 * 4 * 4], out[sizeof in] = {0};
    const ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    ze_image_handle_t image = create_image(&desc);
    const ze_image_desc_t numbers = numbers_desc(4, 4);
    ze_image_handle_t view = create_view(image, &numbers);
    ze_image_handle_t view_of_view = create_view(view, &desc);
    assert_int_equal(id_of(view), id_of(image));
    assert_int_equal(id_of(view_of_view), id_of(image));
    fill_with_bytes(in, sizeof in);
    write_image(image, in);
    read_image(view, out);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeImageDestroy(image));
    in[5] ^= 0xff;
    write_image(view, in);
    assert_ok(zeImageDestroy(view));
    read_image(view_of_view, out);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeImageDestroy(view_of_view));
}

static void test_views_that_do_not_fit(void **state)
{
    (void)state;
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 4, 1);
    ze_image_handle_t image = create_image(&desc), view = NULL;
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_16;
    assert_result(
        zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view), UNSUPPORTED_FORMAT);
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
    assert_result(
        zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view), UNSUPPORTED_FORMAT);
    desc = image_desc(ZE_IMAGE_TYPE_2D, 4, 5, 1);
    assert_result(zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    desc = image_desc(ZE_IMAGE_TYPE_3D, 4, 4, 1);
    assert_result(zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_null(view);
    assert_ok(zeImageDestroy(image));
    desc = image_desc(ZE_IMAGE_TYPE_2DARRAY, 4, 4, 1);
    desc.arraylevels = 3;
    image = create_image(&desc);
    desc.arraylevels = 4;
    assert_result(zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeImageDestroy(image));
}

// A program that has an address and asks whether it is memory learns that it isn't, and can't free it.
static void test_image_is_not_memory(void **state)
{
    (void)state;
    const ze_image_desc_t desc = numbers_desc(4, 4);
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .type = ZE_MEMORY_TYPE_HOST};
    ze_image_handle_t image = create_image(&desc);
    assert_ok(zeMemGetAllocProperties(fx.context, image, &properties, NULL));
    assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
    assert_result(
        zeMemGetAddressRange(fx.context, image, NULL, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_result(zeMemFree(fx.context, image), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(zeImageDestroy(image));
}

// Programs rely on memory of Intel's that begins as zeros.
static void test_texels_begin_as_zeros(void **state)
{
    (void)state;
    uint32_t numbers[16];
    const ze_image_desc_t desc = numbers_desc(4, 4);
    for (int round = 0; round < 3; round++) {
        ze_image_handle_t image = create_image(&desc);
        memset(numbers, 0xee, sizeof numbers);
        read_image(image, numbers);
        for (int i = 0; i < 16; i++)
            assert_int_equal(numbers[i], 0);
        memset(numbers, 0xee, sizeof numbers);
        write_image(image, numbers);
        assert_ok(zeImageDestroy(image));
    }
}

// ---- many ----

static void create_many(size_t count)
{
    ze_image_handle_t *images = calloc(count, sizeof(ze_image_handle_t));
    const ze_image_desc_t desc = numbers_desc(3, 2);
    uint32_t in[6] = {0}, out[6];
    assert_non_null(images);
    for (size_t i = 0; i < count; i++) {
        images[i] = create_image(&desc);
        in[5] = (uint32_t)i;
        if (i % 97 == 0)
            write_image(images[i], in);
    }
    for (size_t i = 0; i < count; i++) {
        if (i % 97 == 0) {
            read_image(images[i], out);
            assert_int_equal(out[5], i);
        }
        assert_int_not_equal(id_of(images[i]), id_of(images[(i + 1) % count]) + (count == 1));
    }
    for (size_t i = 0; i < count; i++)
        assert_ok(zeImageDestroy(images[i * 7 % count])); // in another order
    free(images);
}

static void test_many(void **state)
{
    (void)state;
    create_many(1);
    create_many(16);
    create_many(17);
    create_many(2000);
}

static void *create_and_destroy(void *argument)
{
    const ze_image_desc_t desc = numbers_desc(9, 9);
    ze_image_handle_t image = NULL, view = NULL;
    bool *ok = argument;
    *ok = true;
    for (int i = 0; i < 200 && *ok; i++)
        *ok = !zeImageCreate(fx.context, fx.device, &desc, &image) &&
              !zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view) &&
              !zeImageDestroy(image) && !zeImageDestroy(view);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    run_in_threads(create_and_destroy);
}

// The context may go first, as its memory does.
static void test_context_is_destroyed_first(void **state)
{
    (void)state;
    const ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_image_desc_t desc = numbers_desc(4, 4);
    ze_context_handle_t context = NULL;
    ze_image_handle_t image = NULL;
    assert_ok(zeContextCreate(fx.driver, &context_desc, &context));
    assert_ok(zeImageCreate(context, fx.device, &desc, &image));
    assert_ok(zeContextDestroy(context));
    assert_ok(zeImageDestroy(image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_views_that_do_not_fit),
        cmocka_unit_test(test_image_is_not_memory),
        cmocka_unit_test(test_texels_begin_as_zeros),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_context_is_destroyed_first),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
