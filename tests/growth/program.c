// SPDX-License-Identifier: MIT
//
// The half of the library that runs kernels, on the no-op driver.

#include "growth.h"

#include <stdlib.h>

#include "noop.h"

static void on_error(void *user, mez_error error)
{
    (void)user;
    mez_error_print(stderr, error);
}

static mez_context *open_context(void)
{
    mez_context *context = NULL;
    const mez_context_params asserting = {.asserts = {.policy = MEZ_ASSERT_ERROR, LATER}};
    const mez_context_params handling = {.on_error = {.function = on_error, LATER}};
    const mez_context_params params = {.debug_name = "growing", LATER};
    if (is_taken(mez_context_create(&asserting, &context), "mez_assert_params"))
        mez_context_destroy(&context);
    if (is_taken(mez_context_create(&handling, &context), "mez_error_handler"))
        mez_context_destroy(&context);
    if (!is_taken(mez_context_create(&params, &context), "mez_context_params"))
        expect_ok(mez_context_create(NULL, &context), "a context");
    return context;
}

static void adopt(mez_context *context)
{
    mez_context *adopted = NULL;
    const mez_context_adopt_params params = {.ze_driver = mez_context_get_ze_driver(context),
        .ze_context = mez_context_get_ze(context),
        LATER};
    if (is_taken(mez_context_adopt(&params, &adopted), "mez_context_adopt_params"))
        mez_context_destroy(&adopted);
}

static mez_queue *open_queue(mez_context *context)
{
    mez_queue *queue = NULL;
    const mez_queue_params params = {.profiling = true, LATER};
    const mez_queue_params plain = {.profiling = true};
    if (!is_taken(mez_queue_create(context, &params, &queue), "mez_queue_params"))
        expect_ok(mez_queue_create(context, &plain, &queue), "a queue");
    return queue;
}

static float *allocate(mez_context *context)
{
    mez_error error;
    const mez_memory_params params = {.kind = MEZ_MEMORY_SHARED, LATER};
    float *memory = mez_alloc(context, &params, 64 * sizeof *memory, &error);
    return is_taken(error, "mez_memory_params")
               ? memory
               : mez_alloc_shared(context, 64 * sizeof *memory, NULL);
}

static void load(mez_context *context, const char *path)
{
    mez_image *image = NULL;
    const mez_image_params params = {.path = path, LATER};
    if (!is_taken(mez_image_create(context, &params, &image), "mez_image_params"))
        expect_ok(mez_image_load(context, path, &image), path);
    check(mez_image_get_kernel_count(image) > 0, "an image has kernels");
    mez_image_destroy(&image);
}

static void record(mez_context *context, mez_queue *queue, float *x)
{
    mez_recording *recording = NULL;
    const mez_recording_params params = {.debug_name = "steps", LATER};
    if (!is_taken(mez_recording_create(context, &params, &recording), "mez_recording_params"))
        expect_ok(mez_recording_create(context, NULL, &recording), "a recording");
    expect_ok(mez_record_copy(recording, x, x + 32, 32 * sizeof *x, NULL, NULL), "mez_record_copy");
    expect_ok(mez_replay(queue, recording, NULL), "mez_replay");
    expect_ok(mez_queue_wait(queue), "a wait");
    mez_recording_destroy(&recording);
}

static void signal_event(mez_context *context, mez_queue *queue)
{
    mez_event *event = NULL;
    const mez_user_event_params params = {.debug_name = "now", LATER};
    if (!is_taken(mez_user_event_create(context, &params, &event), "mez_user_event_params"))
        expect_ok(mez_user_event_create(context, NULL, &event), "an event");
    expect_ok(mez_barrier(queue, MEZ_TASK(.wait_for = &event, .wait_count = 1)), "a barrier");
    expect_ok(mez_user_event_signal(event, mez_ok()), "mez_user_event_signal");
    expect_ok(mez_queue_wait(queue), "a wait");
    mez_event_destroy(&event);
}

static void copy(mez_queue *queue, float *x)
{
    GUARDED(mez_event_profile) profile;
    mez_event *event = NULL;
    const size_t size = 32 * sizeof *x;
    const mez_copy_3d_params box = {
        .to = x, .from = x + 32, .width = size, .rows = 1, .slices = 1, LATER};
    (void)is_taken(mez_copy_3d(queue, &box, NULL), "mez_copy_3d_params");
    if (!is_taken(
            mez_copy(queue, x, x + 32, size, MEZ_TASK(.event = &event, LATER)), "mez_task_params"))
        expect_ok(mez_copy(queue, x, x + 32, size, MEZ_TASK(.event = &event)), "a copy");
    expect_ok(mez_event_wait(event), "a wait");
    memset(&profile, GUARD, sizeof profile);
    expect_ok(mez_event_get_profile(event, &profile.it), "mez_event_get_profile");
    check(profile.it.start <= profile.it.end, "the times of a task");
    CHECK_FILLED(mez_event_profile, profile.it);
    check_guard(profile.guard, "mez_event_profile");
    mez_event_destroy(&event);
}

static void look_at_context(mez_context *context)
{
    GUARDED(mez_context_statistics) counted;
    GUARDED(mez_driver_info) driver;
    memset(&counted, GUARD, sizeof counted);
    memset(&driver, GUARD, sizeof driver);
    mez_context_get_statistics(context, &counted.it);
    mez_context_get_driver_info(context, &driver.it);
    check(counted.it.queues == 1, "one queue");
    check(counted.it.shared_memory.allocations == 1, "one allocation of shared memory");
    CHECK_FILLED(mez_context_statistics, counted.it);
    CHECK_FILLED(mez_memory_usage, counted.it.device_memory);
    CHECK_FILLED(mez_memory_usage, counted.it.host_memory);
    CHECK_FILLED(mez_memory_usage, counted.it.shared_memory);
    check(driver.it.api_version != 0, "the version of a driver");
    CHECK_FILLED(mez_driver_info, driver.it);
    for (size_t i = 0; i < driver.it.function_count; i++) {
        check(strncmp(driver.it.functions[i].name, "ze", 2) == 0, "the name of a function");
        CHECK_FILLED(mez_driver_function, driver.it.functions[i]);
    }
    for (size_t i = 0; i < driver.it.extension_count; i++) {
        check(strncmp(driver.it.extensions[i].name, "ZE", 2) == 0, "the name of an extension");
        CHECK_FILLED(mez_driver_extension, driver.it.extensions[i]);
    }
    check_guard(counted.guard, "mez_context_statistics");
    check_guard(driver.guard, "mez_driver_info");
}

static void look_at_memory(mez_context *context, const float *x)
{
    GUARDED(mez_memory_info) info;
    GUARDED(mez_memory_state) state;
    memset(&info, GUARD, sizeof info);
    memset(&state, GUARD, sizeof state);
    expect_ok(mez_memory_get_info(context, x + 1, &info.it), "mez_memory_get_info");
    expect_ok(
        mez_device_get_memory_state(mez_context_get_device(context, 0), &state.it), "a state");
    check(info.it.offset == sizeof *x, "the offset of a pointer");
    check(state.it.total > 0, "the memory of a device");
    CHECK_FILLED(mez_memory_info, info.it);
    CHECK_FILLED(mez_memory_state, state.it);
    check_guard(info.guard, "mez_memory_info");
    check_guard(state.guard, "mez_memory_state");
}

// Two, as the library hands them out in an array.
static void list_extensions(void)
{
    static const char *const names[] = {
        "ZE_extension_float_atomics", "ZE_extension_scheduling_hints", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = names;
    noop_configure(&config);
}

// growth refused|taken KERNELS TARGETS OUT.table
static void list_drivers(void)
{
    mez_drivers *drivers = NULL;
    const mez_drivers_params params = {.look = MEZ_DRIVERS_LIST, LATER};
    if (is_taken(mez_drivers_create(&params, &drivers), "mez_drivers_params"))
        check(mez_drivers_get_count(drivers) > 0, "there are drivers to look for");
    mez_drivers_destroy(&drivers);
}

int main(int count, char **arguments)
{
    if (count < 5)
        return EXIT_FAILURE;
    refused = strcmp(arguments[1], "refused") == 0;
    list_extensions();
    list_drivers();
    mez_context *context = open_context();
    adopt(context);
    mez_queue *queue = open_queue(context);
    float *x = allocate(context);
    load(context, arguments[2]);
    record(context, queue, x);
    signal_event(context, queue);
    copy(queue, x);
    look_at_context(context);
    look_at_memory(context, x);
    expect_ok(mez_free(context, x), "mez_free");
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    use_toolchain(arguments[2], arguments[3], arguments[4]);
    use_registrations();
    return finish();
}
