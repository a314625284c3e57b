// SPDX-License-Identifier: MIT
//
// Each function of images, for each type of image, layout of texels and sampler, against the rules (images_reference.c). Coordinates lie
// inside, at edges, and outside as far as there are numbers; what lies beyond an image can't be accessed.

#include "engine_harness.h"
#include "images_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type {
    const char *name;
    enum zc_image_dimensions dimensions;
    bool is_depth;
};

static const struct type types[] = {{"1d", ZC_IMAGE_1D, false},
    {"1d_array", ZC_IMAGE_1D_ARRAY, false}, {"1d_buffer", ZC_IMAGE_1D_BUFFER, false},
    {"2d", ZC_IMAGE_2D, false}, {"2d_array", ZC_IMAGE_2D_ARRAY, false}, {"3d", ZC_IMAGE_3D, false},
    {"2d_depth", ZC_IMAGE_2D, true}, {"2d_array_depth", ZC_IMAGE_2D_ARRAY, true}};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

#define NORMALIZED ZC_SAMPLER_NORMALIZED
#define BOTH(bits) (bits) | ZC_SAMPLER_NEAREST, (bits) | ZC_SAMPLER_LINEAR
static const uint32_t samplers[] = {BOTH(ZC_SAMPLER_ADDRESS_NONE), BOTH(ZC_SAMPLER_CLAMP_TO_EDGE),
    BOTH(ZC_SAMPLER_CLAMP), BOTH(NORMALIZED | ZC_SAMPLER_ADDRESS_NONE),
    BOTH(NORMALIZED | ZC_SAMPLER_CLAMP_TO_EDGE), BOTH(NORMALIZED | ZC_SAMPLER_CLAMP),
    BOTH(NORMALIZED | ZC_SAMPLER_REPEAT), BOTH(NORMALIZED | ZC_SAMPLER_MIRRORED_REPEAT)};
#define SAMPLER_COUNT (sizeof(samplers) / sizeof(samplers[0]))

static const struct sides many = {7, 5, 3, 4}, one = {1, 1, 1, 1};

static struct zc_program *program;

// Checked kernels take LLVM long: three types of images do.
static size_t step(void)
{
    return getenv("ENGINE_CHECKS") ? 3 : 1;
}

#define N 48

struct coordinates {
    float floats[N][4];
    int integers[2 * N][4]; // the second half without sampler
};

static float random_unit(void)
{
    return (float)random_bits() * 0x1p-32f;
}

static float random_coordinate(float size, bool is_normalized)
{
    static const float special[] = {
        NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 0x1p31f, -0x1p31f, -0.0f, 1e-40f, 3e9f};
    const uint32_t choice = random_bits() % 8;
    if (choice == 0)
        return special[random_bits() % (sizeof(special) / sizeof(special[0]))];
    const float in_texels = choice < 3   ? (float)(int)(random_bits() % 32) - 10
                            : choice < 5 ? (float)(int)(random_bits() % 32) - 10.5f
                                         : (random_unit() * 4 - 1.5f) * size;
    return is_normalized ? in_texels / size : in_texels;
}

static int random_integer(int size)
{
    static const int special[] = {INT32_MIN, INT32_MAX, -1, 0, 1 << 24, -(1 << 30)};
    return random_bits() % 4 == 0 ? special[random_bits() % 6]
                                  : (int)(random_bits() % (uint32_t)(size + 6)) - 3;
}

static int extent(const struct picture *picture, int axis)
{
    const int sides = sides_of(picture->dimensions);
    const struct zc_image *image = &picture->image;
    if (axis == sides)
        return (int)image->layers;
    return (int)(axis == 0 ? image->width : axis == 1 ? image->height : image->depth);
}

static void choose_coordinates(
    struct coordinates *at, const struct picture *picture, uint32_t sampler)
{
    const int sides = sides_of(picture->dimensions);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            at->floats[i][k] = random_coordinate(
                (float)extent(picture, k), k < sides && (sampler & ZC_SAMPLER_NORMALIZED) != 0);
    }
    for (int i = 0; i < 2 * N; i++) {
        for (int k = 0; k < 4; k++)
            at->integers[i][k] = random_integer(extent(picture, k));
    }
}

// Nothing is said of these.
static bool is_undefined(const float at[4], const struct picture *picture, uint32_t sampler)
{
    const uint32_t mode = sampler & ZC_SAMPLER_ADDRESS_MASK;
    const int sides = sides_of(picture->dimensions);
    bool undefined = false;
    for (int k = 0; k < sides; k++)
        undefined |= isinf(at[k]) && mode >= ZC_SAMPLER_REPEAT;
    for (int k = 0; k < sides + is_array(picture->dimensions); k++)
        undefined |= isnan(at[k]);
    return undefined;
}

// ---- reading ----

struct reading {
    const struct type *type;
    const struct format *format;
    const char *function;
    uint32_t sampler;
    const struct picture *picture;
};

union result {
    float f[3 * N][4];
    uint32_t i[3 * N][4];
};

static double component(const struct reading *reading, const union result *out, int i, int k)
{
    if (reading->type->is_depth)
        return out->f[i / 4][i % 4];
    if (!is_integer(&reading->picture->image))
        return out->f[i][k];
    return reading->picture->image.type == ZC_TEXEL_SINT ? (double)(int32_t)out->i[i][k]
                                                         : (double)out->i[i][k];
}

static double tolerance(const struct reading *reading, double expected, bool is_blended)
{
    const bool is_half = reading->function[0] == 'h';
    const double largest = reading->picture->image.type == ZC_TEXEL_FLOAT ? 100 : 1;
    double allowed = fabs(expected) * (is_half ? 0x1p-10 : 0x1p-22) + (is_half ? 0x1p-24 : 0);
    if (is_blended)
        allowed += 1e-5 * largest;
    return is_integer(&reading->picture->image) ? 0 : allowed;
}

static void expect(const struct reading *reading, const union result *out, int i,
    const double expected[4], bool is_blended)
{
    for (int k = 0; k < (reading->type->is_depth ? 1 : 4); k++) {
        const double got = component(reading, out, i, k);
        if (!(fabs(got - expected[k]) <= tolerance(reading, expected[k], is_blended)))
            fail_msg("read_%s_%s, %s, sampler 0x%x, %s: component %d of reading %d is %g, not %g",
                reading->function, reading->type->name, reading->format->name, reading->sampler,
                i < N       ? "floats"
                : i < 2 * N ? "integers"
                            : "no sampler",
                k, i % N, got, expected[k]);
    }
}

static void compare(
    const struct reading *reading, const struct coordinates *at, const union result *out)
{
    const struct zc_image *image = &reading->picture->image;
    const enum zc_image_dimensions dimensions = reading->picture->dimensions;
    double expected[4];
    for (int i = 0; i < N && dimensions != ZC_IMAGE_1D_BUFFER; i++) {
        if (!is_undefined(at->floats[i], reading->picture, reading->sampler)) {
            read_at_floats(image, dimensions, reading->sampler, at->floats[i], expected);
            expect(reading, out, i, expected, reading->sampler & ZC_SAMPLER_LINEAR);
        }
        read_at_integers(image, dimensions, reading->sampler, at->integers[i], expected);
        expect(reading, out, N + i, expected, false);
    }
    for (int i = N; i < 2 * N;
         i++) { // nothing is said of what is outside, which reads as the edge here
        read_at_integers(image, dimensions, 0, at->integers[i], expected);
        expect(reading, out, N + i, expected, false);
    }
}

static void check_reading(const struct reading *reading)
{
    static struct coordinates at;
    static union result out;
    char name[64];
    choose_coordinates(&at, reading->picture, reading->sampler);
    snprintf(name, sizeof(name), "read_%s_%s", reading->function, reading->type->name);
    const struct {
        const struct zc_image *image;
        uint64_t sampler;
        const void *floats, *integers;
        void *out;
    } blob = {&reading->picture->image, reading->sampler, at.floats, at.integers, &out};
    const struct launch launch = {.groups = {3, 1, 1}, .group_size = {N / 3, 1, 1}};
    run(find_kernel(program, name), &launch, &blob);
    compare(reading, &at, &out);
}

// Those of depth images have one channel.
static bool fits(const struct type *type, const struct format *format)
{
    return !type->is_depth || (format->part.channel_count == 1 && format->part.swizzle[0] == 0 &&
                                  !is_integer(&format->part));
}

// Four samplers for each, so that all have their turn.
static void check_reads(
    const struct type *type, const struct format *format, struct sides sides, bool at_end)
{
    static uint32_t turn;
    struct picture picture = make_picture(format, type->dimensions, sides, at_end);
    struct reading reading = {.type = type, .format = format, .picture = &picture};
    for (int i = 0; i < 4; i++) {
        reading.sampler = samplers[turn++ % SAMPLER_COUNT];
        if (is_integer(&picture.image)) {
            reading.function = picture.image.type == ZC_TEXEL_SINT ? "i" : "ui";
            check_reading(&reading);
            continue;
        }
        reading.function = "f";
        check_reading(&reading);
        reading.function = "h";
        if (!type->is_depth)
            check_reading(&reading);
    }
    turn += 3; // and all formats
    free_picture(&picture);
}

static void reads_any_image(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPE_COUNT; t += step()) {
        for (int f = 0; f < format_count; f++) {
            if (!fits(&types[t], &formats[f]))
                continue;
            check_reads(&types[t], &formats[f], many, f % 2);
            check_reads(&types[t], &formats[f], one, f % 2 == 0);
        }
    }
}

// ---- writing ----

// Each texel once, and those around the image.
#define MARGIN 2
#define PLACES ((7 + 2 * MARGIN) * (5 + 2 * MARGIN) * (4 + 2 * MARGIN))

struct writing {
    int at[PLACES][4];
    union {
        float floats[PLACES][4];
        uint32_t bits[PLACES][4];
    } in;
    int count;
};

static void choose_places(struct writing *writing, const struct picture *picture)
{
    const int sides = sides_of(picture->dimensions) + is_array(picture->dimensions);
    int n[3] = {1, 1, 1};
    for (int k = 0; k < sides; k++)
        n[k] = extent(picture, k) + 2 * MARGIN;
    writing->count = n[0] * n[1] * n[2];
    for (int i = 0; i < writing->count; i++) {
        const int at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        for (int k = 0; k < 4; k++)
            writing->at[i][k] = k < sides ? at[k] - MARGIN : (int)random_bits();
    }
    writing->at[0][0] = INT32_MIN;
    writing->at[writing->count - 1][0] = INT32_MAX;
}

static float random_value(const struct zc_image *image)
{
    static const float special[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, 1e30f, -1e30f, 65504,
        65519.9f, 65520, 64512, 64900, 1e-6f, 6.2e-5f, 3e-8f, 1e-40f, 0.5f, NAN};
    const uint32_t count = sizeof(special) / sizeof(special[0]);
    const bool takes_nan = image->type != ZC_TEXEL_FLOAT || image->layout == ZC_TEXEL_11_11_10;
    if (random_bits() % 4 == 0)
        return special[random_bits() % (takes_nan ? count : count - 1)];
    return (random_unit() - 0.4f) * (image->type == ZC_TEXEL_FLOAT ? 300 : 2);
}

static void choose_values(struct writing *writing, const struct zc_image *image)
{
    for (int i = 0; i < writing->count; i++) {
        for (int k = 0; k < 4; k++) {
            if (is_integer(image))
                writing->in.bits[i][k] = random_bits() >> random_bits() % 32;
            else
                writing->in.floats[i][k] = random_value(image);
            if (is_integer(image) && random_bits() % 2)
                writing->in.bits[i][k] = -writing->in.bits[i][k];
        }
    }
}

static double as_half(double x)
{
    const struct zc_image half = {
        .layout = ZC_TEXEL_16, .type = ZC_TEXEL_FLOAT, .channel_count = 1};
    unsigned char texel[2];
    double out[4];
    encode_floats(&half, (const double[4]){x}, texel);
    decode(&half, texel, out);
    return out[0];
}

static void write_expected(
    const struct writing *writing, const struct picture *picture, bool is_half)
{
    const struct zc_image *image = &picture->image;
    for (int i = 0; i < writing->count; i++) {
        double floats[4];
        int64_t integers[4];
        if (!is_inside(image, picture->dimensions, writing->at[i]))
            continue;
        for (int k = 0; k < 4; k++) {
            const uint32_t bits = writing->in.bits[i][k];
            floats[k] = is_half ? as_half(writing->in.floats[i][k]) : writing->in.floats[i][k];
            integers[k] = image->type == ZC_TEXEL_SINT ? (int64_t)(int32_t)bits : bits;
        }
        unsigned char *texel = texel_at(image, picture->dimensions, writing->at[i]);
        if (is_integer(image))
            encode_integers(image, integers, texel);
        else
            encode_floats(image, floats, texel);
    }
}

static void check_writes(const struct type *type, const struct format *format, const char *function,
    struct sides sides, bool at_end)
{
    static struct writing writing;
    struct picture picture = make_picture(format, type->dimensions, sides, at_end);
    unsigned char *texels = (unsigned char *)(uintptr_t)picture.image.texels;
    unsigned char *expected = malloc(picture.size), *before = malloc(picture.size);
    char name[64];
    choose_places(&writing, &picture);
    choose_values(&writing, &picture.image);
    memcpy(before, texels, picture.size);
    write_expected(&writing, &picture, function[0] == 'h');
    memcpy(expected, texels, picture.size);
    memcpy(texels, before, picture.size);
    const struct {
        const struct zc_image *image;
        const void *at, *in;
    } blob = {&picture.image, writing.at, &writing.in};
    const struct launch launch = {
        .groups = {1, 1, 1}, .group_size = {(uint64_t)writing.count, 1, 1}};
    snprintf(name, sizeof(name), "write_%s_%s", function, type->name);
    run(find_kernel(program, name), &launch, &blob);
    for (size_t i = 0; i < picture.size; i++) {
        if (texels[i] != expected[i])
            fail_msg("%s, %s: byte %zu is 0x%x, not 0x%x", name, format->name, i, texels[i],
                expected[i]);
    }
    free(before);
    free(expected);
    free_picture(&picture);
}

static void writes_any_image(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPE_COUNT; t += step()) {
        for (int f = 0; f < format_count; f++) {
            const struct zc_image *image = &formats[f].part;
            if (!fits(&types[t], &formats[f]))
                continue;
            const char *function = image->type == ZC_TEXEL_SINT   ? "i"
                                   : image->type == ZC_TEXEL_UINT ? "ui"
                                                                  : "f";
            check_writes(&types[t], &formats[f], function, many, f % 2);
            check_writes(&types[t], &formats[f], function, one, f % 2 == 0);
            if (function[0] == 'f' && !types[t].is_depth)
                check_writes(&types[t], &formats[f], "h", many, f % 2);
        }
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const bool is_plain = getenv("ENGINE_UNOPTIMISED") != NULL;
    program = build_file(is_plain ? "images.O0" : "images.O2", is_plain ? "-ze-opt-disable" : "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_any_image),
        cmocka_unit_test(writes_any_image),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    engine->destroy(program);
    return failures;
}
