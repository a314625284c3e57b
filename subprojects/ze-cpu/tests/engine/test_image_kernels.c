// SPDX-License-Identifier: MIT
//
// Kernels with images as programs have them: images that are passed on, many of them, loops and barriers in each mode, checks. What
// reading and writing gives is tested in test_images.c.

#include "engine_harness.h"
#include "images_memory.h"
#include "shadow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_change(
    struct zc_program *program, const char *name, enum zc_image_dimensions dimensions)
{
    struct picture picture = make_square("32 UINT 4 RGBA", dimensions);
    const struct zc_image *image = &picture.image;
    int at[SQUARE_SIDE][4];
    double before[SQUARE_SIDE][4], after[4];
    for (int i = 0; i < SQUARE_SIDE; i++) {
        const int place[4] = {i, i % 3, i % 3, 0};
        memcpy(at[i], place, sizeof(place));
        decode(image, texel_at(image, dimensions, at[i]), before[i]);
    }
    const struct {
        const struct zc_image *image;
        const void *at;
    } blob = {image, at};
    const struct launch launch = {.groups = {2, 1, 1}, .group_size = {SQUARE_SIDE / 2, 1, 1}};
    run(find_kernel(program, name), &launch, &blob);
    for (int i = 0; i < SQUARE_SIDE; i++) {
        decode(image, texel_at(image, dimensions, at[i]), after);
        for (int k = 0; k < 4; k++)
            assert_int_equal((uint32_t)after[k], 2 * ((uint32_t)before[i][k] + (uint32_t)k + 1));
    }
    free_picture(&picture);
}

static void reads_what_it_has_written(void **state)
{
    (void)state;
    struct zc_program *program = build_file("images.O2", "");
    check_change(program, "change_1d", ZC_IMAGE_1D);
    check_change(program, "change_1d_array", ZC_IMAGE_1D_ARRAY);
    check_change(program, "change_1d_buffer", ZC_IMAGE_1D_BUFFER);
    check_change(program, "change_2d", ZC_IMAGE_2D);
    check_change(program, "change_2d_array", ZC_IMAGE_2D_ARRAY);
    check_change(program, "change_3d", ZC_IMAGE_3D);
    engine->destroy(program);
}

// ---- images that are passed on ----

static void passes_images_on(void **state)
{
    (void)state;
    struct zc_program *program = build_file("images.O2", "");
    struct picture from = make_square("8 UNORM 4 RGBA", ZC_IMAGE_2D);
    struct picture to = make_square("32 FLOAT 4 RGBA", ZC_IMAGE_2D);
    float at[SQUARE_SIDE][4][2], out[3][SQUARE_SIDE][4];
    const uint32_t sampler = ZC_SAMPLER_NORMALIZED | ZC_SAMPLER_REPEAT | ZC_SAMPLER_LINEAR;
    float(*places)[2] = at[0];
    for (int i = 0; i < SQUARE_SIDE; i++)
        places[i][0] = (float)i * 0.37f - 2, places[i][1] = (float)i * -0.11f;
    const struct {
        const struct zc_image *from;
        uint64_t sampler;
        const struct zc_image *to;
        const void *at;
        void *out;
    } blob = {&from.image, sampler, &to.image, at, out};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {SQUARE_SIDE, 1, 1}};
    run(find_kernel(program, "pass_on"), &launch, &blob);
    for (int i = 0; i < SQUARE_SIDE; i++) {
        double expected[4], written[4];
        read_at_floats(&from.image, ZC_IMAGE_2D, sampler,
            (const float[4]){places[i][0], places[i][1]}, expected);
        decode(&to.image, texel_at(&to.image, ZC_IMAGE_2D, (const int[3]){i, 0}), written);
        for (int k = 0; k < 4; k++) {
            assert_true(fabs(out[0][i][k] - expected[k] - SQUARE_SIDE) < 1e-4);
            assert_true(out[0][i][k] == out[1][i][k] && out[0][i][k] == out[2][i][k]);
            assert_true(written[k] == out[0][i][k]);
        }
    }
    free_picture(&from);
    free_picture(&to);
    engine->destroy(program);
}

static struct zc_program *build_both(const char *first, const char *second)
{
    struct bytes bytes[2] = {load_spirv(first), load_spirv(second)};
    const struct zc_spirv modules[2] = {{.bytes = bytes[0].data, .size = bytes[0].size},
        {.bytes = bytes[1].data, .size = bytes[1].size}};
    const struct zc_build_request request = {
        .modules = modules, .module_count = 2, .features = &all_features};
    struct zc_program *program;
    char *log;
    assert_int_equal(engine->build(&request, &program, &log), ZC_BUILD_OK);
    assert_string_equal(log, "");
    free(log);
    free_bytes(&bytes[0]);
    free_bytes(&bytes[1]);
    return program;
}

static struct zc_program *link_both(const char *user, const char *library)
{
    struct zc_program *program = build_file(user, ""), *other = build_file(library, "");
    const struct zc_link_request request = {
        .program = program, .libraries = &other, .library_count = 1, .features = &all_features};
    char *log;
    assert_int_equal(engine->link(&request, &log), ZC_BUILD_OK);
    free(log);
    engine->destroy(other);
    return program;
}

static void check_second(struct zc_program *program)
{
    struct picture picture = make_square("8 UNORM 4 BGRA", ZC_IMAGE_2D);
    float out[SQUARE_SIDE][4];
    const struct {
        void *out;
        const struct zc_image *image;
        int64_t shift;
        uint64_t sampler;
    } blob = {out, &picture.image, 3, ZC_SAMPLER_CLAMP | ZC_SAMPLER_NEAREST};
    const struct launch launch = {.groups = {1, 1, 1}, .group_size = {SQUARE_SIDE, 1, 1}};
    run(find_kernel(program, "second"), &launch, &blob);
    for (int i = 0; i < SQUARE_SIDE; i++) {
        double a[4], b[4];
        const float at[4] = {(float)(i + 3), (float)i};
        read_at_floats(&picture.image, ZC_IMAGE_2D, (uint32_t)blob.sampler, at, a);
        read_at_floats(&picture.image, ZC_IMAGE_2D, ZC_SAMPLER_CLAMP_TO_EDGE, at, b);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(a[k] + b[k] - out[i][k]) < 1e-6);
    }
    free_picture(&picture);
    engine->destroy(program);
}

static void passes_images_to_other_modules(void **state)
{
    (void)state;
    check_second(build_both("image_user.O2", "image_library.O0"));
    check_second(build_both("image_library.O2", "image_user.O0"));
    check_second(link_both("image_user.O2", "image_library.O2"));
}

// ---- many ----

static void takes_many_images_and_samplers(void **state)
{
    (void)state;
    static const uint32_t modes[] = {ZC_SAMPLER_CLAMP, ZC_SAMPLER_CLAMP_TO_EDGE,
        ZC_SAMPLER_CLAMP | ZC_SAMPLER_LINEAR, ZC_SAMPLER_CLAMP_TO_EDGE | ZC_SAMPLER_LINEAR};
    struct zc_program *program = build_file("images.O2", "");
    struct picture from[16], to = make_square("32 FLOAT 4 RGBA", ZC_IMAGE_2D);
    struct {
        const struct zc_image *from[16];
        uint64_t samplers[16];
        const struct zc_image *to;
    } blob = {.to = &to.image};
    for (int i = 0; i < 16; i++) {
        from[i] = make_square(i % 2 ? "8 UNORM 4 RGBA" : "16 SNORM 2 RG", ZC_IMAGE_2D);
        blob.from[i] = &from[i].image;
        blob.samplers[i] = modes[i % 4];
    }
    const struct launch launch = {
        .groups = {2, 4, 1}, .group_size = {SQUARE_SIDE / 2, SQUARE_SIDE / 4, 1}};
    run(find_kernel(program, "many"), &launch, &blob);
    for (int place = 0; place < SQUARE_SIDE * SQUARE_SIDE; place++) {
        const int at[3] = {place % SQUARE_SIDE, place / SQUARE_SIDE};
        double sum[4] = {0}, texel[4];
        for (int i = 0; i < 16; i++) {
            read_at_floats(&from[i].image, ZC_IMAGE_2D, modes[i % 4],
                (const float[4]){(float)at[0] - 1, (float)at[1] - 1}, texel);
            for (int k = 0; k < 4; k++)
                sum[k] += texel[k];
        }
        decode(&to.image, texel_at(&to.image, ZC_IMAGE_2D, at), texel);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(sum[k] - texel[k]) < 1e-4);
    }
    for (int i = 0; i < 16; i++)
        free_picture(&from[i]);
    free_picture(&to);
    engine->destroy(program);
}

// ---- modes ----

#define MODES 4

static struct zc_program *build_in(const char *mode, const char *flags)
{
    setenv("ZE_CPU_ENGINE_MODE", mode, 1);
    struct zc_program *program = build_file("images.O2", flags);
    unsetenv("ZE_CPU_ENGINE_MODE");
    return program;
}

static void blur(
    const struct zc_program *program, struct picture *from, struct picture *to, int radius)
{
    const struct {
        const struct zc_image *from, *to;
        uint64_t sampler;
        int64_t radius;
        uint64_t row, size;
    } blob = {&from->image, &to->image, ZC_SAMPLER_CLAMP | ZC_SAMPLER_LINEAR, radius, 0, 0};
    const struct launch launch = {.groups = {2, SQUARE_SIDE, 1},
        .group_size = {SQUARE_SIDE / 2, 1, 1},
        .local_memory_size = SQUARE_SIDE / 2 * 16};
    run(find_kernel(program, "blur"), &launch, &blob);
}

static void check_modes(struct zc_program *const programs[MODES], struct picture *from, int radius)
{
    struct picture to = make_square("32 FLOAT 4 RGBA", ZC_IMAGE_2D);
    unsigned char *texels = (unsigned char *)(uintptr_t)to.image.texels;
    unsigned char *first = malloc(to.size);
    double texel[4];
    blur(programs[0], from, &to, radius);
    memcpy(first, texels, to.size);
    decode(&to.image, texels, texel);
    assert_true((texel[0] == 0) == (radius == 0));
    for (int m = 1; m < MODES; m++) {
        memset(texels, 1, 4 * to.image.texel_size);
        blur(programs[m], from, &to, radius);
        assert_memory_equal(texels, first, to.size);
    }
    free(first);
    free_picture(&to);
}

static void gives_the_same_in_each_mode(void **state)
{
    (void)state;
    static const char *const from_formats[] = {"8 UNORM 4 RGBA", "32 FLOAT 4 RGBA", "16 FLOAT 1 R"};
    struct zc_program *programs[MODES] = {build_in("fission", ""), build_in("coroutine", ""),
        build_in("scalar", ""), build_in("fission", "-ze-opt-disable")};
    for (size_t f = 0; f < 3; f++) {
        struct picture from = make_square(from_formats[f], ZC_IMAGE_2D);
        check_modes(programs, &from, 0);
        check_modes(programs, &from, 3);
        free_picture(&from);
    }
    for (int m = 0; m < MODES; m++)
        engine->destroy(programs[m]);
}

// ---- checks ----

struct strict_checker {
    struct zc_checker base;
    struct zc_memory_range forbidden[2];
};

// Nothing asks for images: not for what they are, nor for their texels.
static enum zc_permission forbid_images(
    const struct zc_checker *checker, uintptr_t address, struct zc_memory_range *range)
{
    const struct strict_checker *strict = (const struct strict_checker *)checker;
    for (int i = 0; i < 2; i++) {
        if (address >= strict->forbidden[i].begin && address < strict->forbidden[i].end)
            return ZC_MEMORY_FORBIDDEN;
    }
    *range = (struct zc_memory_range){address, address + 16};
    return ZC_MEMORY_ALLOWED;
}

static __attribute__((noreturn)) void find(struct zc_watch *watch, const struct zc_finding *finding)
{
    (void)watch;
    fprintf(stderr, "a check has found: %s\n", finding ? finding->text : "a cancellation");
    abort();
}

static struct zc_program *build_checked(uint32_t checks)
{
    struct bytes bytes = load_spirv("images.O2");
    const struct zc_spirv module = {.bytes = bytes.data, .size = bytes.size};
    const struct zc_build_request request = {
        .modules = &module, .module_count = 1, .features = &all_features, .checks = checks};
    struct zc_program *program;
    char *log;
    assert_int_equal(engine->build(&request, &program, &log), ZC_BUILD_OK);
    free(log);
    free_bytes(&bytes);
    return program;
}

static void run_checked(const struct zc_program *program, const char *name, uint64_t items,
    const struct zc_checker *checker, const void *blob)
{
    static const atomic_bool never;
    struct zc_watch watch = {.cancelled = &never, .leave = find};
    const struct zc_group group = {.group_count = {1, 1, 1},
        .local_size = {items, 1, 1},
        .dimensions = 1,
        .watch = &watch,
        .checker = checker};
    struct zc_worker *worker = engine->worker_create();
    assert_true(engine->run_groups(worker, find_kernel(program, name), &group, 1, blob));
    engine->worker_destroy(worker);
}

// All work-items write and read the same texel, which is the images' own affair.
static void checks_find_nothing_in_images(void **state)
{
    (void)state;
    const uint32_t checks = ZC_CHECK_MEMORY | ZC_CHECK_DIVERGENCE | ZC_CHECK_RACES;
    struct zc_program *program = build_checked(checks);
    struct picture picture = make_square("32 UINT 4 RGBA", ZC_IMAGE_2D);
    const int at[SQUARE_SIDE][4] = {{0}};
    struct strict_checker checker = {.base = {.checks = checks, .find = forbid_images}};
    checker.base.races = engine->races_create();
    checker.forbidden[0] =
        (struct zc_memory_range){picture.image.texels, picture.image.texels + picture.size};
    checker.forbidden[1] = (struct zc_memory_range){
        (uintptr_t)&picture.image, (uintptr_t)&picture.image + sizeof(picture.image)};
    const struct {
        const struct zc_image *image;
        const void *at;
    } blob = {&picture.image, at};
    run_checked(program, "change_2d", SQUARE_SIDE, &checker.base, &blob);
    engine->races_destroy(checker.base.races);
    free_picture(&picture);
    engine->destroy(program);
}

// An image may lie in memory that kernels have pointers to as well. What nobody has written there may be read through the image.
static void texels_that_are_written_count_as_written(void **state)
{
    (void)state;
    struct zc_program *program = build_checked(ZC_CHECK_UNINITIALIZED);
    struct picture picture = make_square("8 UNORM 4 RGBA", ZC_IMAGE_1D);
    const void *texels = (const void *)(uintptr_t)picture.image.texels;
    struct zc_shadow *shadow = zc_shadow_create();
    const struct zc_checker checker = {.checks = ZC_CHECK_UNINITIALIZED, .shadow = shadow};
    static const float in[SQUARE_SIDE][4];
    float out[3 * SQUARE_SIDE][4];
    int at[2 * SQUARE_SIDE][4] = {{0}};
    uint32_t origin;
    for (int i = 0; i < 2 * SQUARE_SIDE; i++)
        at[i][0] = i % SQUARE_SIDE;
    const struct {
        const struct zc_image *image;
        uint64_t sampler;
        const void *floats, *integers;
        void *out;
    } reading = {&picture.image, ZC_SAMPLER_CLAMP | ZC_SAMPLER_LINEAR, in, at, out};
    const struct {
        const struct zc_image *image;
        const void *at, *in;
    } writing = {&picture.image, at, in};
    zc_shadow_set_unwritten(shadow, texels, picture.size, ZC_ORIGIN_ALLOCATION | 1);
    run_checked(program, "read_f_1d", SQUARE_SIDE, &checker, &reading);
    assert_true(zc_shadow_find_unwritten(shadow, texels, picture.size, &origin));
    run_checked(program, "write_f_1d", SQUARE_SIDE, &checker, &writing);
    assert_false(zc_shadow_find_unwritten(shadow, texels, picture.size, &origin));
    zc_shadow_forget(shadow, texels, picture.size);
    free_picture(&picture);
    engine->destroy(program);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_has_written),
        cmocka_unit_test(passes_images_on),
        cmocka_unit_test(passes_images_to_other_modules),
        cmocka_unit_test(takes_many_images_and_samplers),
        cmocka_unit_test(gives_the_same_in_each_mode),
        cmocka_unit_test(checks_find_nothing_in_images),
        cmocka_unit_test(texels_that_are_written_count_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
