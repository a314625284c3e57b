// SPDX-License-Identifier: MIT
//
// Errors of tasks, which show after their submission: who gets them, and that none is lost. The driver refuses tasks that
// were held back behind a host task, each with a story of its own.

#include "runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "queue/errors.h"

enum { FEW = 5, MANY = 80 };

// --- Failures

static atomic_bool closed;

static void pass_gate(void *user)
{
    (void)user;
    while (atomic_load(&closed))
        usleep(100);
}

static void close_gate(mez_queue *queue)
{
    atomic_store(&closed, true);
    assert_ok(mez_host_task(queue, pass_gate, NULL, NULL));
}

// What was submitted since the gate closed fails.
static void open_gate(void)
{
    noop_fail_every("zeCommandListAppendBarrier", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    noop_fail_every("zeCommandListAppendMemoryCopy", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    atomic_store(&closed, false);
}

static const char *name_of(int number)
{
    static char names[MANY][8];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    snprintf(names[number], sizeof names[number], "%d", number);
    pthread_mutex_unlock(&lock);
    return names[number];
}

static mez_error submit_named(mez_queue *queue, int number)
{
    static char from[16], to[16];
    return mez_copy(queue, to, from, sizeof to, MEZ_TASK(.debug_name = name_of(number)));
}

static void let_fail(mez_queue *queue, int count)
{
    close_gate(queue);
    for (int i = 0; i < count; i++)
        assert_ok(submit_named(queue, i));
    open_gate();
}

// The number in the name of the task that the story names; -1: none.
static int number_of(mez_error error)
{
    char text[32];
    mez_error_find_field(error, "task", text, sizeof text);
    return text[0] == '"' ? atoi(text + 1) : -1;
}

// --- What a handler receives

typedef struct hearing {
    atomic_int count;
    atomic_int times[MANY]; // that a task's error was delivered
    pthread_t thread;       // that delivered the last
    mez_queue *queue;       // to be used by the handler; NULL: none
    atomic_int wrong;
} hearing;

static void hear(void *user, mez_error error)
{
    hearing *h = user;
    const int number = number_of(error);
    h->thread = pthread_self();
    if (number >= 0 && number < MANY)
        atomic_fetch_add(&h->times[number], 1);
    else
        atomic_fetch_add(&h->wrong, 1);
    atomic_fetch_add(&h->count, 1);
}

static void wait_until_heard(hearing *h, int count)
{
    for (int i = 0; i < 20000 && atomic_load(&h->count) < count; i++)
        usleep(1000);
    usleep(2000); // for one too many
    assert_int_equal(atomic_load(&h->count), count);
}

static void assert_each_once(hearing *h, int count)
{
    assert_int_equal(h->wrong, 0);
    for (int i = 0; i < count; i++)
        assert_int_equal(h->times[i], 1);
}

static mez_queue *queue_with(mez_context *context, mez_error_function function, void *user)
{
    const mez_queue_params params = {.on_error = {.function = function, .user = user}};
    mez_queue *queue;
    assert_ok(mez_queue_create(context, &params, &queue));
    return queue;
}

static mez_context *context_with(mez_error_function function, void *user)
{
    const mez_context_params params = {.on_error = {.function = function, .user = user}};
    mez_context *context;
    assert_ok(mez_context_create(&params, &context));
    return context;
}

// --- Without a handler

static void test_a_wait_reports_the_first_and_the_rest_can_be_asked_for(void **state)
{
    runtime *r = *state;
    let_fail(r->queue, FEW);
    mez_error error = mez_queue_wait(r->queue);
    for (int i = 0; i < FEW; i++) {
        assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
        assert_int_equal(number_of(error), i);
        assert_contains(story_of(error), "called from: ");
        assert_int_equal(mez_queue_take_error(r->queue, &error), i < FEW - 1);
    }
    assert_false(mez_failed(error));
    assert_ok(mez_queue_wait(r->queue));
}

static void test_queues_without_a_name_are_distinguished(void **state)
{
    runtime *r = *state;
    mez_queue *named, *third;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.debug_name = "solve"}, &named));
    assert_ok(mez_queue_create(r->context, NULL, &third));
    let_fail(r->queue, 1);
    assert_contains(story_of(mez_queue_wait(r->queue)), "queue: \"queue #1\"");
    let_fail(named, 1);
    assert_contains(story_of(mez_queue_wait(named)), "queue: \"solve\"");
    let_fail(third, 1);
    assert_contains(story_of(mez_queue_wait(third)), "queue: \"queue #3\"");
    mez_queue_destroy(&named);
    mez_queue_destroy(&third);
}

static void test_later_waits_report_what_nobody_asked_for(void **state)
{
    runtime *r = *state;
    let_fail(r->queue, FEW);
    for (int i = 0; i < FEW; i++)
        assert_int_equal(number_of(mez_queue_wait(r->queue)), i);
    assert_ok(mez_queue_wait(r->queue));
}

static void test_without_arguments_there_is_no_next_error(void **state)
{
    runtime *r = *state;
    mez_error error = mez_error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_FILE);
    assert_false(mez_queue_take_error(NULL, &error));
    assert_false(mez_failed(error));
    assert_false(mez_queue_take_error(r->queue, NULL));
    assert_false(mez_queue_take_error(r->queue, &error));
}

static void test_stories_wait_though_many_others_are_reported(void **state)
{
    runtime *r = *state;
    let_fail(r->queue, FEW);
    while (mez_failed(mez_queue_wait_for(r->queue, 0)) && noop_fired() < FEW)
        usleep(1000);
    mez_error error = mez_queue_wait(r->queue);
    while (mez_queue_take_error(r->queue, &error))
        ;
    let_fail(r->queue, FEW);
    while (noop_fired() < 2 * FEW)
        usleep(1000);
    for (int i = 0; i < 2 * MEZ_STORY_SLOTS; i++)
        mez_error_make(MEZ_ERRC_FILE, "another");
    for (int i = 0; i < FEW; i++)
        assert_int_equal(number_of(mez_queue_wait(r->queue)), i);
}

static void test_those_beyond_the_bound_are_counted(void **state)
{
    runtime *r = *state;
    let_fail(r->queue, MANY);
    mez_error error = mez_queue_wait(r->queue);
    for (int i = 0; i < MEZ_MOST_FAILURES; i++) {
        assert_int_equal(number_of(error), i);
        const bool last = i == MEZ_MOST_FAILURES - 1;
        assert_int_equal(strstr(story_of(error), "dropped: 16 later errors") != NULL, last);
        assert_int_equal(mez_queue_take_error(r->queue, &error), !last);
    }
    assert_ok(mez_queue_wait(r->queue));
}

typedef struct racer {
    mez_queue *queue;
    int number;
    mez_error error;
} racer;

static void *race(void *argument)
{
    racer *r = argument;
    r->error = submit_named(r->queue, r->number);
    return NULL;
}

// Each racer submits a task that will fail.
static void let_race(racer *racers)
{
    pthread_t threads[FEW];
    for (int i = 0; i < FEW; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
    for (int i = 0; i < FEW; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < FEW; i++)
        assert_ok(racers[i].error);
}

static void test_five_failures_race_and_none_is_lost(void **state)
{
    runtime *r = *state;
    racer racers[FEW];
    bool reported[FEW] = {false};
    for (int i = 0; i < FEW; i++)
        racers[i] = (racer){.queue = r->queue, .number = i};
    close_gate(r->queue);
    let_race(racers);
    open_gate();
    mez_error error = mez_queue_wait(r->queue);
    for (int i = 0; i < FEW; i++) {
        assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
        assert_uint_in_range(number_of(error), 0, FEW - 1);
        assert_false(reported[number_of(error)]);
        reported[number_of(error)] = true;
        assert_int_equal(mez_queue_take_error(r->queue, &error), i < FEW - 1);
    }
}

// --- With one

static void test_a_handler_is_notified_of_each_once(void **state)
{
    runtime *r = *state;
    hearing h = {0};
    mez_queue *queue = queue_with(r->context, hear, &h);
    let_fail(queue, FEW);
    wait_until_heard(&h, FEW); // nobody waits
    assert_each_once(&h, FEW);
    assert_false(pthread_equal(h.thread, pthread_self()));

    mez_error error;
    assert_int_equal(number_of(mez_queue_wait(queue)), 0); // the first code all the same
    assert_false(mez_queue_take_error(queue, &error));
    assert_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    assert_int_equal(h.count, FEW);
}

static void test_a_wait_that_comes_first_takes_nothing_from_the_handler(void **state)
{
    runtime *r = *state;
    hearing h = {0};
    mez_queue *queue = queue_with(r->context, hear, &h);
    let_fail(queue, FEW);
    assert_int_equal(number_of(mez_queue_wait(queue)), 0);
    wait_until_heard(&h, FEW);
    assert_each_once(&h, FEW);
    mez_queue_destroy(&queue);
}

static void test_when_a_queue_is_gone_its_handler_has_been_called(void **state)
{
    runtime *r = *state;
    hearing h = {0};
    mez_queue *queue = queue_with(r->context, hear, &h);
    let_fail(queue, FEW);
    mez_queue_destroy(&queue);
    assert_int_equal(h.count, FEW);
    assert_each_once(&h, FEW);
}

static void test_five_queues_race_to_the_handler_of_their_context(void **state)
{
    (void)state;
    hearing h = {0}, own = {0};
    racer racers[FEW];
    mez_context *context = context_with(hear, &h);
    for (int i = 0; i < FEW; i++) {
        mez_queue *queue = queue_with(context, i == 0 ? hear : NULL, &own);
        racers[i] = (racer){.queue = queue, .number = i};
        close_gate(queue);
    }
    let_race(racers);
    open_gate();
    wait_until_heard(&own, 1); // a queue's own handler wins
    wait_until_heard(&h, FEW - 1);
    assert_int_equal(own.times[0], 1);
    for (int i = 1; i < FEW; i++)
        assert_int_equal(h.times[i], 1);
    for (int i = 0; i < FEW; i++) {
        assert_int_equal(number_of(mez_queue_wait(racers[i].queue)), i);
        mez_queue_destroy(&racers[i].queue);
    }
    mez_context_destroy(&context);
}

static void submit_again(void *user, mez_error error)
{
    hearing *h = user;
    noop_reset(); // the driver works again
    const bool ok = !mez_failed(submit_named(h->queue, number_of(error))) &&
                    mez_error_is(mez_queue_wait(h->queue), MEZ_ERRC_MEMORY_ALLOCATION) &&
                    !mez_failed(mez_queue_wait(h->queue));
    atomic_fetch_add(ok ? &h->count : &h->wrong, 1);
}

static void test_a_handler_may_submit_and_wait(void **state)
{
    runtime *r = *state;
    hearing h = {0};
    h.queue = queue_with(r->context, submit_again, &h);
    let_fail(h.queue, 1);
    wait_until_heard(&h, 1);
    assert_int_equal(h.wrong, 0);
    mez_queue_destroy(&h.queue);
}

// With each allocation failing in turn an error is still reported, no matter by whom.
static void test_without_memory_errors_are_reported_all_the_same(void **state)
{
    runtime *r = *state;
    bool fails = true;
    for (uint64_t n = 1; fails; n++) {
        hearing h = {0};
        mez_error error;
        mez_queue *queue = queue_with(r->context, hear, &h);
        close_gate(queue);
        assert_ok(submit_named(queue, 0));
        mez_alloc_fail_at(n);
        open_gate();
        const mez_error waited = mez_queue_wait(queue);
        assert_true(mez_failed(waited));
        fails = mez_alloc_fail_at(0) >= n;
        int reported = 0;
        while (mez_queue_take_error(queue, &error))
            reported++;
        noop_reset();
        mez_queue_destroy(&queue);
        assert_int_equal(reported + h.count, 1);
        assert_uint_in_range(n, 1, 100);
    }
}

// --- A lost device

static void hear_of_loss(void *user, mez_error error)
{
    hearing *h = user;
    atomic_fetch_add(mez_error_is(error, MEZ_ERRC_DEVICE_LOST) ? &h->count : &h->wrong, 1);
}

// Three queues with tasks in flight, one of them with a handler of its own.
static void lose_the_device(const struct noop_config *config, const char *waits)
{
    hearing h = {0}, own = {0};
    mez_queue *queues[3];
    noop_reset();
    noop_configure(config);
    mez_context *context = context_with(hear_of_loss, &h);
    for (int i = 0; i < 3; i++)
        queues[i] = queue_with(context, i == 0 ? hear_of_loss : NULL, &own);
    noop_hold(true);
    for (int i = 0; i < 3; i++) {
        assert_ok(submit_named(queues[i], i));
        assert_ok(submit_named(queues[i], i));
        assert_ok(mez_queue_flush(queues[i]));
    }
    noop_fail_every(waits, ZE_RESULT_ERROR_DEVICE_LOST);
    wait_until_heard(&h, 1); // nobody waits
    wait_until_heard(&own, 1);
    for (int i = 0; i < 3; i++)
        assert_condition(mez_queue_wait(queues[i]), MEZ_ERRC_DEVICE_LOST);
    for (int i = 0; i < 3; i++)
        mez_queue_destroy(&queues[i]);
    noop_hold(false);
    mez_context_destroy(&context);
    assert_int_equal(h.count, 1);
    assert_int_equal(own.count, 1);
    assert_int_equal(h.wrong + own.wrong, 0);
}

static void test_a_lost_device_is_reported_once(void **state)
{
    (void)state;
    const struct noop_config config = noop_config_default();
    lose_the_device(&config, "zeFenceHostSynchronize");
}

static void test_a_lost_device_is_reported_once_by_in_order_lists(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    lose_the_device(&config, "zeCommandListHostSynchronize");
}

// --- Places

static void expect_place(mez_error error, int line)
{
    char place[64];
    snprintf(place, sizeof place, "errors_test.c:%d", line);
    assert_true(mez_failed(error));
    assert_contains(story_of(error), place);
}

#define assert_placed(call) expect_place(call, __LINE__)

static void test_a_call_that_lacks_something_has_its_place(void **state)
{
    mez_error reason;
    (void)state;
    assert_placed(mez_event_wait(NULL));
    assert_placed(mez_event_wait_for(NULL, 0));
    assert_placed(mez_event_get_status(NULL));
    assert_placed(mez_event_get_profile(NULL, NULL));
    assert_placed(mez_event_set_callback(NULL, NULL, NULL));
    assert_placed(mez_queue_wait(NULL));
    assert_placed(mez_queue_wait_for(NULL, 0));
    assert_placed(mez_queue_flush(NULL));
    assert_placed(mez_free(NULL, &reason));
    assert_placed(mez_memory_get_info(NULL, NULL, NULL));
    assert_placed(mez_ipc_get_handle(NULL, NULL, NULL));
    assert_placed(mez_ipc_send(NULL, NULL, -1));
    assert_placed(mez_ipc_close(NULL, &reason));
    assert_placed(mez_recording_set_argument(NULL, 0, 0, NULL));
    assert_placed(mez_recording_set_range(NULL, 0, NULL));
    assert_placed(mez_device_get_memory_state(NULL, NULL));
    assert_placed(mez_device_get_native_asserts(NULL, NULL));
    assert_placed((mez_kernel_is_supported(NULL, NULL, &reason), reason));
}

static void test_a_call_that_fails_has_its_place(void **state)
{
    runtime *r = *state;
    mez_recording *recording;
    mez_ipc_handle handle;
    mez_event *event;
    mez_event_profile profile;
    const mez_arg argument = MEZ_PTR(r->x);
    assert_placed(mez_free(r->context, r->x + 1));
    assert_placed(mez_ipc_close(r->context, r->x));
    assert_placed(mez_ipc_get_handle(r->context, r->x + 1, &handle));
    assert_placed(mez_ipc_send(r->context, r->x, -1));
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    assert_placed(mez_recording_set_argument(recording, 0, 0, &argument));
    assert_placed(mez_recording_set_range(recording, 0, MEZ_RANGE(1)));
    mez_recording_destroy(&recording);
    assert_ok(mez_barrier(r->queue, MEZ_TASK(.event = &event)));
    assert_placed(mez_event_get_profile(event, &profile));
    mez_event_destroy(&event);
}

// Where the task was submitted is not known, so that the wait is what there is to name.
static void test_a_wait_that_fails_has_its_place(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    for (int i = 0; i < 3; i++)
        assert_ok(mez_submit_at(NULL, r->queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_placed(mez_queue_wait_for(r->queue, 0));
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_a_call_that_lacks_something_has_its_place),
        RUNTIME_TEST(test_a_call_that_fails_has_its_place),
        RUNTIME_TEST(test_a_wait_that_fails_has_its_place),
        RUNTIME_TEST(test_a_wait_reports_the_first_and_the_rest_can_be_asked_for),
        IN_ORDER_TEST(test_a_wait_reports_the_first_and_the_rest_can_be_asked_for),
        RUNTIME_TEST(test_queues_without_a_name_are_distinguished),
        RUNTIME_TEST(test_later_waits_report_what_nobody_asked_for),
        RUNTIME_TEST(test_without_arguments_there_is_no_next_error),
        RUNTIME_TEST(test_stories_wait_though_many_others_are_reported),
        RUNTIME_TEST(test_those_beyond_the_bound_are_counted),
        RUNTIME_TEST(test_five_failures_race_and_none_is_lost),
        IN_ORDER_TEST(test_five_failures_race_and_none_is_lost),
        RUNTIME_TEST(test_a_handler_is_notified_of_each_once),
        IN_ORDER_TEST(test_a_handler_is_notified_of_each_once),
        RUNTIME_TEST(test_a_wait_that_comes_first_takes_nothing_from_the_handler),
        RUNTIME_TEST(test_when_a_queue_is_gone_its_handler_has_been_called),
        IN_ORDER_TEST(test_when_a_queue_is_gone_its_handler_has_been_called),
        cmocka_unit_test_setup_teardown(
            test_five_queues_race_to_the_handler_of_their_context, driver_setup, driver_teardown),
        RUNTIME_TEST(test_a_handler_may_submit_and_wait),
        RUNTIME_TEST(test_without_memory_errors_are_reported_all_the_same),
        cmocka_unit_test_setup_teardown(
            test_a_lost_device_is_reported_once, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_a_lost_device_is_reported_once_by_in_order_lists, driver_setup, driver_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
