// SPDX-License-Identifier: MIT
//
// The quick paths of a queue with an in-order list: they make the same calls, return the same results and report the same errors as
// the long way, and their events come back whoever lets go of them.

#include "runtime.h"

#define LAUNCH "CommandListAppendLaunchKernel "
#define COPY "CommandListAppendMemoryCopy "
#define FILL "CommandListAppendMemoryFill "

static mez_error copy(runtime *r, const mez_task_params *task)
{
    return mez_copy(r->queue, r->x, r->y, COUNT, task);
}

static mez_error fill(runtime *r, const mez_task_params *task)
{
    return mez_fill(r->queue, r->x, "fill", 4, 8, task);
}

static uint32_t events(runtime *r)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(r->context, &statistics);
    return statistics.events;
}

static void test_an_event_costs_no_call(void **state)
{
    runtime *r = *state;
    mez_event *launched[3], *copied;
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &launched[0]))); // makes a pool of events
    watch_calls();
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &launched[1])));
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &launched[2], .debug_name = "named")));
    assert_ok(copy(r, MEZ_TASK(.event = &copied)));
    assert_string_equal(calls(), LAUNCH LAUNCH COPY);
    assert_int_equal(events(r), 4);
    for (int i = 0; i < 3; i++) {
        assert_ok(mez_event_wait(launched[i]));
        mez_event_destroy(&launched[i]);
    }
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(events(r), 1);
    mez_event_destroy(&copied);
    assert_int_equal(events(r), 0);
}

// A lent event has not happened, however often it was lent before.
static void test_events_are_recycled(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 1000; i++) {
        mez_event *event;
        noop_hold(true);
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
        assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
        noop_hold(false);
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
    }
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_live(NOOP_EVENT_POOL), 1);
    assert_int_equal(events(r), 0);
}

enum { MANY = 400 };

static void test_many_events_in_flight(void **state)
{
    runtime *r = *state;
    static mez_event *in_flight[MANY];
    for (int round = 0; round < 3; round++) {
        noop_hold(true);
        for (int i = 0; i < MANY; i++)
            assert_ok(submit_nothing(r, MEZ_TASK(.event = &in_flight[i])));
        assert_int_equal(events(r), MANY);
        for (int i = 0; i < MANY; i += 2) // before they have happened
            mez_event_destroy(&in_flight[i]);
        noop_hold(false);
        assert_ok(mez_queue_wait(r->queue));
        for (int i = 1; i < MANY; i += 2) {
            assert_ok(mez_event_get_status(in_flight[i]));
            mez_event_destroy(&in_flight[i]);
        }
        assert_int_equal(events(r), 0);
    }
    assert_int_equal(noop_live(NOOP_EVENT_POOL), MANY / 256 + 1);
}

// What one queue had is another's afterwards.
static void test_an_event_outlives_its_queue(void **state)
{
    runtime *r = *state;
    mez_event *event;
    mez_queue *other;
    for (int i = 0; i < 40; i++) {
        assert_ok(mez_queue_create(r->context, NULL, &other));
        assert_ok(mez_barrier(other, MEZ_TASK(.event = &event)));
        mez_queue_destroy(&other);
        assert_int_equal(events(r), 1);
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
        assert_int_equal(events(r), 0);
    }
    assert_int_equal(noop_live(NOOP_EVENT_POOL), 1);
}

// The event of a queue that is gone keeps what it needs, and frees it.
static void test_an_event_outlives_its_context(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(copy(r, MEZ_TASK(.event = &event)));
    mez_queue_destroy(&r->queue);
    mez_kernel_destroy(&r->nothing);
    mez_kernel_destroy(&r->saxpy);
    mez_free(r->context, r->x);
    mez_free(r->context, r->y);
    assert_ok(mez_log_set_levels("context:off")); // it warns of the event
    mez_context_destroy(&r->context);
    assert_ok(mez_log_set_levels("context:warn"));
    assert_ok(mez_event_get_status(event));
    mez_event_destroy(&event);
}

static void expect_failure(runtime *r, const char *call,
    mez_error (*submit)(runtime *, const mez_task_params *), const mez_task_params *task)
{
    const uint64_t before = noop_calls(call);
    noop_fail(call, 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const mez_error error = submit(r, task);
    assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
    assert_contains(story_of(error), call);
    assert_contains(story_of(error), "queue: \"queue #1\"");
    if (task)
        assert_contains(story_of(error), "task: \"mine\"");
    assert_int_equal(noop_calls(call), before + 1); // not tried again
}

static void test_an_append_that_fails(void **state)
{
    runtime *r = *state;
    mez_event *event;
    const mez_task_params *task = MEZ_TASK(.event = &event, .debug_name = "mine");
    assert_ok(submit_saxpy(r, task)); // the next one is quick
    mez_event_destroy(&event);
    assert_ok(mez_queue_wait(r->queue));
    for (int i = 0; i < 2; i++) {
        event = (mez_event *)r;
        expect_failure(r, "zeCommandListAppendLaunchKernel", submit_saxpy, i == 0 ? NULL : task);
        expect_failure(r, "zeCommandListAppendMemoryCopy", copy, i == 0 ? NULL : task);
        expect_failure(r, "zeCommandListAppendMemoryFill", fill, i == 0 ? NULL : task);
    }
    assert_null(event);
    assert_int_equal(events(r), 0);
    assert_ok(submit_saxpy(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
}

// It may still be signalled: nobody gets it again.
static void test_an_event_that_can_not_be_reset(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(mez_log_set_levels("event:off"));
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event)));
    assert_ok(mez_queue_wait(r->queue));
    noop_fail("zeEventHostReset", 1, ZE_RESULT_ERROR_UNKNOWN);
    mez_event_destroy(&event);
    assert_ok(mez_log_set_levels("event:warn"));
    assert_int_equal(events(r), 0);
    for (int i = 0; i < 300; i++) {
        assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event)));
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
    }
}

// Copies that must not take the quick path, because only the other one says what is wrong.
static void test_wrong_copies(void **state)
{
    runtime *r = *state;
    char *const x = (char *)r->x;
    watch_calls();
    assert_story(mez_copy(r->queue, x, x + 15, 16, NULL), MEZ_ERRC_INVALID_PARAMETER, "overlap");
    assert_story(mez_copy(r->queue, x + 15, x, 16, NULL), MEZ_ERRC_INVALID_PARAMETER, "overlap");
    assert_story(mez_copy(r->queue, x, x, 1, NULL), MEZ_ERRC_INVALID_PARAMETER, "overlap");
    assert_story(
        mez_copy(r->queue, x, r->y, SIZE_MAX, NULL), MEZ_ERRC_INVALID_PARAMETER, "the end");
    assert_condition(mez_copy(r->queue, NULL, x, 16, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_copy(r->queue, x, NULL, 16, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_string_equal(calls(), "");
    assert_ok(mez_copy(r->queue, x, x + 16, 16, NULL));
    assert_ok(mez_copy(r->queue, x + 16, x, 16, NULL));
    assert_ok(mez_copy(r->queue, x, x + 1, 1, NULL));
    assert_string_equal(calls(), COPY COPY COPY);
}

static void test_wrong_fills(void **state)
{
    runtime *r = *state;
    static const char pattern[256] = "of no repetition";
    const struct {
        size_t pattern_size, size;
        const char *words;
    } wrong[] = {{0, 16, "a power of two"}, {3, 12, "a power of two"}, {256, 256, "a power of two"},
        {SIZE_MAX, 16, "a power of two"}, {16, 24, "is not a multiple"},
        {4, 2, "is not a multiple"}, {1, SIZE_MAX, "the end"}, {4, SIZE_MAX - 3, "the end"}};
    watch_calls();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_story(mez_fill(r->queue, r->x, pattern, wrong[i].pattern_size, wrong[i].size, NULL),
            MEZ_ERRC_INVALID_PARAMETER, wrong[i].words);
    assert_story(
        mez_fill(r->queue, NULL, pattern, 4, 16, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"to\"");
    assert_story(
        mez_fill(r->queue, r->x, NULL, 4, 16, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"pattern\"");
    assert_story(
        mez_fill(NULL, r->x, pattern, 4, 16, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"queue\"");
    assert_string_equal(calls(), "");
}

// A fill is no more than its append, whatever the pattern that the engine takes; one of nothing keeps its place in the order.
static void test_fills(void **state)
{
    runtime *r = *state;
    static const char pattern[16] = "of no repetition";
    mez_event *event;
    assert_ok(fill(r, MEZ_TASK(.event = &event))); // makes a pool of events
    mez_event_destroy(&event);
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    for (size_t size = 1; size <= sizeof pattern; size *= 2)
        assert_ok(mez_fill(r->queue, r->x, pattern, size, 32, NULL));
    assert_ok(fill(r, MEZ_TASK(.event = &event, .debug_name = "named")));
    assert_string_equal(calls(), FILL FILL FILL FILL FILL FILL);
    assert_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    watch_calls();
    assert_ok(mez_fill(r->queue, r->x, pattern, 4, 0, NULL));
    assert_contains(calls(), "CommandListAppendBarrier ");
}

// A group size that the driver has refused is not taken for set.
static void test_a_refused_group_size(void **state)
{
    runtime *r = *state;
    const mez_range *large = MEZ_ND_RANGE(MEZ_SIZE(64), MEZ_SIZE(8));
    const mez_range *small = MEZ_ND_RANGE(MEZ_SIZE(64), MEZ_SIZE(4));
    assert_ok(mez_submit(r->queue, r->nothing, large, NULL, NULL));
    noop_fail("zeKernelSetGroupSize", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_condition(mez_submit(r->queue, r->nothing, small, NULL, NULL), MEZ_ERRC_UNKNOWN);
    watch_calls();
    assert_ok(mez_submit(r->queue, r->nothing, small, NULL, NULL));
    assert_string_equal(calls(), "KernelSetGroupSize " LAUNCH);
}

// A wait that ends at the driver's first look, one that needs more, and one that fails.
static void test_waits(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, NULL));
    watch_calls();
    assert_ok(mez_queue_wait(r->queue));
    assert_string_equal(calls(), "CommandListHostSynchronize ");
    assert_ok(mez_queue_wait(r->queue)); // nothing is in flight
    assert_string_equal(calls(), "CommandListHostSynchronize ");

    assert_ok(submit_nothing(r, NULL));
    noop_fail("zeCommandListHostSynchronize", 1, ZE_RESULT_NOT_READY);
    assert_ok(mez_queue_wait(r->queue));

    assert_ok(submit_nothing(r, NULL));
    noop_fail("zeCommandListHostSynchronize", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_story(mez_queue_wait(r->queue), MEZ_ERRC_UNKNOWN, "zeCommandListHostSynchronize");
    assert_ok(mez_queue_wait(r->queue));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ORDER_TEST(test_an_event_costs_no_call),
        IN_ORDER_TEST(test_events_are_recycled),
        RUNTIME_TEST(test_events_are_recycled),
        IN_ORDER_TEST(test_many_events_in_flight),
        RUNTIME_TEST(test_many_events_in_flight),
        IN_ORDER_TEST(test_an_event_outlives_its_queue),
        RUNTIME_TEST(test_an_event_outlives_its_queue),
        IN_ORDER_TEST(test_an_event_outlives_its_context),
        IN_ORDER_TEST(test_an_append_that_fails),
        IN_ORDER_TEST(test_an_event_that_can_not_be_reset),
        IN_ORDER_TEST(test_wrong_copies),
        IN_ORDER_TEST(test_wrong_fills),
        IN_ORDER_TEST(test_fills),
        IN_ORDER_TEST(test_a_refused_group_size),
        IN_ORDER_TEST(test_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
