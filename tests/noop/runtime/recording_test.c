// SPDX-License-Identifier: MIT
//
// Recordings: which Level Zero calls a replay makes on each kind of queue, what makes a list anew, what is refused, and what is
// left when a call fails.

#include "runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/check.h"

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

enum way { BATCHED, APPENDED, APPENDED_BASIC, DETOUR, DETOUR_BASIC, WAYS };

static const mez_queue_kind kind_of[WAYS] = {
    [BATCHED] = MEZ_QUEUE_BATCHED,
    [APPENDED] = MEZ_QUEUE_IMMEDIATE,
    [APPENDED_BASIC] = MEZ_QUEUE_BASIC,
    [DETOUR] = MEZ_QUEUE_IMMEDIATE,
    [DETOUR_BASIC] = MEZ_QUEUE_BASIC,
};

static void configure(enum way way)
{
    static const char *const appends[] = {
        "ZE_experimental_immediate_command_list_append", "ZE_experimental_module_program", NULL};
    struct noop_config config = linking_config();
    config.api_version = ZE_MAKE_VERSION(1, 14);
    config.extensions = way == APPENDED || way == APPENDED_BASIC ? appends : appends + 1;
    noop_configure(&config);
}

// A runtime whose queue submits in that way.
static runtime *open_runtime(enum way way)
{
    static runtime r;
    r = (runtime){0};
    noop_reset();
    configure(way);
    assert_ok(mez_context_create(NULL, &r.context));
    // Only out of order are basic queues immediate lists.
    const mez_queue_params params = {
        .kind = kind_of[way],
        .order = kind_of[way] == MEZ_QUEUE_BASIC ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER,
        .debug_name = "main",
    };
    assert_ok(mez_queue_create(r.context, &params, &r.queue));
    r.nothing = load_kernel(r.context, "kernels.spv", "nothing");
    r.saxpy = load_kernel(r.context, "kernels.spv", "saxpy");
    r.x = mez_alloc_shared(r.context, COUNT * sizeof *r.x, NULL);
    r.y = mez_alloc_shared(r.context, COUNT * sizeof *r.y, NULL);
    assert_non_null(r.x);
    assert_non_null(r.y);
    return &r;
}

static void close_runtime(runtime *r)
{
    void *state = r;
    assert_int_equal(runtime_teardown(&state), 0);
}

static mez_recording *create_recording(runtime *r, mez_queue_order order)
{
    mez_recording *recording;
    const mez_recording_params params = {.order = order, .debug_name = "steps"};
    assert_ok(mez_recording_create(r->context, &params, &recording));
    return recording;
}

static void record_saxpy(runtime *r, mez_recording *recording)
{
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y));
    assert_ok(mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), args, NULL, NULL));
}

static void record_copy(runtime *r, mez_recording *recording)
{
    assert_ok(mez_record_copy(recording, r->x, r->y, COUNT, NULL, NULL));
}

// Two launches and a copy.
static mez_recording *record_three(runtime *r, mez_queue_order order)
{
    mez_recording *recording = create_recording(r, order);
    record_saxpy(r, recording);
    record_saxpy(r, recording);
    record_copy(r, recording);
    return recording;
}

// --- What is called

#define IN_ORDER BARRIER LAUNCH BARRIER LAUNCH BARRIER COPY CLOSE

// The second list is for a replay while the first may be in flight.
static void test_batched_replays(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), CREATE IN_ORDER CREATE "FenceCreate " EXECUTE);
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), "FenceReset " EXECUTE);
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), CREATE IN_ORDER LOOK "FenceReset " EXECUTE);
    for (int i = 0; i < 3; i++) {
        watch_calls();
        assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    noop_hold(true);
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL)); // in an open batch
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(
        calls(), CREATE BARRIER COPY BARRIER COPY CLOSE CREATE "FenceCreate " EXECUTE);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

static void expect_calls_of_second_replay(enum way way, const char *expected)
{
    runtime *r = open_runtime(way);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(calls(), expected);
    mez_recording_destroy(&recording);
    close_runtime(r);
}

// A detour: gate on the immediate list, head, recorded list and tail beside it, and the wait for them.
#define DETOURED                                                                             \
    LOOK RESET "FenceReset EventHostReset EventHostReset " BARRIER CLOSE RESET BARRIER CLOSE \
        BARRIER EXECUTE BARRIER

static void test_replays_on_immediate_queues(void **state)
{
    (void)state;
    expect_calls_of_second_replay(APPENDED, APPEND);
    expect_calls_of_second_replay(APPENDED_BASIC, BARRIER APPEND);
    expect_calls_of_second_replay(DETOUR, DETOURED);
    expect_calls_of_second_replay(DETOUR_BASIC, DETOURED);
}

// --- What makes a list anew

static void test_a_changed_argument(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    const float b = 3;
    assert_ok(mez_recording_set_argument(recording, 1, 0, &(const mez_arg)MEZ_VAL(b)));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(
        calls(), RESET BARRIER LAUNCH BARRIER SET LAUNCH BARRIER COPY CLOSE "FenceReset " EXECUTE);
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    assert_ok(mez_recording_set_range(recording, 0, range));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    const float b = 3;
    assert_ok(mez_recording_set_argument(recording, 0, 0, &(const mez_arg)MEZ_VAL(b)));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    record_copy(r, recording);
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    void *large = mez_alloc_device(r->context, 64 << 20, NULL);
    assert_non_null(large);
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_string_equal(calls(),
        RESET BARRIER SET SET SET LAUNCH BARRIER LAUNCH BARRIER COPY CLOSE "FenceReset " EXECUTE);
    assert_ok(mez_queue_wait(r->queue));
    void *small = mez_alloc_device(r->context, 64, NULL);
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, &task));
    assert_string_equal(calls(), CREATE BARRIER COPY CLOSE LOOK CREATE
        "FenceCreate " BARRIER CLOSE CREATE BARRIER CLOSE EXECUTE);
    assert_condition(mez_event_wait(after, 0), MEZ_ERRC_TIMEOUT);
    noop_hold(false);
    assert_ok(mez_event_wait(after, MEZ_FOREVER));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&after);
    // The lists in front and behind are used again; only they are reset.
    assert_ok(mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &after)));
    mez_event_destroy(&after);
    watch_calls();
    assert_ok(mez_queue_replay(r->queue, recording, MEZ_TASK(.event = &after)));
    assert_string_equal(calls(), RESET "FenceReset " RESET BARRIER CLOSE EXECUTE);
    assert_ok(mez_event_wait(after, MEZ_FOREVER));
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
        assert_ok(mez_queue_replay(r->queue, recording, &task));
        assert_condition(mez_event_status(after), MEZ_ERRC_NOT_READY);
        noop_hold(false);
        assert_ok(mez_event_wait(after, MEZ_FOREVER));
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
        assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_int_equal(lists_of(r), 8);
    assert_int_equal(noop_pending(), 4);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, release_one, NULL), 0);
    assert_ok(mez_queue_replay(r->queue, recording, NULL)); // waits for the oldest
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
            assert_ok(mez_queue_replay(r->queue, recording, NULL));
        assert_in_range(noop_calls("zeCommandListAppendLaunchKernel"), 2, 8);
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
        assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_replay(other, recording, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 2);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_queue_wait(other));
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_queue_replay(other, recording, NULL));
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
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    mez_alloc_fail_at(0);
    for (int i = 0; i < 100; i++)
        assert_ok(mez_queue_replay(r->queue, recording, NULL));
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
            w->error = mez_queue_replay(w->queue, w->recording, NULL);
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

// --- What is refused

static void test_wrong_parameters(void **state)
{
    runtime *r = *state;
    mez_recording *recording = (mez_recording *)r;
    assert_tells(
        mez_recording_create(NULL, NULL, &recording), MEZ_ERRC_INVALID_PARAMETER, "needs context");
    assert_null(recording);
    assert_tells(mez_recording_create(r->context, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs recording");
    const mez_recording_params params = {.order = (mez_queue_order)7};
    assert_tells(mez_recording_create(r->context, &params, &recording), MEZ_ERRC_INVALID_PARAMETER,
        "recording order 7");
    mez_recording_destroy(&recording);
    mez_recording_destroy(NULL);

    recording = create_recording(r, MEZ_IN_ORDER);
    const mez_condition wrong = MEZ_ERRC_INVALID_PARAMETER;
    const int zero = 0;
    assert_condition(mez_record_copy(NULL, r->x, r->y, 4, NULL, NULL), wrong);
    assert_condition(mez_record_copy(recording, NULL, r->y, 4, NULL, NULL), wrong);
    assert_condition(mez_record_copy(recording, r->x, NULL, 4, NULL, NULL), wrong);
    assert_tells(mez_record_copy(recording, r->x, r->x, 4, NULL, NULL), wrong, "overlap");
    assert_condition(mez_record_fill(NULL, r->x, &zero, 4, 4, NULL, NULL), wrong);
    assert_condition(mez_record_fill(recording, NULL, &zero, 4, 4, NULL, NULL), wrong);
    assert_condition(mez_record_fill(recording, r->x, NULL, 4, 4, NULL, NULL), wrong);
    assert_tells(mez_record_fill(recording, r->x, &zero, 3, 3, NULL, NULL), wrong, "power of two");
    assert_condition(mez_record_copy_2d(NULL, r->x, 8, r->y, 8, 4, 2, NULL, NULL), wrong);
    assert_condition(mez_record_copy_2d(recording, NULL, 8, r->y, 8, 4, 2, NULL, NULL), wrong);
    assert_condition(mez_record_copy_2d(recording, r->x, 8, NULL, 8, 4, 2, NULL, NULL), wrong);
    assert_tells(mez_record_copy_2d(recording, r->x, 2, r->y, 8, 4, 2, NULL, NULL), wrong, "pitch");
    assert_condition(mez_record_barrier(NULL, NULL, NULL), wrong);
    assert_condition(mez_record_submit(NULL, r->nothing, MEZ_RANGE(4), NULL, NULL, NULL), wrong);
    assert_condition(mez_record_submit(recording, NULL, MEZ_RANGE(4), NULL, NULL, NULL), wrong);
    assert_condition(mez_record_submit(recording, r->nothing, NULL, NULL, NULL, NULL), wrong);
    assert_condition(mez_queue_replay(NULL, recording, NULL), wrong);
    assert_condition(mez_queue_replay(r->queue, NULL, NULL), wrong);
    mez_recording_destroy(&recording);
}

// A launch is checked when it is recorded, and what was refused is not in the recording.
static void test_launches_are_checked_at_once(void **state)
{
    runtime *r = *state;
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    const double a = 2;
    const mez_error error = mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(a)), MEZ_TASK(.debug_name = "first"), NULL);
    assert_condition(error, MEZ_ERRC_KERNEL_ARGUMENT);
    assert_contains(story_of(error), "recording: \"steps\"");
    assert_contains(story_of(error), "kernel: \"saxpy\"");
    assert_contains(story_of(error), "task: \"first\"");
    assert_contains(story_of(error), "recording_test.c");
    assert_condition(mez_record_submit(recording, r->nothing, MEZ_RANGE(0), NULL, NULL, NULL),
        MEZ_ERRC_ND_RANGE);
    uint32_t operation = 7;
    assert_ok(mez_record_submit(
        recording, r->nothing, MEZ_RANGE(4), NULL, MEZ_TASK(.cooperative = true), &operation));
    assert_int_equal(operation, 0);
    assert_ok(mez_record_barrier(recording, NULL, &operation));
    assert_int_equal(operation, 1);
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendLaunchCooperativeKernel"), 1);
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), 0);
    mez_recording_destroy(&recording);
}

static void test_operations_have_no_events(void **state)
{
    runtime *r = *state;
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    mez_event *event = NULL;
    const mez_task_params gives = {.event = &event};
    const mez_task_params waits = {.wait_for = &event, .wait_count = 1};
    const char *words = "the replay does";
    assert_tells(mez_record_copy(recording, r->x, r->y, 4, &gives, NULL), MEZ_ERRC_EVENT, words);
    assert_tells(mez_record_barrier(recording, &waits, NULL), MEZ_ERRC_EVENT, words);
    assert_tells(mez_record_submit(recording, r->nothing, MEZ_RANGE(4), NULL, &gives, NULL),
        MEZ_ERRC_EVENT, words);
    mez_recording_destroy(&recording);
}

static void test_changes_are_checked(void **state)
{
    runtime *r = *state;
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    record_saxpy(r, recording);
    record_copy(r, recording);
    const float a = 3;
    const double d = 3;
    const mez_arg right = MEZ_VAL(a), too_large = MEZ_VAL(d), pointer = MEZ_PTR(r->x);
    const mez_condition wrong = MEZ_ERRC_INVALID_PARAMETER;
    assert_condition(mez_recording_set_argument(NULL, 0, 0, &right), wrong);
    assert_condition(mez_recording_set_argument(recording, 0, 0, NULL), wrong);
    assert_tells(mez_recording_set_argument(recording, 2, 0, &right), wrong, "there are 2");
    assert_tells(mez_recording_set_argument(recording, 1, 0, &right), wrong, "not the launch");
    assert_tells(mez_recording_set_argument(recording, 0, 3, &right), MEZ_ERRC_KERNEL_ARGUMENT,
        "argument 3 does not exist");
    assert_tells(mez_recording_set_argument(recording, 0, 0, &too_large), MEZ_ERRC_KERNEL_ARGUMENT,
        "recording: \"steps\"");
    assert_condition(
        mez_recording_set_argument(recording, 0, 0, &pointer), MEZ_ERRC_KERNEL_ARGUMENT);
    assert_condition(mez_recording_set_range(NULL, 0, MEZ_RANGE(4)), wrong);
    assert_condition(mez_recording_set_range(recording, 0, NULL), wrong);
    assert_condition(mez_recording_set_range(recording, 1, MEZ_RANGE(4)), wrong);
    assert_condition(mez_recording_set_range(recording, 0, MEZ_RANGE(0)), MEZ_ERRC_ND_RANGE);
    assert_ok(mez_recording_set_argument(recording, 0, 0, &right));
    assert_ok(mez_queue_replay(r->queue, recording, NULL)); // and is as it was
    mez_recording_destroy(&recording);
}

static void test_strangers(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.devices = 2;
    noop_reset();
    noop_configure(&config);
    mez_context *contexts[2];
    mez_queue *queues[2];
    mez_recording *recording;
    for (int i = 0; i < 2; i++)
        assert_ok(mez_context_create(NULL, &contexts[i]));
    const mez_queue_params second = {.device = mez_context_device(contexts[0], 1)};
    assert_ok(mez_queue_create(contexts[0], &second, &queues[0]));
    assert_ok(mez_queue_create(contexts[1], NULL, &queues[1]));
    assert_ok(mez_recording_create(contexts[0], NULL, &recording));
    mez_kernel *kernel = load_kernel(contexts[1], "kernels.spv", "nothing");
    assert_tells(mez_record_submit(recording, kernel, MEZ_RANGE(4), NULL, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "another context");
    assert_tells(
        mez_queue_replay(queues[0], recording, NULL), MEZ_ERRC_INVALID_PARAMETER, "is for device");
    assert_tells(mez_queue_replay(queues[1], recording, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "another context");
    const mez_recording_params foreign = {.device = mez_context_device(contexts[1], 0)};
    mez_recording *none;
    assert_condition(
        mez_recording_create(contexts[0], &foreign, &none), MEZ_ERRC_INVALID_PARAMETER);
    mez_kernel_destroy(&kernel);
    mez_recording_destroy(&recording);
    for (int i = 0; i < 2; i++) {
        mez_queue_destroy(&queues[i]);
        mez_context_destroy(&contexts[i]);
    }
}

// --- Failures

static void test_the_story_names_everything(void **state)
{
    (void)state;
    runtime *r = open_runtime(BATCHED);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    noop_fail("zeCommandListAppendMemoryCopy", 1, ZE_RESULT_ERROR_UNKNOWN);
    mez_event *event = (mez_event *)r;
    mez_error error =
        mez_queue_replay(r->queue, recording, MEZ_TASK(.debug_name = "again", .event = &event));
    assert_condition(error, MEZ_ERRC_UNKNOWN);
    assert_null(event);
    static const char *const parts[] = {"queue: \"main\"", "recording: \"steps\"",
        "task: \"again\"", "operation: number 2", "recording_test.c"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_contains(story_of(error), parts[i]);
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_UNKNOWN);
    error = mez_queue_replay(r->queue, recording, MEZ_TASK(.debug_name = "again"));
    assert_condition(error, MEZ_ERRC_UNKNOWN);
    assert_contains(story_of(error), "recording: \"steps\"");
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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

// A detour's gate stands in the immediate list when the rest fails: it waits for the event still.
static void test_a_part_of_a_replay_keeps_its_events(void **state)
{
    (void)state;
    runtime *r = open_runtime(DETOUR_BASIC);
    mez_recording *recording = record_three(r, MEZ_IN_ORDER);
    mez_queue *other;
    mez_event *before, *after;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &other));
    noop_hold(true);
    assert_ok(mez_copy(other, r->x, r->y, COUNT, MEZ_TASK(.event = &before)));
    const mez_task_params task = {.wait_for = &before, .wait_count = 1, .event = &after};
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_condition(mez_queue_replay(r->queue, recording, &task), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_null(after);
    noop_release(1);
    assert_ok(mez_queue_wait(other));
    mez_event_destroy(&before);
    assert_int_equal(events_of(r),
        4); // what it waits for, what it would have signalled, and two of the detour's own
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(events_of(r), 2);
    assert_ok(mez_queue_replay(r->queue, recording, NULL));
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

// Everything that has to do with recordings, with a kernel that can assert where there is one, up to the first failure; then all is destroyed.
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
        error = mez_queue_replay(
            r->queue, recording, MEZ_TASK(.wait_for = &before, .wait_count = 1, .event = &after));
    }
    noop_hold(false);
    if (after)
        error = first_of(error, mez_event_wait(after, MEZ_FOREVER));
    mez_event_destroy(&before);
    mez_event_destroy(&after);
    error =
        first_of(error, mez_recording_set_argument(recording, 0, 0, &(const mez_arg)MEZ_VAL(b)));
    error = first_of(
        error, mez_recording_set_range(recording, 0, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4))));
    for (int i = 0; i < 6; i++)
        error = first_of(error, mez_queue_replay(r->queue, recording, NULL));
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

// A wait that only looks whether something has ended may fail unheard: the next one tells.
static void expect_told(mez_error error, uint64_t n, ze_result_t code)
{
    const bool unheard = !mez_failed(error) && atomic_load(&logged) == 0;
    if (mez_failed(error))
        assert_true(error.value == (int32_t)code || mez_error_is(error, MEZ_ERRC_EVENT));
    if (unheard && strcmp(nth_call(n), "zeFenceHostSynchronize") != 0)
        fail_msg("failure %d, of %s, went unheard", (int)n, nth_call(n));
}

// Whatever fails, somebody is told, and a recording works on the same queue afterwards. Where a kernel can assert the completion
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
        expect_told(error, n, code);
    noop_reset();
    configure(way);
    mez_queue_wait(r->queue); // what was kept of the failure
    mez_queue_wait(other);
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
            mez_queue_wait(r->queue);
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
        RUNTIME_TEST(test_wrong_parameters),
        RUNTIME_TEST(test_launches_are_checked_at_once),
        RUNTIME_TEST(test_operations_have_no_events),
        RUNTIME_TEST(test_changes_are_checked),
        cmocka_unit_test_setup_teardown(test_strangers, driver_setup, driver_teardown),
        cmocka_unit_test(test_the_story_names_everything),
        cmocka_unit_test(test_a_part_of_a_replay_keeps_its_events),
        cmocka_unit_test(test_every_failing_call),
        cmocka_unit_test(test_every_failing_call_of_a_lost_device),
        cmocka_unit_test(test_every_failing_call_beside_asserts),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
