// SPDX-License-Identifier: MIT
//
// Images with many kernels, and kernels that use many functions of a library: around the numbers where arrays grow, and far beyond.

#include <stdio.h>

#include "harness.h"

static const uint32_t counts[] = {17, 40, 200};
enum { COUNTS = sizeof counts / sizeof *counts };

static mez_image *load(const char *form, uint32_t count, mez_image *library)
{
    char file[64];
    snprintf(file, sizeof file, form, (unsigned)count);
    FILE *stream = fopen(mez_test_kernel_path(file), "rb");
    assert_non_null(stream);
    static uint8_t bytes[1 << 20];
    const mez_image_params params = {
        .code = bytes,
        .size = fread(bytes, 1, sizeof bytes, stream),
        .debug_name = file,
        .libraries = &library,
        .library_count = library != NULL,
    };
    fclose(stream);
    mez_image *image;
    mez_test_ok(mez_image_create(mez_test_context(), &params, &image));
    return image;
}

static void add(mez_queue *queue, mez_image *image, const char *name, int32_t *x)
{
    mez_kernel *kernel;
    mez_test_ok(mez_kernel_create(image, name, &kernel));
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(x)), NULL));
    mez_kernel_destroy(&kernel);
}

// 1 + 2 + ... + count
static int32_t sum_to(uint32_t count)
{
    return (int32_t)(count * (count + 1) / 2);
}

static void expect(int32_t *x, int32_t value)
{
    if (mez_test_has("results"))
        assert_int_equal(*x, value);
}

static void launch_all(mez_queue *queue, uint32_t count)
{
    mez_image *image = load("counts_%u", count, NULL);
    int32_t *x = mez_test_shared(sizeof *x);
    *x = 0;
    assert_int_equal(mez_image_get_kernel_count(image), count);
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "kernel_%u", (unsigned)i);
        add(queue, image, name, x);
    }
    mez_test_ok(mez_queue_wait(queue));
    expect(x, sum_to(count));
    mez_test_free(x);
    mez_image_destroy(&image);
}

static void every_kernel_runs(void **state)
{
    for (int i = 0; i < COUNTS; i++)
        launch_all(*state, counts[i]);
}

static void link_all(mez_queue *queue, uint32_t count)
{
    mez_image *library = load("counts_%u", count, NULL);
    mez_image *image = load("counts_imports_%u", count, library);
    int32_t *x = mez_test_shared(sizeof *x);
    *x = 0;
    add(queue, image, "all", x);
    mez_test_ok(mez_queue_wait(queue));
    expect(x, sum_to(count));
    mez_test_free(x);
    mez_image_destroy(&image);
    mez_image_destroy(&library);
}

static void every_function_of_a_library_runs(void **state)
{
    for (int i = 0; i < COUNTS; i++)
        link_all(*state, counts[i]);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(every_kernel_runs),
        MEZ_DEVICE_TEST(every_function_of_a_library_runs),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
