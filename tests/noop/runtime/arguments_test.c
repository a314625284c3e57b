// SPDX-License-Identifier: MIT
//
// Bad arguments: each call answers with the documented condition and says what is wrong. Nothing reaches the driver.

#include "runtime.h"

#include <stdlib.h>

// --- NULL

static void test_creating_from_nothing(void **state)
{
    runtime *r = *state;
    mez_queue *queue = (mez_queue *)r;
    mez_image *image = (mez_image *)r;
    mez_kernel *kernel = (mez_kernel *)r;
    const mez_kernel_info *info = (const mez_kernel_info *)r;
    const mez_image_params no_code = {.size = 4};
    assert_story(mez_context_create(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"context\"");
    assert_story(mez_queue_create(NULL, NULL, &queue), MEZ_ERRC_INVALID_PARAMETER, "context");
    assert_null(queue);
    assert_story(mez_queue_create(r->context, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "queue");
    assert_condition(mez_image_create(NULL, &no_code, &image), MEZ_ERRC_INVALID_PARAMETER);
    assert_null(image);
    assert_condition(mez_image_create(r->context, NULL, &image), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(
        mez_image_create(r->context, &no_code, &image), MEZ_ERRC_INVALID_PARAMETER, "code");
    assert_condition(mez_image_create(r->context, &no_code, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(
        mez_image_load(r->context, NULL, &image), MEZ_ERRC_INVALID_PARAMETER, "needs \"path\"");
    assert_condition(mez_image_load(NULL, "x", &image), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_image_load(r->context, "x", NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(
        mez_kernel_create(NULL, "x", &kernel), MEZ_ERRC_INVALID_PARAMETER, "needs \"image\"");
    assert_null(kernel);
    assert_condition(mez_kernel_load(NULL, "x", "y", &kernel), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_kernel_load(r->context, NULL, "y", &kernel), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_kernel_load(r->context, "x", NULL, &kernel), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"name\"");
    assert_condition(mez_kernel_load(r->context, "x", "y", NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_kernel_build(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"kernel\"");
    assert_story(
        mez_kernel_get_info(NULL, NULL, &info), MEZ_ERRC_INVALID_PARAMETER, "needs \"kernel\"");
    assert_null(info);
    assert_story(
        mez_kernel_get_info(r->nothing, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"info\"");
    assert_null(mez_kernel_get_argument(NULL, 0));
    assert_null(mez_kernel_get_argument(r->nothing, 0));
}

// The function by the name that was called, and the argument by that of the header.
#define NEEDS(function, argument) function " needs \"" argument "\", but got NULL"

static void test_using_nothing(void **state)
{
    runtime *r = *state;
    mez_event *event = (mez_event *)r;
    const mez_task_params *task = MEZ_TASK(.event = &event);
    const mez_range *range = MEZ_RANGE(1);
    assert_story(mez_submit(NULL, r->nothing, range, NULL, task), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_submit", "queue"));
    assert_null(event);
    assert_story(mez_submit(r->queue, NULL, range, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_submit", "kernel"));
    assert_story(mez_submit(r->queue, r->nothing, NULL, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_submit", "range"));
    assert_story(mez_launch_submit(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_launch_submit", "launch"));
    assert_story(mez_copy(NULL, r->x, r->y, 4, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_copy", "queue"));
    assert_story(mez_copy(r->queue, NULL, r->y, 4, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_copy", "to"));
    assert_story(mez_copy(r->queue, r->x, NULL, 4, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_copy", "from"));
    assert_story(mez_fill(NULL, r->x, "", 1, 4, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_fill", "queue"));
    assert_story(mez_fill(r->queue, NULL, "", 1, 4, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_fill", "to"));
    assert_story(mez_fill(r->queue, r->x, NULL, 1, 4, NULL), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_fill", "pattern"));
    assert_story(
        mez_queue_flush(NULL), MEZ_ERRC_INVALID_PARAMETER, NEEDS("mez_queue_flush", "queue"));
    assert_story(
        mez_queue_wait(NULL), MEZ_ERRC_INVALID_PARAMETER, NEEDS("mez_queue_wait", "queue"));
    assert_story(mez_queue_wait_for(NULL, 0), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_queue_wait_for", "queue"));
    assert_story(
        mez_event_wait(NULL), MEZ_ERRC_INVALID_PARAMETER, NEEDS("mez_event_wait", "event"));
    assert_story(mez_event_wait_for(NULL, 0), MEZ_ERRC_INVALID_PARAMETER,
        NEEDS("mez_event_wait_for", "event"));
    assert_story(mez_free(NULL, r->x), MEZ_ERRC_INVALID_PARAMETER, NEEDS("mez_free", "context"));
    assert_ok(mez_free(NULL, NULL));
}

static void test_destroying_and_asking_nothing(void **state)
{
    (void)state;
    mez_context *context = NULL;
    mez_context_destroy(NULL);
    mez_context_destroy(&context);
    mez_queue_destroy(NULL);
    mez_queue_destroy(&(mez_queue *){NULL});
    mez_image_destroy(NULL);
    mez_image_destroy(&(mez_image *){NULL});
    mez_kernel_destroy(NULL);
    mez_kernel_destroy(&(mez_kernel *){NULL});
    mez_event_destroy(NULL);
    mez_event_destroy(&(mez_event *){NULL});
    assert_int_equal(mez_context_get_device_count(NULL), 0);
    assert_null(mez_context_get_device(NULL, 0));
    assert_null(mez_device_get_info(NULL));
    assert_int_equal(mez_image_get_kernel_count(NULL), 0);
    assert_null(mez_image_get_kernel_name(NULL, 0));
    assert_int_equal(mez_kernel_get_argument_count(NULL), 0);
    assert_null(mez_kernel_get_name(NULL));
    assert_false(mez_kernel_uses_assert(NULL));
}

static void test_stories_name_place_task_and_objects(void **state)
{
    runtime *r = *state;
    const mez_error error =
        mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.debug_name = "step 7"));
    assert_story(error, MEZ_ERRC_KERNEL_ARGUMENT, "kernel: \"saxpy\"");
    assert_contains(story_of(error), "queue: \"queue #1\"");
    assert_contains(story_of(error), "task: \"step 7\"");
    assert_contains(story_of(error), "arguments_test.c:");
    assert_contains(story_of(error), __func__);
}

// --- Kernel arguments

static void test_kernel_arguments(void **state)
{
    runtime *r = *state;
    const float a = 1;
    const double wide = 1;
    const mez_arg wrong_kind = {(mez_arg_kind)9, 4, &a};
    const mez_arg no_data = {MEZ_ARG_VALUE, 4, NULL};
    const struct {
        const mez_args *args;
        const char *words;
    } cases[] = {
        {NULL, "0 arguments were given, but the kernel declares 3"},
        {MEZ_ARGS(MEZ_VAL(a)), "1 argument was given, "},
        {MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y), MEZ_VAL(a)), "4 arguments"},
        {&(const mez_args){3, NULL}, "3 arguments at NULL"},
        {MEZ_ARGS(MEZ_VAL(wide), MEZ_PTR(r->x), MEZ_PTR(r->y)),
            "has 8 bytes, but the kernel declares 4"},
        {MEZ_ARGS(MEZ_PTR(r->x), MEZ_PTR(r->x), MEZ_PTR(r->y)),
            "is a pointer (MEZ_PTR), but the kernel declares a value"},
        {MEZ_ARGS(MEZ_VAL(a), MEZ_VAL(a), MEZ_PTR(r->y)), "argument 1 (global "},
        {MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_LOCAL(4)), "is local memory (MEZ_LOCAL)"},
        {&(const mez_args){3, (const mez_arg[]){wrong_kind, wrong_kind, wrong_kind}},
            "of an unknown kind"},
        {&(const mez_args){3, (const mez_arg[]){no_data, no_data, no_data}}, "a value at NULL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_story(mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT), cases[i].args, NULL),
            MEZ_ERRC_KERNEL_ARGUMENT, cases[i].words);
}

static void test_local_memory(void **state)
{
    runtime *r = *state;
    mez_kernel *sums = load_kernel(r->context, "kernels.spv", "sums");
    assert_story(
        mez_submit(r->queue, sums, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(r->x), MEZ_LOCAL(0)), NULL),
        MEZ_ERRC_KERNEL_ARGUMENT, "local memory of 0 bytes");
    assert_story(mez_submit(r->queue, sums, MEZ_RANGE(COUNT),
                     MEZ_ARGS(MEZ_PTR(r->x), MEZ_LOCAL(65537)), NULL),
        MEZ_ERRC_KERNEL_ARGUMENT, "65537 bytes of local memory");
    assert_ok(mez_submit(
        r->queue, sums, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(NULL), MEZ_LOCAL(65536)), NULL));
    mez_kernel_destroy(&sums);
}

// --- Ranges

static void test_ranges(void **state)
{
    runtime *r = *state;
    const size_t huge = (size_t)1 << 40;
    const struct {
        mez_range range;
        const char *words;
    } cases[] = {
        {{.dimensions = 0, .global = {1}}, "0 dimensions"},
        {{.dimensions = 4, .global = {1, 1, 1}}, "4 dimensions"},
        {{.dimensions = 1}, "dimension 0 of the range has no work-items"},
        {{.dimensions = 3, .global = {4, 4, 0}}, "dimension 2 of the range has no work-items"},
        {{.dimensions = 1, .global = {100}, .local = {64}}, "64 does not divide the range 100"},
        {{.dimensions = 2, .global = {8, 8}, .local = {8, 0}}, "dimension 1 of the work-group"},
        {{.dimensions = 1, .global = {1024}, .local = {1024}}, "runs at most 512"},
        {{.dimensions = 1, .global = {1}, .local = {huge}}, "dimension 0 of the work-group size"},
        {{.dimensions = 3, .global = {1, 1, 1}, .local = {UINT32_MAX, UINT32_MAX, UINT32_MAX}},
            "runs at most 512"},
        {{.dimensions = 1, .global = {huge + 1}, .local = {1}}, "runs at most 4294967295"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_story(mez_submit(r->queue, r->nothing, &cases[i].range, NULL, NULL),
            MEZ_ERRC_ND_RANGE, cases[i].words);
}

static void test_required_group_size(void **state)
{
    runtime *r = *state;
    mez_kernel *grouped = load_kernel(r->context, "kernels.spv", "grouped");
    const mez_args *args = MEZ_ARGS(MEZ_PTR(r->x));
    assert_ok(mez_submit(r->queue, grouped, MEZ_RANGE(16, 4), args, NULL));
    assert_story(mez_submit(r->queue, grouped, MEZ_RANGE(16, 3), args, NULL), MEZ_ERRC_ND_RANGE,
        "2 does not divide the range 3");
    assert_story(
        mez_submit(r->queue, grouped, MEZ_ND_RANGE(MEZ_SIZE(16, 4), MEZ_SIZE(4, 4)), args, NULL),
        MEZ_ERRC_ND_RANGE, "requires 8 x 2 x 1");
    mez_kernel_destroy(&grouped);
}

static void test_large_ranges_that_fit(void **state)
{
    runtime *r = *state;
    assert_ok(mez_submit(r->queue, r->nothing, MEZ_RANGE((size_t)1 << 34), NULL, NULL));
    assert_ok(mez_submit(r->queue, r->nothing, MEZ_RANGE(1, 1, 1), NULL, NULL));
    assert_ok(mez_submit(r->queue, r->nothing, MEZ_RANGE(UINT32_MAX), NULL, NULL));
}

// --- Other contexts

static void test_objects_of_another_context(void **state)
{
    runtime *r = *state;
    mez_context *foreign;
    mez_queue *queue = NULL;
    mez_event *event;
    mez_error error;
    assert_ok(mez_context_create(NULL, &foreign));
    mez_device *device = mez_context_get_device(foreign, 0);
    assert_story(mez_queue_create(r->context, &(mez_queue_params){.device = device}, &queue),
        MEZ_ERRC_INVALID_PARAMETER, "device \"no-op device\" belongs to another context");
    assert_null(mez_alloc(r->context, &(mez_memory_params){.device = device}, 8, &error));
    assert_condition(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_kernel_build(r->nothing, device), MEZ_ERRC_INVALID_PARAMETER);

    assert_ok(mez_queue_create(foreign, NULL, &queue));
    assert_story(mez_submit(queue, r->nothing, MEZ_RANGE(1), NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "kernel \"nothing\" belongs to another context");
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_story(mez_copy(queue, r->x, r->y, 8, MEZ_TASK(.wait_for = &event, .wait_count = 1)),
        MEZ_ERRC_EVENT, "event 0 to wait for belongs to another context");
    mez_event_destroy(&event);
    mez_queue_destroy(&queue);
    mez_context_destroy(&foreign);
}

static void test_events_to_wait_for(void **state)
{
    runtime *r = *state;
    mez_event *events[] = {NULL};
    assert_story(submit_nothing(r, MEZ_TASK(.wait_count = 2)), MEZ_ERRC_EVENT, "no list");
    assert_story(submit_nothing(r, MEZ_TASK(.wait_for = events, .wait_count = 1)), MEZ_ERRC_EVENT,
        "event 0 to wait for is NULL");
}

// --- Memory

static void expect_no_memory(mez_context *context, const mez_memory_params *params, size_t size,
    mez_condition condition, const char *words)
{
    mez_error error;
    assert_null(mez_alloc(context, params, size, &error));
    assert_story(error, condition, words);
    assert_null(mez_alloc(context, params, size, NULL));
}

static void test_allocations(void **state)
{
    runtime *r = *state;
    expect_no_memory(NULL, NULL, 8, MEZ_ERRC_INVALID_PARAMETER, "needs a context");
    expect_no_memory(r->context, NULL, 0, MEZ_ERRC_INVALID_PARAMETER, "0 bytes");
    expect_no_memory(r->context, &(mez_memory_params){.alignment = 48}, 8,
        MEZ_ERRC_INVALID_PARAMETER, "48 bytes is not a power of two");
    expect_no_memory(r->context, &(mez_memory_params){.kind = (mez_memory_kind)7}, 8,
        MEZ_ERRC_INVALID_PARAMETER, "memory kind 7");
    expect_no_memory(r->context, NULL, SIZE_MAX, MEZ_ERRC_MEMORY_ALLOCATION, "no-op device");
    expect_no_memory(r->context, NULL, (4ull << 30) + 1, MEZ_ERRC_MEMORY_ALLOCATION, "4294967297");
    noop_fail("zeMemAllocHost", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    mez_error error;
    assert_null(mez_alloc(r->context,
        &(mez_memory_params){.kind = MEZ_MEMORY_HOST, .debug_name = "staging"}, 8, &error));
    assert_story(error, MEZ_ERRC_OUT_OF_HOST_MEMORY, "\"staging\"");
    assert_contains(story_of(error), "zeMemAllocHost");
}

static void test_freeing_what_is_no_allocation(void **state)
{
    runtime *r = *state;
    int local;
    assert_story(mez_free(r->context, &local), MEZ_ERRC_INVALID_PARAMETER, "not the start");
    assert_condition(mez_free(r->context, r->x + 1), MEZ_ERRC_INVALID_PARAMETER);
    assert_ok(mez_free(r->context, NULL));
}

static void test_success_clears_the_error(void **state)
{
    runtime *r = *state;
    mez_error error = {.value = MEZ_ERRC_FILE, .origin = MEZ_CATEGORY_RUNTIME};
    void *memory = mez_alloc_host(r->context, 8, &error);
    assert_ok(error);
    assert_ok(mez_free(r->context, memory));
}

// --- Copies and fills

static void test_copies(void **state)
{
    runtime *r = *state;
    char *bytes = (char *)r->x;
    assert_story(mez_copy(r->queue, bytes + 4, bytes, 8, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "the ranges overlap");
    assert_condition(mez_copy(r->queue, bytes, bytes + 4, 8, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_copy(r->queue, bytes, bytes, 8, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_ok(mez_copy(r->queue, bytes + 8, bytes, 8, NULL));
    assert_ok(mez_copy(r->queue, bytes, bytes, 0, NULL));
    assert_story(mez_copy(r->queue, r->x, r->y, SIZE_MAX, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "past the end of memory");
}

static void test_fills(void **state)
{
    runtime *r = *state;
    static const char pattern[256];
    const struct {
        size_t pattern_size, size;
        const char *words;
    } cases[] = {
        {0, 64, "a fill pattern of 0 bytes"},
        {3, 63, "a fill pattern of 3 bytes"},
        {256, 256, "a fill pattern of 256 bytes"},
        {8, 12, "12 bytes is not a multiple of its pattern's 8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_story(mez_fill(r->queue, r->x, pattern, cases[i].pattern_size, cases[i].size, NULL),
            MEZ_ERRC_INVALID_PARAMETER, cases[i].words);
    assert_story(mez_fill(r->queue, r->x, pattern, 1, SIZE_MAX, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "past the end of memory");
    assert_ok(mez_fill(r->queue, r->x, pattern, 128, 128, NULL));
    assert_ok(mez_fill(r->queue, r->x, pattern, 4, 0, NULL));
}

static void test_patterns_beyond_the_device(void **state)
{
    runtime *r = *state;
    struct noop_config config = noop_config_default();
    config.queue_groups[0].max_fill_pattern = 16;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, NULL, &queue));
    static const char pattern[32] = "does not repeat itself";
    assert_story(mez_fill(queue, r->x, pattern, 32, 64, NULL), MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "takes at most 16");
    assert_ok(mez_fill(queue, r->x, pattern, 16, 64, NULL));
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

// --- Images

static void expect_no_image(
    runtime *r, const void *code, size_t size, const char *name, const char *words)
{
    mez_image *image;
    const mez_image_params params = {.code = code, .size = size, .debug_name = name};
    const mez_error error = mez_image_create(r->context, &params, &image);
    assert_null(image);
    assert_story(error, MEZ_ERRC_INVALID_IMAGE, words);
    assert_contains(story_of(error), name);
}

static void test_bytes_that_are_no_image(void **state)
{
    runtime *r = *state;
    static const uint32_t header[] = {0x07230203, 0x00010000, 0, 20, 0};
    static const uint32_t cut[] = {0x07230203, 0x00010000, 0, 20, 0, 4u << 16 | 15, 6};
    const uint64_t before = noop_calls("zeModuleCreate");
    unsigned char garbage[4096];
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (unsigned char)(i * 131 + 7);
    expect_no_image(r, "", 0, "nothing at all", "");
    expect_no_image(r, garbage, sizeof garbage, "garbage", "");
    expect_no_image(r, header, 8, "half a header", "");
    expect_no_image(r, header, sizeof header - 1, "odd bytes", "");
    expect_no_image(r, cut, sizeof cut, "cut", "");
    expect_no_image(r, "\177ELF and so on....", 16, "an elf", "ELF");
    assert_int_equal(noop_calls("zeModuleCreate"), before);
}

static void test_every_truncation(void **state)
{
    runtime *r = *state;
    FILE *file = fopen(file_of("kernels.spv"), "rb");
    static unsigned char bytes[65536];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t cut = 0; cut < size; cut++) {
        // The allocation ends where the image does, so that reading on shows.
        unsigned char *copy = malloc(cut ? cut : 1);
        memcpy(copy, bytes, cut);
        mez_image *image;
        const mez_image_params params = {.code = copy, .size = cut};
        const mez_error error = mez_image_create(r->context, &params, &image);
        if (mez_failed(error))
            assert_condition(error, MEZ_ERRC_INVALID_IMAGE);
        mez_image_destroy(&image);
        free(copy);
    }
}

static void test_files(void **state)
{
    runtime *r = *state;
    mez_image *image;
    mez_error error = mez_image_load(r->context, "/nowhere/kernel.spv", &image);
    assert_story(error, MEZ_ERRC_FILE, "\"/nowhere/kernel.spv\" can't be read: No such file");
    error = mez_image_load(r->context, file_of("."), &image);
    assert_story(error, MEZ_ERRC_FILE, "Is a directory");
    error = mez_image_load(r->context, "", &image);
    assert_condition(error, MEZ_ERRC_FILE);
    error = mez_image_load(r->context, "/dev/null", &image);
    assert_story(error, MEZ_ERRC_INVALID_IMAGE, "/dev/null");
    assert_null(image);
}

static void test_unknown_kernels(void **state)
{
    runtime *r = *state;
    mez_kernel *kernel;
    mez_error error = mez_kernel_load(r->context, file_of("kernels.spv"), "saxpi", &kernel);
    assert_null(kernel);
    assert_story(error, MEZ_ERRC_KERNEL, "has no kernel \"saxpi\"");
    assert_contains(story_of(error), "kernels.spv");
    assert_contains(story_of(error), "its kernels: nothing, saxpy, sums, grouped, unchecked");
    error = mez_kernel_load(r->context, file_of("kernels.spv"), "", &kernel);
    assert_condition(error, MEZ_ERRC_KERNEL);
}

static void expect_no_launch(
    mez_queue *queue, mez_kernel *kernel, const mez_args *args, const char *words)
{
    const mez_error error = mez_submit(queue, kernel, MEZ_RANGE(1), args, NULL);
    assert_story(error, MEZ_ERRC_KERNEL_ARGUMENT, words);
    assert_contains(story_of(error), "so this kernel can't be launched");
    mez_kernel_destroy(&kernel);
}

static void test_numbers_of_arguments(void **state)
{
    runtime *r = *state;
    mez_kernel *kernel = load_kernel(r->context, "kernels.spv", "saxpy");
    for (uint32_t i = 0; i < 3; i++) {
        const mez_kernel_argument *argument = mez_kernel_get_argument(kernel, i);
        assert_int_equal(argument->number, MEZ_DECLARED_FLOAT);
        assert_int_equal(argument->number_bits, 32);
        assert_int_equal(argument->components, 1);
        assert_string_equal(argument->number_type, "float");
    }
    mez_kernel_destroy(&kernel);
    kernel = load_kernel(r->context, "pictures.spv", "draws");
    const mez_kernel_argument *image = mez_kernel_get_argument(kernel, 1);
    assert_int_equal(image->number, MEZ_DECLARED_NO_NUMBER);
    assert_int_equal(image->number_bits, 0);
    assert_int_equal(image->components, 0);
    assert_string_equal(image->number_type, "");
    mez_kernel_destroy(&kernel);
}

static void test_images_and_samplers(void **state)
{
    runtime *r = *state;
    mez_kernel *kernel = load_kernel(r->context, "pictures.spv", "draws");
    assert_int_equal(mez_kernel_get_argument(kernel, 0)->passed_as, MEZ_ARG_POINTER);
    assert_int_equal(mez_kernel_get_argument(kernel, 1)->kind, MEZ_DECLARED_IMAGE);
    assert_int_equal(mez_kernel_get_argument(kernel, 1)->passed_as, MEZ_ARG_NONE);
    expect_no_launch(r->queue, kernel, MEZ_ARGS(MEZ_PTR(r->x), MEZ_PTR(r->x)),
        "the kernel declares argument 1 (image) as an image: ");
    kernel = load_kernel(r->context, "pictures.spv", "samples");
    assert_int_equal(mez_kernel_get_argument(kernel, 0)->kind, MEZ_DECLARED_SAMPLER);
    assert_int_equal(mez_kernel_get_argument(kernel, 0)->passed_as, MEZ_ARG_NONE);
    const mez_arg none[3] = {
        {.kind = MEZ_ARG_NONE}, {.kind = MEZ_ARG_NONE}, {.kind = MEZ_ARG_NONE}};
    const mez_args nothing = {.count = 3, .items = none};
    expect_no_launch(
        r->queue, kernel, &nothing, "the kernel declares argument 0 (sampler) as a sampler: ");
    assert_story(mez_submit(r->queue, r->saxpy, MEZ_RANGE(1), &nothing, NULL),
        MEZ_ERRC_KERNEL_ARGUMENT, "is nothing (MEZ_ARG_NONE), but the kernel declares a value");
}

// The driver can't link in any way, and the image has asserts.
static void test_asserts_without_linking(void **state)
{
    runtime *r = *state;
    mez_kernel *checked = load_kernel(r->context, "asserts.spv", "checked");
    for (int i = 1; i <= 2; i++) // of all kernels, and of this one alone
        noop_fail("zeModuleDynamicLink", i, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    const mez_error error = mez_kernel_build(checked, NULL);
    assert_story(error, MEZ_ERRC_LINK_PROGRAM, "ZE_experimental_module_program");
    assert_contains(story_of(error), "zeModuleDynamicLink");
    assert_contains(story_of(error), "-DNDEBUG");
    mez_kernel_destroy(&checked);
}

static void test_build_logs_are_reported(void **state)
{
    runtime *r = *state;
    struct noop_config config = noop_config_default();
    config.build_log = "error: first line\nerror: second line\n";
    noop_configure(&config);
    mez_kernel *kernel = load_kernel(r->context, "kernels.spv", "saxpy");
    for (int i = 1; i <= 2; i++)
        noop_fail("zeModuleCreate", i, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    const mez_error error = mez_kernel_build(kernel, NULL);
    assert_story(error, MEZ_ERRC_COMPILE_PROGRAM,
        "build log: error: first line\n        error: second line");
    assert_contains(story_of(error), "kernels.spv");
    assert_ok(mez_kernel_build(kernel, NULL)); // not remembered
    mez_kernel_destroy(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_creating_from_nothing),
        RUNTIME_TEST(test_using_nothing),
        RUNTIME_TEST(test_destroying_and_asking_nothing),
        RUNTIME_TEST(test_stories_name_place_task_and_objects),
        RUNTIME_TEST(test_kernel_arguments),
        RUNTIME_TEST(test_local_memory),
        RUNTIME_TEST(test_ranges),
        RUNTIME_TEST(test_required_group_size),
        RUNTIME_TEST(test_large_ranges_that_fit),
        RUNTIME_TEST(test_objects_of_another_context),
        RUNTIME_TEST(test_events_to_wait_for),
        RUNTIME_TEST(test_allocations),
        RUNTIME_TEST(test_freeing_what_is_no_allocation),
        RUNTIME_TEST(test_success_clears_the_error),
        RUNTIME_TEST(test_copies),
        RUNTIME_TEST(test_fills),
        RUNTIME_TEST(test_patterns_beyond_the_device),
        RUNTIME_TEST(test_bytes_that_are_no_image),
        RUNTIME_TEST(test_every_truncation),
        RUNTIME_TEST(test_files),
        RUNTIME_TEST(test_unknown_kernels),
        RUNTIME_TEST(test_numbers_of_arguments),
        RUNTIME_TEST(test_images_and_samplers),
        RUNTIME_TEST(test_asserts_without_linking),
        RUNTIME_TEST(test_build_logs_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
