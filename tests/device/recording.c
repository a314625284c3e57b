// SPDX-License-Identifier: MIT
//
// Recordings: what is replayed gives what it gave when it was submitted, on every kind of queue, as often as one likes.

#include <pthread.h>

#include "harness.h"

enum { WIDTH = 256 };

typedef struct chain {
    mez_recording *recording;
    mez_kernel *step;
    uint32_t *a; // shared
    uint32_t *b; // of the device
} chain;

static const uint32_t seven = 7;

static mez_recording *create_recording(mez_queue_order order)
{
    mez_recording *recording;
    const mez_recording_params params = {
        .device = mez_test_device(), .order = order, .debug_name = "chain"};
    mez_test_ok(mez_recording_create(mez_test_context(), &params, &recording));
    return recording;
}

static void record_step(mez_recording *recording, mez_kernel *step, uint32_t *values, uint32_t k)
{
    mez_test_ok(mez_record_submit(
        recording, step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), NULL, NULL));
}

// a = (a * 3 + 1) * 3 + 2 by way of b, row by row for one half; then b = 7. In order, a wrong order gives wrong numbers.
static chain create_chain(void)
{
    chain c = {.recording = create_recording(MEZ_IN_ORDER)};
    const size_t size = WIDTH * sizeof *c.a, half = size / 2;
    c.step = mez_test_kernel("order", "step_once");
    c.a = mez_test_shared(size);
    c.b = mez_test_alloc(MEZ_MEMORY_DEVICE, size);
    memset(c.a, 0, size);
    record_step(c.recording, c.step, c.a, 1); // operation 0
    mez_test_ok(mez_record_copy(c.recording, c.b, c.a, size, NULL, NULL));
    mez_test_ok(mez_record_fill(c.recording, c.a, &seven, sizeof seven, size, NULL, NULL));
    mez_test_ok(mez_record_copy(c.recording, c.a, c.b, half, NULL, NULL));
    mez_test_ok(mez_record_barrier(c.recording, NULL, NULL));
    mez_test_ok(mez_record_copy_2d(
        c.recording, (char *)c.a + half, 64, (char *)c.b + half, 64, 32, half / 64, NULL, NULL));
    mez_test_ok(mez_record_copy_2d(c.recording, (char *)c.a + half + 32, 64,
        (char *)c.b + half + 32, 64, 32, half / 64, NULL, NULL));
    record_step(c.recording, c.step, c.a, 2); // operation 7
    mez_test_ok(mez_record_fill(c.recording, c.b, &seven, sizeof seven, size, NULL, NULL));
    return c;
}

static uint32_t after_one(uint32_t value)
{
    return (value * 3 + 1) * 3 + 2;
}

static void destroy_chain(chain *c)
{
    mez_recording_destroy(&c->recording);
    mez_kernel_destroy(&c->step);
    mez_test_free(c->a);
    mez_test_free(c->b);
}

static void check_all(const uint32_t *values, uint32_t expected)
{
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
}

static void one_after_the_other(void **state)
{
    chain c = create_chain();
    uint32_t expected = 0;
    for (int i = 0; i < 3; i++) {
        mez_test_ok(mez_replay(*state, c.recording, NULL));
        mez_test_ok(mez_queue_wait(*state));
        expected = after_one(expected);
        check_all(c.a, expected);
    }
    destroy_chain(&c);
}

// Many more than can be in flight.
static void in_a_row(void **state)
{
    chain c = create_chain();
    uint32_t expected = 0;
    for (int i = 0; i < 50; i++) {
        mez_test_ok(mez_replay(*state, c.recording, NULL));
        expected = after_one(expected);
    }
    mez_test_ok(mez_queue_wait(*state));
    check_all(c.a, expected);
    destroy_chain(&c);
}

// Each has its place in the order of the queue.
static void among_other_tasks(void **state)
{
    chain c = create_chain();
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 20; i++) {
        const mez_args *args = MEZ_ARGS(MEZ_PTR(c.a), MEZ_VAL(i));
        mez_test_ok(mez_submit(*state, c.step, MEZ_RANGE(WIDTH), args, NULL));
        mez_test_ok(mez_replay(*state, c.recording, NULL));
        expected = after_one(expected * 3 + i);
        if (i % 3 == 0)
            continue;
        mez_test_ok(mez_submit(*state, c.step, MEZ_RANGE(WIDTH), args, NULL));
        expected = expected * 3 + i;
    }
    mez_test_ok(mez_queue_wait(*state));
    check_all(c.a, expected);
    destroy_chain(&c);
}

// What was submitted keeps its arguments, though it may not have run yet.
static void changing_arguments(void **state)
{
    chain c = create_chain();
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 20; i++) {
        mez_test_ok(mez_recording_set_argument(c.recording, 0, 1, &(const mez_arg)MEZ_VAL(i)));
        mez_test_ok(mez_replay(*state, c.recording, NULL));
        mez_test_ok(mez_replay(*state, c.recording, NULL));
        expected = (expected * 3 + i) * 3 + 2;
        expected = (expected * 3 + i) * 3 + 2;
    }
    mez_test_ok(mez_queue_wait(*state));
    check_all(c.a, expected);
    destroy_chain(&c);
}

static void changing_memory_and_range(void **state)
{
    mez_recording *recording = create_recording(MEZ_IN_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *first = mez_test_shared(WIDTH * sizeof *first);
    memset(first, 0, WIDTH * sizeof *first);
    record_step(recording, step, first, 1);
    mez_test_ok(mez_replay(*state, recording, NULL));
    uint32_t *second = mez_test_shared(WIDTH * sizeof *second);
    memset(second, 0, WIDTH * sizeof *second);
    mez_test_ok(mez_recording_set_argument(recording, 0, 0, &(const mez_arg)MEZ_PTR(second)));
    mez_test_ok(mez_recording_set_range(recording, 0, MEZ_RANGE(WIDTH / 2)));
    mez_test_ok(mez_replay(*state, recording, NULL));
    mez_test_ok(mez_queue_wait(*state));
    check_all(first, 1);
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(second[i], i < WIDTH / 2);
    mez_recording_destroy(&recording);
    mez_kernel_destroy(&step);
    mez_test_free(first);
    mez_test_free(second);
}

// Operations of an out-of-order recording have the order of its barriers; before the barrier they have nothing to do with each
// other.
static void out_of_order(void **state)
{
    enum { PARTS = 8 };
    mez_recording *recording = create_recording(MEZ_OUT_OF_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *parts[PARTS];
    uint32_t *all = mez_test_shared(PARTS * WIDTH * sizeof *all);
    for (uint32_t i = 0; i < PARTS; i++) {
        parts[i] = mez_test_alloc(MEZ_MEMORY_DEVICE, WIDTH * sizeof *all);
        mez_test_ok(mez_record_fill(
            recording, parts[i], &seven, sizeof seven, WIDTH * sizeof *all, NULL, NULL));
    }
    mez_test_ok(mez_record_barrier(recording, NULL, NULL));
    for (uint32_t i = 0; i < PARTS; i++)
        record_step(recording, step, parts[i], i);
    mez_test_ok(mez_record_barrier(recording, NULL, NULL));
    for (uint32_t i = 0; i < PARTS; i++)
        mez_test_ok(
            mez_record_copy(recording, all + i * WIDTH, parts[i], WIDTH * sizeof *all, NULL, NULL));
    for (int i = 0; i < 10; i++)
        mez_test_ok(mez_replay(*state, recording, NULL));
    mez_test_ok(mez_queue_wait(*state));
    for (uint32_t i = 0; i < PARTS; i++) {
        check_all(all + i * WIDTH, 7 * 3 + i);
        mez_test_free(parts[i]);
    }
    mez_test_free(all);
    mez_recording_destroy(&recording);
    mez_kernel_destroy(&step);
}

static mez_queue *create_queue(mez_queue_order order)
{
    mez_queue *queue;
    const mez_queue_params params = {.device = mez_test_device(), .order = order};
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    return queue;
}

// Back and forth between queues of both orders, by events.
static void by_events(void **state)
{
    mez_queue *queues[] = {*state, create_queue(MEZ_OUT_OF_ORDER), create_queue(MEZ_IN_ORDER)};
    chain c = create_chain();
    mez_event *last = NULL;
    uint32_t expected = 0;
    for (int i = 0; i < 30; i++) {
        mez_event *event;
        const mez_task_params task = {
            .wait_for = &last, .wait_count = last ? 1 : 0, .event = &event};
        mez_test_ok(mez_replay(queues[i % 3], c.recording, &task));
        mez_event_destroy(&last);
        last = event;
        expected = after_one(expected);
    }
    mez_test_ok(mez_event_wait(last));
    check_all(c.a, expected);
    mez_event_destroy(&last);
    mez_queue_destroy(&queues[1]);
    mez_queue_destroy(&queues[2]);
    destroy_chain(&c);
}

// Replays, and tasks between them, of an out-of-order queue that wait for each other's events.
static void by_events_on_an_out_of_order_queue(void **state)
{
    (void)state;
    mez_queue *queue = create_queue(MEZ_OUT_OF_ORDER);
    chain c = create_chain();
    mez_event *last = NULL;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 20; i++) {
        mez_event *event, *next;
        const mez_task_params task = {
            .wait_for = &last, .wait_count = last ? 1 : 0, .event = &event};
        mez_test_ok(mez_replay(queue, c.recording, &task));
        mez_test_ok(mez_submit(queue, c.step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(c.a), MEZ_VAL(i)),
            MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = &next)));
        mez_event_destroy(&event);
        mez_event_destroy(&last);
        last = next;
        expected = after_one(expected) * 3 + i;
    }
    mez_test_ok(mez_event_wait(last));
    check_all(c.a, expected);
    mez_event_destroy(&last);
    mez_queue_destroy(&queue);
    destroy_chain(&c);
}

// Recording, kernel and queue may go while replays run; memory that is freed stays until they have ended.
static void destroyed_in_flight(void **state)
{
    mez_queue *queue = create_queue(MEZ_IN_ORDER);
    (void)state;
    chain c = create_chain();
    uint32_t expected = 0;
    for (int i = 0; i < 4; i++) {
        mez_test_ok(mez_replay(queue, c.recording, NULL));
        expected = after_one(expected);
    }
    mez_recording_destroy(&c.recording);
    mez_kernel_destroy(&c.step);
    mez_test_free(c.b);
    mez_queue_destroy(&queue);
    check_all(c.a, expected);
    mez_test_free(c.a);
}

// Freed and allocated again: the same address may be other memory.
static void memory_in_place_of_other_memory(void **state)
{
    enum { LARGE = 4 << 20 }; // not from a pool
    mez_recording *recording = create_recording(MEZ_IN_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(LARGE);
    memset(values, 0, LARGE);
    record_step(recording, step, values, 5);
    for (int i = 0; i < 5; i++) {
        mez_test_ok(mez_replay(*state, recording, NULL));
        mez_test_ok(mez_queue_wait(*state));
        check_all(values, 5);
        mez_test_free(values);
        values = mez_test_shared(LARGE);
        memset(values, 0, LARGE);
        mez_test_ok(mez_recording_set_argument(recording, 0, 0, &(const mez_arg)MEZ_PTR(values)));
    }
    mez_recording_destroy(&recording);
    mez_kernel_destroy(&step);
    mez_test_free(values);
}

struct replayer {
    mez_queue *queue;
    mez_recording *recording;
    mez_error error;
};

static void *replay_fifty(void *argument)
{
    struct replayer *my = argument;
    for (int i = 0; i < 50 && !mez_failed(my->error); i++)
        my->error = mez_replay(my->queue, my->recording, NULL);
    return NULL;
}

// All replays of one queue come one after the other, whoever submits them.
static void threads_share_a_recording(void **state)
{
    enum { THREADS = 4 };
    chain c = create_chain();
    struct replayer replayers[THREADS];
    pthread_t threads[THREADS];
    uint32_t expected = 0;
    for (int i = 0; i < THREADS; i++) {
        replayers[i] = (struct replayer){.queue = *state, .recording = c.recording};
        assert_int_equal(pthread_create(&threads[i], NULL, replay_fifty, &replayers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        mez_test_ok(replayers[i].error);
    }
    mez_test_ok(mez_queue_wait(*state));
    for (int i = 0; i < THREADS * 50; i++)
        expected = after_one(expected);
    check_all(c.a, expected);
    destroy_chain(&c);
}

static void nothing_recorded(void **state)
{
    mez_recording *recording = create_recording(MEZ_IN_ORDER);
    mez_event *event;
    mez_test_ok(mez_replay(*state, recording, MEZ_TASK(.event = &event)));
    mez_test_ok(mez_event_wait(event));
    mez_test_ok(mez_replay(*state, recording, NULL));
    mez_test_ok(mez_queue_wait(*state));
    mez_event_destroy(&event);
    mez_recording_destroy(&recording);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(one_after_the_other),
        MEZ_DEVICE_TEST(in_a_row),
        MEZ_DEVICE_TEST(among_other_tasks),
        MEZ_DEVICE_TEST(changing_arguments),
        MEZ_DEVICE_TEST(changing_memory_and_range),
        MEZ_DEVICE_TEST(out_of_order),
        MEZ_DEVICE_TEST(by_events),
        MEZ_DEVICE_TEST(by_events_on_an_out_of_order_queue),
        MEZ_DEVICE_TEST(destroyed_in_flight),
        MEZ_DEVICE_TEST(memory_in_place_of_other_memory),
        MEZ_DEVICE_TEST(threads_share_a_recording),
        MEZ_DEVICE_TEST(nothing_recorded),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
