// SPDX-License-Identifier: MIT
//
// Order: tasks of a queue run one after the other, queues wait for each other's events.

#include <pthread.h>

#include "harness.h"

enum { WIDTH = 256 };

static void submit_step(mez_queue *queue, mez_kernel *kernel, uint32_t *values, uint32_t k)
{
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), NULL));
}

static void check_all(const uint32_t *values, uint32_t expected)
{
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
}

// Kernel, copy and fill in turn: each works on what the one before left.
static uint32_t submit_link(
    mez_queue *queue, mez_kernel *step, uint32_t *a, uint32_t *b, uint32_t number, uint32_t value)
{
    const size_t half = WIDTH / 2 * sizeof *a;
    switch (number % 4) {
    case 0:
        submit_step(queue, step, a, number);
        return value * 3 + number;
    case 1:
        mez_test_ok(mez_copy(queue, b, a, WIDTH * sizeof *a, NULL));
        return value;
    case 2:
        mez_test_ok(mez_fill(queue, a, &number, sizeof number, WIDTH * sizeof *a, NULL));
        return value;
    default: // by halves, so that both copies must wait for the fill
        mez_test_ok(mez_copy(queue, a, b, half, NULL));
        mez_test_ok(mez_copy(queue, a + WIDTH / 2, b + WIDTH / 2, half, NULL));
        return value;
    }
}

static void chain_of_a_hundred(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *a = mez_test_shared(WIDTH * sizeof *a);
    uint32_t *b = mez_test_alloc(MEZ_MEMORY_DEVICE, WIDTH * sizeof *b);
    memset(a, 0, WIDTH * sizeof *a);
    uint32_t value = 0;
    for (uint32_t number = 0; number < 100; number++)
        value = submit_link(queue, step, a, b, number, value);
    mez_test_ok(mez_queue_wait(queue));
    check_all(a, value);
    mez_test_free(a);
    mez_test_free(b);
    mez_kernel_destroy(&step);
}

// A batch holds 4 tasks at first, and up to 64: nothing is lost or swapped around its ends.
static void ends_of_batches(void **state)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 100, 500};
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint32_t expected = 1;
        for (int j = 0; j < WIDTH; j++)
            values[j] = 1;
        for (uint32_t k = 0; k < counts[i]; k++) {
            submit_step(queue, step, values, k);
            expected = expected * 3 + k;
        }
        mez_test_ok(mez_queue_wait(queue));
        check_all(values, expected);
    }
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

static void empty_waits(void **state)
{
    mez_queue *queue = *state;
    mez_test_ok(mez_queue_wait(queue));
    mez_test_ok(mez_queue_flush(queue));
    mez_test_ok(mez_queue_wait_for(queue, 0));
    mez_test_ok(mez_queue_wait(queue));
}

// Flushing hands the tasks over without a wait; they run although nobody waits for them yet.
static void flushed_tasks_run(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    for (uint32_t k = 0; k < 5; k++) {
        submit_step(queue, step, values, 1);
        mez_test_ok(mez_queue_flush(queue));
    }
    mez_test_ok(mez_queue_wait(queue));
    check_all(values, 1 + 3 + 9 + 27 + 81);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

static void destroying_a_queue_waits(void **state)
{
    (void)state;
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    mez_kernel *slow = mez_test_kernel("order", "slow_step");
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    const uint32_t turns = 1000;
    uint32_t expected = 0;
    for (uint32_t turn = 0; turn < turns; turn++)
        expected = expected * 1664525u + 1013904223u;
    mez_test_ok(
        mez_submit(queue, slow, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(turns)), NULL));
    submit_step(queue, step, values, 4);
    mez_queue_destroy(&queue);
    assert_null(queue);
    check_all(values, expected * 3 + 4);
    mez_test_free(values);
    mez_kernel_destroy(&slow);
    mez_kernel_destroy(&step);
}

static void events_report_when_a_task_is_done(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    const uint32_t k = 7;
    mez_event *event = NULL;
    mez_test_ok(mez_submit(queue, step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)),
        MEZ_TASK(.debug_name = "seven", .event = &event)));
    assert_non_null(event);
    mez_test_ok(mez_event_wait(event));
    check_all(values, 7);
    mez_test_ok(mez_event_wait_for(event, 0));
    mez_test_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    assert_null(event);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// Events for other tasks order what waits for them, and can be waited for by the host nevertheless.
static void events_for_the_device(void **state)
{
    mez_queue *queues[2] = {*state, NULL};
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queues[1]));
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    mez_event *events[10];
    uint32_t expected = 0;
    for (uint32_t k = 0; k < 10; k++) {
        const mez_task_params task = {.wait_for = events + k - (k > 0),
            .wait_count = k > 0,
            .event = &events[k],
            .device_event = true};
        mez_test_ok(mez_submit(
            queues[k % 2], step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), &task));
        expected = expected * 3 + k;
    }
    mez_test_ok(mez_event_wait(events[9]));
    mez_test_ok(mez_event_get_status(events[9]));
    check_all(values, expected);
    for (int i = 0; i < 10; i++)
        mez_event_destroy(&events[i]);
    mez_queue_destroy(&queues[1]);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// Only looking is fine at any time, and ends with success once the task has run.
static void looking_at_an_event(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *slow = mez_test_kernel("order", "slow_step");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    const uint32_t turns = 2000000;
    mez_event *event;
    mez_test_ok(mez_submit(queue, slow, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(turns)),
        MEZ_TASK(.event = &event)));
    const mez_error look = mez_event_wait_for(event, 0);
    assert_true(!mez_failed(look) || mez_error_is(look, MEZ_ERRC_TIMEOUT));
    if (mez_test_has("results")) // half a billion turns: not done at once on anything
        mez_test_fails(look, MEZ_ERRC_TIMEOUT);
    const mez_error brief = mez_queue_wait_for(queue, 1000);
    assert_true(!mez_failed(brief) || mez_error_is(brief, MEZ_ERRC_TIMEOUT));
    mez_test_ok(mez_event_wait(event));
    mez_test_ok(mez_event_wait_for(event, 0));
    mez_test_ok(mez_queue_wait(queue));
    mez_test_ok(mez_queue_wait_for(queue, 0));
    mez_event_destroy(&event);
    mez_test_free(values);
    mez_kernel_destroy(&slow);
}

// An event outlives its queue, and may be given up before its task has run.
static void events_and_queues_end_in_any_order(void **state)
{
    (void)state;
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    const uint32_t k = 2;
    const mez_args *args = MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k));
    mez_event *early, *late;
    mez_test_ok(mez_submit(queue, step, MEZ_RANGE(WIDTH), args, MEZ_TASK(.event = &early)));
    mez_event_destroy(&early);
    mez_test_ok(mez_submit(queue, step, MEZ_RANGE(WIDTH), args, MEZ_TASK(.event = &late)));
    mez_queue_destroy(&queue);
    mez_test_ok(mez_event_wait(late));
    mez_event_destroy(&late);
    check_all(values, 8);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// Back and forth between two queues; each step waits for the other queue's.
static void queues_wait_for_each_other(void **state)
{
    mez_queue *queues[2] = {*state, NULL};
    mez_test_ok(mez_queue_create(
        mez_test_context(), &(const mez_queue_params){.debug_name = "second"}, &queues[1]));
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    mez_event *last = NULL;
    uint32_t expected = 0;
    for (uint32_t k = 0; k < 50; k++) {
        mez_event *event;
        const mez_task_params task = {
            .wait_for = &last, .wait_count = last ? 1 : 0, .event = &event};
        mez_test_ok(mez_submit(
            queues[k % 2], step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), &task));
        mez_event_destroy(&last);
        last = event;
        expected = expected * 3 + k;
    }
    mez_test_ok(mez_event_wait(last));
    check_all(values, expected);
    mez_event_destroy(&last);
    mez_queue_destroy(&queues[1]);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// More events than one slab holds, all alive at once, then waited for out of order.
static void hundreds_of_events(void **state)
{
    enum { COUNT = 600 };
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    static mez_event *events[COUNT];
    uint32_t expected = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
        mez_test_ok(mez_submit(queue, step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)),
            MEZ_TASK(.event = &events[k])));
        expected = expected * 3 + k;
    }
    for (int i = 0; i < COUNT; i++)
        mez_test_ok(mez_event_wait(events[i * 7 % COUNT]));
    check_all(values, expected);
    for (int i = 0; i < COUNT; i++)
        mez_event_destroy(&events[i]);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

struct submitter {
    mez_queue *queue;
    mez_kernel *kernel;
    uint32_t *values;
    uint32_t k;
    uint32_t expected;
    mez_error error;
};

static void *submit_fifty(void *argument)
{
    struct submitter *my = argument;
    for (int i = 0; i < 50 && !mez_failed(my->error); i++) {
        my->error = mez_submit(my->queue, my->kernel, MEZ_RANGE(WIDTH),
            MEZ_ARGS(MEZ_PTR(my->values), MEZ_VAL(my->k)), NULL);
        my->expected = my->expected * 3 + my->k;
        if (i % 10 == 9 && !mez_failed(my->error))
            my->error = mez_queue_wait(my->queue);
    }
    return NULL;
}

// One kernel, many threads, each with arguments of its own; on one queue, or on one queue each.
static void submit_from_threads(mez_queue *shared)
{
    enum { THREADS = 6 };
    mez_kernel *step = mez_test_kernel("order", "step_once");
    struct submitter submitters[THREADS];
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        struct submitter *one = &submitters[i];
        *one = (struct submitter){.queue = shared, .kernel = step, .k = i};
        one->values = mez_test_shared(WIDTH * sizeof *one->values);
        memset(one->values, 0, WIDTH * sizeof *one->values);
        if (!shared)
            mez_test_ok(mez_queue_create(mez_test_context(), NULL, &one->queue));
        assert_int_equal(pthread_create(&threads[i], NULL, submit_fifty, one), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < THREADS; i++) {
        mez_test_ok(submitters[i].error);
        check_all(submitters[i].values, submitters[i].expected);
        mez_test_free(submitters[i].values);
        if (!shared)
            mez_queue_destroy(&submitters[i].queue);
    }
    mez_kernel_destroy(&step);
}

static void threads_share_a_queue(void **state)
{
    submit_from_threads(*state);
}

static void threads_with_queues_of_their_own(void **state)
{
    (void)state;
    submit_from_threads(NULL);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(chain_of_a_hundred),
        MEZ_DEVICE_TEST(ends_of_batches),
        MEZ_DEVICE_TEST(empty_waits),
        MEZ_DEVICE_TEST(flushed_tasks_run),
        MEZ_DEVICE_TEST(destroying_a_queue_waits),
        MEZ_DEVICE_TEST(events_report_when_a_task_is_done),
        MEZ_DEVICE_TEST(events_for_the_device),
        MEZ_DEVICE_TEST(looking_at_an_event),
        MEZ_DEVICE_TEST(events_and_queues_end_in_any_order),
        MEZ_DEVICE_TEST(queues_wait_for_each_other),
        MEZ_DEVICE_TEST(hundreds_of_events),
        MEZ_DEVICE_TEST(threads_share_a_queue),
        MEZ_DEVICE_TEST(threads_with_queues_of_their_own),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
