// SPDX-License-Identifier: MIT
//
// The adaptive kind of queue: when it changes between immediate and batched, when it must not, and what goes on across a change.

#include "runtime.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include <mezzanine/level_zero.h>

#define EXECUTE "zeCommandQueueExecuteCommandLists"

enum { LONG = 8, SHORT = 3, TREND = 3, THREADS = 4 };

static void open_queue(runtime *r, const mez_queue_params *params)
{
    mez_queue_destroy(&r->queue);
    assert_ok(mez_queue_create(r->context, params, &r->queue));
}

static int setup(void **state)
{
    const int failed = runtime_setup_in_order(state);
    open_queue(*state, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE});
    noop_count_exactly(true);
    return failed;
}

#define ADAPTIVE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, runtime_teardown)

// Launches that no list repeats.
static void launch(runtime *r, const mez_task_params *task)
{
    static float factor;
    factor++;
    assert_ok(mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(r->x), MEZ_PTR(r->y)), task));
}

// The device is busy until the wait. Returns how many lists were executed for the launches.
static uint64_t burst(runtime *r, int launches)
{
    const uint64_t before = noop_calls(EXECUTE), launched = noop_launches();
    noop_hold(true);
    for (int i = 0; i < launches; i++)
        launch(r, NULL);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_launches() - launched, launches);
    return noop_calls(EXECUTE) - before;
}

// The same with an idle device.
static uint64_t quick_burst(runtime *r, int launches)
{
    const uint64_t before = noop_calls(EXECUTE);
    for (int i = 0; i < launches; i++)
        launch(r, NULL);
    assert_ok(mez_queue_wait(r->queue));
    return noop_calls(EXECUTE) - before;
}

static void make_batched(runtime *r)
{
    for (int i = 0; i < TREND; i++)
        assert_int_equal(burst(r, LONG), 0);
}

// --- When it changes

static void test_long_bursts_are_batched(void **state)
{
    runtime *r = *state;
    make_batched(r);
    // The first goes at once, as the device is idle; four fill a batch, and the wait hands over the rest.
    assert_int_equal(burst(r, LONG), 3);
    assert_int_equal(burst(r, 2), 2);
}

static void test_short_bursts_are_immediate(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(burst(r, 1 + i % SHORT), 0);
}

static void test_bursts_that_vary_change_nothing(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(burst(r, i % TREND ? LONG : 1), 0);
}

// What a wait hands over counts as what fills up.
static void test_short_bursts_are_immediate_again(void **state)
{
    runtime *r = *state;
    for (int length = 1; length <= 2; length++) {
        make_batched(r);
        for (int i = 0; i < TREND; i++)
            assert_int_equal(burst(r, length), length);
        assert_int_equal(burst(r, length), 0);
        open_queue(r, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE});
    }
}

// A list that is executed again costs less than a launch.
static void test_single_launches_that_repeat_stay_batched(void **state)
{
    runtime *r = *state;
    make_batched(r);
    for (int i = 0; i < 10; i++) {
        const uint64_t before = noop_calls(EXECUTE);
        assert_ok(submit_nothing(r, NULL));
        assert_ok(mez_queue_wait(r->queue));
        assert_int_equal(noop_calls(EXECUTE) - before, 1);
    }
}

// Where each launch finds the device idle, batches have one each. They are tried again after more and more bursts.
static void test_a_quick_device_is_immediate(void **state)
{
    runtime *r = *state;
    static const int rests[] = {0, 0, 3, 6, 12, 24};
    for (size_t n = 0; n < sizeof rests / sizeof *rests; n++) {
        for (int i = 0; i < TREND + rests[n]; i++)
            assert_int_equal(quick_burst(r, LONG), 0);
        for (int i = 0; i < TREND; i++)
            assert_int_equal(quick_burst(r, LONG), LONG);
    }
}

static void test_batches_that_pay_are_tried_at_once_again(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 5; i++) {
        make_batched(r);
        assert_in_range(burst(r, LONG), 2, 3); // as batches grow
        for (int k = 0; k < TREND; k++)
            assert_int_equal(burst(r, 1), 1);
    }
}

// The program waits for events alone.
// A burst whose end is a wait for its last event.
static void burst_by_event(runtime *r, int count)
{
    mez_event *last;
    for (int i = 1; i < count; i++)
        launch(r, NULL);
    launch(r, MEZ_TASK(.event = &last));
    assert_ok(mez_event_wait(last));
    mez_event_destroy(&last);
}

static void test_waits_for_events_end_bursts(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < TREND; i++)
        burst_by_event(r, LONG);
    assert_int_equal(burst(r, LONG), 3);
}

static void test_waits_for_events_alone(void **state)
{
    runtime *r = *state;
    make_batched(r);
    for (int i = 0; i < TREND; i++)
        burst_by_event(r, 1);
    assert_int_equal(burst(r, 1), 0);
}

static void ignore(void *user, mez_error error)
{
    (void)user, (void)error;
}

static void test_with_an_error_handler(void **state)
{
    runtime *r = *state;
    open_queue(
        r, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE, .on_error = {.function = ignore}});
    make_batched(r);
    assert_int_equal(burst(r, LONG), 3);
}

// The completion thread is given the time to see all tasks end, so that nothing is left to wait for.
static void test_waits_that_find_nothing_end_bursts(void **state)
{
    runtime *r = *state;
    open_queue(
        r, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE, .on_error = {.function = ignore}});
    for (int i = 0; i < TREND; i++) {
        for (int k = 0; k < LONG; k++)
            launch(r, NULL);
        nanosleep(&(struct timespec){.tv_nsec = 20 * MILLISECOND}, NULL);
        assert_ok(mez_queue_wait(r->queue));
    }
    assert_int_equal(burst(r, LONG), 3);
}

// The completion thread watched the list when the queue left it. It hands no batch over.
static void test_a_watch_ends_with_the_change(void **state)
{
    runtime *r = *state;
    open_queue(
        r, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE, .on_error = {.function = ignore}});
    make_batched(r);
    const uint64_t before = noop_calls(EXECUTE);
    noop_hold(true);
    launch(r, NULL);
    launch(r, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 50 * MILLISECOND}, NULL);
    assert_int_equal(noop_calls(EXECUTE), before + 1);
    noop_hold(false);
}

// --- While it is batched

// Tasks with something to wait for, which an immediate list takes as they are.
static void test_tasks_that_wait_are_collected(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *event;
    mez_launch *prepared;
    struct noop_append appends[8];
    make_batched(r);
    assert_ok(mez_launch_create(r->queue, r->nothing, MEZ_RANGE(COUNT), NULL, &prepared));
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(mez_barrier(other, MEZ_TASK(.event = &event)));
    const mez_task_params *waiting = MEZ_TASK(.wait_for = &event, .wait_count = 1);
    assert_ok(submit_nothing(r, NULL));
    noop_log_start();
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, waiting));
    assert_ok(mez_launch_submit(prepared, waiting));
    assert_ok(mez_barrier(r->queue, waiting));
    const size_t count = noop_appends(appends, 8);
    assert_in_range(count, 4, 8);
    for (size_t i = 1; i < count; i++)
        assert_ptr_equal(appends[i].list, appends[0].list);
    noop_hold(false);
    mez_event_destroy(&event);
    mez_launch_destroy(&prepared);
    mez_queue_destroy(&other);
}

static uint64_t appended_before_setting;

static void note_appended(void *user)
{
    (void)user;
    appended_before_setting = noop_calls("zeCommandListAppendLaunchKernel");
}

static void launch_with(runtime *r, float factor)
{
    assert_ok(mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(r->x), MEZ_PTR(r->y)), NULL));
}

// What a batch has left out, as a list has it, is appended before the kernel gets other arguments.
static void test_repetitions_that_end(void **state)
{
    runtime *r = *state;
    make_batched(r);
    for (int i = 0; i < 2; i++) {
        noop_hold(true);
        for (int k = 0; k < 5; k++)
            launch_with(r, -1);
        noop_hold(false);
        assert_ok(mez_queue_wait(r->queue));
    }
    noop_hold(true);
    for (int k = 0; k < 3; k++)
        launch_with(r, -1);
    const uint64_t before = noop_calls("zeCommandListAppendLaunchKernel");
    noop_before("zeKernelSetArgumentValue", note_appended, NULL);
    launch_with(r, -2);
    assert_int_equal(appended_before_setting, before + 2);
    noop_hold(false);
}

static void *produce(void *argument)
{
    runtime *r = argument;
    for (int i = 0; i < 5000; i++)
        launch(r, NULL);
    return NULL;
}

static void test_a_fast_producer_is_held_back(void **state)
{
    pthread_t thread;
    make_batched(*state);
    noop_hold(true);
    assert_int_equal(pthread_create(&thread, NULL, produce, *state), 0);
    nanosleep(&(struct timespec){.tv_nsec = 100 * MILLISECOND}, NULL);
    assert_in_range(noop_pending(), 16, 40);
    noop_hold(false);
    pthread_join(thread, NULL);
}

// --- What goes on across a change

static void test_events_outlive_a_change(void **state)
{
    runtime *r = *state;
    mez_event *early, *late;
    launch(r, MEZ_TASK(.event = &early));
    make_batched(r);
    assert_ok(mez_event_get_status(early));
    noop_hold(true);
    for (int i = 0; i < LONG; i++)
        launch(r, i == 0 ? MEZ_TASK(.event = &late) : NULL);
    assert_ok(mez_event_wait(early));
    assert_condition(mez_event_get_status(late), MEZ_ERRC_NOT_READY);
    mez_event_destroy(&early);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    for (int i = 0; i <= TREND; i++)
        burst(r, 1);
    assert_ok(mez_event_wait(late));
    mez_event_destroy(&late);
}

// A launch in the open batch waits for nothing: whoever asks for its event hands it over.
static void test_a_held_batch_is_handed_over(void **state)
{
    runtime *r = *state;
    mez_event *event;
    make_batched(r);
    noop_hold(true);
    launch(r, NULL);
    launch(r, MEZ_TASK(.event = &event));
    const uint64_t before = noop_calls(EXECUTE);
    assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
    assert_int_equal(noop_calls(EXECUTE), before + 1);
    launch(r, NULL);
    assert_ok(mez_queue_flush(r->queue));
    assert_int_equal(noop_calls(EXECUTE), before + 2);
    noop_hold(false);
    assert_ok(mez_event_wait(event));
    mez_event_destroy(&event);
}

static ze_result_t submit_long_bursts(void *user, ze_command_list_handle_t list)
{
    (void)list;
    runtime *r = user;
    for (int i = 0; i < 2 * TREND; i++)
        assert_int_equal(burst(r, LONG), 0);
    return ZE_RESULT_SUCCESS;
}

// A list that the user fills belongs to the kind that lent it. It is the second long burst's only task, and the next wait may change.
static void test_lists_of_users_put_a_change_off(void **state)
{
    runtime *r = *state;
    assert_ok(mez_submit_native(r->queue, submit_long_bursts, r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    make_batched(r);
    assert_int_equal(burst(r, LONG), 3);
    assert_ok(mez_queue_wait(r->queue));
}

static ze_result_t refuse(void *user, ze_command_list_handle_t list)
{
    (void)user, (void)list;
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

static void test_lists_that_come_back_do_not(void **state)
{
    runtime *r = *state;
    mez_error_ignore(mez_submit_native(r->queue, refuse, NULL, NULL));
    make_batched(r);
    assert_int_equal(burst(r, LONG), 3);
}

// Deferred tasks get to whichever kind it is when nothing is before them any more.
static void test_deferred_tasks(void **state)
{
    runtime *r = *state;
    mez_event *signal;
    make_batched(r);
    assert_ok(mez_user_event_create(r->context, NULL, &signal));
    launch(r, MEZ_TASK(.wait_for = &signal, .wait_count = 1));
    launch(r, NULL);
    assert_ok(mez_user_event_signal(signal, mez_ok()));
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_launches(), TREND * LONG + 2);
    mez_event_destroy(&signal);
}

static void test_a_loss_while_batched(void **state)
{
    runtime *r = *state;
    mez_event *event;
    make_batched(r);
    noop_hold(true);
    for (int i = 0; i < LONG; i++)
        launch(r, i == 0 ? MEZ_TASK(.event = &event) : NULL);
    noop_fail_every("zeFenceHostSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_DEVICE_LOST);
    assert_condition(mez_event_wait(event), MEZ_ERRC_DEVICE_LOST);
    mez_event_destroy(&event);
    mez_queue_destroy(&r->queue);
    noop_hold(false);
}

static void test_destroyed_while_batched(void **state)
{
    runtime *r = *state;
    make_batched(r);
    const uint64_t before = noop_launches();
    for (int i = 0; i < LONG; i++)
        launch(r, NULL);
    mez_queue_destroy(&r->queue);
    assert_int_equal(noop_launches() - before, LONG);
}

typedef struct worker {
    runtime *r;
    pthread_t thread;
    mez_error error;
} worker;

// Bursts of one length in a row change the kind, whoever waits.
static void *submit_and_wait(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < 400 && !mez_failed(w->error); i++) {
        const int length = i / 10 % 2 ? 1 : LONG;
        mez_event *event = NULL;
        for (int k = 0; k < length && !mez_failed(w->error); k++) {
            mez_event_destroy(&event);
            w->error = submit_saxpy(w->r, MEZ_TASK(.event = &event));
        }
        if (!mez_failed(w->error))
            w->error = i % 2 ? mez_queue_wait(w->r->queue) : mez_event_wait(event);
        mez_event_destroy(&event);
    }
    return NULL;
}

static void test_several_threads(void **state)
{
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.r = *state};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, submit_and_wait, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_ok(workers[i].error);
    }
    assert_int_equal(noop_launches(), THREADS * 200 * (LONG + 1));
}

// --- Where there is nothing to choose from

static void expect_kind(runtime *r, const char *kind)
{
    char text[256];
    mez_queue_describe(r->queue, text, sizeof text);
    assert_contains(text, kind);
}

static void test_out_of_order_it_is_what_suits(void **state)
{
    runtime *r = *state;
    expect_kind(r, "(adaptive, in order)");
    open_queue(r, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE, .order = MEZ_OUT_OF_ORDER});
    expect_kind(r, "(immediate, out of order)");
}

static void test_without_lists_in_order_it_is_batched(void **state)
{
    runtime *r = *state;
    open_queue(r, &(mez_queue_params){.kind = MEZ_QUEUE_ADAPTIVE});
    expect_kind(r, "(batched, in order)");
    assert_int_equal(burst(r, LONG), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ADAPTIVE_TEST(test_long_bursts_are_batched),
        ADAPTIVE_TEST(test_short_bursts_are_immediate),
        ADAPTIVE_TEST(test_bursts_that_vary_change_nothing),
        ADAPTIVE_TEST(test_short_bursts_are_immediate_again),
        ADAPTIVE_TEST(test_single_launches_that_repeat_stay_batched),
        ADAPTIVE_TEST(test_a_quick_device_is_immediate),
        ADAPTIVE_TEST(test_batches_that_pay_are_tried_at_once_again),
        ADAPTIVE_TEST(test_waits_for_events_end_bursts),
        ADAPTIVE_TEST(test_waits_for_events_alone),
        ADAPTIVE_TEST(test_with_an_error_handler),
        ADAPTIVE_TEST(test_waits_that_find_nothing_end_bursts),
        ADAPTIVE_TEST(test_a_watch_ends_with_the_change),
        ADAPTIVE_TEST(test_tasks_that_wait_are_collected),
        ADAPTIVE_TEST(test_repetitions_that_end),
        ADAPTIVE_TEST(test_a_fast_producer_is_held_back),
        ADAPTIVE_TEST(test_events_outlive_a_change),
        ADAPTIVE_TEST(test_a_held_batch_is_handed_over),
        ADAPTIVE_TEST(test_lists_of_users_put_a_change_off),
        ADAPTIVE_TEST(test_lists_that_come_back_do_not),
        ADAPTIVE_TEST(test_deferred_tasks),
        ADAPTIVE_TEST(test_a_loss_while_batched),
        ADAPTIVE_TEST(test_destroyed_while_batched),
        ADAPTIVE_TEST(test_several_threads),
        ADAPTIVE_TEST(test_out_of_order_it_is_what_suits),
        RUNTIME_TEST(test_without_lists_in_order_it_is_batched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
