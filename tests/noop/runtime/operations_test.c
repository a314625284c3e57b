// SPDX-License-Identifier: MIT
//
// Operations beside launches, copies and fills: the Level Zero calls that they make, and the calls that are refused.

#include "runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"

#define BARRIER "CommandListAppendBarrier "

// With something in flight and an open batch, so that only what the operation itself adds is seen.
static void fill_a_batch(runtime *r)
{
    mez_queue_destroy(&r->queue);
    setenv("MEZ_BATCH", "16", 1); // room for all that a test adds
    assert_ok(mez_queue_create(r->context, NULL, &r->queue));
    unsetenv("MEZ_BATCH");
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_flush(r->queue));
    assert_ok(submit_nothing(r, NULL));
    watch_calls();
}

static void test_barrier(void **state)
{
    runtime *r = *state;
    fill_a_batch(r);
    assert_ok(mez_barrier(r->queue, NULL));
    assert_string_equal(calls(), BARRIER);
}

// One with events to wait for waits for those alone: another stands before it.
static void test_barrier_with_events(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *event, *all;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.event = &event)));
    fill_a_batch(r);
    assert_ok(mez_barrier(r->queue, MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = &all)));
    assert_string_equal(calls(), BARRIER BARRIER);
    assert_condition(mez_event_wait_for(all, 0), MEZ_ERRC_TIMEOUT);
    noop_hold(false);
    assert_ok(mez_event_wait(all));
    mez_event_destroy(&event);
    mez_event_destroy(&all);
    mez_queue_destroy(&other);
}

static void test_barrier_failures(void **state)
{
    runtime *r = *state;
    mez_event *event = NULL;
    const mez_task_params no_list = {.wait_count = 1, .event = &event, .debug_name = "join"};
    assert_story(mez_barrier(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"queue\"");
    assert_story(mez_barrier(r->queue, &no_list), MEZ_ERRC_EVENT, "\"join\"");
    fill_a_batch(r);
    noop_fail("zeCommandListAppendBarrier", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_story(mez_barrier(r->queue, MEZ_TASK(.event = &event)), MEZ_ERRC_MEMORY_ALLOCATION,
        "zeCommandListAppendBarrier");
    assert_null(event);
}

static void test_copy_2d(void **state)
{
    runtime *r = *state;
    fill_a_batch(r);
    assert_ok(mez_copy_2d(r->queue, r->x, 16, r->y, 32, 8, 4, NULL));
    assert_string_equal(calls(), BARRIER "CommandListAppendMemoryCopyRegion ");
    watch_calls();
    assert_ok(mez_copy_2d(r->queue, r->x, 16, r->x + 2, 16, 8, 4, NULL)); // columns side by side
    assert_string_equal(calls(), BARRIER "CommandListAppendMemoryCopyRegion ");
}

static void test_copies_2d_that_are_simpler(void **state)
{
    runtime *r = *state;
    fill_a_batch(r);
    assert_ok(mez_copy_2d(r->queue, r->x, 8, r->y, 8, 8, 4, NULL));
    assert_ok(mez_copy_2d(r->queue, r->x, 16, r->y, 32, 8, 1, NULL));
    assert_string_equal(
        calls(), BARRIER "CommandListAppendMemoryCopy " BARRIER "CommandListAppendMemoryCopy ");
    watch_calls();
    assert_ok(mez_copy_2d(r->queue, r->x, 16, r->x, 16, 8, 0, NULL));
    assert_ok(mez_copy_2d(r->queue, r->x, 16, r->x, 16, 0, 8, NULL));
    assert_string_equal(calls(), BARRIER BARRIER);
}

static void test_copies_2d_that_are_refused(void **state)
{
    runtime *r = *state;
    const struct {
        void *to;
        size_t to_pitch;
        const void *from;
        size_t from_pitch, width, rows;
        const char *words;
    } refused[] = {
        {r->x, 8, r->y, 16, 9, 2, "pitches 8 and 16"},
        {r->x, 16, r->y, 8, 9, 2, "pitches 16 and 8"},
        {r->x, 16, r->x, 16, 8, 2, "overlap"},
        {r->x, 16, r->x + 1, 16, 8, 2, "overlap"},
        {r->x + 1, 16, r->x, 16, 8, 2, "overlap"},
        {r->x, 16, r->x + 2, 32, 8, 2, "overlap"}, // pitches differ
        {r->x, SIZE_MAX, r->y, 8, 8, 3, "past the end"},
        {r->x, 8, (void *)(UINTPTR_MAX - 8), 8, 8, 2, "past the end"},
        {NULL, 8, r->y, 8, 8, 2, "needs \"to\""},
        {r->x, 8, NULL, 8, 8, 2, "needs \"from\""},
        {r->x, (size_t)1 << 32, r->x + 4, (size_t)1 << 32, 8, 2, "limit"},
    };
    watch_calls();
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_story(mez_copy_2d(r->queue, refused[i].to, refused[i].to_pitch, refused[i].from,
                         refused[i].from_pitch, refused[i].width, refused[i].rows, NULL),
            MEZ_ERRC_INVALID_PARAMETER, refused[i].words);
    assert_condition(mez_copy_2d(NULL, r->x, 8, r->y, 8, 8, 2, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_string_equal(calls(), "");
}

static void test_copy_3d(void **state)
{
    runtime *r = *state;
    fill_a_batch(r);
    const mez_copy_3d_params box = {.to = r->x,
        .to_row_pitch = 16,
        .to_slice_pitch = 64,
        .from = r->y,
        .width = 8,
        .rows = 2,
        .slices = 3};
    assert_ok(mez_copy_3d(r->queue, &box, NULL));
    assert_string_equal(calls(), BARRIER "CommandListAppendMemoryCopyRegion ");
    watch_calls();
    mez_copy_3d_params beside = box; // columns side by side
    beside.from = r->x + 2;
    beside.from_row_pitch = 16;
    beside.from_slice_pitch = 64;
    assert_ok(mez_copy_3d(r->queue, &beside, NULL));
    assert_string_equal(calls(), BARRIER "CommandListAppendMemoryCopyRegion ");
}

// What is called, and how often, besides barriers.
static void expect_simpler(runtime *r, const mez_copy_3d_params *box, const char *expected)
{
    watch_calls();
    assert_ok(mez_copy_3d(r->queue, box, NULL));
    assert_string_equal(calls(), expected);
}

static void test_copies_3d_that_are_simpler(void **state)
{
    runtime *r = *state;
    const mez_copy_3d_params packed = {
        .to = r->x, .from = r->y, .width = 8, .rows = 2, .slices = 3};
    mez_copy_3d_params box = packed;
    fill_a_batch(r);
    expect_simpler(r, &box, BARRIER "CommandListAppendMemoryCopy ");
    box.to_row_pitch = box.from_row_pitch = 16; // slices without a gap
    expect_simpler(r, &box, BARRIER "CommandListAppendMemoryCopyRegion ");
    box = packed;
    box.slices = 1;
    box.to_slice_pitch = 1; // means nothing
    expect_simpler(r, &box, BARRIER "CommandListAppendMemoryCopy ");
    box = packed;
    box.rows = 1;
    box.to_slice_pitch = 32;
    expect_simpler(r, &box, BARRIER "CommandListAppendMemoryCopyRegion ");
    for (int i = 0; i < 3; i++) {
        box = packed;
        *(size_t *[]){&box.width, &box.rows, &box.slices}[i] = 0;
        expect_simpler(r, &box, BARRIER);
    }
}

static void test_copies_3d_that_are_refused(void **state)
{
    runtime *r = *state;
    const size_t huge = (size_t)1 << 32;
    const struct {
        mez_copy_3d_params box;
        const char *words;
    } refused[] = {
        {{r->x, 7, 0, r->y, 0, 0, 8, 2, 2, {0}}, "to_row_pitch, 7"},
        {{r->x, 0, 0, r->y, 7, 0, 8, 2, 2, {0}}, "from_row_pitch, 7"},
        {{r->x, 0, 15, r->y, 0, 0, 8, 2, 2, {0}}, "to_slice_pitch, 15"},
        {{r->x, 0, 0, r->y, 10, 19, 8, 2, 2, {0}}, "from_slice_pitch, 19"},
        {{r->x, 16, 64, r->x, 16, 64, 8, 2, 2, {0}}, "overlap"},
        {{r->x, 16, 64, r->x + 17, 16, 64, 8, 2, 2, {0}}, "overlap"},
        {{r->x + 17, 16, 64, r->x, 16, 64, 8, 2, 2, {0}}, "overlap"},
        {{r->x, 16, 64, r->x + 2, 16, 32, 8, 2, 2, {0}}, "overlap"}, // pitches differ
        {{r->x, SIZE_MAX, 0, r->y, 0, 0, 8, 2, 2, {0}}, "past the end"},
        {{r->x, 0, SIZE_MAX, r->y, 0, 0, 8, 2, 3, {0}}, "past the end"},
        {{r->x, 0, 0, (void *)(UINTPTR_MAX - 8), 0, 0, 8, 2, 2, {0}}, "past the end"},
        {{NULL, 0, 0, r->y, 0, 0, 8, 2, 2, {0}}, "mez_copy_3d_params.to is NULL"},
        {{r->x, 0, 0, NULL, 0, 0, 8, 2, 2, {0}}, "mez_copy_3d_params.from is NULL"},
        {{r->x, 0, huge, r->x + 8, 0, huge, 8, 2, 2, {0}}, "limit"},
        {{r->x, 0, 0, r->y, 0, 0, 8, 2, 2, {0, 0, 0, 1}}, "reserved is not zero"},
    };
    watch_calls();
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_story(mez_copy_3d(r->queue, &refused[i].box, NULL), MEZ_ERRC_INVALID_PARAMETER,
            refused[i].words);
    assert_condition(mez_copy_3d(NULL, &refused[0].box, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_copy_3d(r->queue, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"copy\"");
    assert_string_equal(calls(), "");
}

static void test_hints(void **state)
{
    runtime *r = *state;
    fill_a_batch(r);
    assert_ok(mez_prefetch(r->queue, r->x, COUNT, NULL));
    assert_ok(mez_advise(r->queue, r->x, COUNT, MEZ_ADVICE_READ_MOSTLY, NULL));
    assert_string_equal(
        calls(), BARRIER "CommandListAppendMemoryPrefetch " BARRIER "CommandListAppendMemAdvise ");
    watch_calls();
    assert_ok(mez_prefetch(r->queue, r->x, 0, NULL));
    assert_string_equal(calls(), BARRIER);
}

// Level Zero's hints have no events: barriers wait and signal for them.
static void test_hints_with_events(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *event, *done;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.event = &event)));
    fill_a_batch(r);
    assert_ok(mez_prefetch(
        r->queue, r->x, COUNT, MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = &done)));
    assert_string_equal(
        calls(), BARRIER BARRIER BARRIER "CommandListAppendMemoryPrefetch " BARRIER);
    noop_hold(false);
    assert_ok(mez_event_wait(done));
    mez_event_destroy(&event);
    mez_event_destroy(&done);
    mez_queue_destroy(&other);
}

static void test_hints_that_are_refused(void **state)
{
    runtime *r = *state;
    void *host = mez_alloc_host(r->context, 64, NULL);
    int plain = 0;
    mez_event *event;
    assert_story(mez_prefetch(r->queue, host, 8, NULL), MEZ_ERRC_INVALID_PARAMETER, "shared");
    assert_story(mez_prefetch(r->queue, &plain, 4, NULL), MEZ_ERRC_INVALID_PARAMETER, "shared");
    assert_story(mez_prefetch(r->queue, r->x, COUNT * sizeof *r->x + 1, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "a prefetch is for 257 bytes from ");
    assert_story(
        mez_prefetch(r->queue, NULL, 4, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"memory\"");
    assert_story(
        mez_advise(r->queue, r->x, 4, (mez_advice)8, NULL), MEZ_ERRC_INVALID_PARAMETER, "advice 8");
    assert_condition(
        mez_advise(NULL, r->x, 4, MEZ_ADVICE_CACHED, NULL), MEZ_ERRC_INVALID_PARAMETER);
    noop_fail("zeCommandListAppendMemAdvise", 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_story(mez_advise(r->queue, r->x, 4, MEZ_ADVICE_CACHED, MEZ_TASK(.event = &event)),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, "zeCommandListAppendMemAdvise");
    assert_null(event);
    assert_ok(mez_free(r->context, host));
}

// A pattern that is too large counts as its smallest part.
static void test_patterns_beyond_the_limit(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.queue_groups[0].max_fill_pattern = 2;
    config.execute_copies = true;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, NULL, &queue));
    uint32_t *values = mez_alloc_host(context, COUNT * sizeof *values, NULL);
    const uint32_t even = 0x12341234, uneven = 0x12345678;
    assert_ok(mez_fill(queue, values, &even, sizeof even, COUNT * sizeof *values, NULL));
    assert_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(values[i], even);
    assert_story(mez_fill(queue, values, &uneven, sizeof uneven, COUNT * sizeof *values, NULL),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, "takes at most 2");
    assert_ok(mez_free(context, values));
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

// --- Cooperative launches

static mez_error launch_groups(mez_queue *queue, mez_kernel *kernel, size_t groups)
{
    return mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(groups * 8), MEZ_SIZE(8)), NULL,
        MEZ_TASK(.cooperative = true));
}

// The no-op driver runs 64 work-groups at the same time.
static void test_cooperative_launches(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.queue_groups[0].flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, NULL, &queue));
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_ok(launch_groups(queue, kernel, 64));
    assert_int_equal(noop_calls("zeCommandListAppendLaunchCooperativeKernel"), 1);
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), 0);
    assert_story(launch_groups(queue, kernel, 65), MEZ_ERRC_ND_RANGE, "at most 64");
    noop_fail("zeKernelSuggestMaxCooperativeGroupCount", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_contains(
        story_of(launch_groups(queue, kernel, 64)), "zeKernelSuggestMaxCooperativeGroupCount");
    noop_fail("zeCommandListAppendLaunchCooperativeKernel", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_contains(
        story_of(launch_groups(queue, kernel, 64)), "zeCommandListAppendLaunchCooperativeKernel");
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

static void test_devices_without_cooperative_launches(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.queue_groups[0].flags &= ~(ze_command_queue_group_property_flags_t)
                                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, NULL, &queue));
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_story(launch_groups(queue, kernel, 1), MEZ_ERRC_FEATURE_NOT_SUPPORTED, "cooperative");
    assert_int_equal(noop_calls("zeKernelSuggestMaxCooperativeGroupCount"), 0);
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

// --- Events

static void test_status(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event))); // waits in an open batch
    watch_calls();
    assert_story(mez_event_get_status(event), MEZ_ERRC_NOT_READY, "not finished yet");
    assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
    assert_string_equal(calls(), "CommandListClose CommandQueueExecuteCommandLists "
                                 "EventHostSynchronize EventHostSynchronize ");
    noop_hold(false);
    assert_ok(mez_event_get_status(event));
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_event_get_status(event));
    assert_string_equal(calls(), "");
    mez_event_destroy(&event);
    assert_story(mez_event_get_status(NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"event\"");
}

static void test_status_of_lost_tasks(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_condition(mez_event_get_status(event), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_condition(mez_event_get_status(event), MEZ_ERRC_MEMORY_ALLOCATION);
    mez_event_destroy(&event);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeEventHostSynchronize", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_int_equal(mez_event_get_status(event).value, (int32_t)ZE_RESULT_ERROR_UNKNOWN);
    mez_event_destroy(&event);
    noop_hold(false);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_MEMORY_ALLOCATION);
}

// --- Callbacks

typedef struct heard {
    atomic_int calls;
    mez_error outcome;
    pthread_t thread;
    mez_event *again;   // has another callback set in this one
    mez_queue *queue;   // destroyed in the callback
    struct heard *next; // for `again`
} heard;

static void hear(void *user, mez_error outcome)
{
    heard *my = user;
    my->outcome = outcome;
    my->thread = pthread_self();
    if (my->again)
        assert_ok(mez_event_set_callback(my->again, hear, my->next));
    mez_queue_destroy(&my->queue);
    atomic_fetch_add(&my->calls, 1);
}

static void test_callbacks(void **state)
{
    runtime *r = *state;
    heard first = {0}, second = {0}, late = {0};
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event))); // waits in an open batch
    assert_ok(mez_event_set_callback(event, hear, &first));
    assert_ok(mez_event_set_callback(event, hear, &second));
    assert_int_equal(atomic_load(&first.calls), 0);
    noop_hold(false);
    assert_ok(mez_event_wait(event));
    assert_ok(mez_event_set_callback(event, hear, &late)); // has happened
    mez_event_destroy(&event);
    mez_queue_destroy(&r->queue); // waits for them
    assert_int_equal(atomic_load(&first.calls), 1);
    assert_int_equal(atomic_load(&second.calls), 1);
    assert_int_equal(atomic_load(&late.calls), 1);
    assert_ok(first.outcome);
    assert_false(pthread_equal(first.thread, pthread_self()));
    assert_true(pthread_equal(first.thread, late.thread));
}

static void test_callbacks_of_lost_tasks(void **state)
{
    runtime *r = *state;
    heard heard = {0};
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_condition(mez_queue_flush(r->queue), MEZ_ERRC_DEVICE_LOST);
    assert_ok(mez_event_set_callback(event, hear, &heard));
    mez_event_destroy(&event);
    noop_hold(false);
    mez_queue_destroy(&r->queue);
    assert_int_equal(atomic_load(&heard.calls), 1);
    assert_condition(heard.outcome, MEZ_ERRC_DEVICE_LOST);
}

// One that sets another, and destroys the queue of both: nothing waits for itself.
static void test_callbacks_that_destroy_their_queue(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    heard second = {0}, first = {.again = event, .queue = r->queue, .next = &second};
    assert_ok(mez_event_set_callback(event, hear, &first));
    r->queue = NULL;
    while (atomic_load(&first.calls) == 0)
        ;
    assert_int_equal(atomic_load(&second.calls), 1);
    mez_event_destroy(&event);
}

// The thread has the last reference to everything, its own context among it.
static void test_callbacks_that_outlive_the_context(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    mez_queue_destroy(&r->queue);
    mez_kernel_destroy(&r->nothing);
    mez_kernel_destroy(&r->saxpy);
    assert_ok(mez_free(r->context, r->x));
    assert_ok(mez_free(r->context, r->y));
    heard heard = {0};
    assert_ok(mez_event_set_callback(event, hear, &heard));
    mez_event_destroy(&event);
    mez_context_destroy(&r->context);
    while (atomic_load(&heard.calls) == 0 || noop_live_total() > 0)
        ;
}

static void test_callbacks_that_are_refused(void **state)
{
    runtime *r = *state;
    heard heard = {0};
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_story(
        mez_event_set_callback(NULL, hear, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"event\"");
    assert_condition(mez_event_set_callback(event, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_alloc_fail_at(1);
    assert_story(
        mez_event_set_callback(event, hear, &heard), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a callback");
    mez_alloc_fail_at(0);
    mez_event_destroy(&event);
    mez_queue_destroy(&r->queue);
    assert_int_equal(atomic_load(&heard.calls), 0);
}

// --- Times

// The no-op driver's kernels run from the last tick of a 32-bit clock to two ticks behind its wrap, at 80 ns a tick.
static void expect_times(ze_api_version_t version)
{
    struct noop_config config = noop_config_default();
    config.api_version = version;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    mez_event *event;
    mez_event_profile profile;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, &(mez_queue_params){.profiling = true}, &queue));
    noop_hold(true);
    assert_ok(mez_barrier(queue, MEZ_TASK(.event = &event)));
    assert_story(mez_event_get_profile(event, &profile), MEZ_ERRC_NOT_READY, "not finished yet");
    noop_hold(false);
    assert_ok(mez_event_get_profile(event, &profile));
    assert_int_equal(profile.start, UINT64_C(80) * UINT32_MAX);
    assert_int_equal(profile.end - profile.start, 3 * 80);
    mez_event_destroy(&event);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

static void test_times_in_both_units(void **state)
{
    (void)state;
    expect_times(ZE_API_VERSION_1_1);
    expect_times(ZE_API_VERSION_1_4);
}

static void test_times_that_cant_be_had(void **state)
{
    runtime *r = *state;
    mez_queue *timed;
    mez_event *event;
    mez_event_profile profile;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_story(mez_event_get_profile(event, &profile), MEZ_ERRC_PROFILING, "profiling");
    assert_story(
        mez_event_get_profile(event, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"profile\"");
    assert_condition(mez_event_get_profile(NULL, &profile), MEZ_ERRC_INVALID_PARAMETER);
    mez_event_destroy(&event);
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.profiling = true}, &timed));
    assert_ok(mez_barrier(timed, MEZ_TASK(.event = &event)));
    noop_fail("zeEventQueryKernelTimestamp", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story(mez_event_get_profile(event, &profile), MEZ_ERRC_DEVICE_LOST,
        "zeEventQueryKernelTimestamp");
    mez_event_destroy(&event);
    mez_queue_destroy(&timed);
}

// Recycled events keep to their kind.
static void test_slabs_of_timed_events(void **state)
{
    runtime *r = *state;
    mez_queue *queues[2] = {r->queue, NULL};
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.profiling = true}, &queues[1]));
    for (int i = 0; i < 8; i++) {
        mez_event *event;
        mez_event_profile profile;
        assert_ok(mez_barrier(queues[i % 2], MEZ_TASK(.event = &event)));
        assert_ok(mez_event_wait(event));
        assert_condition(
            mez_event_get_profile(event, &profile), i % 2 ? MEZ_SUCCESS : MEZ_ERRC_PROFILING);
        mez_event_destroy(&event);
    }
    assert_int_equal(noop_live(NOOP_EVENT_POOL), 2);
    mez_queue_destroy(&queues[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_barrier),
        RUNTIME_TEST(test_barrier_with_events),
        RUNTIME_TEST(test_barrier_failures),
        RUNTIME_TEST(test_copy_2d),
        RUNTIME_TEST(test_copy_3d),
        RUNTIME_TEST(test_copies_3d_that_are_simpler),
        RUNTIME_TEST(test_copies_3d_that_are_refused),
        RUNTIME_TEST(test_copies_2d_that_are_simpler),
        RUNTIME_TEST(test_copies_2d_that_are_refused),
        RUNTIME_TEST(test_hints),
        RUNTIME_TEST(test_hints_with_events),
        RUNTIME_TEST(test_hints_that_are_refused),
        cmocka_unit_test_setup_teardown(
            test_patterns_beyond_the_limit, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_cooperative_launches, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_devices_without_cooperative_launches, driver_setup, driver_teardown),
        RUNTIME_TEST(test_status),
        RUNTIME_TEST(test_status_of_lost_tasks),
        cmocka_unit_test_setup_teardown(test_times_in_both_units, driver_setup, driver_teardown),
        RUNTIME_TEST(test_callbacks),
        RUNTIME_TEST(test_callbacks_of_lost_tasks),
        RUNTIME_TEST(test_callbacks_that_destroy_their_queue),
        RUNTIME_TEST(test_callbacks_that_outlive_the_context),
        RUNTIME_TEST(test_callbacks_that_are_refused),
        RUNTIME_TEST(test_times_that_cant_be_had),
        RUNTIME_TEST(test_slabs_of_timed_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
