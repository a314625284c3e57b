// SPDX-License-Identifier: MIT
//
// What is said of kernels' images and samplers, also by native binaries, and what images say of themselves.

#include "engine_harness.h"
#include "images_memory.h"

#include <stdlib.h>
#include <string.h>

struct wanted {
    const char *kernel;
    enum zc_image_dimensions dimensions;
    uint32_t access;
};

static const struct wanted wanted[] = {{"read_f_1d", ZC_IMAGE_1D, ZC_IMAGE_READ},
    {"write_ui_1d_array", ZC_IMAGE_1D_ARRAY, ZC_IMAGE_WRITE},
    {"change_1d_buffer", ZC_IMAGE_1D_BUFFER, ZC_IMAGE_READ | ZC_IMAGE_WRITE},
    {"read_h_2d", ZC_IMAGE_2D, ZC_IMAGE_READ}, {"write_f_2d_depth", ZC_IMAGE_2D, ZC_IMAGE_WRITE},
    {"read_f_2d_array_depth", ZC_IMAGE_2D_ARRAY, ZC_IMAGE_READ},
    {"change_2d_array", ZC_IMAGE_2D_ARRAY, ZC_IMAGE_READ | ZC_IMAGE_WRITE},
    {"write_i_3d", ZC_IMAGE_3D, ZC_IMAGE_WRITE}};

static void check_argument(
    const struct zc_argument *argument, enum zc_argument_kind kind, uint32_t offset)
{
    assert_int_equal(argument->kind, kind);
    assert_int_equal(argument->size, 8);
    assert_int_equal(argument->offset, offset);
}

static void check_descriptions(const struct zc_program *program)
{
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        const struct zc_kernel *kernel = find_kernel(program, wanted[i].kernel);
        check_argument(&kernel->arguments[0], ZC_ARGUMENT_IMAGE, 0);
        assert_int_equal(kernel->arguments[0].image_dimensions, wanted[i].dimensions);
        assert_int_equal(kernel->arguments[0].image_access, wanted[i].access);
    }
    const struct zc_kernel *blur = find_kernel(program, "blur");
    check_argument(&blur->arguments[1], ZC_ARGUMENT_IMAGE, 8);
    check_argument(&blur->arguments[2], ZC_ARGUMENT_SAMPLER, 16);
    assert_int_equal(blur->arguments[3].kind, ZC_ARGUMENT_VALUE);
    assert_int_equal(blur->arguments[4].kind, ZC_ARGUMENT_LOCAL);
}

static void describes_arguments(void **state)
{
    (void)state;
    struct zc_program *program = build_file("images.O0", "");
    check_descriptions(program);
    engine->destroy(program);
}

static void keeps_them_in_native_binaries(void **state)
{
    (void)state;
    struct zc_program *program = build_file("images.O2", ""), *again;
    struct zc_load_request request = {.features = &all_features};
    char *log;
    request.bytes = engine->native(program, &request.size);
    assert_int_equal(engine->load(&request, &again, &log), ZC_BUILD_OK);
    free(log);
    engine->destroy(program);
    check_descriptions(again);
    engine->destroy(again);
    program = build_file("image_library.O2", "");
    struct zc_features without = all_features;
    without.images = false;
    request = (struct zc_load_request){.features = &without};
    request.bytes = engine->native(program, &request.size);
    assert_int_equal(engine->load(&request, &again, &log), ZC_BUILD_NOT_NATIVE);
    assert_non_null(strstr(log, "images 1"));
    free(log);
    engine->destroy(program);
}

static void check_answers(struct zc_program *program, const char *name, const void *blob,
    const int *out, const int *expected, int count)
{
    const struct launch one = {.groups = {1, 1, 1}, .group_size = {1, 1, 1}};
    run(find_kernel(program, name), &one, blob);
    for (int i = 0; i < count; i++)
        assert_int_equal(out[i], expected[i]);
}

static void says_what_images_are(void **state)
{
    (void)state;
    struct zc_program *program = build_file("images.O2", "");
    struct zc_image a = {.width = 1000,
        .height = 2,
        .depth = 3,
        .layers = 4,
        .channel_order = 0x10b5,
        .channel_data_type = 0x10de};
    struct zc_image b = {.width = 5,
        .height = 60,
        .depth = 70,
        .layers = 2048,
        .channel_order = 0x10bd,
        .channel_data_type = 0x10d3};
    int out[32];
    const struct {
        const struct zc_image *a, *b, *c;
        int *out;
    } lines = {&a, &b, &b, out};
    static const int of_lines[] = {1000, 5, 2048, 5, 0x10d310b5, 1};
    check_answers(program, "query_lines", &lines, out, of_lines, 6);
    const struct {
        const struct zc_image *a, *b, *c, *d, *e;
        int *out;
    } areas = {&a, &b, &b, &a, &b, out};
    static const int of_areas[] = {
        1000 | 2 << 16, 1000, 2, 2048, 5, 60, 5, 60, 4, 1000, 2, 70, 5, 60, 70, 0, 0x10d310bd};
    check_answers(program, "query_areas", &areas, out, of_areas, 17);
    engine->destroy(program);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_arguments),
        cmocka_unit_test(keeps_them_in_native_binaries),
        cmocka_unit_test(says_what_images_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
