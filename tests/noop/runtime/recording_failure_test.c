// SPDX-License-Identifier: MIT
//
// Recordings: what is reported and what is left when a call or an allocation fails.

#include "recorded.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"

static void test_the_story_names_everything(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    noop_fail("zeCommandListAppendMemoryCopy", 1, ZE_RESULT_ERROR_UNKNOWN);
    mez_event *event = (mez_event *)r;
    mez_error error =
        mez_replay(r->queue, recording, MEZ_TASK(.debug_name = "again", .event = &event));
    assert_condition(error, MEZ_ERRC_UNKNOWN);
    assert_null(event);
    static const char *const parts[] = {"queue: \"main\"", "recording: \"steps\"",
        "task: \"again\"", "operation: number 2", "recording_failure_test.c"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_contains(story_of(error), parts[i]);
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_UNKNOWN);
    error = mez_replay(r->queue, recording, MEZ_TASK(.debug_name = "again"));
    assert_condition(error, MEZ_ERRC_UNKNOWN);
    assert_contains(story_of(error), "recording: \"steps\"");
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static uint32_t events_of(runtime *r)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(r->context, &statistics);
    return statistics.events;
}

// A side list's gate stands in the immediate list when the rest fails: it waits for the event still.
static void test_a_part_of_a_replay_keeps_its_events(void **state)
{
    (void)state;
    runtime *r = open_runtime(SIDE_LIST_BASIC);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    mez_queue *other;
    mez_event *before, *after;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &other));
    noop_hold(true);
    assert_ok(mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &before)));
    const mez_task_params task = {.wait_for = &before, .wait_count = 1, .event = &after};
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_condition(mez_replay(r->queue, recording, &task), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_null(after);
    noop_release(1);
    assert_ok(mez_queue_wait(other));
    mez_event_destroy(&before);
    assert_int_equal(events_of(r),
        4); // what it waits for, what it would have signalled, and two of the side list's own
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(events_of(r), 2);
    assert_ok(mez_replay(r->queue, recording, NULL));
    mez_queue_destroy(&other);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static atomic_int logged;

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic, (void)message;
    atomic_fetch_add(&logged, level <= MEZ_LOG_ERROR);
}

static mez_error first_of(mez_error first, mez_error second)
{
    return mez_failed(first) ? first : second;
}

// Everything that has to do with recordings, with a kernel that can assert where there is one, up to the first failure; then all is
// destroyed.
static mez_error record_all(runtime *r, mez_recording *recording, mez_kernel *checked)
{
    const float a = 2;
    const int zero = 0;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y));
    mez_error error = mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), args, NULL, NULL);
    error = first_of(error, mez_record_copy(recording, r->x, r->y, COUNT, NULL, NULL));
    error = first_of(error, mez_record_fill(recording, r->x, &zero, 4, COUNT, NULL, NULL));
    error = first_of(error, mez_record_copy_2d(recording, r->x, 16, r->y, 32, 8, 4, NULL, NULL));
    error = first_of(error, mez_record_barrier(recording, NULL, NULL));
    if (!checked)
        return error;
    return first_of(error, mez_record_submit(recording, checked, MEZ_RANGE(COUNT),
                               MEZ_ARGS(MEZ_PTR(r->x)), NULL, NULL));
}

static mez_error replay_all(runtime *r, mez_queue *other, mez_recording *recording)
{
    const float b = 3;
    mez_event *before = NULL, *after = NULL;
    mez_error error = mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &before));
    for (int i = 0; i < 3 && !mez_failed(error); i++) {
        mez_event_destroy(&after);
        error = mez_replay(
            r->queue, recording, MEZ_TASK(.wait_for = &before, .wait_count = 1, .event = &after));
    }
    noop_hold(false);
    if (after)
        error = first_of(error, mez_event_wait(after));
    mez_event_destroy(&before);
    mez_event_destroy(&after);
    error =
        first_of(error, mez_recording_set_argument(recording, 0, 0, &(const mez_arg)MEZ_VAL(b)));
    error = first_of(
        error, mez_recording_set_range(recording, 0, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4))));
    for (int i = 0; i < 6; i++)
        error = first_of(error, mez_replay(r->queue, recording, NULL));
    return first_of(error, mez_queue_wait(r->queue));
}

static mez_error play(runtime *r, mez_queue *other, mez_kernel *checked)
{
    mez_recording *recording;
    MEZ_TRY(mez_recording_create(r->context, &(mez_recording_params){0}, &recording));
    mez_error error = record_all(r, recording, checked);
    noop_hold(true);
    error = first_of(error, replay_all(r, other, recording));
    noop_hold(false);
    mez_recording_destroy(&recording);
    error = first_of(error, mez_queue_wait(other));
    return first_of(error, mez_queue_wait(r->queue));
}

static const char *nth_call(uint64_t n)
{
    static const char *names[4096];
    const size_t count = noop_log(names, 4096);
    return n <= count && n <= 4096 ? names[n - 1] : "";
}

// A wait that only looks whether something has ended may fail unnoticed: the next one reports the failure.
static void expect_reported(mez_error error, uint64_t n, ze_result_t code)
{
    const bool unheard = !mez_failed(error) && atomic_load(&logged) == 0;
    if (mez_failed(error))
        assert_true(error.value == (int32_t)code || mez_error_is(error, MEZ_ERRC_EVENT));
    if (unheard && strcmp(nth_call(n), "zeFenceHostSynchronize") != 0)
        fail_msg("failure %d, of %s, went unheard", (int)n, nth_call(n));
}

// Whatever fails is reported, and a recording works on the same queue afterwards. Where a kernel can assert the completion
// thread waits as well, and what fails there the user's own wait finds out by itself. False: there are not so many calls.
static bool fail_nth_call(enum way way, bool asserts, uint64_t n, ze_result_t code)
{
    runtime *r = open_runtime(way);
    mez_kernel *checked = asserts ? load_kernel(r->context, "asserts.spv", "checked") : NULL;
    mez_queue *other;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &other));
    atomic_store(&logged, 0);
    const uint64_t before = noop_fired();
    watch_calls();
    noop_fail(NULL, n, code);
    const mez_error error = play(r, other, checked);
    const bool fired = noop_fired() > before;
    if (!fired)
        assert_ok(error);
    else if (!asserts)
        expect_reported(error, n, code);
    noop_reset();
    configure(way);
    mez_error_ignore(mez_queue_wait(r->queue)); // what was kept of the failure
    mez_error_ignore(mez_queue_wait(other));
    const mez_error again = play(r, other, checked);
    if (fired && code == ZE_RESULT_ERROR_DEVICE_LOST && mez_failed(again))
        assert_condition(again, MEZ_ERRC_DEVICE_LOST); // which stays
    else
        assert_ok(again);
    mez_queue_destroy(&other);
    mez_kernel_destroy(&checked);
    close_runtime(r);
    return fired;
}

static void walk(bool asserts, ze_result_t code)
{
    mez_log_set_function(hear, NULL);
    for (int way = 0; way < WAYS; way++) {
        uint64_t n = 1;
        while (fail_nth_call((enum way)way, asserts, n, code))
            n++;
        assert_true(n > 50);
    }
    mez_log_set_function(NULL, NULL);
}

static void test_every_failing_call(void **state)
{
    (void)state;
    walk(false, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void test_every_failing_call_of_a_lost_device(void **state)
{
    (void)state;
    walk(false, ZE_RESULT_ERROR_DEVICE_LOST);
}

static void test_every_failing_call_beside_asserts(void **state)
{
    (void)state;
    walk(true, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    walk(true, ZE_RESULT_ERROR_DEVICE_LOST);
}

static void test_no_memory(void **state)
{
    (void)state;
    mez_log_set_function(hear, NULL);
    for (int way = 0; way < WAYS; way++) {
        for (uint64_t n = 1, tried = n; tried >= n; n++) {
            runtime *r = open_runtime((enum way)way);
            mez_kernel *checked = load_kernel(r->context, "asserts.spv", "checked");
            mez_queue *other;
            assert_ok(mez_queue_create(
                r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &other));
            mez_alloc_fail_at(0);
            mez_alloc_fail_at(n);
            const mez_error error = play(r, other, checked);
            tried = mez_alloc_fail_at(0);
            if (mez_failed(error))
                assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
            mez_error_ignore(mez_queue_wait(r->queue));
            assert_ok(play(r, other, checked));
            mez_queue_destroy(&other);
            mez_kernel_destroy(&checked);
            close_runtime(r);
        }
    }
    mez_log_set_function(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_story_names_everything),
        cmocka_unit_test(test_a_part_of_a_replay_keeps_its_events),
        cmocka_unit_test(test_every_failing_call),
        cmocka_unit_test(test_every_failing_call_of_a_lost_device),
        cmocka_unit_test(test_every_failing_call_beside_asserts),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
