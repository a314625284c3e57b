// SPDX-License-Identifier: MIT
//
// Images of several parts, as DPC++ compiles them into programs: which part a device gets, and what is looked at when.

#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "container/descriptor.h"
#include "kernel/use.h"

enum { NATIVE = 1, SPIRV = 2, FP64 = 6 };

// What one image of a program says.
struct described {
    uint8_t format;
    const char *target;
    const char *file;    // its code, and the kernels' names below
    const char *garbage; // its code in the place of a file
    uint32_t aspects[2], aspect_count;
    bool states, lists_none;
    const char *asserting;              // kernel in "SYCL/assert used"
    uint32_t register_mode, dimensions; // dimensions: "work_group_num_dim", with a size of 8 x 2
    bool wants_library;
};

#define ROOM (1 << 16)

// All that descriptors point to; one of them at a time.
static struct program {
    mez_dpcpp_image_3 images[4];
    mez_dpcpp_entry entries[4];
    mez_dpcpp_property properties[4][6];
    mez_dpcpp_set sets[4][5];
    uint64_t arrays[4][3], sizes[4][4];
    uint8_t code[4][ROOM];
    mez_dpcpp_descriptor descriptor;
} program;

static size_t read_code(const struct described *image, uint8_t *code)
{
    static const char mark[] = "ZECPUBIN";
    size_t size = 0;
    if (image->garbage)
        return (size_t)snprintf((char *)code, ROOM, "%s", image->garbage);
    if (image->format == NATIVE) {
        size = sizeof mark - 1;
        memcpy(code, mark, size);
    }
    FILE *stream = fopen(file_of(image->file), "rb");
    assert_non_null(stream);
    size += fread(code + size, 1, ROOM - size, stream);
    fclose(stream);
    return size;
}

static void add_set(mez_dpcpp_contents *contents, mez_dpcpp_set *sets, const char *name,
    const mez_dpcpp_property *property)
{
    const size_t count = (size_t)(contents->sets_end - sets);
    sets[count] = (mez_dpcpp_set){name, property, property + 1};
    contents->sets_end++;
}

static void describe_properties(const struct described *image, int i, mez_dpcpp_contents *contents)
{
    mez_dpcpp_set *sets = program.sets[i];
    mez_dpcpp_property *p = program.properties[i];
    uint64_t *array = program.arrays[i];
    contents->sets_begin = contents->sets_end = sets;
    array[0] = 32ull * image->aspect_count; // bits
    memcpy(&array[1], image->aspects, sizeof image->aspects);
    p[0] = (mez_dpcpp_property){"aspects", array, 2, 8 + 4ull * image->aspect_count};
    p[1] = (mez_dpcpp_property){image->asserting, NULL, 1, 1};
    p[2] = (mez_dpcpp_property){"sycl-register-alloc-mode", NULL, 1, image->register_mode};
    p[3] = (mez_dpcpp_property){"DeviceLibReqMask", NULL, 1, 1};
    static const uint64_t required[] = {8, 2, 1};
    program.sizes[i][0] = 64 * 3; // bits
    memcpy(&program.sizes[i][1], required, sizeof required);
    p[4] = p[0];
    p[5] = p[0];
    if (image->dimensions) {
        p[4] = (mez_dpcpp_property){
            "reqd_work_group_size_uint64_t", program.sizes[i], 2, sizeof program.sizes[i]};
        p[5] = (mez_dpcpp_property){"work_group_num_dim", NULL, 1, image->dimensions};
        sets[0] = (mez_dpcpp_set){"SYCL/device requirements", &p[4], &p[6]};
        contents->sets_end++;
    }
    if (image->states)
        add_set(contents, sets, "SYCL/device requirements", &p[0]);
    if (image->asserting)
        add_set(contents, sets, "SYCL/assert used", &p[1]);
    if (image->register_mode)
        add_set(contents, sets, "SYCL/misc properties", &p[2]);
    if (image->wants_library)
        add_set(contents, sets, "SYCL/devicelib req mask", &p[3]);
}

static const void *describe(const struct described *images, uint16_t count, const char *kernel)
{
    memset(&program, 0, sizeof program);
    for (int i = 0; i < count; i++) {
        mez_dpcpp_image_3 *image = &program.images[i];
        image->image = (mez_dpcpp_image){3, 4, images[i].format, images[i].target, "", ""};
        image->contents.code_begin = program.code[i];
        image->contents.code_end = program.code[i] + read_code(&images[i], program.code[i]);
        program.entries[i] = (mez_dpcpp_entry){.version = 1, .kind = 8, .name = kernel};
        image->contents.entries_begin = &program.entries[i];
        image->contents.entries_end = &program.entries[i + !images[i].lists_none];
        describe_properties(&images[i], i, &image->contents);
    }
    program.descriptor = (mez_dpcpp_descriptor){1, count, program.images, NULL, NULL};
    return &program.descriptor;
}

typedef struct built {
    mez_context *context;
    mez_image *image;
    mez_kernel *kernel;
} built;

static built open_image(const struct noop_config *config, const struct described *images,
    uint16_t count, const char *kernel)
{
    built b = {NULL, NULL, NULL};
    noop_reset();
    noop_configure(config);
    assert_ok(mez_context_create(NULL, &b.context));
    const mez_image_params params = {
        .code = describe(images, count, kernel), .debug_name = "the program"};
    assert_ok(mez_image_create_registered(b.context, &params, &b.image));
    assert_ok(mez_kernel_create(b.image, kernel, &b.kernel));
    return b;
}

static void close_image(built *b)
{
    mez_kernel_destroy(&b->kernel);
    mez_image_destroy(&b->image);
    mez_context_destroy(&b->context);
    assert_int_equal(noop_live_total(), 0);
}

static struct noop_config without_fp64(void)
{
    struct noop_config config = noop_config_default();
    config.module_flags &= ~(ze_device_module_flags_t)ZE_DEVICE_MODULE_FLAG_FP64;
    return config;
}

// --- Verdicts before code is read

static void test_the_verdict_comes_before_the_code(void **state)
{
    (void)state;
    const struct described image = {.format = SPIRV,
        .target = "spir64",
        .garbage = "\x03\x02\x23\x07 and then nothing",
        .states = true,
        .aspects = {FP64},
        .aspect_count = 1};
    struct noop_config config = without_fp64();
    built b = open_image(&config, &image, 1, "saxpy");
    mez_error error = mez_kernel_build(b.kernel, NULL);
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "aspect::fp64");
    assert_contains(story_of(error), "the program");
    assert_false(mez_kernel_is_supported(b.kernel, NULL, &error));
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "aspect::fp64");
    assert_int_equal(noop_calls("zeModuleCreate"), 0);
    close_image(&b);

    config = noop_config_default();
    b = open_image(&config, &image, 1, "saxpy");
    assert_condition(mez_kernel_build(b.kernel, NULL), MEZ_ERRC_INVALID_IMAGE);
    assert_int_equal(mez_kernel_get_argument_count(b.kernel), 0);
    assert_int_equal(noop_calls("zeModuleCreate"), 0);
    close_image(&b);
}

// The property set binds all kernels, whatever their code does.
static void test_a_property_set_binds_all_kernels(void **state)
{
    (void)state;
    const struct described image = {.format = SPIRV,
        .target = "spir64",
        .file = "needs.spv",
        .states = true,
        .aspects = {FP64},
        .aspect_count = 1};
    const struct noop_config config = without_fp64();
    built b = open_image(&config, &image, 1, "groups");
    assert_condition(mez_kernel_build(b.kernel, NULL), MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    close_image(&b);
}

static void test_a_list_that_lies_is_found_out(void **state)
{
    (void)state;
    const struct described image = {.format = SPIRV, .target = "spir64", .file = "kernels.spv"};
    const struct noop_config config = noop_config_default();
    built b = open_image(&config, &image, 1, "not there");
    assert_story(mez_kernel_build(b.kernel, NULL), MEZ_ERRC_KERNEL, "not there");
    close_image(&b);
}

// --- Native code

static const struct described spirv_part = {
    .format = SPIRV, .target = "spir64", .file = "kernels.spv"};

static struct described native_part(const char *target)
{
    return (struct described){.format = NATIVE, .target = target, .file = "kernels.spv"};
}

static void expect_loads(const char *target, uint64_t natives, uint64_t compilations)
{
    const struct described parts[] = {spirv_part, native_part(target)};
    const struct noop_config config = noop_config_default(); // a Tiger Lake
    built b = open_image(&config, parts, 2, "saxpy");
    assert_ok(mez_kernel_build(b.kernel, NULL));
    assert_int_equal(noop_native_loads(), natives);
    assert_int_equal(noop_compilations(), compilations);
    close_image(&b);
}

static void test_native_code_that_fits_goes_before_spirv(void **state)
{
    (void)state;
    expect_loads("intel_gpu_tgllp", 1, 0);
    expect_loads("tgl", 1, 0);
    expect_loads("intel_gpu_acm_g10", 0, 1);
    expect_loads("spir64_gen", 1, 0); // nobody says for which device
}

static void test_native_code_for_others_alone(void **state)
{
    (void)state;
    const struct described part = native_part("intel_gpu_pvc");
    const struct noop_config config = noop_config_default();
    built b = open_image(&config, &part, 1, "saxpy");
    const mez_error error = mez_kernel_build(b.kernel, NULL);
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "was compiled for intel_gpu_pvc");
    assert_contains(story_of(error), "intel_gpu_tgllp");
    assert_int_equal(noop_calls("zeModuleCreate"), 0);
    close_image(&b);
}

typedef struct heard {
    unsigned warnings;
    char last[512];
} heard;

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    heard *h = user;
    if (level != MEZ_LOG_WARN || strcmp(topic, "kernel") != 0)
        return;
    h->warnings++;
    snprintf(h->last, sizeof h->last, "%s", message);
}

static void test_refused_native_code_gives_way_to_spirv(void **state)
{
    (void)state;
    heard h = {0};
    const struct described parts[] = {spirv_part, native_part("intel_gpu_tgllp")};
    const struct noop_config config = noop_config_default();
    built b = open_image(&config, parts, 2, "saxpy");
    mez_log_set_function(hear, &h);
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
    assert_ok(mez_kernel_build(b.kernel, NULL));
    mez_log_set_function(NULL, NULL);
    assert_int_equal(noop_native_loads(), 1);
    assert_int_equal(noop_compilations(), 1);
    assert_int_equal(h.warnings, 1);
    assert_contains(h.last, "saxpy");
    close_image(&b);

    // What would fail for SPIR-V, too, ends it.
    b = open_image(&config, parts, 2, "saxpy");
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_condition(mez_kernel_build(b.kernel, NULL), MEZ_ERRC_DEVICE_LOST);
    assert_int_equal(noop_compilations(), 0);
    close_image(&b);
}

static void *build_native(void *kernel)
{
    return mez_failed(mez_kernel_build(kernel, NULL)) ? kernel : NULL;
}

// The driver says what it takes when it has built it, and whoever asks then gets all of it.
static void test_native_code_is_asked_while_it_is_built(void **state)
{
    (void)state;
    const struct described part = native_part("intel_gpu_tgllp");
    const struct noop_config config = noop_config_default();
    for (int i = 0; i < 50; i++) {
        built b = open_image(&config, &part, 1, "saxpy");
        pthread_t thread;
        void *failed;
        uint32_t count;
        assert_int_equal(pthread_create(&thread, NULL, build_native, b.kernel), 0);
        while ((count = mez_kernel_get_argument_count(b.kernel)) == 0)
            ;
        assert_int_equal(count, 3);
        pthread_join(thread, &failed);
        assert_null(failed);
        close_image(&b);
    }
}

// Only the driver knows its kernels and their arguments.
static void test_native_code_that_lists_nothing(void **state)
{
    (void)state;
    struct described part = native_part("intel_gpu_tgllp");
    part.lists_none = true;
    const struct noop_config config = noop_config_default();
    built b = open_image(&config, &part, 1, "saxpy");
    assert_int_equal(mez_image_get_kernel_count(b.image), 6);
    assert_int_equal(mez_kernel_get_argument_count(b.kernel), 0); // not built yet
    mez_queue *queue;
    assert_ok(mez_queue_create(b.context, NULL, &queue));
    const float a = 1;
    int *memory = mez_alloc_shared(b.context, 4096, NULL);
    assert_story(mez_submit(queue, b.kernel, MEZ_RANGE(8), MEZ_ARGS(MEZ_VAL(a)), NULL),
        MEZ_ERRC_KERNEL_ARGUMENT, "1 argument was given, but the kernel declares 3");
    assert_story(mez_submit(queue, b.kernel, MEZ_RANGE(8),
                     MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(memory), MEZ_LOCAL(0)), NULL),
        MEZ_ERRC_KERNEL_ARGUMENT, "0 bytes");
    assert_ok(mez_submit(queue, b.kernel, MEZ_RANGE(8),
        MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(memory), MEZ_PTR(memory)), NULL));
    assert_int_equal(mez_kernel_get_argument_count(b.kernel), 3);
    assert_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    assert_ok(mez_free(b.context, memory));
    assert_int_equal(noop_calls("zeModuleCreate"), 1); // for both
    close_image(&b);
}

// --- What properties say besides

static void test_properties_report_asserts(void **state)
{
    (void)state;
    struct described part = {.format = SPIRV, .target = "spir64", .file = "asserts.spv"};
    const struct noop_config config = linking_config();
    built b = open_image(&config, &part, 1, "unchecked");
    assert_false(mez_kernel_uses_assert(b.kernel));
    close_image(&b);
    part.asserting = "unchecked";
    b = open_image(&config, &part, 1, "unchecked");
    assert_true(mez_kernel_uses_assert(b.kernel));
    close_image(&b);
}

static void test_native_code_gets_the_library_that_it_wants(void **state)
{
    (void)state;
    struct described part = native_part("intel_gpu_tgllp");
    part.file = "asserts.spv";
    part.asserting = "checked";
    part.wants_library = true;
    const struct noop_config config = linking_config();
    built b = open_image(&config, &part, 1, "checked");
    assert_ok(mez_kernel_build(b.kernel, NULL));
    assert_int_equal(noop_calls("zeModuleDynamicLink"), 1);
    assert_non_null(b.kernel->spare_uses->asserting_module);
    assert_non_null(b.kernel->spare_uses->module->assert_record);
    close_image(&b);
}

static void test_properties_become_flags(void **state)
{
    (void)state;
    char flags[256];
    struct described part = spirv_part;
    part.register_mode = 2;
    const struct noop_config config = noop_config_default();
    built b = open_image(&config, &part, 1, "saxpy");
    assert_ok(mez_kernel_build(b.kernel, NULL));
    noop_build_flags(flags, sizeof flags);
    assert_string_equal(flags, "-ze-opt-large-register-file");
    close_image(&b);
}

static void test_stated_group_sizes_hold_for_launches(void **state)
{
    (void)state;
    struct described part = {
        .format = SPIRV, .target = "spir64", .file = "kernels.spv", .dimensions = 2};
    const struct noop_config config = noop_config_default();
    built b = open_image(&config, &part, 1, "nothing");
    mez_queue *queue;
    assert_ok(mez_queue_create(b.context, NULL, &queue));
    assert_ok(mez_submit(queue, b.kernel, MEZ_RANGE(16, 4), NULL, NULL));
    assert_story(mez_submit(queue, b.kernel, MEZ_RANGE(16), NULL, NULL), MEZ_ERRC_ND_RANGE,
        "doesn't match the required work-group size dimension");
    assert_condition(
        mez_submit(queue, b.kernel, MEZ_ND_RANGE(MEZ_SIZE(16, 4), MEZ_SIZE(4, 2)), NULL, NULL),
        MEZ_ERRC_ND_RANGE);
    assert_ok(
        mez_submit(queue, b.kernel, MEZ_ND_RANGE(MEZ_SIZE(16, 4), MEZ_SIZE(8, 2)), NULL, NULL));
    assert_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    close_image(&b);
}

static void test_constants_are_for_spirv(void **state)
{
    (void)state;
    struct described parts[] = {native_part("intel_gpu_tgllp"), spirv_part};
    parts[0].file = parts[1].file = "constants.spv";
    const struct noop_config config = noop_config_default();
    mez_context *context;
    mez_image *image;
    mez_kernel *kernel;
    const uint8_t byte = 200;
    const mez_spec_constant constant = {12, 1, &byte};
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &context));
    mez_image_params params = {
        .code = describe(parts, 2, "constants"), .constants = &constant, .constant_count = 1};
    assert_ok(mez_image_create_registered(context, &params, &image));
    assert_ok(mez_kernel_create(image, "constants", &kernel));
    assert_ok(mez_kernel_build(kernel, NULL));
    assert_int_equal(noop_compilations(), 1);
    assert_int_equal(noop_native_loads(), 0);
    mez_kernel_destroy(&kernel);
    mez_image_destroy(&image);

    params.code = describe(parts, 1, "constants"); // native code alone
    assert_story(mez_image_create_registered(context, &params, &image), MEZ_ERRC_INVALID_PARAMETER,
        "but the image has none");
    mez_context_destroy(&context);
}

// --- Parts that are linked

// imports.spv wants `twice`, which exports.spv has; both say what they require.
static mez_error link_parts(uint32_t aspect, uint32_t dimensions)
{
    const struct described parts[] = {
        {.format = SPIRV, .target = "spir64", .file = "imports.spv", .dimensions = 2},
        {.format = SPIRV,
            .target = "spir64",
            .file = "exports.spv",
            .lists_none = true,
            .states = aspect != 0,
            .aspects = {aspect},
            .aspect_count = 1,
            .dimensions = dimensions},
    };
    const struct noop_config config = linking_config();
    built b = open_image(&config, parts, 2, "uses_twice");
    const mez_error error = mez_kernel_build(b.kernel, NULL);
    close_image(&b);
    return error;
}

static void test_parts_of_an_image_are_linked(void **state)
{
    (void)state;
    assert_ok(link_parts(0, 2));
    assert_ok(link_parts(0, 0));
    assert_story(link_parts(0, 1), MEZ_ERRC_LINK_PROGRAM, "Unable to merge incompatible images.");
    assert_story(link_parts(9999, 0), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "9999"); // they are united
}

// --- Failures

static void count_errors(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)topic, (void)message;
    *(unsigned *)user += level == MEZ_LOG_ERROR;
}

static void test_survives_every_failed_call(void **state)
{
    unsigned logged = 0;
    (void)state;
    const struct described parts[] = {spirv_part, native_part("intel_gpu_tgllp")};
    const struct noop_config config = noop_config_default();
    for (uint64_t n = 1;; n++) {
        built b = open_image(&config, parts, 2, "saxpy");
        logged = 0;
        mez_log_set_function(count_errors, &logged);
        noop_fail(NULL, n, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        const mez_error error = mez_kernel_build(b.kernel, NULL);
        const bool fired = noop_fired() > 0;
        mez_log_set_function(NULL, NULL);
        assert_int_equal(mez_failed(error) || logged > 0, fired);
        close_image(&b);
        if (!fired)
            break;
    }
}

static void test_survives_every_failed_allocation(void **state)
{
    (void)state;
    const struct described parts[] = {spirv_part, native_part("intel_gpu_pvc"), spirv_part};
    mez_context *context;
    noop_reset();
    assert_ok(mez_context_create(NULL, &context));
    const mez_image_params params = {.code = describe(parts, 3, "saxpy")};
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        mez_image *image = NULL;
        mez_kernel *kernel = NULL;
        mez_alloc_fail_at(n);
        mez_error error = mez_image_create_registered(context, &params, &image);
        if (!mez_failed(error))
            error = mez_kernel_create(image, "saxpy", &kernel);
        if (!mez_failed(error))
            error = mez_kernel_build(kernel, NULL);
        failed = mez_alloc_fail_at(0) >= n;
        if (mez_failed(error))
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        mez_kernel_destroy(&kernel);
        mez_image_destroy(&image);
    }
    mez_context_destroy(&context);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, driver_setup, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_verdict_comes_before_the_code),
        TEST(test_a_property_set_binds_all_kernels),
        TEST(test_a_list_that_lies_is_found_out),
        TEST(test_native_code_that_fits_goes_before_spirv),
        TEST(test_native_code_for_others_alone),
        TEST(test_refused_native_code_gives_way_to_spirv),
        TEST(test_native_code_is_asked_while_it_is_built),
        TEST(test_native_code_that_lists_nothing),
        TEST(test_properties_report_asserts),
        TEST(test_native_code_gets_the_library_that_it_wants),
        TEST(test_properties_become_flags),
        TEST(test_stated_group_sizes_hold_for_launches),
        TEST(test_constants_are_for_spirv),
        TEST(test_parts_of_an_image_are_linked),
        TEST(test_survives_every_failed_call),
        TEST(test_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
