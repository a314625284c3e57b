// SPDX-License-Identifier: MIT
//
// Images in modes that the environment chooses for the whole process. The argument names the mode: "strict" (ZE_CPU_STRICT=1),
// "newer" (ZE_CPU_NEWER=1), "watched" (both, and a discrete persona), "older", "guard" (ZE_CPU_GUARD=1), or "parts"
// (ZE_CPU_SUB_DEVICES=2).
#include "extensions.h"
#include "harness.h"
#include "images.h"
#include "scripted.h"

#include <engine.h>
#include <image.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define INVALID_ARGUMENT ZE_RESULT_ERROR_INVALID_ARGUMENT
#define UNSUPPORTED_FEATURE ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
#define LOST ZE_RESULT_ERROR_DEVICE_LOST

static ze_module_handle_t module;

static int set_up_module(void **state)
{
    set_up(state);
    assert_ok(scripted_build("kernel:image_2d kernel:image_copy kernel:image_ask "
                             "kernel:image_write_later kernel:image_overrun",
        NULL, &module, NULL));
    return 0;
}

static int tear_down_module(void **state)
{
    assert_ok(zeModuleDestroy(module));
    return tear_down(state);
}

static void append_launch(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_event_handle_t event)
{
    const ze_group_count_t groups = {1, 1, 1};
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL));
}

// ---- strict ----

static ze_result_t run_list(ze_command_list_handle_t list)
{
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    const ze_result_t result = zeCommandQueueSynchronize(queue, UINT64_MAX);
    assert_ok(zeCommandQueueDestroy(queue));
    return result;
}

static void test_image_in_use(void **state)
{
    (void)state;
    const ze_image_desc_t desc = numbers_desc(2, 2);
    atomic_uint *flag = alloc_host(sizeof *flag);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(2, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    ze_event_handle_t kernel_event = create_event(pool, 0), copy_event = create_event(pool, 1);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_write_later");
    ze_image_handle_t image = create_image(&desc), other = create_image(&desc);
    atomic_init(flag, 0);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, flag));
    append_launch(list, kernel, kernel_event);
    assert_ok(zeCommandListAppendImageCopy(list, other, image, copy_event, 1, &kernel_event));
    assert_result(zeImageDestroy(image), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
    assert_result(zeImageDestroy(other), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
    atomic_store(flag, 1);
    assert_ok(zeEventHostSynchronize(copy_event, UINT64_MAX));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeImageDestroy(other));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeEventDestroy(kernel_event));
    assert_ok(zeEventDestroy(copy_event));
    assert_ok(zeEventPoolDestroy(pool));
    assert_ok(zeCommandListDestroy(list));
    free_memory(flag);
}

// A list that is executed with an image that was destroyed since.
static void test_copy_of_destroyed(void **state)
{
    (void)state;
    uint32_t numbers[4] = {0};
    const ze_image_desc_t desc = numbers_desc(2, 2);
    ze_image_handle_t image = create_image(&desc);
    ze_command_list_handle_t list = create_list();
    assert_ok(zeCommandListAppendImageCopyToMemory(list, numbers, image, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_ok(run_list(list));
    assert_ok(zeImageDestroy(image));
    assert_result(run_list(list), LOST);
    assert_has(last_failure(), "a copy uses an image that was destroyed (ZE_CPU_STRICT)");
    assert_ok(zeCommandListDestroy(list));
}

static void test_launch_with_destroyed(void **state)
{
    (void)state;
    struct zc_image *out = alloc_host(sizeof *out);
    const ze_image_desc_t desc = numbers_desc(2, 2);
    ze_image_handle_t image = create_image(&desc);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_2d");
    ze_command_list_handle_t list = create_list();
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, out));
    append_launch(list, kernel, NULL);
    assert_ok(zeCommandListClose(list));
    assert_ok(run_list(list));
    assert_ok(zeImageDestroy(image));
    assert_result(run_list(list), LOST);
    assert_has(
        last_failure(), "kernel \"image_2d\" uses an image that was destroyed (ZE_CPU_STRICT)");
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    free_memory(out);
}

static void test_refused(void **state)
{
    (void)state;
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, 2, 2, 1);
    const ze_image_desc_t numbers = numbers_desc(2, 2);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_copy");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    desc.miplevels = 1;
    assert_result(try_image(&desc), INVALID_ARGUMENT);
    desc.miplevels = 0;
    desc.flags = 0;
    ze_image_handle_t read_only = create_image(&desc), other = create_image(&numbers);
    const ze_image_handle_t two[2] = {read_only, read_only};
    assert_ok(set_handle(kernel, 0, read_only));
    assert_result(set_handle(kernel, 1, read_only), INVALID_ARGUMENT);
    assert_ok(set_handle(kernel, 1, other));
    assert_result(zeKernelSetArgumentValue(kernel, 0, sizeof two, two),
        ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_result(
        zeCommandListAppendImageCopy(list, other, read_only, NULL, 0, NULL), INVALID_ARGUMENT);
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(read_only));
    assert_ok(zeImageDestroy(other));
    assert_ok(zeCommandListDestroy(list));
}

// On a discrete device, too, where only allocations are reached.
static void test_texels_are_reached(void **state)
{
    (void)state;
    uint64_t *out = alloc_host(3 * sizeof *out);
    const ze_image_desc_t desc = numbers_desc(40, 40);
    ze_image_handle_t image = create_image(&desc), view = NULL;
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_ask");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view));
    assert_ok(set_handle(kernel, 1, out));
    for (int i = 0; i < 2; i++) {
        memset(out, 0xee, 3 * sizeof *out);
        assert_ok(set_handle(kernel, 0, i ? view : image));
        append_launch(list, kernel, NULL);
        for (int n = 0; n < 3; n++)
            assert_int_equal(out[n], ZC_MEMORY_ALLOWED);
    }
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(view));
    assert_ok(zeImageDestroy(image));
    free_memory(out);
}

// What is behind a command that failed does not run, and uses its images no more.
static void test_image_of_lost_queue(void **state)
{
    (void)state;
    uint32_t numbers[4] = {0};
    const ze_image_desc_t desc = numbers_desc(2, 2);
    ze_image_handle_t gone = create_image(&desc), kept = create_image(&desc);
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_command_list_handle_t lists[2] = {create_list(), create_list()};
    assert_ok(zeCommandListAppendImageCopy(lists[0], gone, kept, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyToMemory(lists[0], numbers, kept, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyToMemory(lists[1], numbers, kept, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListClose(lists[0]));
    assert_ok(zeCommandListClose(lists[1]));
    assert_ok(zeImageDestroy(gone));
    assert_ok(zeCommandQueueExecuteCommandLists(queue, 2, lists, NULL));
    assert_result(zeCommandQueueSynchronize(queue, UINT64_MAX), LOST);
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeImageDestroy(kept));
    assert_ok(zeCommandListDestroy(lists[0]));
    assert_ok(zeCommandListDestroy(lists[1]));
}

// ---- newer ----

static void test_views_by_extension(void **state)
{
    (void)state;
    uint32_t in[4] = {1, 2, 3, 4}, out[4] = {0};
    const ze_image_desc_t desc = numbers_desc(2, 2);
    ze_result_t (*create_view)(ze_context_handle_t, ze_device_handle_t, const ze_image_desc_t *,
        ze_image_handle_t, ze_image_handle_t *) = NULL;
    ze_image_handle_t image = create_image(&desc), view = NULL;
    find_extension("zeImageViewCreateExt", &create_view);
    assert_result(create_view(fx.context, fx.device, &desc, NULL, &view),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_ok(create_view(fx.context, fx.device, &desc, image, &view));
    write_image(view, in);
    read_image(image, out);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeImageDestroy(image));
    assert_ok(zeImageDestroy(view));
}

typedef ze_result_t (*get_pitch_fn)(
    ze_context_handle_t, ze_device_handle_t, size_t, size_t, unsigned int, size_t *);

static void test_pitches(void **state)
{
    (void)state;
    size_t pitch = 0;
    get_pitch_fn get_pitch = NULL;
    find_extension("zeMemGetPitchFor2dImage", &get_pitch);
    assert_ok(get_pitch(fx.context, fx.device, 17, 3, 4, &pitch));
    assert_true(pitch >= 17 * 4 && pitch < 17 * 4 + 128);
    assert_result(
        get_pitch(NULL, fx.device, 17, 3, 4, &pitch), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(
        get_pitch(fx.context, NULL, 17, 3, 4, &pitch), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_result(
        get_pitch(fx.context, fx.device, 17, 3, 4, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_result(get_pitch(fx.context, fx.device, 17, 3, 0, &pitch), INVALID_ARGUMENT);
    assert_result(get_pitch(fx.context, fx.device, 17, 3, 17, &pitch), INVALID_ARGUMENT);
    assert_result(
        get_pitch(fx.context, fx.device, 0, 3, 4, &pitch), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assert_result(
        get_pitch(fx.context, fx.device, 1u << 30, 3, 4, &pitch), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

// Texels in memory of the program's, which sees at once what is written to the image.
static void test_pitched_image(void **state)
{
    (void)state;
    enum { WIDTH = 17, HEIGHT = 3 };
    uint32_t in[WIDTH * HEIGHT];
    size_t pitch = 0;
    get_pitch_fn get_pitch = NULL;
    find_extension("zeMemGetPitchFor2dImage", &get_pitch);
    assert_ok(get_pitch(fx.context, fx.device, WIDTH, HEIGHT, 4, &pitch));
    char *memory = alloc_shared(pitch * HEIGHT);
    ze_newer_image_pitched_exp_desc_t pitched = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, .ptr = memory};
    ze_image_desc_t desc = numbers_desc(WIDTH, HEIGHT);
    desc.pNext = &pitched;
    ze_image_handle_t image = create_image(&desc);
    fill_with_bytes(in, sizeof in);
    write_image(image, in);
    for (size_t y = 0; y < HEIGHT; y++)
        assert_memory_equal(memory + y * pitch, in + y * WIDTH, WIDTH * sizeof *in);
    assert_ok(zeImageDestroy(image));
    pitched.ptr = memory + pitch;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_INVALID_SIZE);
    const size_t end = (HEIGHT - 1) * pitch +
                       WIDTH * sizeof *in; // of the last row, without what follows the others
    char *shorter = alloc_shared(end), *too_short = alloc_shared(end - 1);
    pitched.ptr = shorter;
    assert_ok(try_image(&desc));
    pitched.ptr = too_short;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_INVALID_SIZE);
    free_memory(shorter);
    free_memory(too_short);
    pitched.ptr = in;
    assert_result(try_image(&desc), INVALID_ARGUMENT);
    pitched.ptr = NULL;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    free_memory(memory);
}

static void test_limits_of_pitched_images(void **state)
{
    (void)state;
    ze_newer_device_pitched_alloc_exp_properties_t pitched = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES};
    ze_device_image_properties_t limits = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES, .pNext = &pitched};
    assert_ok(zeDeviceGetImageProperties(fx.device, &limits));
    assert_int_equal(pitched.maxImageLinearWidth, limits.maxImageDims2D);
    assert_int_equal(pitched.maxImageLinearHeight, limits.maxImageDims2D);
}

static void test_bindless_and_planar(void **state)
{
    (void)state;
    ze_newer_image_bindless_exp_desc_t bindless = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC,
        .flags = ZE_NEWER_IMAGE_BINDLESS_EXP_FLAG_BINDLESS};
    const ze_base_desc_t planar = {.stype = ZE_NEWER_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC};
    ze_image_desc_t desc = numbers_desc(4, 4);
    desc.pNext = &bindless;
    assert_result(try_image(&desc), UNSUPPORTED_FEATURE);
    bindless.flags = 0;
    assert_ok(try_image(&desc));
    desc.pNext = &planar;
    assert_result(try_image(&desc), UNSUPPORTED_FEATURE);
}

static bool is_supported(const ze_image_desc_t *desc)
{
    ze_newer_image_format_support_ext_properties_t support = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES, .supported = 7};
    ze_image_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, .pNext = &support};
    assert_ok(zeImageGetProperties(fx.device, desc, &properties));
    assert_uint_in_range(support.supported, 0, 1);
    assert_int_equal(support.supported, properties.samplerFilterFlags != 0);
    return support.supported;
}

static void test_formats_of_three(void **state)
{
    (void)state;
    static const size_t sizes[] = {3, 6, 12};
    unsigned char in[7 * 12], out[sizeof in];
    for (uint32_t i = 0; i < 3; i++) {
        ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_1D, 7, 1, 1);
        desc.format.layout = (ze_image_format_layout_t)(ZE_NEWER_IMAGE_FORMAT_LAYOUT_8_8_8 + i);
        assert_true(is_supported(&desc));
        ze_image_handle_t image = create_image(&desc);
        fill_with_bytes(in, sizeof in);
        write_image(image, in);
        read_image(image, out);
        assert_memory_equal(in, out, 7 * sizes[i]);
        assert_ok(zeImageDestroy(image));
    }
    ze_image_desc_t desc = numbers_desc(1, 1);
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
    assert_false(is_supported(&desc));
}

static void test_depth(void **state)
{
    (void)state;
    struct zc_image *out = alloc_shared(sizeof *out);
    ze_image_desc_t desc = numbers_desc(2, 2);
    desc.format.type = ZE_IMAGE_FORMAT_TYPE_FLOAT;
    desc.format.x = ZE_NEWER_IMAGE_FORMAT_SWIZZLE_D;
    ze_image_handle_t image = create_image(&desc);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_2d");
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, out));
    append_launch(list, kernel, NULL);
    assert_int_equal(out->swizzle[0], ZC_SWIZZLE_0);
    assert_int_equal(out->channel_order, 0x10bd); // CLK_DEPTH
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(image));
    free_memory(out);
}

// ---- watched ----

// Shared memory that an image of a kernel lies in is closed to the program until it has waited.
static void test_shared_memory_of_image(void **state)
{
    (void)state;
    char *memory = alloc_shared(4096);
    const ze_newer_image_pitched_exp_desc_t pitched = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, .ptr = memory};
    ze_image_desc_t desc = numbers_desc(2, 2);
    atomic_uint *flag = alloc_host(sizeof *flag);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    ze_event_handle_t event = create_event(pool, 0);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_write_later");
    desc.pNext = &pitched;
    ze_image_handle_t image = create_image(&desc);
    memory[1000] = 1;
    atomic_init(flag, 0);
    assert_ok(set_handle(kernel, 0, image));
    assert_ok(set_handle(kernel, 1, flag));
    append_launch(list, kernel, event);
    memory[1000] = 2;
    atomic_store(flag, 1);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), LOST);
    assert_has(last_failure(), "shared memory that kernel \"image_write_later\" may be using");
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
    free_memory(flag);
    free_memory(memory);
}

// ---- guard ----

static void test_write_behind_image(void **state)
{
    (void)state;
    const ze_image_desc_t desc = numbers_desc(16, 64); // whole pages
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    ze_event_handle_t event = create_event(pool, 0);
    ze_kernel_handle_t kernel = scripted_kernel(module, "image_overrun");
    ze_image_handle_t image = create_image(&desc);
    assert_ok(set_handle(kernel, 0, image));
    append_launch(list, kernel, event);
    assert_result(zeEventHostSynchronize(event, UINT64_MAX), LOST);
    assert_has(last_failure(), "0 bytes behind the end of an image of 4096 bytes");
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeKernelDestroy(kernel));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeEventDestroy(event));
    assert_ok(zeEventPoolDestroy(pool));
}

// ---- older ----

// What came after API 1.4 is not seen.
static void test_newer_is_not_there(void **state)
{
    (void)state;
    void *function = NULL;
    ze_newer_image_pitched_exp_desc_t pitched = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, .ptr = NULL};
    ze_image_desc_t desc = numbers_desc(4, 4);
    desc.pNext = &pitched;
    assert_ok(try_image(&desc));
    desc.pNext = NULL;
    desc.format.layout = ZE_NEWER_IMAGE_FORMAT_LAYOUT_8_8_8;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    desc = numbers_desc(4, 4);
    desc.format.x = ZE_NEWER_IMAGE_FORMAT_SWIZZLE_D;
    assert_result(try_image(&desc), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    assert_result(zeDriverGetExtensionFunctionAddress(fx.driver, "zeImageViewCreateExt", &function),
        INVALID_ARGUMENT);
}

// ---- parts ----

// An image of one part is another's, too.
static void test_parts(void **state)
{
    (void)state;
    uint32_t in[4] = {1, 2, 3, 4}, out[4] = {0}, count = 2;
    const ze_image_desc_t desc = numbers_desc(2, 2);
    const ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    ze_device_handle_t parts[2];
    ze_image_handle_t images[2];
    ze_command_list_handle_t list = NULL;
    ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    assert_ok(zeDeviceGetSubDevices(fx.device, &count, parts));
    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(zeDeviceGetImageProperties(parts[i], &limits));
        assert_int_equal(limits.maxImageDims2D, 16384);
        assert_ok(zeImageCreate(fx.context, parts[i], &desc, &images[i]));
    }
    write_image(images[0], in);
    assert_ok(zeCommandListCreateImmediate(fx.context, parts[1], &queue, &list));
    assert_ok(zeCommandListAppendImageCopy(list, images[1], images[0], NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyToMemory(list, out, images[1], NULL, NULL, 0, NULL));
    assert_memory_equal(in, out, sizeof in);
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeImageDestroy(images[0]));
    assert_ok(zeImageDestroy(images[1]));
}

static const struct CMUnitTest strict[] = {
    cmocka_unit_test(test_image_in_use),
    cmocka_unit_test(test_refused),
    cmocka_unit_test(test_texels_are_reached),
    cmocka_unit_test(test_copy_of_destroyed),
    cmocka_unit_test(test_launch_with_destroyed),
    cmocka_unit_test(test_image_of_lost_queue),
};

static const struct CMUnitTest newer[] = {
    cmocka_unit_test(test_views_by_extension),
    cmocka_unit_test(test_pitches),
    cmocka_unit_test(test_pitched_image),
    cmocka_unit_test(test_limits_of_pitched_images),
    cmocka_unit_test(test_bindless_and_planar),
    cmocka_unit_test(test_formats_of_three),
    cmocka_unit_test(test_depth),
};

static const struct CMUnitTest watched[] = {
    cmocka_unit_test(test_shared_memory_of_image),
};

static const struct CMUnitTest guard[] = {
    cmocka_unit_test(test_write_behind_image),
};

static const struct CMUnitTest older[] = {
    cmocka_unit_test(test_newer_is_not_there),
};

static const struct CMUnitTest parts[] = {
    cmocka_unit_test(test_parts),
};

int main(int argc, char **argv)
{
    const char *mode = argc == 2 ? argv[1] : "";
    if (!strcmp(mode, "strict"))
        return cmocka_run_group_tests(strict, set_up_module, tear_down_module);
    if (!strcmp(mode, "newer"))
        return cmocka_run_group_tests(newer, set_up_module, tear_down_module);
    if (!strcmp(mode, "guard"))
        return cmocka_run_group_tests(guard, set_up_module, tear_down_module);
    if (!strcmp(mode, "watched"))
        return cmocka_run_group_tests(watched, set_up_module, tear_down_module);
    if (!strcmp(mode, "parts"))
        return cmocka_run_group_tests(parts, set_up_module, tear_down_module);
    return cmocka_run_group_tests(older, set_up_module, tear_down_module);
}
