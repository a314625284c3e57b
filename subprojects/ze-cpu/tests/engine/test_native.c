// SPDX-License-Identifier: MIT
//
// Native binaries: who may load which. The texts in them are changed here and sealed again, so that
// only their meaning is wrong.

#include "engine_harness.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

static struct bytes native_of(const char *name)
{
    struct zc_program *program = build_file(name, NULL);
    struct bytes copy = {0};
    const void *bytes = engine->native(program, &copy.size);
    copy.data = malloc(copy.size);
    assert_non_null(copy.data);
    memcpy(copy.data, bytes, copy.size);
    engine->destroy(program);
    return copy;
}

static enum zc_build_result load(struct bytes bytes, const struct zc_features *features,
    bool native_asserts, struct zc_program **program, char **log)
{
    const struct zc_load_request request = {.bytes = bytes.data,
        .size = bytes.size,
        .features = features,
        .native_asserts = native_asserts};
    return engine->load(&request, program, log);
}

static void expect_refused(
    struct bytes bytes, const struct zc_features *features, bool asserts, const char *reason)
{
    struct zc_program *program;
    char *log;
    assert_int_equal(load(bytes, features, asserts, &program, &log), ZC_BUILD_NOT_NATIVE);
    assert_null(program);
    if (strstr(log, reason) == NULL)
        fail_msg("log says '%s', not '%s'", log, reason);
    free(log);
}

static void expect_loaded(struct bytes bytes)
{
    struct zc_program *program;
    char *log;
    assert_int_equal(load(bytes, &all_features, false, &program, &log), ZC_BUILD_OK);
    assert_string_equal(log, "");
    free(log);
    engine->destroy(program);
}

// Replaces the first occurrence, which must be there.
static void replace(struct bytes bytes, const char *from, const char *to)
{
    char *at = memmem(bytes.data, bytes.size, from, strlen(from));
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    zc_native_seal(bytes.data, bytes.size);
}

static void refuses_other_engines(void **state)
{
    (void)state;
    struct bytes bytes = native_of("link_library.O2");
    expect_loaded(bytes);
    replace(bytes, "ze-cpu engine ", "ze-gpu engine ");
    expect_refused(bytes, &all_features, false, "made by 'ze-gpu engine ");
    free_bytes(&bytes);
}

static void refuses_other_processors(void **state)
{
    (void)state;
    struct bytes bytes = native_of("link_library.O2");
    char *triple = memmem(bytes.data, bytes.size, "-linux-gnu ", 11);
    assert_non_null(triple);
    char *name = triple + 11;
    name[0] ^= 0x20; // the name does not matter
    zc_native_seal(bytes.data, bytes.size);
    expect_loaded(bytes);
    triple[1] = 'L';
    zc_native_seal(bytes.data, bytes.size);
    expect_refused(bytes, &all_features, false, "made for the processor '");
    triple[1] = 'l';
    char *feature = strchr(name, '+');
    assert_non_null(feature);
    feature[1] ^= 0x20;
    zc_native_seal(bytes.data, bytes.size);
    expect_refused(bytes, &all_features, false, "made for the processor '");
    free_bytes(&bytes);
}

static void refuses_other_devices(void **state)
{
    (void)state;
    struct bytes bytes = native_of("link_library.O2");
    struct zc_features features = all_features;
    features.fp64 = false;
    expect_refused(bytes, &features, false, "made for a device with 'fp16 1, fp64 1");
    features = all_features;
    features.sub_group_sizes = 16;
    expect_refused(bytes, &features, false, "sub-groups");
    expect_refused(bytes, &all_features, true, "native asserts 0', but this is '");
    features = all_features;
    features.device_name = "another name";
    struct zc_program *program;
    char *log;
    assert_int_equal(load(bytes, &features, false, &program, &log), ZC_BUILD_OK);
    free(log);
    engine->destroy(program);
    free_bytes(&bytes);
}

// Sealed again, so that what is wrong is found by reading.
static void survives_sealed_damage(void **state)
{
    (void)state;
    struct bytes bytes = native_of("link_library.O2");
    unsigned char *data = bytes.data;
    for (size_t at = ZC_NATIVE_HEADER_SIZE; at < bytes.size && at < 2048; at++) {
        struct zc_native native;
        data[at] ^= 0x80;
        zc_native_seal(data, bytes.size);
        if (zc_native_read(data, bytes.size, &native) == NULL)
            zc_native_finish(&native);
        data[at] ^= 0x80;
    }
    zc_native_seal(data, bytes.size);
    expect_loaded(bytes);
    free_bytes(&bytes);
}

static struct zc_argument *find_image(const struct zc_native *native)
{
    for (uint32_t i = 0; i < native->kernel_count; i++) {
        const struct zc_kernel *kernel = &native->kernels[i];
        for (uint32_t k = 0; k < kernel->argument_count; k++) {
            if (kernel->arguments[k].kind == ZC_ARGUMENT_IMAGE)
                return (struct zc_argument *)&kernel->arguments[k];
        }
    }
    fail_msg("no image");
    return NULL;
}

// Written again with another argument.
static const char *fault_with(
    const struct zc_native *native, struct zc_argument *place, struct zc_argument argument)
{
    const struct zc_argument before = *place;
    struct zc_native again;
    size_t size;
    *place = argument;
    void *bytes = zc_native_write(native, &size);
    *place = before;
    assert_non_null(bytes);
    const char *fault = zc_native_read(bytes, size, &again);
    if (fault == NULL)
        zc_native_finish(&again);
    free(bytes);
    return fault;
}

static void refuses_unknown_images(void **state)
{
    (void)state;
    struct bytes bytes = native_of("image_user.O2");
    struct zc_native native;
    assert_null(zc_native_read(bytes.data, bytes.size, &native));
    struct zc_argument *image = find_image(&native), changed = *image;
    assert_null(fault_with(&native, image, changed));
    changed.image_dimensions = (enum zc_image_dimensions)(ZC_IMAGE_3D + 1);
    assert_non_null(fault_with(&native, image, changed));
    changed = *image;
    changed.image_access = 4;
    assert_non_null(fault_with(&native, image, changed));
    changed = *image;
    changed.kind = (enum zc_argument_kind)(ZC_ARGUMENT_SAMPLER + 1);
    assert_non_null(fault_with(&native, image, changed));
    changed = *image;
    changed.size = 4;
    assert_non_null(fault_with(&native, image, changed));
    zc_native_finish(&native);
    free_bytes(&bytes);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_other_engines),
        cmocka_unit_test(refuses_other_processors),
        cmocka_unit_test(refuses_other_devices),
        cmocka_unit_test(survives_sealed_damage),
        cmocka_unit_test(refuses_unknown_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
