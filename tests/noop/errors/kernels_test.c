// SPDX-License-Identifier: MIT
//
// Kernels that can't be built: whoever builds, submits, prepares or records one first gets the same error.

#include "runtime.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/offload.h"

// --- Images

// An OffloadBinary that lists one kernel, so that nobody reads its code before that is built.
static mez_error create_listed(
    mez_context *context, const char *kernel, const uint8_t *code, size_t size, mez_image **image)
{
    mez_offload_string symbols = {"symbols", kernel, strlen(kernel)};
    const mez_offload_entry entry = {
        .image_kind = MEZ_OFFLOAD_SPIRV,
        .offload_kind = MEZ_OFFLOAD_SYCL,
        .strings = &symbols,
        .string_count = 1,
        .image = code,
        .image_size = size,
    };
    mez_bytes bytes = {0};
    assert_ok(mez_offload_write(&entry, 1, NULL, &bytes));
    const mez_image_params params = {
        .code = bytes.data, .size = bytes.size, .debug_name = "listed"};
    const mez_error error = mez_image_create(context, &params, image);
    mez_bytes_finish(&bytes);
    return error;
}

// --- Scenes

typedef struct scene {
    const char *file; // NULL: damaged code
    const char *kernel;
    bool listed; // in a container that says so, whatever the code has
    ze_device_module_flags_t without;
    void (*spoil)(void);
    size_t argument_count;
} scene;

typedef struct stage {
    mez_context *context;
    mez_queue *queue;
    mez_recording *recording;
    mez_kernel *kernel;
    mez_args args;
} stage;

static void load(stage *on, const scene *scene)
{
    static const uint8_t damaged[] = {3, 2, 0x23, 7};
    mez_image *image;
    if (!scene->listed) {
        on->kernel = load_kernel(on->context, scene->file, scene->kernel);
        return;
    }
    size_t size = sizeof damaged;
    const void *code = scene->file ? bytes_of(scene->file, &size) : damaged;
    assert_ok(create_listed(on->context, scene->kernel, code, size, &image));
    assert_ok(mez_kernel_create(image, scene->kernel, &on->kernel));
    mez_image_destroy(&image);
}

typedef mez_error way(stage *on);

// The error that a fresh program gets.
static mez_error play(const scene *scene, way *use)
{
    static const mez_arg pointer = MEZ_PTR(NULL);
    struct noop_config config = noop_config_default();
    stage on = {.args = {scene->argument_count, &pointer}};
    config.module_flags &= ~scene->without;
    noop_reset();
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &on.context));
    assert_ok(mez_queue_create(on.context, NULL, &on.queue));
    assert_ok(mez_recording_create(on.context, NULL, &on.recording));
    load(&on, scene);
    if (scene->spoil)
        scene->spoil();
    const mez_error error = use(&on);
    mez_alloc_fail_at(0);
    mez_kernel_destroy(&on.kernel);
    mez_recording_destroy(&on.recording);
    mez_queue_destroy(&on.queue);
    mez_context_destroy(&on.context);
    return error;
}

static mez_error build(stage *on)
{
    return mez_kernel_build(on->kernel, NULL);
}

static mez_error ask_about(stage *on)
{
    const mez_kernel_info *info = (const mez_kernel_info *)on;
    const mez_error error = mez_kernel_get_info(on->kernel, NULL, &info);
    assert_null(info);
    return error;
}

static mez_error ask_where(stage *on)
{
    void *pointer = on;
    size_t size = 1;
    const mez_error error =
        mez_kernel_get_variable(on->kernel, NULL, "shared_number", &pointer, &size);
    assert_null(pointer);
    assert_int_equal(size, 0);
    return error;
}

static mez_error submit(stage *on)
{
    mez_event *event = (mez_event *)on;
    const mez_error error =
        mez_submit(on->queue, on->kernel, MEZ_RANGE(8), &on->args, MEZ_TASK(.event = &event));
    assert_null(event);
    return error;
}

static mez_error prepare(stage *on)
{
    mez_launch *launch = (mez_launch *)on;
    const mez_error error =
        mez_launch_create(on->queue, on->kernel, MEZ_RANGE(8), &on->args, &launch);
    assert_null(launch);
    return error;
}

static mez_error record(stage *on)
{
    return mez_record_submit(on->recording, on->kernel, MEZ_RANGE(8), &on->args, NULL, NULL);
}

// The loss is the context's, no matter which call returned it first.
static mez_error record_and_wait(stage *on)
{
    assert_true(mez_failed(record(on)));
    return mez_queue_wait(on->queue);
}

// --- Errors

static void refuse_to_compile(void)
{
    noop_fail_every("zeModuleCreate", ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
}

static void test_refused_by_the_compiler(void **state)
{
    (void)state;
    const scene s = {.file = "kernels.spv", .kernel = "nothing", .spoil = refuse_to_compile};
    const char *words = "zeModuleCreate";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_COMPILE_PROGRAM, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_COMPILE_PROGRAM, words);
    assert_story_of(mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_COMPILE_PROGRAM, words);
    assert_story_of(mez_submit, play(&s, submit), MEZ_ERRC_COMPILE_PROGRAM, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_COMPILE_PROGRAM, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_COMPILE_PROGRAM, words);
}

static void test_symbols_that_nothing_defines(void **state)
{
    (void)state;
    const scene s = {.file = "imports.spv", .kernel = "uses_twice", .argument_count = 1};
    const char *words = "unresolved: twice";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_LINK_PROGRAM, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_LINK_PROGRAM, words);
    assert_story_of(mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_LINK_PROGRAM, words);
    assert_story_of(mez_submit, play(&s, submit), MEZ_ERRC_LINK_PROGRAM, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_LINK_PROGRAM, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_LINK_PROGRAM, words);
}

static void test_kernels_that_only_the_container_has(void **state)
{
    (void)state;
    const scene s = {.file = "kernels.spv", .kernel = "phantom", .listed = true};
    const char *words = "lists kernel \"phantom\", which its code does not have";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_KERNEL, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_KERNEL, words);
    assert_story_of(mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_KERNEL, words);
    assert_story_of(mez_submit, play(&s, submit), MEZ_ERRC_KERNEL, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_KERNEL, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_KERNEL, words);
}

static void test_code_that_is_damaged(void **state)
{
    (void)state;
    const scene s = {.kernel = "nothing", .listed = true};
    const char *words = "listed";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_INVALID_IMAGE, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_INVALID_IMAGE, words);
    assert_story_of(mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_INVALID_IMAGE, words);
    assert_story_of(mez_submit, play(&s, submit), MEZ_ERRC_INVALID_IMAGE, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_INVALID_IMAGE, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_INVALID_IMAGE, words);
}

static mez_error ask(stage *on)
{
    mez_error reason;
    assert_false(mez_kernel_is_supported(on->kernel, NULL, &reason));
    return reason;
}

static void test_devices_that_lack_something(void **state)
{
    (void)state;
    const scene s = {.file = "needs.spv",
        .kernel = "doubles",
        .without = ZE_DEVICE_MODULE_FLAG_FP64,
        .argument_count = 1};
    const char *words = "aspect::fp64";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
    assert_story_of(
        mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
    assert_story_of(mez_kernel_is_supported, play(&s, ask), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
    assert_story_of(mez_submit, play(&s, submit), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_KERNEL_NOT_SUPPORTED, words);
}

static void run_out_of_memory(void)
{
    mez_alloc_fail_at(1);
}

static void test_no_memory(void **state)
{
    (void)state;
    const scene s = {.file = "kernels.spv", .kernel = "nothing", .spoil = run_out_of_memory};
    const char *words = "memory";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(
        mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(mez_submit, play(&s, submit), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(mez_kernel_is_supported, play(&s, ask), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
}

static void lose_the_device(void)
{
    noop_fail("zeModuleCreate", 1, ZE_RESULT_ERROR_DEVICE_LOST);
}

static void test_a_lost_device(void **state)
{
    (void)state;
    const scene s = {.file = "kernels.spv", .kernel = "nothing", .spoil = lose_the_device};
    const char *words = "zeModuleCreate";
    assert_story_of(mez_kernel_build, play(&s, build), MEZ_ERRC_DEVICE_LOST, words);
    assert_story_of(mez_kernel_get_info, play(&s, ask_about), MEZ_ERRC_DEVICE_LOST, words);
    assert_story_of(mez_kernel_get_variable, play(&s, ask_where), MEZ_ERRC_DEVICE_LOST, words);
    assert_story_of(mez_launch_create, play(&s, prepare), MEZ_ERRC_DEVICE_LOST, words);
    assert_story_of(mez_record_submit, play(&s, record), MEZ_ERRC_DEVICE_LOST, words);
    assert_story_of(mez_queue_wait, play(&s, record_and_wait), MEZ_ERRC_DEVICE_LOST, words);
}

// --- Before a kernel is there

static void test_kernels_that_no_image_has(void **state)
{
    runtime *r = *state;
    mez_image *image;
    mez_kernel *kernel;
    assert_ok(mez_image_load(r->context, file_of("kernels.spv"), &image));
    assert_story(
        mez_kernel_create(image, "saxpi", &kernel), MEZ_ERRC_KERNEL, "its kernels: nothing, saxpy");
    assert_story(mez_kernel_load(r->context, file_of("kernels.spv"), "saxpi", &kernel),
        MEZ_ERRC_KERNEL, "kernels.spv");
    mez_alloc_fail_at(1);
    assert_story(
        mez_kernel_create(image, "saxpy", &kernel), MEZ_ERRC_OUT_OF_HOST_MEMORY, "for a kernel");
    mez_alloc_fail_at(1);
    assert_story(mez_kernel_load(r->context, file_of("kernels.spv"), "saxpy", &kernel),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "for an image");
    mez_alloc_fail_at(0);
    mez_image_destroy(&image);
}

static void test_asking_about_nothing(void **state)
{
    (void)state;
    mez_error reason;
    assert_false(mez_kernel_is_supported(NULL, NULL, &reason));
    assert_story_of(
        mez_kernel_is_supported, reason, MEZ_ERRC_INVALID_PARAMETER, "needs \"kernel\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_refused_by_the_compiler, driver_teardown),
        cmocka_unit_test_teardown(test_symbols_that_nothing_defines, driver_teardown),
        cmocka_unit_test_teardown(test_kernels_that_only_the_container_has, driver_teardown),
        cmocka_unit_test_teardown(test_code_that_is_damaged, driver_teardown),
        cmocka_unit_test_teardown(test_devices_that_lack_something, driver_teardown),
        cmocka_unit_test_teardown(test_no_memory, driver_teardown),
        cmocka_unit_test_teardown(test_a_lost_device, driver_teardown),
        RUNTIME_TEST(test_kernels_that_no_image_has),
        cmocka_unit_test(test_asking_about_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
