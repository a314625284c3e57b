// SPDX-License-Identifier: MIT
//
// Copies of images: whole ones and regions, from images to images, and between images and memory with and without pitches.
#include "harness.h"
#include "images.h"

#include <stdlib.h>
#include <string.h>

#define INVALID_ARGUMENT ZE_RESULT_ERROR_INVALID_ARGUMENT
#define NULL_HANDLE ZE_RESULT_ERROR_INVALID_NULL_HANDLE
#define NULL_POINTER ZE_RESULT_ERROR_INVALID_NULL_POINTER

// Numbers of 32 bits: an image of which the test knows each texel.
enum { WIDTH = 7, HEIGHT = 5, DEPTH = 4, SLICE = WIDTH * HEIGHT, VOLUME = SLICE * DEPTH };

static ze_image_desc_t volume_desc(ze_image_type_t type)
{
    ze_image_desc_t desc = numbers_desc(WIDTH, HEIGHT);
    desc.type = type;
    desc.depth = DEPTH;
    desc.arraylevels = DEPTH;
    return desc;
}

static void count(uint32_t *numbers, uint32_t first)
{
    for (uint32_t i = 0; i < VOLUME; i++)
        numbers[i] = first + i;
}

static ze_image_handle_t counted_image(ze_image_type_t type, uint32_t first)
{
    uint32_t numbers[VOLUME];
    const ze_image_desc_t desc = volume_desc(type);
    ze_image_handle_t image = create_image(&desc);
    count(numbers, first);
    write_image(image, numbers);
    return image;
}

// ---- regions ----

struct region_case {
    ze_image_type_t type;
    ze_image_region_t region; // that is copied to the origin of memory
    uint32_t first;           // number at its origin
    uint32_t row, slice;      // how much larger the numbers of the next row and slice are
};

static const struct region_case region_cases[] = {
    {ZE_IMAGE_TYPE_1D, {2, 0, 0, 3, 0, 0}, 2, 0, 0},
    {ZE_IMAGE_TYPE_1D, {0, 0, 0, WIDTH, 1, 1}, 0, 0, 0},
    // Layers of a one-dimensional array stand where others have rows, or slices.
    {ZE_IMAGE_TYPE_1DARRAY, {1, 2, 0, 4, 2, 1}, 2 * WIDTH + 1, WIDTH, 0},
    {ZE_IMAGE_TYPE_1DARRAY, {1, 0, 2, 4, 1, 2}, 2 * WIDTH + 1, 0, WIDTH},
    {ZE_IMAGE_TYPE_2D, {3, 1, 0, 4, 3, 0}, WIDTH + 3, WIDTH, 0},
    {ZE_IMAGE_TYPE_2DARRAY, {1, 1, 1, 2, 3, 3}, SLICE + WIDTH + 1, WIDTH, SLICE},
    {ZE_IMAGE_TYPE_3D, {1, 2, 3, 6, 3, 1}, 3 * SLICE + 2 * WIDTH + 1, WIDTH, SLICE},
    {ZE_IMAGE_TYPE_3D, {0, 0, 1, WIDTH, HEIGHT, 3}, SLICE, WIDTH, SLICE},
};
#define REGION_CASES (sizeof region_cases / sizeof *region_cases)

static uint32_t at_least_one(uint32_t extent)
{
    return extent ? extent : 1;
}

// The pitches are in numbers.
static void expect_region(
    const uint32_t *memory, const struct region_case *test, uint32_t row, uint32_t slice)
{
    const ze_image_region_t *region = &test->region;
    for (uint32_t z = 0; z < at_least_one(region->depth); z++)
        for (uint32_t y = 0; y < at_least_one(region->height); y++)
            for (uint32_t x = 0; x < region->width; x++)
                assert_int_equal(memory[z * slice + y * row + x],
                    test->first + z * test->slice + y * test->row + x);
}

static void test_regions_to_memory(void **state)
{
    (void)state;
    uint32_t memory[VOLUME + 1];
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (size_t i = 0; i < REGION_CASES; i++) {
        const ze_image_region_t *region = &region_cases[i].region;
        ze_image_handle_t image = counted_image(region_cases[i].type, 0);
        const uint32_t row = region->width, slice = row * at_least_one(region->height);
        const uint32_t end = slice * at_least_one(region->depth);
        memory[end] = 0xeeeeeeee;
        assert_ok(zeCommandListAppendImageCopyToMemory(list, memory, image, region, NULL, 0, NULL));
        expect_region(memory, &region_cases[i], row, slice);
        assert_int_equal(memory[end], 0xeeeeeeee);
        assert_ok(zeImageDestroy(image));
    }
    assert_ok(zeCommandListDestroy(list));
}

// What lies between rows and slices of the memory stays as it is.
static void test_pitches(void **state)
{
    (void)state;
    enum { ROW = 9, ROWS = 6, PITCHED = ROW * ROWS };
    uint32_t memory[PITCHED * DEPTH], numbers[VOLUME];
    const struct region_case *test = &region_cases[5];
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t image = counted_image(test->type, 0);
    memset(memory, 0xee, sizeof memory);
    assert_ok(zeCommandListAppendImageCopyToMemoryExt(
        list, memory, image, &test->region, ROW * 4, PITCHED * 4, NULL, 0, NULL));
    expect_region(memory, test, ROW, PITCHED);
    assert_int_equal(memory[2], 0xeeeeeeee);
    assert_int_equal(memory[3 * ROW], 0xeeeeeeee);
    for (uint32_t i = 0; i < PITCHED * DEPTH; i++)
        memory[i] += 1000;
    assert_ok(zeCommandListAppendImageCopyFromMemoryExt(
        list, image, memory, &test->region, ROW * 4, PITCHED * 4, NULL, 0, NULL));
    read_image(image, numbers);
    for (uint32_t i = 0; i < VOLUME; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / SLICE;
        const bool inside = x >= 1 && x < 3 && y >= 1 && y < 4 && z >= 1;
        assert_int_equal(numbers[i], inside ? i + 1000 : i);
    }
    assert_ok(zeImageDestroy(image));
    assert_ok(zeCommandListDestroy(list));
}

static void test_pitches_that_are_too_small(void **state)
{
    (void)state;
    uint32_t memory[VOLUME];
    const ze_image_region_t region = {0, 0, 0, 4, 3, 2};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t image = counted_image(ZE_IMAGE_TYPE_3D, 0);
    assert_result(
        zeCommandListAppendImageCopyToMemoryExt(list, memory, image, &region, 15, 0, NULL, 0, NULL),
        INVALID_ARGUMENT);
    assert_result(zeCommandListAppendImageCopyFromMemoryExt(
                      list, image, memory, &region, 16, 47, NULL, 0, NULL),
        INVALID_ARGUMENT);
    assert_ok(zeCommandListAppendImageCopyFromMemoryExt(
        list, image, memory, &region, 16, 48, NULL, 0, NULL));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeCommandListDestroy(list));
}

static void expect_outside(ze_command_list_handle_t list, ze_image_handle_t image,
    ze_image_handle_t other, ze_image_region_t region)
{
    uint32_t memory[VOLUME];
    assert_result(zeCommandListAppendImageCopyToMemory(list, memory, image, &region, NULL, 0, NULL),
        INVALID_ARGUMENT);
    assert_result(
        zeCommandListAppendImageCopyFromMemory(list, image, memory, &region, NULL, 0, NULL),
        INVALID_ARGUMENT);
    assert_result(
        zeCommandListAppendImageCopyRegion(list, image, other, &region, &region, NULL, 0, NULL),
        INVALID_ARGUMENT);
}

static void test_regions_outside(void **state)
{
    (void)state;
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t volume = counted_image(ZE_IMAGE_TYPE_3D, 0);
    ze_image_handle_t other = counted_image(ZE_IMAGE_TYPE_3D, 0);
    ze_image_handle_t plane = counted_image(ZE_IMAGE_TYPE_2D, 0);
    ze_image_handle_t line = counted_image(ZE_IMAGE_TYPE_1DARRAY, 0);
    expect_outside(list, volume, other, (ze_image_region_t){0, 0, 0, 0, 1, 1});
    expect_outside(list, volume, other, (ze_image_region_t){WIDTH, 0, 0, 1, 1, 1});
    expect_outside(list, volume, other, (ze_image_region_t){1, 0, 0, WIDTH, 1, 1});
    expect_outside(list, volume, other, (ze_image_region_t){0, 1, 0, 1, HEIGHT, 1});
    expect_outside(list, volume, other, (ze_image_region_t){0, 0, 1, 1, 1, DEPTH});
    expect_outside(list, volume, other, (ze_image_region_t){2, 0, 0, UINT32_MAX, 1, 1});
    expect_outside(list, volume, other, (ze_image_region_t){UINT32_MAX, 0, 0, 2, 1, 1});
    expect_outside(list, plane, plane, (ze_image_region_t){0, 0, 1, 1, 1, 1});
    expect_outside(list, plane, plane, (ze_image_region_t){0, 0, 0, 1, 1, 2});
    expect_outside(list, line, line, (ze_image_region_t){0, DEPTH, 0, 1, 1, 1});
    expect_outside(list, line, line, (ze_image_region_t){0, 1, 1, 1, 1, 1});
    assert_ok(zeImageDestroy(line));
    assert_ok(zeImageDestroy(plane));
    assert_ok(zeImageDestroy(other));
    assert_ok(zeImageDestroy(volume));
    assert_ok(zeCommandListDestroy(list));
}

// ---- from image to image ----

static void test_whole_images(void **state)
{
    (void)state;
    static const ze_image_type_t types[] = {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_1DARRAY,
        ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_2DARRAY, ZE_IMAGE_TYPE_3D, ZE_IMAGE_TYPE_BUFFER};
    static const uint32_t counts[] = {WIDTH, WIDTH * DEPTH, SLICE, VOLUME, VOLUME, WIDTH / 4};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        uint32_t numbers[VOLUME] = {0};
        ze_image_handle_t from = counted_image(types[i], 5), to = counted_image(types[i], 500);
        assert_ok(zeCommandListAppendImageCopy(list, to, from, NULL, 0, NULL));
        read_image(to, numbers);
        for (uint32_t n = 0; n < VOLUME; n++)
            assert_int_equal(numbers[n], n < counts[i] ? n + 5 : 0);
        assert_ok(zeImageDestroy(from));
        assert_ok(zeImageDestroy(to));
    }
    assert_ok(zeCommandListDestroy(list));
}

// A layer of an array becomes a part of a slice.
static void test_regions_of_images(void **state)
{
    (void)state;
    uint32_t numbers[VOLUME];
    const ze_image_region_t source = {1, 2, 3, 4, 2, 1}, destination = {3, 0, 2, 4, 2, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t from = counted_image(ZE_IMAGE_TYPE_2DARRAY, 0);
    ze_image_handle_t to = counted_image(ZE_IMAGE_TYPE_3D, 1000);
    assert_ok(
        zeCommandListAppendImageCopyRegion(list, to, from, &destination, &source, NULL, 0, NULL));
    read_image(to, numbers);
    for (uint32_t i = 0; i < VOLUME; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / SLICE;
        const bool inside = x >= 3 && y < 2 && z == 2;
        const uint32_t origin = 3 * SLICE + (y + 2) * WIDTH + (x - 2);
        assert_int_equal(numbers[i], inside ? origin : i + 1000);
    }
    assert_ok(zeImageDestroy(from));
    assert_ok(zeImageDestroy(to));
    assert_ok(zeCommandListDestroy(list));
}

static void test_overlap(void **state)
{
    (void)state;
    const ze_image_region_t a = {0, 0, 0, 4, 3, 2}, b = {3, 2, 1, 4, 3, 2}, c = {3, 0, 2, 4, 3, 2};
    const ze_image_desc_t desc = volume_desc(ZE_IMAGE_TYPE_3D);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t image = counted_image(ZE_IMAGE_TYPE_3D, 0), view = NULL;
    assert_ok(zeImageViewCreateExp(fx.context, fx.device, &desc, image, &view));
    assert_result(zeCommandListAppendImageCopyRegion(list, image, image, &a, &b, NULL, 0, NULL),
        ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
    assert_result(zeCommandListAppendImageCopyRegion(list, image, view, &b, &a, NULL, 0, NULL),
        ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
    assert_result(zeCommandListAppendImageCopy(list, image, view, NULL, 0, NULL),
        ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
    assert_ok(zeCommandListAppendImageCopyRegion(list, image, view, &a, &c, NULL, 0, NULL));
    assert_ok(zeImageDestroy(view));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeCommandListDestroy(list));
}

// One begins where the other ends, on each axis.
static void test_neighbours(void **state)
{
    (void)state;
    static const ze_image_region_t from = {0, 0, 0, 2, 1, 1},
                                   to[] = {
                                       {2, 0, 0, 2, 1, 1}, {0, 1, 0, 2, 1, 1}, {0, 0, 1, 2, 1, 1}};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t image = counted_image(ZE_IMAGE_TYPE_3D, 0);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        assert_ok(
            zeCommandListAppendImageCopyRegion(list, image, image, &to[i], &from, NULL, 0, NULL));
        assert_ok(
            zeCommandListAppendImageCopyRegion(list, image, image, &from, &to[i], NULL, 0, NULL));
    }
    assert_ok(zeImageDestroy(image));
    assert_ok(zeCommandListDestroy(list));
}

// Texels of other formats are moved as they are; those of other sizes can't be.
static void test_formats_and_extents_that_differ(void **state)
{
    (void)state;
    const ze_image_region_t small = {0, 0, 0, 2, 2, 1}, large = {0, 0, 0, 3, 2, 1};
    ze_image_desc_t desc = image_desc(ZE_IMAGE_TYPE_2D, WIDTH, HEIGHT, 1);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_image_handle_t numbers = counted_image(ZE_IMAGE_TYPE_2D, 0), bytes = create_image(&desc);
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_16;
    ze_image_handle_t halves = create_image(&desc);
    const ze_image_desc_t longer_desc = numbers_desc(WIDTH + 1, HEIGHT);
    ze_image_handle_t longer = create_image(&longer_desc);
    assert_ok(zeCommandListAppendImageCopy(list, bytes, numbers, NULL, 0, NULL));
    assert_result(
        zeCommandListAppendImageCopy(list, halves, numbers, NULL, 0, NULL), INVALID_ARGUMENT);
    assert_result(
        zeCommandListAppendImageCopy(list, longer, numbers, NULL, 0, NULL), INVALID_ARGUMENT);
    assert_result(
        zeCommandListAppendImageCopyRegion(list, bytes, numbers, &small, &large, NULL, 0, NULL),
        INVALID_ARGUMENT);
    assert_result(
        zeCommandListAppendImageCopyRegion(list, bytes, numbers, NULL, &large, NULL, 0, NULL),
        INVALID_ARGUMENT);
    assert_ok(zeImageDestroy(numbers));
    assert_ok(zeImageDestroy(bytes));
    assert_ok(zeImageDestroy(halves));
    assert_ok(zeImageDestroy(longer));
    assert_ok(zeCommandListDestroy(list));
}

// ---- lists ----

static void test_list_is_run_again(void **state)
{
    (void)state;
    const ze_image_desc_t desc = numbers_desc(2, 1);
    const ze_image_region_t left = {0, 0, 0, 1, 1, 1}, right = {1, 0, 0, 1, 1, 1};
    uint32_t *numbers = alloc_shared(4 * sizeof *numbers);
    ze_image_handle_t image = create_image(&desc), other = create_image(&desc);
    ze_command_list_handle_t list = create_list();
    ze_command_queue_handle_t queue = create_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    assert_ok(zeCommandListAppendImageCopyFromMemory(list, image, numbers, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyRegion(list, other, image, &right, &left, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyRegion(list, other, image, &left, &right, NULL, 0, NULL));
    assert_ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyToMemory(list, numbers + 2, other, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListClose(list));
    assert_result(
        zeCommandListAppendImageCopy(list, image, other, NULL, 0, NULL), INVALID_ARGUMENT);
    for (uint32_t round = 0; round < 50; round++) {
        numbers[0] = round;
        numbers[1] = round + 100;
        execute_and_wait(queue, list);
        assert_int_equal(numbers[2], round + 100);
        assert_int_equal(numbers[3], round);
    }
    assert_ok(zeCommandQueueDestroy(queue));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeImageDestroy(other));
    assert_ok(zeCommandListDestroy(list)); // which held them until now
    free_memory(numbers);
}

static void test_events(void **state)
{
    (void)state;
    uint32_t in[VOLUME], out[VOLUME] = {0};
    const ze_image_desc_t desc = volume_desc(ZE_IMAGE_TYPE_3D);
    ze_image_handle_t image = create_image(&desc), other = create_image(&desc);
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_pool_handle_t pool = create_pool(4, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    ze_event_handle_t events[4];
    for (uint32_t i = 0; i < 4; i++)
        events[i] = create_event(pool, i);
    count(in, 1);
    assert_ok(
        zeCommandListAppendImageCopyFromMemory(list, image, in, NULL, events[1], 1, &events[0]));
    assert_ok(zeCommandListAppendImageCopy(list, other, image, events[2], 1, &events[1]));
    assert_ok(zeCommandListAppendImageCopyToMemoryExt(
        list, out, other, NULL, 0, 0, events[3], 1, &events[2]));
    assert_result(zeEventQueryStatus(events[1]), ZE_RESULT_NOT_READY);
    assert_result(zeEventHostSynchronize(events[3], 2 * ONE_MILLISECOND), ZE_RESULT_NOT_READY);
    assert_ok(zeEventHostSignal(events[0]));
    assert_ok(zeEventHostSynchronize(events[3], UINT64_MAX));
    assert_memory_equal(in, out, sizeof in);
    for (uint32_t i = 0; i < 4; i++)
        assert_ok(zeEventDestroy(events[i]));
    assert_ok(zeEventPoolDestroy(pool));
    assert_ok(zeCommandListDestroy(list));
    assert_ok(zeImageDestroy(image));
    assert_ok(zeImageDestroy(other));
}

// More than a list copies inside the append, on the last group of queues: where there is a copy engine, that.
static void test_large_on_last_group(void **state)
{
    (void)state;
    enum { SIDE = 300, COUNT = SIDE * SIDE };
    uint32_t groups = 0;
    assert_ok(zeDeviceGetCommandQueueGroupProperties(fx.device, &groups, NULL));
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = groups - 1,
        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    const ze_image_desc_t desc = numbers_desc(SIDE, SIDE);
    uint32_t *in = malloc(COUNT * sizeof *in), *out = calloc(COUNT, sizeof *out);
    ze_command_list_handle_t list = NULL;
    ze_image_handle_t image = create_image(&desc), other = create_image(&desc);
    assert_non_null(in);
    assert_non_null(out);
    fill_with_bytes(in, COUNT * sizeof *in);
    assert_ok(zeCommandListCreateImmediate(fx.context, fx.device, &queue, &list));
    assert_ok(zeCommandListAppendImageCopyFromMemory(list, image, in, NULL, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopy(list, other, image, NULL, 0, NULL));
    assert_ok(zeCommandListAppendImageCopyToMemory(list, out, other, NULL, NULL, 0, NULL));
    assert_memory_equal(in, out, COUNT * sizeof *in);
    assert_ok(zeImageDestroy(image));
    assert_ok(zeImageDestroy(other));
    assert_ok(zeCommandListDestroy(list));
    free(in);
    free(out);
}

// ---- arguments ----

static void test_wrong_arguments(void **state)
{
    (void)state;
    uint32_t memory[SLICE];
    if (fx.wrapped)
        skip(); // the wrapping of 1.8.12 follows null handles
    ze_command_list_handle_t list = create_list();
    ze_image_handle_t image = counted_image(ZE_IMAGE_TYPE_2D, 0);
    assert_result(zeCommandListAppendImageCopy(NULL, image, image, NULL, 0, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendImageCopy(list, NULL, image, NULL, 0, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendImageCopy(list, image, NULL, NULL, 0, NULL), NULL_HANDLE);
    assert_result(zeCommandListAppendImageCopyRegion(list, NULL, image, NULL, NULL, NULL, 0, NULL),
        NULL_HANDLE);
    assert_result(zeCommandListAppendImageCopyRegion(list, image, NULL, NULL, NULL, NULL, 0, NULL),
        NULL_HANDLE);
    assert_result(
        zeCommandListAppendImageCopyToMemory(list, memory, NULL, NULL, NULL, 0, NULL), NULL_HANDLE);
    assert_result(
        zeCommandListAppendImageCopyToMemory(list, NULL, image, NULL, NULL, 0, NULL), NULL_POINTER);
    assert_result(zeCommandListAppendImageCopyFromMemory(list, NULL, memory, NULL, NULL, 0, NULL),
        NULL_HANDLE);
    assert_result(zeCommandListAppendImageCopyFromMemory(list, image, NULL, NULL, NULL, 0, NULL),
        NULL_POINTER);
    assert_result(
        zeCommandListAppendImageCopyToMemoryExt(list, NULL, image, NULL, 0, 0, NULL, 0, NULL),
        NULL_POINTER);
    assert_result(
        zeCommandListAppendImageCopyFromMemoryExt(list, NULL, memory, NULL, 0, 0, NULL, 0, NULL),
        NULL_HANDLE);
    assert_result(zeCommandListAppendImageCopy(list, image, image, NULL, 1, NULL),
        ZE_RESULT_ERROR_INVALID_SIZE);
    if (!is_validated()) {
        ze_image_handle_t none = (ze_image_handle_t)(void *)memory;
        assert_result(
            zeCommandListAppendImageCopy(list, none, image, NULL, 0, NULL), INVALID_ARGUMENT);
        assert_result(
            zeCommandListAppendImageCopy(list, image, none, NULL, 0, NULL), INVALID_ARGUMENT);
        assert_result(zeCommandListAppendImageCopyToMemory(list, memory, none, NULL, NULL, 0, NULL),
            INVALID_ARGUMENT);
    }
    assert_ok(zeImageDestroy(image));
    assert_ok(zeCommandListDestroy(list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions_to_memory),
        cmocka_unit_test(test_pitches),
        cmocka_unit_test(test_pitches_that_are_too_small),
        cmocka_unit_test(test_regions_outside),
        cmocka_unit_test(test_whole_images),
        cmocka_unit_test(test_regions_of_images),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_formats_and_extents_that_differ),
        cmocka_unit_test(test_list_is_run_again),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_large_on_last_group),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
