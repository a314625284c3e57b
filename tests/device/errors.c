// SPDX-License-Identifier: MIT
//
// Errors of tasks: five kernels fail asserts at the same time, and each error is reported once, to the queue or event that it belongs to.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "harness.h"

enum { FEW = 5, COUNT = 16, BAD = 13 };

// Images of their own, as the first failure of an image is the one that is reported.
typedef struct room {
    mez_queue *queue;
    mez_kernel *kernel;
    int32_t *values;
    char task[8];
    mez_error submitted;
} room;

typedef struct hearing {
    atomic_int count;
    atomic_int times[FEW];
    atomic_int wrong;
} hearing;

// The number in the task's name, "task N", which the story has; -1: another story.
static int number_of(mez_error error)
{
    char story[4096];
    int number = -1;
    mez_error_get_story(error, story, sizeof story);
    const char *name = strstr(story, "\"task ");
    if (name && mez_error_is(error, MEZ_ERRC_ASSERT))
        sscanf(name, "\"task %d\"", &number);
    return number < FEW ? number : -1;
}

static void hear(void *user, mez_error error)
{
    hearing *h = user;
    const int number = number_of(error);
    atomic_fetch_add(number < 0 ? &h->wrong : &h->times[number], 1);
    atomic_fetch_add(&h->count, 1);
}

static void wait_until_heard(hearing *h)
{
    for (int i = 0; i < 20000 && atomic_load(&h->count) < FEW; i++)
        usleep(1000);
    assert_int_equal(h->count, FEW);
    assert_int_equal(h->wrong, 0);
    for (int i = 0; i < FEW; i++)
        assert_int_equal(h->times[i], 1);
}

static mez_queue *open_queue(mez_error_handler handler)
{
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}, .on_error = handler};
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    return queue;
}

static void open_rooms(room *rooms)
{
    for (int i = 0; i < FEW; i++) {
        room *r = &rooms[i];
        snprintf(r->task, sizeof r->task, "task %d", i);
        r->kernel = mez_test_kernel("asserts", "fails_at");
        r->values = mez_test_shared(COUNT * sizeof *r->values);
    }
}

static void close_rooms(room *rooms)
{
    for (int i = 0; i < FEW; i++) {
        mez_kernel_destroy(&rooms[i].kernel);
        mez_test_free(rooms[i].values);
    }
}

static void *submit(void *argument)
{
    room *r = argument;
    const int32_t bad = BAD;
    r->submitted = mez_submit(r->queue, r->kernel, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_PTR(r->values), MEZ_VAL(bad)), MEZ_TASK(.debug_name = r->task));
    return NULL;
}

static void race(room *rooms)
{
    pthread_t threads[FEW];
    for (int i = 0; i < FEW; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, submit, &rooms[i]), 0);
    for (int i = 0; i < FEW; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < FEW; i++)
        mez_test_ok(rooms[i].submitted);
}

static void race_in(room *rooms, mez_queue *queue)
{
    for (int i = 0; i < FEW; i++)
        rooms[i].queue = queue;
    race(rooms);
}

static void fail_in_one_queue(room *rooms)
{
    hearing h = {0};
    mez_queue *queue = open_queue((mez_error_handler){0});
    race_in(rooms, queue);
    mez_error error = mez_queue_wait(queue);
    mez_test_fails(error, MEZ_ERRC_ASSERT);
    do
        hear(&h, error);
    while (mez_queue_take_error(queue, &error));
    wait_until_heard(&h);
    mez_test_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
}

static void fail_in_one_queue_with_a_handler(room *rooms)
{
    hearing h = {0};
    mez_queue *queue = open_queue((mez_error_handler){.function = hear, .user = &h});
    race_in(rooms, queue);
    mez_test_ok(mez_queue_flush(queue));
    wait_until_heard(&h); // nobody waits
    mez_test_fails(mez_queue_wait(queue), MEZ_ERRC_ASSERT);
    mez_test_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    assert_int_equal(h.count, FEW);
}

static void fail_in_five_queues_with_one_handler(room *rooms)
{
    hearing h = {0};
    for (int i = 0; i < FEW; i++)
        rooms[i].queue = open_queue((mez_error_handler){.function = hear, .user = &h});
    race(rooms);
    for (int i = 0; i < FEW; i++)
        assert_int_equal(number_of(mez_queue_wait(rooms[i].queue)), i);
    wait_until_heard(&h);
    for (int i = 0; i < FEW; i++)
        mez_queue_destroy(&rooms[i].queue);
    assert_int_equal(h.count, FEW);
}

// The images take long to build on some devices, so that all do it with the same.
static void five_that_fail_at_the_same_time_are_reported_once_each(void **state)
{
    (void)state;
    mez_test_needs("results");
    room rooms[FEW];
    open_rooms(rooms);
    fail_in_one_queue(rooms);
    fail_in_one_queue_with_a_handler(rooms);
    fail_in_five_queues_with_one_handler(rooms);
    close_rooms(rooms);
}

// What is watched does what it does elsewhere.
static void a_queue_with_a_handler_works(void **state)
{
    (void)state;
    hearing h = {0};
    mez_queue *queue = open_queue((mez_error_handler){.function = hear, .user = &h});
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_at");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    const int32_t none = -1;
    for (int i = 0; i < 20; i++) {
        mez_event *done;
        mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT),
            MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(none)), MEZ_TASK(.event = &done)));
        mez_test_ok(mez_copy(queue, &values[1], &values[0], sizeof *values, NULL));
        mez_test_ok(mez_event_wait(done));
        mez_event_destroy(&done);
    }
    mez_test_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    assert_int_equal(h.count, 0);
    if (mez_test_has("results")) {
        assert_int_equal(values[0], 1);
        assert_int_equal(values[1], 1);
    }
    mez_kernel_destroy(&kernel);
    mez_test_free(values);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(five_that_fail_at_the_same_time_are_reported_once_each),
        MEZ_DEVICE_TEST(a_queue_with_a_handler_works),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
