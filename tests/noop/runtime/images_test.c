// SPDX-License-Identifier: MIT
//
// What the driver's compiler is given of an image, and what is reported of its results.

#include "runtime.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

static void *contents_of(const char *file, size_t *size)
{
    FILE *stream = fopen(file_of(file), "rb");
    assert_non_null(stream);
    void *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, stream);
    fclose(stream);
    return bytes;
}

// --- Specialization constants

static mez_error create_with(
    runtime *r, const mez_spec_constant *constants, uint32_t count, mez_image **image)
{
    size_t size;
    void *code = contents_of("constants.spv", &size);
    const mez_image_params params = {
        .code = code, .size = size, .constants = constants, .constant_count = count};
    const mez_error error = mez_image_create(r->context, &params, image);
    free(code);
    return error;
}

static void build_kernel_of(mez_image *image, const char *name)
{
    mez_kernel *kernel;
    assert_ok(mez_kernel_create(image, name, &kernel));
    assert_ok(mez_kernel_build(kernel, NULL));
    mez_kernel_destroy(&kernel);
}

static void test_constants_reach_the_compiler(void **state)
{
    runtime *r = *state;
    struct noop_constant given[4];
    const uint8_t byte = 200;
    int64_t large = INT64_MIN;
    const mez_spec_constant constants[] = {{12, 1, &byte}, {13, 8, &large}};
    mez_image *image;
    assert_ok(create_with(r, constants, 2, &image));
    large = 1; // it was copied
    build_kernel_of(image, "constants");
    assert_int_equal(noop_constants(0, given, 4), 2);
    assert_int_equal(given[0].id, 12);
    assert_int_equal(given[0].value & 0xff, 200);
    assert_int_equal(given[1].id, 13);
    assert_true((int64_t)given[1].value == INT64_MIN);
    mez_image_destroy(&image);

    assert_ok(create_with(r, NULL, 0, &image));
    build_kernel_of(image, "constants");
    assert_int_equal(noop_constants(0, given, 4), 0);
    mez_image_destroy(&image);
}

static void expect_refused(
    runtime *r, const mez_spec_constant *constants, uint32_t count, const char *words)
{
    mez_image *image;
    assert_story(create_with(r, constants, count, &image), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_null(image);
}

static void test_wrong_constants_are_named(void **state)
{
    runtime *r = *state;
    const int64_t value = 1;
    const mez_spec_constant unknown[] = {{11, 4, &value}, {8, 4, &value}, {9, 1, &value}};
    expect_refused(r, unknown, 3, "the code has no specialization constant 8");
    const mez_error error = create_with(r, unknown, 3, &(mez_image *){NULL});
    assert_contains(story_of(error), "nor: 9");
    assert_contains(
        story_of(error), "it has: 11 of 4 bytes, 12 of 1 byte, 13 of 8 bytes, 14 of 4 bytes");
    expect_refused(r, &(mez_spec_constant){12, 4, &value}, 1, "given 4 bytes; it is 12 of 1 byte");
    expect_refused(r, &(mez_spec_constant){12, 1, NULL}, 1, "12 has its value at NULL");
    expect_refused(r, &(mez_spec_constant){12, 3, &value}, 1, "use 1, 2, 4 or 8");
    expect_refused(r, (const mez_spec_constant[]){{12, 1, &value}, {12, 1, &value}}, 2, "two");
    expect_refused(r, NULL, 1, "at NULL");
}

// The last part has none, and the first one is there twice.
static void test_constants_of_all_parts_are_named(void **state)
{
    runtime *r = *state;
    const uint32_t value = 1;
    const mez_spec_constant unknown = {8, 4, &value};
    static const char *const files[] = {"constants.spv", "constants.spv", "kernels.spv"};
    char path[] = "/tmp/mezzanine-constants-XXXXXX.table";
    mez_image *image;
    const int file = mkstemps(path, (int)strlen(".table"));
    assert_true(file >= 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        dprintf(file, "%s\n", file_of(files[i]));
    close(file);
    const mez_image_params params = {.path = path, .constants = &unknown, .constant_count = 1};
    assert_story(mez_image_create(r->context, &params, &image), MEZ_ERRC_INVALID_PARAMETER,
        "it has: 11 of 4 bytes, 12 of 1 byte, 13 of 8 bytes, 14 of 4 bytes\n");
    unlink(path);
}

static void test_constants_without_memory(void **state)
{
    runtime *r = *state;
    const uint8_t byte = 200;
    mez_image *image = NULL;
    for (uint64_t n = 1; !image; n++) {
        mez_alloc_fail_at(n);
        const mez_error error = create_with(r, &(mez_spec_constant){12, 1, &byte}, 1, &image);
        mez_alloc_fail_at(0);
        if (!image)
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
    }
    mez_image_destroy(&image);
}

// --- Build logs

typedef struct heard {
    unsigned warnings;
    char last[512];
} heard;

static void hear(void *data, mez_log_level level, const char *topic, const char *message)
{
    heard *h = data;
    if (level != MEZ_LOG_WARN || strcmp(topic, "image") != 0)
        return;
    h->warnings++;
    snprintf(h->last, sizeof h->last, "%s", message);
}

static void have_build_log(const char *log)
{
    struct noop_config config = linking_config();
    config.build_log = log;
    noop_configure(&config);
}

static void test_what_a_compiler_says_is_a_warning_once(void **state)
{
    runtime *r = *state;
    heard h = {0};
    mez_image *image;
    have_build_log("warning: a spill\n");
    mez_log_set_function(hear, &h);
    assert_ok(mez_image_load(r->context, file_of("kernels.spv"), &image));
    build_kernel_of(image, "saxpy");
    build_kernel_of(image, "nothing");
    assert_int_equal(h.warnings, 1);
    assert_contains(h.last, "kernels.spv");
    assert_contains(h.last, "warning: a spill");
    mez_image_destroy(&image);

    have_build_log(" \n");
    assert_ok(mez_image_load(r->context, file_of("kernels.spv"), &image));
    build_kernel_of(image, "saxpy");
    assert_int_equal(h.warnings, 1);
    mez_image_destroy(&image);
    mez_log_set_function(NULL, NULL);
}

// --- What compilers leave out

static void test_a_kernel_that_is_left_out_is_built_by_itself(void **state)
{
    runtime *r = *state;
    struct noop_config config = noop_config_default();
    config.left_out = "saxpy";
    noop_configure(&config);
    mez_image *image;
    assert_ok(mez_image_load(r->context, file_of("kernels.spv"), &image));
    const uint64_t before = noop_calls("zeModuleCreate");
    build_kernel_of(image, "saxpy");
    assert_int_equal(noop_calls("zeModuleCreate"), before + 2); // all of them, then this one
    build_kernel_of(image, "nothing");
    assert_int_equal(noop_calls("zeModuleCreate"), before + 3);
    mez_image_destroy(&image);
}

// --- Libraries

static mez_error create_linked(
    runtime *r, mez_image *const *libraries, uint32_t count, mez_image **image)
{
    size_t size;
    void *code = contents_of("kernels.spv", &size);
    const mez_image_params params = {
        .code = code, .size = size, .libraries = libraries, .library_count = count};
    const mez_error error = mez_image_create(r->context, &params, image);
    free(code);
    return error;
}

static void test_wrong_libraries(void **state)
{
    runtime *r = *state;
    mez_context *other;
    mez_image *foreign, *image, *const nothing = NULL;
    assert_ok(mez_context_create(NULL, &other));
    assert_ok(mez_image_load(other, file_of("kernels.spv"), &foreign));
    assert_story(create_linked(r, &foreign, 1, &image), MEZ_ERRC_INVALID_PARAMETER, "another");
    assert_story(create_linked(r, &nothing, 1, &image), MEZ_ERRC_INVALID_PARAMETER, "0 is NULL");
    assert_story(create_linked(r, NULL, 1, &image), MEZ_ERRC_INVALID_PARAMETER, "at NULL");
    mez_image_destroy(&foreign);
    mez_context_destroy(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_constants_reach_the_compiler),
        RUNTIME_TEST(test_wrong_constants_are_named),
        RUNTIME_TEST(test_constants_of_all_parts_are_named),
        RUNTIME_TEST(test_constants_without_memory),
        RUNTIME_TEST(test_what_a_compiler_says_is_a_warning_once),
        RUNTIME_TEST(test_a_kernel_that_is_left_out_is_built_by_itself),
        RUNTIME_TEST(test_wrong_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
