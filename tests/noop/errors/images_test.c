// SPDX-License-Identifier: MIT
//
// Images that can't be made of bytes, of files, or of what a program registered.

#include "runtime.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

static const uint8_t garbage[64] = "no image at all, whoever looks at it and from whichever side";

static void test_bytes(void **state)
{
    runtime *r = *state;
    mez_image *image;
    const mez_image_params params = {.code = garbage, .size = sizeof garbage};
    assert_tells(mez_image_create(r->context, &params, &image), MEZ_ERRC_INVALID_IMAGE, "image");
    assert_null(image);
    mez_alloc_fail_at(1);
    assert_tells(
        mez_image_create(r->context, &params, &image), MEZ_ERRC_OUT_OF_HOST_MEMORY, "an image");
    mez_alloc_fail_at(0);
    assert_null(image);
}

// The first bytes of an OffloadBinary, and no more.
static void test_what_a_program_registered(void **state)
{
    runtime *r = *state;
    mez_image *image;
    static const uint8_t cut[] = {0x10, 0xff, 0x10, 0xad, 1, 0, 0, 0};
    const mez_image_params params = {.code = cut, .size = sizeof cut};
    assert_tells(mez_image_create_registered(r->context, &params, &image), MEZ_ERRC_INVALID_IMAGE,
        "ends within its header");
    assert_null(image);
    static const uint64_t newer[16] = {999}; // a descriptor's version
    const mez_image_params unknown = {.code = newer};
    assert_tells(
        mez_image_create_registered(r->context, &unknown, &image), MEZ_ERRC_INVALID_IMAGE, "999");
    mez_alloc_fail_at(1);
    assert_tells(mez_image_create_registered(r->context, &params, &image),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "for an image");
    mez_alloc_fail_at(0);
    assert_null(image);
}

static void test_files(void **state)
{
    runtime *r = *state;
    char path[] = "/tmp/mezzanine-no-image-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, garbage, sizeof garbage), sizeof garbage);
    close(file);
    mez_image *image;
    mez_kernel *kernel;
    assert_tells(mez_image_load(r->context, path, &image), MEZ_ERRC_INVALID_IMAGE, path);
    assert_null(image);
    assert_tells(mez_kernel_load(r->context, path, "x", &kernel), MEZ_ERRC_INVALID_IMAGE, path);
    assert_null(kernel);
    mez_alloc_fail_at(1);
    assert_tells(
        mez_image_load(r->context, path, &image), MEZ_ERRC_OUT_OF_HOST_MEMORY, "for an image");
    mez_alloc_fail_at(0);
    unlink(path);
    assert_tells(mez_image_load(r->context, path, &image), MEZ_ERRC_FILE, "No such file");
    assert_tells(mez_kernel_load(r->context, path, "x", &kernel), MEZ_ERRC_FILE, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_bytes),
        RUNTIME_TEST(test_what_a_program_registered),
        RUNTIME_TEST(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
