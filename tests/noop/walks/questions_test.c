// SPDX-License-Identifier: MIT
//
// A walk over what a program asks: about its context, devices, driver, images, kernels, queues and errors. Most questions can't
// fail; none may crash or lose anything because something before it did, or because there is no memory for the answer.

#include "walk.h"

#include <mezzanine/driver.h>
#include <mezzanine/level_zero.h>
#include <mezzanine/trace.h>

static FILE *nowhere;

static void prepare(void)
{
    struct noop_config config = linking_config();
    config.sub_devices = 2;
    noop_configure(&config);
}

static void ask_device(mez_device *device)
{
    const mez_device_details *details;
    mez_native_asserts how;
    mez_memory_state state;
    assert_non_null(mez_device_get_info(device));
    assert_non_null(mez_device_get_architecture(device));
    assert_true(mez_device_has_aspect(device, "gpu"));
    assert_true(mez_target_has_aspect(mez_device_get_target(device), "gpu"));
    assert_non_null(mez_device_get_ze(device));
    walk_went_well(mez_device_get_native_asserts(device, &how));
    walk_went_well(mez_device_get_memory_state(device, &state));
    if (walk_went_well(mez_device_get_details(device, &details)))
        assert_non_null(details->aspects);
    for (uint32_t i = 0; i < mez_device_get_sub_device_count(device); i++)
        assert_ptr_equal(mez_device_get_parent(mez_device_get_sub_device(device, i)), device);
}

static void ask_settings(void)
{
    mez_settings *settings;
    if (!walk_went_well(mez_settings_create(&settings)))
        return;
    assert_true(mez_settings_get_count(settings) > 0);
    assert_non_null(mez_settings_get_setting(settings, 0)->name);
    mez_settings_destroy(&settings);
}

static void ask_traces(void)
{
    mez_trace_setup *setup;
    if (!walk_went_well(mez_trace_setup_create(&setup)))
        return;
    assert_null(mez_trace_setup_get_dispatcher(setup));
    assert_string_equal(mez_trace_setup_get_tools(setup), "");
    mez_trace_setup_destroy(&setup);
}

static void ask_drivers(void)
{
    mez_drivers *drivers;
    const mez_drivers_params params = {.look = MEZ_DRIVERS_ASK};
    if (!walk_went_well(mez_drivers_create(&params, &drivers)))
        return;
    assert_int_equal(mez_drivers_get_count(drivers), 1);
    walk_went_well(mez_drivers_get_driver(drivers, 0)->error);
    mez_drivers_destroy(&drivers);
}

static void ask_context(mez_context *context)
{
    mez_driver_info driver;
    mez_context_statistics statistics;
    mez_context_get_driver_info(context, &driver);
    mez_context_get_statistics(context, &statistics);
    assert_non_null(mez_context_get_ze(context));
    assert_non_null(mez_context_get_ze_driver(context));
    for (uint32_t i = 0; i < mez_context_get_device_count(context); i++)
        ask_device(mez_context_get_device(context, i));
}

static void ask_kernel(mez_image *image, const char *name)
{
    const mez_kernel_info *info;
    mez_kernel *kernel;
    mez_error reason;
    if (!walk_went_well(mez_kernel_create(image, name, &kernel)))
        return;
    assert_string_equal(mez_kernel_get_name(kernel), name);
    for (uint32_t i = 0; i < mez_kernel_get_argument_count(kernel); i++)
        mez_kernel_get_argument(kernel, i);
    mez_kernel_uses_assert(kernel);
    if (walk_went_well(mez_kernel_get_info(kernel, NULL, &info)))
        assert_non_null(info->device);
    if (!mez_kernel_is_supported(kernel, NULL, &reason))
        walk_went_well(reason);
    mez_kernel_destroy(&kernel);
}

static void ask_image(mez_context *context)
{
    mez_image *image;
    if (!walk_went_well(mez_image_load(context, file_of("asserts.spv"), &image)))
        return;
    for (uint32_t i = 0; i < mez_image_get_kernel_count(image); i++)
        ask_kernel(image, mez_image_get_kernel_name(image, i));
    mez_image_destroy(&image);
}

static void ask_variable(mez_context *context)
{
    mez_kernel *kernel;
    void *pointer;
    size_t size;
    if (!walk_went_well(mez_kernel_load(context, file_of("exports.spv"), "alone", &kernel)))
        return;
    if (walk_went_well(mez_kernel_get_variable(kernel, NULL, "shared_number", &pointer, &size)))
        assert_non_null(pointer);
    mez_kernel_destroy(&kernel);
}

static void ask_queue(mez_context *context)
{
    char text[1024];
    const char zero = 0;
    mez_queue *queue;
    mez_error error;
    if (!walk_went_well(mez_queue_create(context, NULL, &queue)))
        return;
    void *memory = mez_alloc_device(context, COUNT, &error);
    noop_hold(true);
    if (walk_went_well(error))
        walk_went_well(
            mez_fill(queue, memory, &zero, 1, COUNT, MEZ_TASK(.debug_name = "what hangs")));
    mez_queue_describe(queue, text, sizeof text);
    noop_hold(false);
    walk_went_well(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    walk_went_well(mez_free(context, memory));
}

static void ask_parts(mez_error error)
{
    char text[1024];
    const char *name;
    mez_error_get_headline(error, text, sizeof text);
    for (size_t i = 0; i < mez_error_get_cause_count(error); i++)
        mez_error_get_cause(error, i, text, sizeof text);
    for (size_t i = 0; i < mez_error_get_field_count(error); i++)
        mez_error_get_field(error, i, &name, text, sizeof text);
    mez_error_find_field(error, "called from", text, sizeof text);
    assert_uint_in_range(mez_error_get_json(error, text, sizeof text), 1, sizeof text - 1);
    assert_contains(text, "\"condition\":\"MEZ_ERRC_INVALID_PARAMETER\"");
}

// An error that is ours to have. Its words may be missing, its code not.
static void ask_error(void)
{
    char text[1024];
    const mez_error error = mez_log_set_levels("queue:loud");
    assert_condition(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_int_equal(mez_error_get_condition(error), MEZ_ERRC_INVALID_PARAMETER);
    assert_string_equal(mez_error_get_name(error), "MEZ_ERRC_INVALID_PARAMETER");
    assert_non_null(mez_error_get_message(error));
    assert_true(mez_error_is_in(error, MEZ_CATEGORY_RUNTIME));
    assert_string_equal(mez_condition_get_name(MEZ_ERRC_EVENT), "MEZ_ERRC_EVENT");
    assert_non_null(mez_condition_get_message(MEZ_ERRC_EVENT));
    assert_string_equal(mez_category_get_name(mez_error_get_category(error)), "mezzanine runtime");
    mez_error_retain(error);
    assert_true(mez_error_get_story(error, text, sizeof text) > 0);
    mez_error_print(nowhere, error);
    ask_parts(error);
    mez_assert_record record;
    assert_false(mez_error_get_assert(error, &record));
    assert_int_equal(mez_error_get_asserts(error, &record, 1, NULL), 0);
    mez_error_release(error);
}

static void play(void)
{
    mez_context *context;
    assert_non_null(mez_version());
    if (walk_went_well(mez_context_create(NULL, &context))) {
        ask_settings();
        ask_traces();
        ask_drivers();
        ask_context(context);
        ask_variable(context);
        ask_image(context);
        ask_queue(context);
    }
    ask_error();
    mez_context_destroy(&context);
}

// Waits that only look, and modules that are made to see what a compiler knows: where none can be, asserts are ours.
static bool is_excused(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0 || strncmp(call, "zeModule", 8) == 0;
}

static const walk the_walk = {.prepare = prepare,
    .play = play,
    .is_excused = is_excused,
    .allocations_unheard = 16}; // words of the error

static void test_every_call(void **state)
{
    (void)state;
    walk_clean(&the_walk);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 30);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_DEVICE_LOST) > 30);
}

static void test_every_allocation(void **state)
{
    (void)state;
    assert_true(walk_allocations(&the_walk) > 30);
}

static int open_nowhere(void **state)
{
    (void)state;
    nowhere = fopen("/dev/null", "w");
    return nowhere ? 0 : -1;
}

static int close_nowhere(void **state)
{
    (void)state;
    return fclose(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, open_nowhere, close_nowhere);
}
