// SPDX-License-Identifier: MIT
//
// Images whose kernels are not all of one piece: some ask for what the device lacks, some share memory, some use what other images
// define.

#include <stdio.h>

#include "harness.h"

enum { ITEMS = 64 };

static bool has_fp64(void)
{
    return mez_device_get_info(mez_test_device())->fp64;
}

static mez_image *load(const char *file)
{
    mez_image *image;
    mez_test_ok(mez_image_load(mez_test_context(), mez_test_kernel_path(file), &image));
    return image;
}

static mez_kernel *take(mez_image *image, const char *name)
{
    mez_kernel *kernel;
    mez_test_ok(mez_kernel_create(image, name, &kernel));
    return kernel;
}

static const char *story_of(mez_error error)
{
    static char story[8192];
    mez_error_get_story(error, story, sizeof story);
    return story;
}

static void assert_story(mez_error error, mez_condition condition, const char *words)
{
    mez_test_fails(error, condition);
    if (!strstr(story_of(error), words))
        fail_msg("\"%s\" is not in:\n%s", words, story_of(error));
}

static int32_t *numbers(void)
{
    int32_t *x = mez_test_shared(ITEMS * sizeof *x);
    for (int i = 0; i < ITEMS; i++)
        x[i] = i;
    return x;
}

static mez_error submit(mez_queue *queue, mez_kernel *kernel, int32_t *x)
{
    return mez_submit(queue, kernel, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_PTR(x)), NULL);
}

// Each of the numbers 0, 1, 2 ... becomes factor * number + more.
static void expect(
    mez_queue *queue, mez_image *image, const char *name, int32_t factor, int32_t more)
{
    mez_kernel *kernel = take(image, name);
    int32_t *x = numbers();
    mez_test_ok(submit(queue, kernel, x));
    mez_test_ok(mez_queue_wait(queue));
    for (int32_t i = 0; i < ITEMS && mez_test_has("results"); i++)
        assert_int_equal(x[i], factor * i + more);
    mez_test_free(x);
    mez_kernel_destroy(&kernel);
}

static mez_error refusal(mez_queue *queue, mez_image *image, const char *name)
{
    mez_kernel *kernel = take(image, name);
    int32_t *x = numbers();
    const mez_error error = submit(queue, kernel, x);
    mez_test_free(x);
    mez_kernel_destroy(&kernel);
    return error;
}

// --- One of ten

static void nine_of_ten_run(void **state)
{
    mez_image *image = load("parts");
    for (int32_t i = 1; i <= 9; i++) {
        char name[16];
        snprintf(name, sizeof name, "plain_%d", (int)i);
        expect(*state, image, name, i + 1, 0);
    }
    if (has_fp64()) {
        mez_kernel *precise = take(image, "precise");
        mez_test_ok(mez_kernel_build(precise, mez_test_device()));
        mez_kernel_destroy(&precise);
    } else {
        assert_story(refusal(*state, image, "precise"), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "fp64");
        assert_non_null(strstr(story_of(refusal(*state, image, "precise")), "\"precise\""));
    }
    mez_image_destroy(&image);
}

// --- Shared memory

static void count(mez_queue *queue, mez_image *image, int32_t n)
{
    mez_kernel *tally = take(image, "tally");
    mez_test_ok(mez_submit(queue, tally, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_VAL(n)), NULL));
    mez_kernel_destroy(&tally);
}

static void kernels_that_share_memory_stay_together(void **state)
{
    mez_image *image = load("shares");
    count(*state, image, 3);
    expect(*state, image, "report", 0, 3);
    count(*state, image, 4);
    expect(*state, image, "report", 0, 7);
    if (!has_fp64()) {
        const mez_error error = refusal(*state, image, "sum");
        assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "\"sum_precisely\"");
        assert_non_null(strstr(story_of(error), "variable summed"));
        assert_story(
            refusal(*state, image, "sum_precisely"), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "fp64");
    }
    mez_image_destroy(&image);
}

// --- Libraries

static mez_image *load_with(const char *file, mez_image *const *libraries, uint32_t count)
{
    FILE *stream = fopen(mez_test_kernel_path(file), "rb");
    assert_non_null(stream);
    static uint8_t bytes[1 << 18];
    const mez_image_params params = {.code = bytes,
        .size = fread(bytes, 1, sizeof bytes, stream),
        .debug_name = file,
        .libraries = libraries,
        .library_count = count};
    fclose(stream);
    mez_image *image;
    mez_test_ok(mez_image_create(mez_test_context(), &params, &image));
    return image;
}

static mez_image *load_linked(const char *file)
{
    mez_image *libraries[] = {load("exports"), load("exports_second")};
    mez_image *image = load_with(file, libraries, 2);
    mez_image_destroy(&libraries[0]);
    mez_image_destroy(&libraries[1]);
    return image;
}

static void libraries_define_what_is_imported(void **state)
{
    mez_image *image = load_linked("imports");
    expect(*state, image, "alone", 1, 1);
    expect(*state, image, "uses_twice", 2, 0);
    expect(*state, image, "uses_four_times", 4, 0); // by way of the other library
    expect(*state, image, "uses_variable", 0, 42);
    if (!has_fp64())
        assert_story(
            refusal(*state, image, "uses_precise"), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "\"precise\"");
    mez_image_destroy(&image);
}

// In the module that defines it, which may be another one than the kernel's.
static void variables_of_libraries_have_addresses(void **state)
{
    const int32_t changed = 43;
    mez_image *image = load_linked("imports");
    mez_kernel *kernel = take(image, "uses_variable");
    void *pointer;
    size_t size;
    mez_test_ok(mez_kernel_get_variable(kernel, NULL, "shared_number", &pointer, &size));
    assert_int_equal(size, sizeof changed);
    mez_test_ok(mez_copy(*state, pointer, &changed, sizeof changed, NULL));
    mez_test_ok(mez_queue_wait(*state));
    expect(*state, image, "uses_variable", 0, changed);
    assert_story(mez_kernel_get_variable(kernel, NULL, "shared_numbers", &pointer, &size),
        MEZ_ERRC_INVALID_PARAMETER, "perhaps meant: shared_number");
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
}

// Two nodes, as across.cl has them.
static void run_across(mez_queue *queue, mez_image *image)
{
    static const int32_t nodes[] = {20, 0, 0, 0, 30, 0, 0, 0};
    const int32_t n = 5;
    int32_t *list = mez_test_shared(sizeof nodes), *out = mez_test_shared(3 * sizeof *out);
    memcpy(list, nodes, sizeof nodes);
    mez_kernel *across = take(image, "across");
    mez_test_ok(mez_submit(
        queue, across, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(list), MEZ_PTR(out), MEZ_VAL(n)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results")) {
        assert_int_equal(out[0], 20);
        assert_int_equal(out[1], 50);
        assert_int_equal(out[2], 30);
    }
    mez_kernel_destroy(&across);
    mez_test_free(out);
    mez_test_free(list);
}

// What pointers point to is written by some compilers alone.
static void libraries_may_come_from_other_compilers(void **state)
{
    static const char *const users[] = {"across_user_15", "across_user_22"};
    static const char *const definers[] = {"across_library_15", "across_library_22"};
    for (size_t i = 0; i < 4; i++) {
        mez_image *library = load(definers[i / 2]);
        mez_image *image = load_with(users[i % 2], &library, 1);
        mez_image_destroy(&library);
        run_across(*state, image);
        mez_image_destroy(&image);
    }
}

static void what_nothing_defines_is_named(void **state)
{
    mez_image *image = load_linked("imports_nowhere");
    const mez_error error = refusal(*state, image, "uses_nothing_there");
    assert_story(error, MEZ_ERRC_LINK_PROGRAM, "unresolved: nowhere");
    assert_null(strstr(story_of(error), "unresolved: twice"));
    expect(*state, image, "alone", 1, 1);
    expect(*state, image, "uses_twice", 2, 0);
    mez_image_destroy(&image);

    image = load("imports");
    assert_story(
        refusal(*state, image, "uses_four_times"), MEZ_ERRC_LINK_PROGRAM, "unresolved: four_times");
    expect(*state, image, "alone", 1, 1);
    mez_image_destroy(&image);
}

static bool asserts(mez_image *image, const char *name)
{
    mez_kernel *kernel = take(image, name);
    const bool uses = mez_kernel_uses_assert(kernel);
    mez_kernel_destroy(&kernel);
    return uses;
}

static bool links_dynamically(void)
{
    const char *way = getenv("MEZ_ASSERT_LINK");
    return way && strcmp(way, "dynamic") == 0;
}

// The kernel has none, the function that it imports does.
static void asserts_of_libraries_are_heard(void **state)
{
    (void)state;
    mez_queue *queue;
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}};
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    mez_image *image = load_linked("imports");
    assert_true(asserts(image, "uses_checked"));
    assert_false(asserts(image, "uses_twice"));
    mez_kernel *kernel = take(image, "uses_checked");
    int32_t *x = numbers();
    const int32_t limit = ITEMS - 1;
    mez_error error =
        mez_submit(queue, kernel, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_PTR(x), MEZ_VAL(limit)), NULL);
    if (links_dynamically()) { // modules of their own can't ask for the ids that an assert reports
        assert_story(error, MEZ_ERRC_LINK_PROGRAM, "exports.spv");
    } else {
        mez_test_ok(error);
        error = mez_queue_wait(queue);
        if (mez_test_has("results"))
            assert_story(error, MEZ_ERRC_ASSERT, "x < limit");
    }
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);
    mez_test_free(x);
    mez_queue_destroy(&queue);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(nine_of_ten_run),
        MEZ_DEVICE_TEST(kernels_that_share_memory_stay_together),
        MEZ_DEVICE_TEST(libraries_define_what_is_imported),
        MEZ_DEVICE_TEST(variables_of_libraries_have_addresses),
        MEZ_DEVICE_TEST(libraries_may_come_from_other_compilers),
        MEZ_DEVICE_TEST(what_nothing_defines_is_named),
        MEZ_DEVICE_TEST(asserts_of_libraries_are_heard),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
