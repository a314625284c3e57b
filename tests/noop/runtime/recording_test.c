// SPDX-License-Identifier: MIT
//
// Recordings: which Level Zero calls a replay makes on each kind of queue, what makes a list again, and what is in flight.

#include "recorded.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/alloc.h"
#include "queue/queue.h"

#define BARRIER "CommandListAppendBarrier "
#define LAUNCH "CommandListAppendLaunchKernel "
#define COPY "CommandListAppendMemoryCopy "
#define CLOSE "CommandListClose "
#define CREATE "CommandListCreate "
#define RESET "CommandListReset "
#define EXECUTE "CommandQueueExecuteCommandLists "
#define SET "KernelSetArgumentValue "
#define LOOK "FenceHostSynchronize "
#define APPEND "CommandListImmediateAppendCommandListsExp "

// --- What is called

#define IN_ORDER BARRIER LAUNCH BARRIER LAUNCH BARRIER COPY CLOSE

// The second list is for a replay while the first may be in flight.
static void test_batched_replays(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), CREATE IN_ORDER CREATE "FenceCreate " EXECUTE);
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), "FenceReset " EXECUTE);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), CREATE IN_ORDER LOOK "FenceReset " EXECUTE);
    for (int i = 0; i < 3; i++) {
        watch_calls();
        assert_ok(mez_replay(r->queue, recording, NULL));
        assert_string_equal(calls(), LOOK "FenceReset " EXECUTE);
    }
    assert_ok(mez_queue_wait(r->queue));
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// What waits in an open batch goes before, what comes behind has a barrier.
static void test_order_on_a_batched_queue(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    noop_hold(true);
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL)); // in an open batch
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), CLOSE EXECUTE LOOK CREATE "FenceCreate " EXECUTE);
    watch_calls();
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
    assert_string_equal(calls(), LOOK CREATE "FenceCreate " BARRIER COPY);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static void test_an_out_of_order_recording_has_its_own_barriers_only(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = create_recording(r, MEZ_OUT_OF_ORDER);
    record_saxpy(r, recording);
    record_copy(r, recording);
    assert_ok(mez_record_barrier(recording, NULL, NULL));
    record_saxpy(r, recording);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(
        calls(), CREATE BARRIER LAUNCH COPY BARRIER LAUNCH CLOSE CREATE "FenceCreate " EXECUTE);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// A recorded barrier of an in-order recording, or an empty copy, needs no second one.
static void test_barriers_stand_alone(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    assert_ok(mez_record_barrier(recording, NULL, NULL));
    record_copy(r, recording);
    assert_ok(mez_record_barrier(recording, NULL, NULL));
    assert_ok(mez_record_copy(recording, r->x, r->y, 0, NULL, NULL));
    record_copy(r, recording);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(
        calls(), CREATE BARRIER COPY BARRIER COPY CLOSE CREATE "FenceCreate " EXECUTE);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static void expect_calls_of_second_replay(enum way way, const char *expected)
{
    runtime *r = open_runtime(way);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), expected);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// A side list: gate on the immediate list, head, recorded list and tail beside it, and the wait for them.
#define SIDE_LISTED                                                                          \
    LOOK RESET "FenceReset EventHostReset EventHostReset " BARRIER CLOSE RESET BARRIER CLOSE \
        BARRIER EXECUTE BARRIER

static void test_replays_on_immediate_queues(void **state)
{
    (void)state;
    expect_calls_of_second_replay(APPENDED, APPEND);
    expect_calls_of_second_replay(APPENDED_BASIC, BARRIER APPEND);
    expect_calls_of_second_replay(SIDE_LIST, SIDE_LISTED);
    expect_calls_of_second_replay(SIDE_LIST_BASIC, SIDE_LISTED);
}

// --- What makes a list again

static void test_a_changed_argument(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    const float b = 3;
    assert_ok(mez_recording_set_argument(recording, 1, 0, &(const mez_arg)MEZ_VAL(b)));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(
        calls(), RESET BARRIER LAUNCH BARRIER SET LAUNCH BARRIER COPY CLOSE "FenceReset " EXECUTE);
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), "FenceReset " EXECUTE);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static void test_a_changed_range(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    record_saxpy(r, recording);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    assert_ok(mez_recording_set_range(recording, 0, range));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), RESET BARRIER LAUNCH CLOSE "FenceReset " EXECUTE);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// A list in flight is not touched: the changed operations go into another one.
static void test_what_is_in_flight_stays(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    record_saxpy(r, recording);
    noop_hold(true);
    assert_ok(mez_replay(r->queue, recording, NULL));
    const float b = 3;
    assert_ok(mez_recording_set_argument(recording, 0, 0, &(const mez_arg)MEZ_VAL(b)));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(
        calls(), CREATE BARRIER SET LAUNCH CLOSE LOOK CREATE "FenceCreate " EXECUTE);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static void test_more_operations(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    record_copy(r, recording);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    record_copy(r, recording);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), RESET BARRIER COPY BARRIER COPY CLOSE "FenceReset " EXECUTE);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// The same address may be another allocation. A small one comes from a pool that is there.
static void test_allocations(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    void *first = mez_alloc_device(r->context, 64, NULL); // makes the pool
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    void *large = mez_alloc_device(r->context, 64 << 20, NULL);
    assert_non_null(large);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(),
        RESET BARRIER SET SET LAUNCH BARRIER LAUNCH BARRIER COPY CLOSE "FenceReset " EXECUTE);
    assert_ok(mez_queue_wait(r->queue));
    void *small = mez_alloc_device(r->context, 64, NULL);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), "FenceReset " EXECUTE);
    assert_ok(mez_free(r->context, first));
    assert_ok(mez_free(r->context, small));
    assert_ok(mez_free(r->context, large));
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// --- Events

static void test_events_of_a_batched_replay(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    record_copy(r, recording);
    mez_queue *other;
    mez_event *before, *after;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &other));
    noop_hold(true);
    assert_ok(mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &before)));
    const mez_task_params task = {.wait_for = &before, .wait_count = 1, .event = &after};
    assert_ok(mez_replay(r->queue, recording, NULL));
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, &task));
    assert_string_equal(calls(), CREATE BARRIER COPY CLOSE LOOK CREATE
        "FenceCreate " BARRIER CLOSE CREATE BARRIER CLOSE EXECUTE);
    assert_condition(mez_event_wait_for(after, 0), MEZ_ERRC_TIMEOUT);
    noop_hold(false);
    assert_ok(mez_event_wait(after));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&after);
    // The lists in front and behind are used again; only they are reset.
    assert_ok(mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &after)));
    mez_event_destroy(&after);
    watch_calls();
    assert_ok(mez_replay(r->queue, recording, MEZ_TASK(.event = &after)));
    assert_string_equal(calls(), RESET "FenceReset " RESET BARRIER CLOSE EXECUTE);
    assert_ok(mez_event_wait(after));
    mez_event_destroy(&after);
    mez_event_destroy(&before);
    mez_queue_destroy(&other);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// Each way: the event waits for the replay, the replay for the event of another queue.
static void test_events(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        runtime *r = open_runtime((enum way)way);
        mez_recording *recording = record_three(r, MEZ_OUT_OF_ORDER);
        mez_queue *other;
        mez_event *before, *after;
        assert_ok(mez_queue_create(r->context, NULL, &other));
        noop_hold(true);
        assert_ok(mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &before)));
        const mez_task_params task = {.wait_for = &before, .wait_count = 1, .event = &after};
        assert_ok(mez_replay(r->queue, recording, &task));
        assert_condition(mez_event_get_status(after), MEZ_ERRC_NOT_READY);
        noop_hold(false);
        assert_ok(mez_event_wait(after));
        mez_event_destroy(&before);
        mez_event_destroy(&after);
        mez_queue_destroy(&other);
        mez_recording_destroy(&recording);
        close_runtime(r);
    }
}

// --- Lists in flight

static uint32_t lists_of(runtime *r)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(r->context, &statistics);
    return statistics.command_lists;
}

static void *release_one(void *unused)
{
    usleep(20000);
    noop_release(1);
    return unused;
}

static void test_a_few_in_flight(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    noop_hold(true);
    for (int i = 0; i < 4; i++)
        assert_ok(mez_replay(r->queue, recording, NULL));
    assert_int_equal(lists_of(r), 8);
    assert_int_equal(noop_pending(), 4);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, release_one, NULL), 0);
    assert_ok(mez_replay(r->queue, recording, NULL)); // waits for the oldest
    pthread_join(thread, NULL);
    assert_int_equal(lists_of(r), 8); // and takes what it had
    assert_int_equal(noop_pending(), 4);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    mez_recording_destroy(&recording);
    assert_int_equal(lists_of(r), 4); // the queue's
    close_runtime(r);
}

// Each way: a hundred replays in a row need no more than four lists.
static void test_lists_come_back(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        runtime *r = open_runtime((enum way)way);
        mez_recording *recording = record_three(r, MEZ_IN_ORDER);
        for (int i = 0; i < 100; i++)
            assert_ok(mez_replay(r->queue, recording, NULL));
        assert_uint_in_range(noop_calls("zeCommandListAppendLaunchKernel"), 2, 8);
        assert_ok(mez_queue_wait(r->queue));
        mez_recording_destroy(&recording);
        close_runtime(r);
    }
}

static void test_destroyed_in_flight(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        runtime *r = open_runtime((enum way)way);
        mez_recording *recording = record_three(r, MEZ_IN_ORDER);
        noop_hold(true);
        assert_ok(mez_replay(r->queue, recording, NULL));
        const uint32_t lists = lists_of(r);
        mez_recording_destroy(&recording);
        assert_null(recording);
        mez_kernel_destroy(&r->saxpy);
        assert_int_equal(lists_of(r), lists);
        assert_int_equal(noop_calls("zeCommandListDestroy"), 0);
        noop_hold(false);
        assert_ok(mez_queue_wait(r->queue));
        assert_int_equal(lists_of(r), lists - 1);
        assert_int_equal(noop_calls("zeKernelDestroy"), 1);
        close_runtime(r);
    }
}

// Two queues at the same time need a list each, one after the other the same.
static void test_several_queues(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    mez_queue *other;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &other));
    noop_hold(true);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_replay(other, recording, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 2);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_queue_wait(other));
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_replay(other, recording, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 2);
    mez_queue_destroy(&other);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static void test_replays_allocate_nothing(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_replay(r->queue, recording, NULL));
    mez_alloc_fail_at(0);
    for (int i = 0; i < 100; i++)
        assert_ok(mez_replay(r->queue, recording, NULL));
    assert_int_equal(mez_alloc_fail_at(0), 0);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

typedef struct worker {
    runtime *r;
    mez_recording *recording;
    mez_queue *queue; // NULL: changes arguments meanwhile
    mez_error error;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < 200 && !mez_failed(w->error); i++) {
        const float a = (float)i;
        if (w->queue)
            w->error = mez_replay(w->queue, w->recording, NULL);
        else
            w->error = mez_recording_set_argument(
                w->recording, (uint32_t)i % 2, 0, &(const mez_arg)MEZ_VAL(a));
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        runtime *r = open_runtime((enum way)way);
        noop_count_exactly(true);
        mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
        record_saxpy(r, recording); // no copies: they would really race
        record_saxpy(r, recording);
        mez_queue *other;
        assert_ok(mez_queue_create(r->context, NULL, &other));
        mez_queue *const queues[] = {r->queue, r->queue, other, NULL};
        worker workers[4];
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) {
            workers[i] = (worker){.r = r, .recording = recording, .queue = queues[i]};
            assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
        }
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 4; i++)
            assert_ok(workers[i].error);
        mez_recording_destroy(&recording); // may be in flight
        mez_queue_destroy(&other);
        close_runtime(r);
    }
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

// Else a wait of another thread could take it for ended before the list runs.
static void test_a_replay_beside_the_queue_is_counted_when_it_runs(void **state)
{
    (void)state;
    runtime *r = open_runtime(SIDE_LIST);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    glance glance = {.queue = r->queue, .submitted = 1};
    noop_before("zeCommandQueueExecuteCommandLists", count_submitted, &glance);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_int_equal(glance.submitted, 0);
    assert_int_equal(mez_timeline_submitted(&r->queue->timeline), 1);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batched_replays),
        cmocka_unit_test(test_order_on_a_batched_queue),
        cmocka_unit_test(test_an_out_of_order_recording_has_its_own_barriers_only),
        cmocka_unit_test(test_barriers_stand_alone),
        cmocka_unit_test(test_replays_on_immediate_queues),
        cmocka_unit_test(test_a_changed_argument),
        cmocka_unit_test(test_a_changed_range),
        cmocka_unit_test(test_what_is_in_flight_stays),
        cmocka_unit_test(test_more_operations),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_events_of_a_batched_replay),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_a_few_in_flight),
        cmocka_unit_test(test_lists_come_back),
        cmocka_unit_test(test_destroyed_in_flight),
        cmocka_unit_test(test_several_queues),
        cmocka_unit_test(test_replays_allocate_nothing),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_a_replay_beside_the_queue_is_counted_when_it_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
