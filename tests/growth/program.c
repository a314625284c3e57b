// SPDX-License-Identifier: MIT
//
// A program of this version, or, with GROWN, of a later one, which uses a member that each struct has got since. The library is of
// either version: `refused` as the first argument says that it does not know these members.
//
// Behind each struct that the library fills stands what it must leave alone.

#include <mezzanine/level_zero.h>
#include <mezzanine/mezzanine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GROWN
#define LATER .grown = 1,
#else
#define LATER
#endif

static bool refused;
static unsigned passed, failed;

static void check(bool right, const char *what)
{
    *(right ? &passed : &failed) += 1;
    if (!right)
        fprintf(stderr, "not so: %s\n", what);
}

static void expect_ok(mez_error error, const char *what)
{
    mez_error_print(stderr, error);
    check(!mez_failed(error), what);
}

// A call that was given a struct of this type with its newest member: an older library says what is the matter.
static bool is_taken(mez_error error, const char *type)
{
    char story[1024];
    if (!refused) {
        expect_ok(error, type);
        return true;
    }
    mez_error_get_story(error, story, sizeof story);
    check(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER), type);
    check(strstr(story, type) && strstr(story, "newer Mezzanine"), story);
    return false;
}

static void on_error(void *user, mez_error error)
{
    (void)user;
    mez_error_print(stderr, error);
}

// Memory for a struct that the library fills, and words behind it.
enum { GUARDS = 8, GUARD = 0x5a };

#define GUARDED(type)                \
    struct {                         \
        type it;                     \
        unsigned char guard[GUARDS]; \
    }

static void check_guard(const unsigned char guard[GUARDS], const char *type)
{
    for (int i = 0; i < GUARDS; i++)
        check(guard[i] == GUARD, type);
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
    check(profile.it.start <= profile.it.end && profile.it.reserved[0] == 0, "mez_event_profile");
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
    check(counted.it.queues == 1 && counted.it.reserved[0] == 0, "mez_context_statistics");
    check(counted.it.shared_memory.allocations == 1, "mez_memory_usage");
    check(counted.it.shared_memory.reserved[0] == 0, "mez_memory_usage");
    check(driver.it.api_version != 0 && driver.it.reserved[0] == 0, "mez_driver_info");
    for (size_t i = 0; i < driver.it.function_count; i++)
        check(strncmp(driver.it.functions[i].name, "ze", 2) == 0, "mez_driver_function");
    for (size_t i = 0; i < driver.it.extension_count; i++)
        check(strncmp(driver.it.extensions[i].name, "ZE", 2) == 0, "mez_driver_extension");
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
    check(info.it.offset == sizeof *x && info.it.reserved[0] == 0, "mez_memory_info");
    check(state.it.total > 0 && state.it.reserved[0] == 0, "mez_memory_state");
    check_guard(info.guard, "mez_memory_info");
    check_guard(state.guard, "mez_memory_state");
}

int main(int count, char **arguments)
{
    if (count < 3)
        return EXIT_FAILURE;
    refused = strcmp(arguments[1], "refused") == 0;
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
    printf("growth: %u passed, %u failed, 0 skipped\n", passed, failed);
    return failed || !passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
