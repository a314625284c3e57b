// SPDX-License-Identifier: MIT
//
// Host tasks: functions that run in the order of tasks, what comes behind them, and what they may do.

#include <pthread.h>
#include <stdatomic.h>

#include "harness.h"

enum { WIDTH = 256, SOON = 20 * 1000 * 1000, LATE = 1000 * 1000 * 1000 };

// A gate that a host task waits at: what comes behind it is held for certain.
typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
    atomic_bool reached;
} gate;

static void gate_init(gate *g)
{
    *g = (gate){.open = false};
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->opened, NULL);
}

static void gate_open(gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->open = true;
    pthread_cond_broadcast(&g->opened);
    pthread_mutex_unlock(&g->lock);
}

static void pass_gate(void *user)
{
    gate *g = user;
    atomic_store(&g->reached, true);
    pthread_mutex_lock(&g->lock);
    while (!g->open)
        pthread_cond_wait(&g->opened, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

static mez_queue *create_queue(mez_queue_order order)
{
    mez_queue *queue;
    const mez_queue_params params = {.order = order, .debug_name = "another"};
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    return queue;
}

static void submit_step(
    mez_queue *queue, mez_kernel *kernel, uint32_t *values, uint32_t k, const mez_task_params *task)
{
    const mez_args *args = MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k));
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(WIDTH), args, task));
}

static void check_all(const uint32_t *values, uint32_t expected)
{
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
}

// The host's part of a chain: what a kernel does, done by a function.
static void step_on_host(void *user)
{
    uint32_t *values = user;
    for (int i = 0; i < WIDTH; i++)
        values[i] = values[i] * 3 + 7;
}

static void device_and_host_in_turn(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values), expected = 0;
    memset(values, 0, WIDTH * sizeof *values);
    for (uint32_t k = 0; k < 40; k++) {
        submit_step(queue, step, values, k, NULL);
        mez_test_ok(mez_host_task(queue, step_on_host, values, NULL));
        expected = (expected * 3 + k) * 3 + 7;
    }
    mez_test_ok(mez_queue_wait(queue));
    check_all(values, expected);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// Everything that a task points to is gone before it reaches the driver.
static void held_tasks_need_nothing_of_the_caller(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *a = mez_test_shared(WIDTH * sizeof *a), *b = mez_test_shared(2 * WIDTH * sizeof *b);
    gate g;
    gate_init(&g);
    memset(a, 0, WIDTH * sizeof *a);
    mez_test_ok(mez_host_task(queue, pass_gate, &g, NULL));
    uint32_t k = 5, pattern = 9;
    submit_step(queue, step, a, k, NULL);
    k = 6;
    submit_step(queue, step, a, k, NULL);
    mez_test_ok(mez_fill(queue, b, &pattern, sizeof pattern, 2 * WIDTH * sizeof *b, NULL));
    mez_test_ok(mez_copy(queue, b, a, WIDTH / 2 * sizeof *b, NULL));
    mez_test_ok(mez_copy_2d(queue, b + WIDTH, 8, a, 4, 4, 3, NULL));
    mez_kernel_destroy(&step);
    k = pattern = 1000;
    gate_open(&g);
    mez_test_ok(mez_queue_wait(queue));
    check_all(a, 5 * 3 + 6);
    for (int i = 0; i < 2 * WIDTH && mez_test_has("results"); i++) {
        const bool copied = i < WIDTH / 2 || (i >= WIDTH && i < WIDTH + 6 && i % 2 == 0);
        assert_int_equal(b[i], copied ? 21 : 9);
    }
    mez_test_free(a);
    mez_test_free(b);
}

static void other_queues_wait_for_a_host_task(void **state)
{
    mez_queue *queue = *state, *other = create_queue(MEZ_IN_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    mez_event *ran, *stepped;
    gate g;
    gate_init(&g);
    memset(values, 0, WIDTH * sizeof *values);
    mez_test_ok(mez_host_task(queue, pass_gate, &g, MEZ_TASK(.event = &ran)));
    submit_step(
        other, step, values, 1, MEZ_TASK(.wait_for = &ran, .wait_count = 1, .event = &stepped));
    submit_step(other, step, values, 2, NULL);
    assert_int_equal(mez_event_get_status(ran).value, MEZ_ERRC_NOT_READY);
    assert_true(mez_error_is(mez_event_wait_for(stepped, SOON), MEZ_ERRC_TIMEOUT));
    assert_true(mez_error_is(mez_queue_wait_for(other, SOON), MEZ_ERRC_TIMEOUT));
    check_all(values, 0);
    gate_open(&g);
    mez_test_ok(mez_event_wait(stepped));
    mez_test_ok(mez_event_get_status(ran));
    mez_test_ok(mez_queue_wait(other));
    check_all(values, 5);
    mez_event_destroy(&ran);
    mez_event_destroy(&stepped);
    mez_queue_destroy(&other);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// Only what depends on it waits in an out-of-order queue; a barrier holds back what follows.
static void out_of_order_tasks_pass_a_host_task(void **state)
{
    (void)state;
    mez_queue *queue = create_queue(MEZ_OUT_OF_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *a = mez_test_shared(WIDTH * sizeof *a), *b = mez_test_shared(WIDTH * sizeof *b);
    mez_event *passed, *behind;
    gate g;
    gate_init(&g);
    memset(a, 0, WIDTH * sizeof *a);
    memset(b, 0, WIDTH * sizeof *b);
    mez_test_ok(mez_host_task(queue, pass_gate, &g, NULL));
    submit_step(queue, step, a, 3, MEZ_TASK(.event = &passed));
    mez_test_ok(mez_event_wait(passed));
    check_all(a, 3);
    mez_test_ok(mez_barrier(queue, NULL));
    submit_step(queue, step, b, 4, MEZ_TASK(.event = &behind));
    assert_true(mez_error_is(mez_event_wait_for(behind, SOON), MEZ_ERRC_TIMEOUT));
    gate_open(&g);
    mez_test_ok(mez_queue_wait(queue));
    mez_test_ok(mez_event_get_status(behind));
    check_all(b, 4);
    mez_event_destroy(&passed);
    mez_event_destroy(&behind);
    mez_queue_destroy(&queue);
    mez_test_free(a);
    mez_test_free(b);
    mez_kernel_destroy(&step);
}

// A replay comes after all that was submitted before it, also out of order.
static void replays_stay_behind_a_host_task(void **state)
{
    (void)state;
    mez_queue *queue = create_queue(MEZ_OUT_OF_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *a = mez_test_shared(WIDTH * sizeof *a), *b = mez_test_shared(WIDTH * sizeof *b);
    const uint32_t k = 3;
    mez_recording *recording;
    mez_event *replayed, *passed;
    gate g;
    gate_init(&g);
    memset(a, 0, WIDTH * sizeof *a);
    memset(b, 0, WIDTH * sizeof *b);
    mez_test_ok(mez_recording_create(mez_test_context(), NULL, &recording));
    mez_test_ok(mez_record_submit(
        recording, step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(a), MEZ_VAL(k)), NULL, NULL));
    mez_test_ok(mez_host_task(queue, pass_gate, &g, NULL));
    mez_test_ok(mez_replay(queue, recording, MEZ_TASK(.event = &replayed)));
    assert_true(mez_error_is(mez_event_wait_for(replayed, SOON), MEZ_ERRC_TIMEOUT));
    gate_open(&g);
    submit_step(queue, step, b, 4, MEZ_TASK(.event = &passed));
    mez_test_ok(mez_event_wait(passed));
    mez_test_ok(mez_event_wait(replayed));
    check_all(a, 3);
    check_all(b, 4);
    mez_event_destroy(&replayed);
    mez_event_destroy(&passed);
    mez_recording_destroy(&recording);
    mez_queue_destroy(&queue);
    mez_test_free(a);
    mez_test_free(b);
    mez_kernel_destroy(&step);
}

// Also where the barrier is the device's already.
static void host_tasks_stay_behind_a_barrier(void **state)
{
    (void)state;
    mez_queue *queue = create_queue(MEZ_OUT_OF_ORDER);
    mez_kernel *slow = mez_test_kernel("order", "slow_step");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    const uint32_t turns = 1000000;
    uint32_t expected = 0;
    for (uint32_t turn = 0; turn < turns; turn++)
        expected = expected * 1664525u + 1013904223u;
    submit_step(queue, slow, values, turns, NULL);
    mez_test_ok(mez_barrier(queue, NULL));
    mez_test_ok(mez_host_task(queue, step_on_host, values, NULL));
    mez_test_ok(mez_queue_wait(queue));
    check_all(values, expected * 3 + 7);
    mez_queue_destroy(&queue);
    mez_test_free(values);
    mez_kernel_destroy(&slow);
}

static void markers_hold_nothing_back(void **state)
{
    (void)state;
    mez_queue *queue = create_queue(MEZ_OUT_OF_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *a = mez_test_shared(WIDTH * sizeof *a);
    mez_event *marked, *passed;
    gate g;
    gate_init(&g);
    memset(a, 0, WIDTH * sizeof *a);
    mez_test_ok(mez_host_task(queue, pass_gate, &g, NULL));
    mez_test_ok(mez_marker(queue, MEZ_TASK(.event = &marked)));
    submit_step(queue, step, a, 3, MEZ_TASK(.event = &passed));
    mez_test_ok(mez_event_wait(passed));
    assert_true(mez_error_is(mez_event_wait_for(marked, SOON), MEZ_ERRC_TIMEOUT));
    gate_open(&g);
    mez_test_ok(mez_event_wait(marked));
    mez_event_destroy(&marked);
    mez_event_destroy(&passed);
    mez_queue_destroy(&queue);
    mez_test_free(a);
    mez_kernel_destroy(&step);
}

static void markers_in_order(void **state)
{
    mez_queue *queue = *state;
    mez_event *marked;
    gate g;
    gate_init(&g);
    mez_test_ok(mez_host_task(queue, pass_gate, &g, NULL));
    mez_test_ok(mez_marker(queue, MEZ_TASK(.event = &marked)));
    assert_true(mez_error_is(mez_event_wait_for(marked, SOON), MEZ_ERRC_TIMEOUT));
    gate_open(&g);
    mez_test_ok(mez_event_wait(marked));
    mez_event_destroy(&marked);
}

typedef struct submitter {
    mez_queue *same, *other;
    mez_kernel *step;
    uint32_t *values;
    pthread_mutex_t *lock;
    mez_error submitted, other_submitted, waited, looked, waited_for_held;
} submitter;

static void submit_from_host(void *user)
{
    submitter *s = user;
    const uint32_t k = 2;
    const mez_args *args = MEZ_ARGS(MEZ_PTR(s->values), MEZ_VAL(k));
    mez_event *held = NULL;
    pthread_mutex_lock(s->lock);
    s->submitted = mez_submit(s->same, s->step, MEZ_RANGE(WIDTH), args, MEZ_TASK(.event = &held));
    s->other_submitted = mez_submit(s->other, s->step, MEZ_RANGE(WIDTH), args, NULL);
    pthread_mutex_unlock(s->lock);
    s->looked = mez_error_retain(mez_event_wait_for(held, 0));
    s->waited = mez_queue_wait(s->other);
    s->waited_for_held = mez_error_retain(mez_event_wait_for(held, LATE));
    mez_event_destroy(&held);
}

// It submits to its own queue and to others, takes a lock under which others submit, and waits for what the device has.
static void what_a_host_task_may_do(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    submitter s = {.same = *state, .other = create_queue(MEZ_IN_ORDER), .lock = &lock};
    s.step = mez_test_kernel("order", "step_once");
    s.values = mez_test_shared(WIDTH * sizeof *s.values);
    memset(s.values, 0, WIDTH * sizeof *s.values);
    pthread_mutex_lock(&lock);
    mez_test_ok(mez_host_task(s.same, submit_from_host, &s, NULL));
    for (int i = 0; i < 100; i++)
        mez_test_ok(mez_barrier(s.same, NULL));
    pthread_mutex_unlock(&lock);
    mez_test_ok(mez_queue_wait(s.same));
    mez_test_ok(s.submitted);
    mez_test_ok(s.other_submitted);
    mez_test_ok(s.waited);
    assert_true(mez_error_is(s.looked, MEZ_ERRC_TIMEOUT)); // a look does not wait
    assert_true(mez_error_is(s.waited_for_held, MEZ_ERRC_WRONG_STATE));
    mez_error_release(s.looked);
    mez_error_release(s.waited_for_held);
    mez_test_ok(mez_queue_wait(s.same)); // what the function has submitted
    check_all(s.values, 2 * 3 + 2);
    mez_queue_destroy(&s.other);
    mez_test_free(s.values);
    mez_kernel_destroy(&s.step);
}

static void count(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

typedef struct destroyer {
    mez_queue *own, *other;
    atomic_int *counter;
    bool own_is_left;
} destroyer;

static void destroy_from_host(void *user)
{
    destroyer *d = user;
    mez_queue *own = d->own;
    mez_queue_destroy(&own); // refused
    d->own_is_left = own != NULL;
    for (int i = 0; i < 3; i++)
        mez_test_ok(mez_host_task(d->other, count, d->counter, NULL));
    mez_queue_destroy(&d->other);
}

static void queues_destroyed_by_a_host_task(void **state)
{
    atomic_int counter = 0;
    destroyer d = {.own = *state, .other = create_queue(MEZ_IN_ORDER), .counter = &counter};
    mez_test_ok(mez_host_task(d.own, destroy_from_host, &d, NULL));
    mez_test_ok(mez_queue_wait(d.own));
    assert_true(d.own_is_left);
    assert_null(d.other);
    assert_int_equal(counter, 3);
}

static void destroying_a_queue_runs_its_host_tasks(void **state)
{
    (void)state;
    atomic_int counter = 0;
    for (int order = 0; order < 2; order++) {
        mez_queue *queue = create_queue(order ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER);
        for (int i = 0; i < 10; i++)
            mez_test_ok(mez_host_task(queue, count, &counter, NULL));
        mez_queue_destroy(&queue);
        assert_int_equal(counter, 10 * (order + 1));
    }
}

static void note_outcome(void *user, mez_error outcome)
{
    assert_false(mez_failed(outcome));
    count(user);
}

static void events_of_host_tasks(void **state)
{
    (void)state;
    const mez_queue_params params = {.profiling = true};
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    atomic_int counter = 0, called = 0;
    mez_event *event;
    mez_event_profile profile;
    mez_test_ok(mez_host_task(queue, count, &counter, MEZ_TASK(.event = &event)));
    mez_test_ok(mez_event_set_callback(event, note_outcome, &called));
    mez_test_ok(mez_event_wait(event));
    assert_int_equal(counter, 1);
    assert_true(mez_error_is(mez_event_get_profile(event, &profile), MEZ_ERRC_PROFILING));
    mez_event_destroy(&event);
    mez_queue_destroy(&queue);
    assert_int_equal(called, 1);
}

// Memory that a held task will use is not given to anybody else.
static void frees_wait_for_held_tasks(void **state)
{
    mez_queue *queue = *state;
    uint32_t *values = mez_test_alloc(MEZ_MEMORY_HOST, WIDTH * sizeof *values);
    const uint32_t pattern = 3;
    gate g;
    gate_init(&g);
    mez_test_ok(mez_host_task(queue, pass_gate, &g, NULL));
    mez_test_ok(mez_fill(queue, values, &pattern, sizeof pattern, WIDTH * sizeof *values, NULL));
    mez_test_free(values);
    mez_context_statistics statistics;
    mez_context_get_statistics(mez_test_context(), &statistics);
    assert_int_equal(statistics.host_memory.deferred, 1);
    gate_open(&g);
    mez_test_ok(mez_queue_wait(queue));
    mez_test_ok(mez_queue_wait(queue));
    void *another = mez_test_alloc(MEZ_MEMORY_HOST, 64);
    mez_test_free(another);
    mez_context_get_statistics(mez_test_context(), &statistics);
    assert_int_equal(statistics.host_memory.deferred, 0);
}

enum { THREADS = 8, ROUNDS = 50 };

static void *submit_many(void *user)
{
    submitter *s = user;
    const uint32_t k = 1;
    for (int i = 0; i < ROUNDS && !mez_failed(s->submitted); i++) {
        mez_event *event = NULL;
        s->submitted = mez_host_task(s->other, count, s->values, MEZ_TASK(.event = &event));
        if (!mez_failed(s->submitted))
            s->submitted = mez_submit(s->same, s->step, MEZ_RANGE(WIDTH),
                MEZ_ARGS(MEZ_PTR(s->values + 1), MEZ_VAL(k)),
                MEZ_TASK(.wait_for = &event, .wait_count = 1));
        if (i % 7 == 0 && !mez_failed(s->submitted))
            s->submitted = mez_event_wait(event);
        mez_event_destroy(&event);
    }
    return NULL;
}

static void host_tasks_from_threads(void **state)
{
    submitter submitters[THREADS];
    pthread_t threads[THREADS];
    mez_queue *other = create_queue(MEZ_IN_ORDER);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared((WIDTH + 1) * sizeof *values);
    memset(values, 0, (WIDTH + 1) * sizeof *values);
    for (int i = 0; i < THREADS; i++) {
        submitters[i] = (submitter){.same = *state, .other = other, .step = step, .values = values};
        assert_int_equal(pthread_create(&threads[i], NULL, submit_many, &submitters[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        mez_test_ok(submitters[i].submitted);
    }
    mez_test_ok(mez_queue_wait(other));
    mez_test_ok(mez_queue_wait(*state));
    assert_int_equal(*(atomic_int *)values, THREADS * ROUNDS);
    uint32_t expected = 0;
    for (int i = 0; i < THREADS * ROUNDS; i++)
        expected = expected * 3 + 1;
    check_all(values + 1, expected);
    mez_queue_destroy(&other);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

static void null_is_refused(void **state)
{
    atomic_int counter = 0;
    mez_event *event = (mez_event *)&counter;
    assert_true(
        mez_error_is(mez_host_task(NULL, count, &counter, NULL), MEZ_ERRC_INVALID_PARAMETER));
    assert_true(mez_error_is(
        mez_host_task(*state, NULL, NULL, MEZ_TASK(.event = &event)), MEZ_ERRC_INVALID_PARAMETER));
    assert_null(event);
    assert_true(mez_error_is(mez_marker(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER));
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(device_and_host_in_turn),
        MEZ_DEVICE_TEST(held_tasks_need_nothing_of_the_caller),
        MEZ_DEVICE_TEST(other_queues_wait_for_a_host_task),
        MEZ_DEVICE_TEST(out_of_order_tasks_pass_a_host_task),
        MEZ_DEVICE_TEST(host_tasks_stay_behind_a_barrier),
        MEZ_DEVICE_TEST(markers_hold_nothing_back),
        MEZ_DEVICE_TEST(markers_in_order),
        MEZ_DEVICE_TEST(replays_stay_behind_a_host_task),
        MEZ_DEVICE_TEST(what_a_host_task_may_do),
        MEZ_DEVICE_TEST(queues_destroyed_by_a_host_task),
        MEZ_DEVICE_TEST(destroying_a_queue_runs_its_host_tasks),
        MEZ_DEVICE_TEST(events_of_host_tasks),
        MEZ_DEVICE_TEST(frees_wait_for_held_tasks),
        MEZ_DEVICE_TEST(host_tasks_from_threads),
        MEZ_DEVICE_TEST(null_is_refused),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
