// SPDX-License-Identifier: MIT
//
// Waiting: timeouts, events of one and of several queues, and what stays alive while tasks are in flight.

#include "runtime.h"

#include <time.h>

#include "base/error.h"
#include "queue/queue.h"

static char logged[2048];

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    const size_t length = strlen(logged);
    if (level == MEZ_LOG_ERROR)
        snprintf(logged + length, sizeof logged - length, "%s\n", message);
}

static void test_queue_wait_times_out(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_saxpy(r, NULL));
    assert_condition(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_TIMEOUT);
    assert_condition(mez_queue_wait_for(r->queue, 5 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_ok(submit_saxpy(r, NULL)); // the queue goes on
    noop_hold(false);
    assert_ok(mez_queue_wait_for(r->queue, 1000ull * MILLISECOND));
    assert_ok(submit_saxpy(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
}

static void test_event_wait_times_out(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event)));
    assert_condition(mez_event_wait_for(event, 0), MEZ_ERRC_TIMEOUT);
    assert_condition(mez_event_wait_for(event, 5 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    noop_hold(false);
    assert_ok(mez_event_wait(event));
    assert_ok(mez_event_wait_for(event, 0));
    mez_event_destroy(&event);
    assert_null(event);
}

static void test_idle_queue_waits_for_nothing(void **state)
{
    runtime *r = *state;
    watch_calls();
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_queue_wait_for(r->queue, 0));
    assert_string_equal(calls(), "");
}

static void test_events_of_an_open_batch(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event))); // waits in an open batch
    assert_int_equal(noop_pending(), 1);
    assert_condition(mez_event_wait_for(event, 0), MEZ_ERRC_TIMEOUT);
    assert_int_equal(noop_pending(), 2);
    noop_release(1);
    assert_condition(mez_event_wait_for(event, 0), MEZ_ERRC_TIMEOUT);
    noop_release(1);
    assert_ok(mez_event_wait_for(event, 0));
    mez_event_destroy(&event);
}

// Waiting for an event of another queue's open batch hands that batch over: nobody else would.
static void test_events_across_queues(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *first, *second;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &first)));
    assert_int_equal(noop_pending(), 1);
    assert_ok(mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL,
        MEZ_TASK(.wait_for = &first, .wait_count = 1, .event = &second)));
    assert_int_equal(noop_pending(), 3); // the open batch, and the waiting task
    mez_event_destroy(&first);           // the waiting task keeps it
    noop_hold(false);
    assert_ok(mez_event_wait(second));
    mez_event_destroy(&second);
    assert_ok(mez_queue_wait(other));
    mez_queue_destroy(&other);
}

static void test_an_in_order_queue_needs_no_events_of_its_own(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(submit_nothing(r, MEZ_TASK(.wait_for = &event, .wait_count = 1)));
    assert_int_equal(noop_pending(), 1); // the batch stays open
    mez_event_destroy(&event);
}

static void test_long_wait_lists(void **state)
{
    runtime *r = *state;
    enum { EVENTS = 100 };
    mez_queue *other;
    mez_event *events[EVENTS];
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    for (int i = 0; i < EVENTS; i++)
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &events[i])));
    assert_ok(mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL,
        MEZ_TASK(.wait_for = events, .wait_count = EVENTS)));
    noop_hold(false);
    assert_ok(mez_queue_wait(other));
    for (int i = 0; i < EVENTS; i++)
        mez_event_destroy(&events[i]);
    mez_queue_destroy(&other);
}

static void test_events_are_recycled(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 2000; i++) {
        mez_event *event;
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
    }
    assert_int_equal(noop_calls("zeEventPoolCreate"), 1);
}

// An event that its user gave up is still to be signalled: nobody else gets it before.
// Nobody waits for the queue itself, as where every end is reported by events of others.
static void submit_without_queue_waits(runtime *r, mez_queue_kind kind, mez_queue_order order)
{
    const mez_queue_params params = {.kind = kind, .order = order};
    mez_context_statistics statistics;
    mez_event *event;
    mez_queue *other = r->queue;
    assert_ok(mez_queue_create(r->context, &params, &r->queue));
    for (int i = 0; i < 5000; i++) {
        assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event)));
        mez_event_destroy(&event);
    }
    mez_context_get_statistics(r->context, &statistics);
    assert_uint_in_range(statistics.events, 0, 512);
    mez_queue_destroy(&r->queue);
    r->queue = other;
}

static void test_events_are_recycled_without_queue_waits(void **state)
{
    static const mez_queue_kind kinds[] = {MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        submit_without_queue_waits(*state, kinds[i], MEZ_IN_ORDER);
        submit_without_queue_waits(*state, kinds[i], MEZ_OUT_OF_ORDER);
    }
}

static void test_events_in_flight_are_not_reset(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    mez_event_destroy(&event);
    assert_int_equal(noop_calls("zeEventHostReset"), 0);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_condition(mez_event_wait_for(event, 0), MEZ_ERRC_TIMEOUT);
    assert_int_equal(noop_calls("zeEventHostReset"), 0);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_calls("zeEventHostReset"), 1);
    mez_event_destroy(&event);
    assert_int_equal(noop_calls("zeEventHostReset"), 2);
}

// A driver that can't reset an event leaves it signalled: lending it again would end a wait before its task.
static void test_events_that_cannot_be_reset_are_not_lent_again(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(mez_queue_wait(r->queue));
    noop_fail("zeEventHostReset", 1, ZE_RESULT_ERROR_UNKNOWN);
    const mez_event *signalled = event;
    mez_event_destroy(&event);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ptr_not_equal(event, signalled);
    mez_event_destroy(&event);
}

static void test_kernels_in_flight_stay(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL));
    mez_kernel_destroy(&r->nothing);
    mez_kernel_destroy(&r->saxpy);
    assert_int_equal(noop_live(NOOP_KERNEL), 1);
    assert_int_equal(noop_live(NOOP_MODULE), 1);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_live(NOOP_KERNEL), 0);
    assert_int_equal(noop_live(NOOP_MODULE), 0);
}

static void test_events_outlive_their_queue(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    mez_queue_destroy(&r->queue);
    assert_ok(mez_event_wait_for(event, 0));
    mez_event_destroy(&event);
}

// --- Failures that belong to somebody

static void test_tasks_lost_with_their_batch_are_reported(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_story(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_MEMORY_ALLOCATION, "2 tasks");
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue)); // reported once
    assert_story(mez_event_wait(event), MEZ_ERRC_MEMORY_ALLOCATION, "2 tasks");
    mez_event_destroy(&event);
}

// Another queue ends the batch and fails: the queue whose tasks are lost has to report that as well.
static void test_tasks_lost_by_somebody_else_are_reported(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *event, *never;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const mez_task_params *task = MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = &never);
    assert_true(mez_failed(mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL, task)));
    assert_null(never);
    noop_hold(false);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&event);
    mez_queue_destroy(&other);
}

// The submission that fills a batch returns the failure, and so does the wait of the owner of the tasks before it.
static void test_earlier_tasks_of_a_lost_batch_are_reported(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    for (int i = 0; i < 4; i++)
        assert_ok(submit_nothing(r, NULL));
    noop_fail("zeCommandListClose", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_condition(submit_nothing(r, NULL), MEZ_ERRC_UNKNOWN);
    noop_hold(false);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_UNKNOWN);
    assert_ok(mez_queue_wait(r->queue));
}

// What was reported is not reported again.
static void test_a_single_lost_task_is_reported_once(void **state)
{
    runtime *r = *state;
    noop_fail("zeCommandListClose", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_condition(submit_nothing(r, NULL), MEZ_ERRC_UNKNOWN);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
}

static void test_nobody_waits_for_what_will_never_happen(void **state)
{
    runtime *r = *state;
    mez_event *lost, *never;
    mez_queue *other;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &lost)));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_true(mez_failed(mez_queue_flush(r->queue)));
    noop_hold(false);
    const mez_task_params *task = MEZ_TASK(.wait_for = &lost, .wait_count = 1, .event = &never);
    const mez_error error = mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL, task);
    assert_story(error, MEZ_ERRC_EVENT, "event 0 to wait for");
    assert_contains(story_of(error), "OUT_OF_DEVICE_MEMORY");
    assert_condition(submit_nothing(r, task), MEZ_ERRC_EVENT); // in its own queue as well
    mez_event_destroy(&lost);
    mez_queue_destroy(&other);
}

// Whoever waits reads in the story who gave the event up.
static void test_a_destroyed_event_says_where(void **state)
{
    runtime *r = *state;
    mez_event *user, *waiting;
    char place[200];
    assert_ok(mez_user_event_create(r->context, NULL, &user));
    assert_ok(submit_nothing(r, MEZ_TASK(.wait_for = &user, .wait_count = 1, .event = &waiting)));
    const mez_error early = mez_event_get_status(waiting);
    assert_condition(early, MEZ_ERRC_NOT_READY);
    mez_event_destroy(&user);
    const int line = __LINE__ - 1;
    const mez_error error = mez_event_wait(waiting);
    snprintf(
        place, sizeof place, ", was destroyed at %s:%d before it was signalled", __FILE__, line);
    assert_story(error, MEZ_ERRC_EVENT, place);
    mez_event_destroy(&waiting);
    mez_error_ignore(mez_queue_wait(r->queue));
}

// An error of the wait in a destroying call has the place of that.
static void test_a_destroying_wait_has_a_place(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    char place[200];
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
    noop_fail("zeFenceHostSynchronize", 1, ZE_RESULT_ERROR_UNKNOWN);
    logged[0] = '\0';
    mez_log_set_function(hear, NULL);
    mez_queue_destroy(&queue);
    const int line = __LINE__ - 1;
    mez_log_set_function(NULL, NULL);
    snprintf(place, sizeof place, "called from: %s:%d", __FILE__, line); // clang adds a column
    assert_contains(logged, place);
    assert_contains(logged, ", test_a_destroying_wait_has_a_place");
}

static void test_a_lost_device_ends_every_wait(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeFenceHostSynchronize", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story(mez_queue_wait(r->queue), MEZ_ERRC_DEVICE_LOST, "zeFenceHostSynchronize");
    assert_story(mez_event_wait(event), MEZ_ERRC_DEVICE_LOST, "zeFenceHostSynchronize");
    assert_story(mez_queue_wait(r->queue), MEZ_ERRC_DEVICE_LOST, "zeFenceHostSynchronize");
    noop_hold(false);
    mez_event_destroy(&event);
}

// A kept error is reported however many others came in between, with its story.
static void test_kept_errors_keep_their_story(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(submit_nothing(r, NULL));
    noop_fail("zeCommandListClose", 1, ZE_RESULT_ERROR_UNKNOWN);
    for (int i = 0; i < 15; i++)
        submit_nothing(r, NULL);
    noop_hold(false);
    for (int i = 0; i < 2 * MEZ_STORY_SLOTS; i++)
        mez_error_make(MEZ_ERRC_FILE, "noise");
    assert_story(mez_queue_wait(r->queue), MEZ_ERRC_UNKNOWN, "zeCommandListClose");
    mez_event_destroy(&event);
}

// --- Several events

// Two launches of a queue that is busy: the second waits in an open batch.
static void leave_open(runtime *r, mez_queue *queue, mez_event **event)
{
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.event = event)));
}

static void test_a_wait_for_several_hands_all_batches_over(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *events[2];
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    leave_open(r, r->queue, &events[0]);
    leave_open(r, other, &events[1]);
    assert_int_equal(noop_pending(), 2);
    assert_condition(mez_events_wait_all_for(events, 2, 0), MEZ_ERRC_TIMEOUT);
    assert_int_equal(noop_pending(), 4);
    noop_hold(false);
    assert_ok(mez_events_wait_all(events, 2));
    for (int i = 0; i < 2; i++)
        mez_event_destroy(&events[i]);

    noop_hold(true);
    leave_open(r, r->queue, &events[0]);
    leave_open(r, other, &events[1]);
    assert_condition(mez_events_wait_any_for(events, 2, 0, NULL), MEZ_ERRC_TIMEOUT);
    assert_int_equal(noop_pending(), 4);
    noop_hold(false);
    assert_ok(mez_events_wait_any(events, 2, NULL));
    for (int i = 0; i < 2; i++)
        mez_event_destroy(&events[i]);
    mez_queue_destroy(&other);
}

// The task of the first event is lost; that of the second runs, and is waited for all the same.
static void test_a_failure_does_not_end_the_wait_for_others(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *events[2];
    size_t index = 5;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    leave_open(r, r->queue, &events[0]);
    assert_ok(mez_submit(other, r->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.event = &events[1])));
    noop_fail("zeCommandListClose", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_condition(mez_queue_flush(r->queue), MEZ_ERRC_UNKNOWN);
    assert_condition(mez_events_wait_all_for(events, 2, 0), MEZ_ERRC_TIMEOUT);
    assert_story(mez_events_wait_any(events, 2, &index), MEZ_ERRC_UNKNOWN, "zeCommandListClose");
    assert_int_equal(index, 0);
    assert_condition(mez_events_wait_any_for(&events[1], 1, MILLISECOND, &index), MEZ_ERRC_TIMEOUT);
    noop_hold(false);
    assert_story(mez_events_wait_all(events, 2), MEZ_ERRC_UNKNOWN, "zeCommandListClose");
    assert_ok(mez_event_get_status(events[1]));
    for (int i = 0; i < 2; i++)
        mez_event_destroy(&events[i]);
    mez_queue_destroy(&other);
}

// A second of waiting for 1,000 events that do not happen, of which looking takes a small part.
static void test_a_wait_for_many_sleeps(void **state)
{
    enum { EVENTS = 1000 }; // more would have to wait for the device
    static mez_event *events[EVENTS];
    runtime *r = *state;
    struct timespec before, after;
    noop_hold(true);
    for (int i = 0; i < EVENTS; i++)
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &events[i])));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    assert_condition(
        mez_events_wait_any_for(events, EVENTS, 1000ull * MILLISECOND, NULL), MEZ_ERRC_TIMEOUT);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    const int64_t used =
        (after.tv_sec - before.tv_sec) * 1000000000 + (after.tv_nsec - before.tv_nsec);
    print_message("1 s of waiting: %.2f ms of CPU time\n", (double)used / MILLISECOND);
    assert_true(used < 300 * MILLISECOND);
    noop_hold(false);
    assert_ok(mez_events_wait_all(events, EVENTS));
    for (int i = 0; i < EVENTS; i++)
        mez_event_destroy(&events[i]);
}

typedef struct glance {
    mez_queue *queue;
    uint64_t submitted;
} glance;

static void count_submitted(void *user)
{
    glance *glance = user;
    glance->submitted = mez_timeline_submitted(&glance->queue->timeline);
}

// A wait of another thread reads how many tasks there are before it looks at the device. If it counted a task whose record is not copied
// yet, it would take the task for ended and find no failure.
static void test_a_task_is_counted_behind_the_copy_of_its_record(void **state)
{
    runtime *r = *state;
    mez_kernel *checked = load_kernel(r->context, "asserts.spv", "checked");
    assert_ok(mez_submit(r->queue, r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
    glance glance = {.queue = r->queue};
    noop_before("zeCommandListAppendMemoryCopy", count_submitted, &glance);
    assert_ok(mez_submit(r->queue, checked, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(r->x)), NULL));
    assert_int_equal(glance.submitted, 1);
    assert_int_equal(mez_timeline_submitted(&r->queue->timeline), 2);
    assert_ok(mez_queue_wait(r->queue));
    mez_kernel_destroy(&checked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_queue_wait_times_out),
        RUNTIME_TEST(test_event_wait_times_out),
        RUNTIME_TEST(test_idle_queue_waits_for_nothing),
        RUNTIME_TEST(test_events_of_an_open_batch),
        RUNTIME_TEST(test_events_across_queues),
        RUNTIME_TEST(test_an_in_order_queue_needs_no_events_of_its_own),
        RUNTIME_TEST(test_long_wait_lists),
        RUNTIME_TEST(test_events_are_recycled),
        RUNTIME_TEST(test_events_are_recycled_without_queue_waits),
        RUNTIME_TEST(test_events_in_flight_are_not_reset),
        RUNTIME_TEST(test_events_that_cannot_be_reset_are_not_lent_again),
        RUNTIME_TEST(test_kernels_in_flight_stay),
        RUNTIME_TEST(test_events_outlive_their_queue),
        RUNTIME_TEST(test_tasks_lost_with_their_batch_are_reported),
        RUNTIME_TEST(test_tasks_lost_by_somebody_else_are_reported),
        RUNTIME_TEST(test_earlier_tasks_of_a_lost_batch_are_reported),
        RUNTIME_TEST(test_a_single_lost_task_is_reported_once),
        RUNTIME_TEST(test_nobody_waits_for_what_will_never_happen),
        RUNTIME_TEST(test_a_destroyed_event_says_where),
        RUNTIME_TEST(test_a_destroying_wait_has_a_place),
        RUNTIME_TEST(test_a_lost_device_ends_every_wait),
        RUNTIME_TEST(test_kept_errors_keep_their_story),
        RUNTIME_TEST(test_a_wait_for_several_hands_all_batches_over),
        RUNTIME_TEST(test_a_failure_does_not_end_the_wait_for_others),
        RUNTIME_TEST(test_a_wait_for_many_sleeps),
        cmocka_unit_test_setup_teardown(test_a_task_is_counted_behind_the_copy_of_its_record,
            runtime_setup_in_order_linking, runtime_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
