// SPDX-License-Identifier: MIT
//
// Host tasks: what reaches the driver, and when; what becomes of tasks that can't be run.

#include "runtime.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/alloc.h"

static atomic_bool closed;
static atomic_int passed;

static void pass_gate(void *user)
{
    (void)user;
    while (atomic_load(&closed))
        usleep(100);
    atomic_fetch_add(&passed, 1);
}

static void count(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

static void close_gate(void)
{
    atomic_store(&closed, true);
    atomic_store(&passed, 0);
}

static void open_gate(void)
{
    atomic_store(&closed, false);
}

// No list waits for the host: what comes behind a host task reaches the driver only afterwards.
static void test_the_driver_gets_it_afterwards(void **state)
{
    runtime *r = *state;
    close_gate();
    assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
    watch_calls();
    assert_ok(submit_saxpy(r, NULL));
    assert_ok(mez_copy(r->queue, r->x, r->y, 16, NULL));
    assert_story(
        mez_queue_wait_for(r->queue, 5 * MILLISECOND), MEZ_ERRC_TIMEOUT, "the time limit passed");
    assert_null(strstr(calls(), "CommandListAppend"));
    assert_null(strstr(calls(), "CommandQueueExecute"));
    open_gate();
    assert_ok(mez_queue_wait(r->queue));
    assert_non_null(strstr(calls(), "CommandListAppendLaunchKernel"));
    assert_non_null(strstr(calls(), "CommandListAppendMemoryCopy"));
    assert_int_equal(passed, 1);
}

static void add_one(void *user)
{
    ++*(int *)user;
}

// The number is a plain one: what orders the task before the end of the wait is the library's, which TSan looks at.
static void test_a_wait_sees_what_a_host_task_wrote(void **state)
{
    runtime *r = *state;
    int number = 0;
    for (int i = 0; i < 3000; i++) {
        if (i % 3 > 0)
            assert_ok(submit_saxpy(r, NULL));
        assert_ok(mez_host_task(r->queue, add_one, &number, NULL));
        if (i % 2 > 0)
            assert_ok(submit_saxpy(r, NULL));
        assert_ok(mez_queue_wait(r->queue));
        assert_int_equal(number, i + 1);
    }
}

// Nothing of it reaches the driver, and once it has run everything is as before.
static void test_a_host_task_costs_later_tasks_nothing(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    noop_log_start();
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    char before[1024];
    snprintf(before, sizeof before, "%s", calls());

    atomic_int counter = 0;
    noop_log_start();
    assert_ok(mez_host_task(r->queue, count, &counter, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(counter, 1);
    assert_string_equal(calls(), "");
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_string_equal(calls(), before);
}

static void test_it_waits_for_the_device(void **state)
{
    runtime *r = *state;
    atomic_int counter = 0;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL)); // in an open batch, which the host task ends
    assert_ok(mez_host_task(r->queue, count, &counter, NULL));
    while (noop_pending() < 2) // by the thread that will run it
        usleep(1000);
    assert_condition(mez_queue_wait_for(r->queue, 5 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_int_equal(counter, 0);
    noop_release(1);
    assert_condition(mez_queue_wait_for(r->queue, 5 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_int_equal(counter, 0);
    noop_release(1);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(counter, 1);
    noop_hold(false);
}

// Memory of deferred tasks is used again: nothing is left in it of the tasks that had it.
static void test_deferred_tasks_in_turn(void **state)
{
    runtime *r = *state;
    for (int round = 0; round < 4; round++) {
        close_gate();
        assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
        for (int i = 0; i < 17; i++) {
            const bool with_arguments = round % 2 == 0;
            assert_ok(with_arguments
                          ? submit_saxpy(r, NULL)
                          : mez_submit(r->queue, r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
        }
        open_gate();
        assert_ok(mez_queue_wait(r->queue));
    }
}

// The driver refuses a task that was held: its event, the queue, and who waits for the event get the error.
static void test_a_held_task_fails(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *event, *second;
    atomic_int counter = 0;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    close_gate();
    assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    const mez_task_params after = {.wait_for = &event, .wait_count = 1, .event = &second};
    assert_ok(mez_host_task(other, count, &counter, &after));
    noop_fail("zeCommandListAppendLaunchKernel", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    open_gate();
    assert_condition(mez_event_wait(event), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_story(mez_event_wait(second), MEZ_ERRC_EVENT, "a task that it waits for failed");
    assert_int_equal(counter, 0);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_story(mez_queue_wait(other), MEZ_ERRC_EVENT, "a task that it waits for failed");
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&event);
    mez_event_destroy(&second);
    mez_queue_destroy(&other);
}

static void test_no_memory(void **state)
{
    runtime *r = *state;
    atomic_int counter = 0;
    int ran = 0;
    close_gate();
    assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
    for (uint64_t n = 1;; n++) {
        mez_event *event;
        mez_alloc_fail_at(n);
        const mez_error error = mez_host_task(r->queue, count, &counter, MEZ_TASK(.event = &event));
        const bool tried = mez_alloc_fail_at(0) >= n;
        assert_int_equal(mez_failed(error), tried);
        assert_int_equal(event != NULL, !tried);
        mez_event_destroy(&event);
        ran += !tried;
        if (!tried)
            break;
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        assert_uint_in_range(n, 1, 20);
    }
    open_gate();
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(counter, ran);
}

// What is wrong with a task is reported when it is submitted, not when it is released.
static void test_held_tasks_are_checked_at_once(void **state)
{
    runtime *r = *state;
    close_gate();
    assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
    assert_condition(
        mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT), NULL, NULL), MEZ_ERRC_KERNEL_ARGUMENT);
    assert_condition(mez_submit(r->queue, r->nothing, MEZ_RANGE(0), NULL, NULL), MEZ_ERRC_ND_RANGE);
    open_gate();
    assert_ok(mez_queue_wait(r->queue));
}

static void wait_for_it(void *user)
{
    mez_error_ignore(mez_queue_wait(user));
}

static void test_a_wait_for_itself_is_refused(void **state)
{
    runtime *r = *state;
    // The function's own wait would never end; that it returned is the test.
    assert_ok(mez_host_task(r->queue, wait_for_it, r->queue, NULL));
    assert_ok(mez_queue_wait(r->queue));
}

static char logged[512];

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    if (level == MEZ_LOG_ERROR)
        snprintf(logged, sizeof logged, "%s", message);
}

enum { END = __LINE__ + 4 };

static void destroy(void *user)
{
    mez_queue_destroy(user);
}

// The log knows who tried.
static void test_a_queue_is_not_destroyed_by_its_own_task(void **state)
{
    runtime *r = *state;
    mez_queue *queue = r->queue;
    char place[200];
    mez_log_set_function(hear, NULL);
    assert_ok(mez_host_task(queue, destroy, &queue, NULL));
    assert_ok(mez_queue_wait(r->queue));
    mez_log_set_function(NULL, NULL);
    assert_ptr_equal(queue, r->queue);
    snprintf(place, sizeof place, "and was not; destroyed at %s:%d, destroy", __FILE__, END);
    assert_contains(logged, place);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, runtime_setup, runtime_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_driver_gets_it_afterwards),
        TEST(test_a_wait_sees_what_a_host_task_wrote),
        IN_ORDER_TEST(test_a_wait_sees_what_a_host_task_wrote),
        TEST(test_a_host_task_costs_later_tasks_nothing),
        TEST(test_it_waits_for_the_device),
        TEST(test_deferred_tasks_in_turn),
        TEST(test_a_held_task_fails),
        TEST(test_no_memory),
        TEST(test_held_tasks_are_checked_at_once),
        TEST(test_a_wait_for_itself_is_refused),
        TEST(test_a_queue_is_not_destroyed_by_its_own_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
