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
    assert_story(mez_image_create(r->context, &params, &image), MEZ_ERRC_INVALID_IMAGE, "image");
    assert_null(image);
    mez_alloc_fail_at(1);
    assert_story(
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
    assert_story(mez_image_create_registered(r->context, &params, &image), MEZ_ERRC_INVALID_IMAGE,
        "ends within its header");
    assert_null(image);
    static const uint64_t newer[16] = {999}; // a descriptor's version
    const mez_image_params unknown = {.code = newer};
    assert_story(
        mez_image_create_registered(r->context, &unknown, &image), MEZ_ERRC_INVALID_IMAGE, "999");
    mez_alloc_fail_at(1);
    assert_story(mez_image_create_registered(r->context, &params, &image),
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
    assert_story(mez_image_load(r->context, path, &image), MEZ_ERRC_INVALID_IMAGE, path);
    assert_null(image);
    assert_story(mez_kernel_load(r->context, path, "x", &kernel), MEZ_ERRC_INVALID_IMAGE, path);
    assert_null(kernel);
    mez_alloc_fail_at(1);
    assert_story(
        mez_image_load(r->context, path, &image), MEZ_ERRC_OUT_OF_HOST_MEMORY, "for an image");
    mez_alloc_fail_at(0);
    unlink(path);
    assert_story(mez_image_load(r->context, path, &image), MEZ_ERRC_FILE, "No such file");
    assert_story(mez_kernel_load(r->context, path, "x", &kernel), MEZ_ERRC_FILE, path);
}

static void write_kernel(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_sources(void **state)
{
    runtime *r = *state;
    mez_image *image;
    const mez_image_params wrong = {
        .source = "kernel void k(int i) { j = i; }", .debug_name = "assign.cl"};
    assert_story(mez_image_create(r->context, &wrong, &image), MEZ_ERRC_COMPILE_PROGRAM,
        "assign.cl:1:24: error: use of undeclared identifier 'j'");
    assert_null(image);
    const mez_image_params option = {.source = "", .compile_options = "-DA '-DB"};
    assert_story(mez_image_create(r->context, &option, &image), MEZ_ERRC_INVALID_PARAMETER, "-DB");
    const mez_image_params both = {.source = "", .code = garbage, .size = sizeof garbage};
    assert_story(mez_image_create(r->context, &both, &image), MEZ_ERRC_INVALID_PARAMETER,
        "more than one of them");
    const mez_image_params absent = {.path = "/nowhere/x.spv"};
    assert_story(mez_image_create(r->context, &absent, &image), MEZ_ERRC_FILE, "/nowhere/x.spv");
    assert_null(image);
}

static void test_files_of_sources(void **state)
{
    runtime *r = *state;
    mez_image *image;
    mez_kernel *kernel;
    static const char path[] = "errors_images.cl";
    write_kernel(path, "#error no\n");
    assert_story(mez_image_load(r->context, path, &image), MEZ_ERRC_COMPILE_PROGRAM,
        "errors_images.cl:1:2: error: no");
    assert_null(image);
    assert_story(mez_kernel_load(r->context, path, "x", &kernel), MEZ_ERRC_COMPILE_PROGRAM,
        "errors_images.cl:1:2: error: no");
    assert_null(kernel);
    write_kernel(path, "kernel void k(int i) {}\n");
    assert_story(
        mez_kernel_load(r->context, path, "x", &kernel), MEZ_ERRC_KERNEL, "its kernels: k");
    unlink(path);
    assert_story(mez_image_load(r->context, path, &image), MEZ_ERRC_FILE, path);
}

// As `mez check` says it; with lines where the code has them.
static void test_what_kernels_call_and_nothing_defines(void **state)
{
    runtime *r = *state;
    static const struct {
        const char *options, *place;
    } cases[] = {
        {"-gline-tables-only", "unresolved: elsewhere, for OpFunctionCall in function \"both\" ("},
        {"-g0",
            "unresolved: elsewhere, for OpFunctionCall in function \"both\", reached by k -> both"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const mez_image_params params = {.source =
                                             "int elsewhere(int i);\n"
                                             "int both(int i) { return elsewhere(i); }\n"
                                             "kernel void k(global int *p) { *p = both(*p); }\n",
            .debug_name = "calls.cl",
            .compile_options = cases[i].options};
        mez_image *image;
        mez_kernel *kernel;
        assert_ok(mez_image_create(r->context, &params, &image));
        assert_ok(mez_kernel_create(image, "k", &kernel));
        const mez_error error = mez_kernel_build(kernel, NULL);
        assert_story(error, MEZ_ERRC_LINK_PROGRAM, "kernel \"k\" of \"calls.cl\"");
        assert_story(error, MEZ_ERRC_LINK_PROGRAM, cases[i].place);
        assert_story(error, MEZ_ERRC_LINK_PROGRAM, "reached by k -> both");
        assert_int_equal(strstr(story_of(error), "calls.cl:2:26") != NULL, i == 0);
        assert_story(error, MEZ_ERRC_LINK_PROGRAM, "advice: give the image a library that defines");
        mez_kernel_destroy(&kernel);
        mez_image_destroy(&image);
    }
}

static void test_sources_without_a_compiler(void **state)
{
    runtime *r = *state;
    mez_image *image;
    const mez_image_params params = {.source = "kernel void k(int i) {}"};
    setenv("MEZ_CLANG", "/nowhere/clang", 1);
    assert_story(mez_image_create(r->context, &params, &image), MEZ_ERRC_FILE, "/nowhere/clang");
    assert_null(image);
    unsetenv("MEZ_CLANG");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_bytes),
        RUNTIME_TEST(test_what_a_program_registered),
        RUNTIME_TEST(test_files),
        RUNTIME_TEST(test_sources),
        RUNTIME_TEST(test_files_of_sources),
        RUNTIME_TEST(test_what_kernels_call_and_nothing_defines),
        RUNTIME_TEST(test_sources_without_a_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
