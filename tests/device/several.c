// SPDX-License-Identifier: MIT
//
// Waits for all and for any of several events: of several queues in both orders, of host tasks, of tasks that fail, of graphs made
// by chance.

#include <stdatomic.h>
#include <time.h>

#include "harness.h"
#include "random.h"

enum { QUEUES = 4, MOST = 2000, SOON = 5 * 1000 * 1000 };

typedef struct scene {
    mez_queue *queues[QUEUES];
    uint32_t *slots; // one for each task, which writes its number there
    mez_event *events[MOST];
} scene;

static scene *scene_create(void)
{
    static scene s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < QUEUES; i++) {
        const mez_queue_params params = {.order = i % 2 ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER};
        mez_test_ok(mez_queue_create(mez_test_context(), &params, &s.queues[i]));
    }
    s.slots = mez_test_alloc(MEZ_MEMORY_HOST, MOST * sizeof *s.slots);
    memset(s.slots, 0, MOST * sizeof *s.slots);
    return &s;
}

static void scene_destroy(scene *s)
{
    for (int i = 0; i < QUEUES; i++)
        mez_queue_destroy(&s->queues[i]);
    for (int i = 0; i < MOST; i++)
        mez_event_destroy(&s->events[i]);
    mez_test_free(s->slots);
}

static uint32_t number_of(size_t task)
{
    return (uint32_t)task * 2654435761u + 1;
}

static void submit(scene *s, size_t task)
{
    const uint32_t number = number_of(task);
    mez_test_ok(mez_fill(s->queues[task % QUEUES], &s->slots[task], &number, sizeof number,
        sizeof number, MEZ_TASK(.event = &s->events[task])));
}

static void check_slot(const scene *s, size_t task)
{
    if (mez_test_has("results"))
        assert_int_equal(s->slots[task], number_of(task));
}

static const size_t counts[] = {0, 1, 16, 17, MOST};

static void all_of_several(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        scene *s = scene_create();
        for (size_t task = 0; task < counts[i]; task++)
            submit(s, task);
        if (i % 2)
            mez_test_ok(mez_events_wait_all(s->events, counts[i]));
        else
            mez_test_ok(mez_events_wait_all_for(s->events, counts[i], MEZ_FOREVER));
        for (size_t task = 0; task < counts[i]; task++) {
            mez_test_ok(mez_event_get_status(s->events[task]));
            check_slot(s, task);
        }
        scene_destroy(s);
    }
}

// Each event comes once, and what its task wrote is there.
static void any_until_none_is_left(void **state)
{
    (void)state;
    for (size_t i = 1; i < sizeof counts / sizeof *counts; i++) {
        static size_t tasks[MOST];
        static mez_event *left[MOST];
        scene *s = scene_create();
        for (size_t task = 0; task < counts[i]; task++) {
            submit(s, task);
            tasks[task] = task;
            left[task] = s->events[task];
        }
        for (size_t count = counts[i], index; count > 0; count--) {
            mez_test_ok(mez_events_wait_any(left, count, &index));
            assert_in_range(index, 0, count - 1);
            check_slot(s, tasks[index]);
            left[index] = left[count - 1];
            tasks[index] = tasks[count - 1];
        }
        scene_destroy(s);
    }
}

// --- Host tasks

static atomic_bool closed;

static void pass_gate(void *user)
{
    (void)user;
    while (atomic_load(&closed))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

// Tasks behind a gate, and one that is free.
static void one_of_them_is_free(void **state)
{
    (void)state;
    scene *s = scene_create();
    size_t index;
    atomic_store(&closed, true);
    mez_test_ok(mez_host_task(s->queues[0], pass_gate, NULL, MEZ_TASK(.event = &s->events[0])));
    mez_test_ok(mez_barrier(s->queues[0], MEZ_TASK(.event = &s->events[1])));
    mez_test_fails(mez_events_wait_any_for(s->events, 2, SOON, &index), MEZ_ERRC_TIMEOUT);
    assert_int_equal(index, 2);
    mez_test_fails(mez_events_wait_any_for(s->events, 2, 0, NULL), MEZ_ERRC_TIMEOUT);
    submit(s, 2);
    mez_test_ok(mez_events_wait_any(s->events, 3, &index));
    assert_int_equal(index, 2);
    mez_test_fails(mez_events_wait_all_for(s->events, 3, SOON), MEZ_ERRC_TIMEOUT);
    atomic_store(&closed, false);
    mez_test_ok(mez_events_wait_any(s->events, 2, &index));
    assert_in_range(index, 0, 1);
    mez_test_ok(mez_events_wait_all(s->events, 3));
    scene_destroy(s);
}

// The thread that opens the gate is none of the library's.
static void everything_is_held_for_a_while(void **state)
{
    (void)state;
    scene *s = scene_create();
    size_t index;
    atomic_store(&closed, true);
    mez_test_ok(mez_host_task(s->queues[1], pass_gate, NULL, MEZ_TASK(.event = &s->events[0])));
    for (size_t task = 1; task < 20; task++)
        mez_test_ok(mez_barrier(s->queues[task % 2 ? 1 : 3],
            MEZ_TASK(.wait_for = s->events, .wait_count = 1, .event = &s->events[task])));
    mez_test_fails(mez_events_wait_any_for(s->events, 20, SOON, &index), MEZ_ERRC_TIMEOUT);
    atomic_store(&closed, false);
    mez_test_ok(mez_events_wait_any(s->events + 1, 19, &index));
    mez_test_ok(mez_events_wait_all(s->events, 20));
    scene_destroy(s);
}

typedef struct inside {
    scene *s;
    size_t free, held;
    mez_error of_free, of_all, of_any;
} inside;

static void wait_inside(void *user)
{
    inside *my = user;
    my->of_any = mez_error_retain(mez_events_wait_any(&my->s->events[1], 2, &my->held));
    my->of_all = mez_error_retain(mez_events_wait_all(&my->s->events[1], 3));
    my->of_free = mez_error_retain(mez_events_wait_any(&my->s->events[1], 3, &my->free));
}

// A host function may wait for what the device has, and not for what comes behind a host task.
static void waits_of_a_host_function(void **state)
{
    (void)state;
    scene *s = scene_create();
    inside my = {.s = s};
    atomic_store(&closed, true);
    mez_test_ok(mez_host_task(s->queues[0], pass_gate, NULL, NULL));
    mez_test_ok(mez_host_task(s->queues[0], wait_inside, &my, MEZ_TASK(.event = &s->events[0])));
    mez_test_ok(mez_barrier(s->queues[0], MEZ_TASK(.event = &s->events[1])));
    mez_test_ok(mez_barrier(s->queues[0], MEZ_TASK(.event = &s->events[2])));
    submit(s, 3);
    atomic_store(&closed, false);
    mez_test_ok(mez_events_wait_all(s->events, 4));
    mez_test_fails(my.of_any, MEZ_ERRC_WRONG_STATE);
    assert_int_equal(my.held, 2);
    mez_test_fails(my.of_all, MEZ_ERRC_WRONG_STATE);
    mez_test_ok(my.of_free);
    assert_int_equal(my.free, 2);
    mez_error_release(my.of_any);
    mez_error_release(my.of_all);
    mez_error_release(my.of_free);
    scene_destroy(s);
}

// --- Graphs by chance

enum { GRAPH = 60, FEW = 3 };

typedef struct node {
    uint32_t expected; // what it must leave in its slot
    size_t count;
    size_t before[FEW]; // that it waits for
} node;

// Takes the number of the first task that it waits for, else its own. A host task leaves its slot as it is.
static void add_node(scene *s, node *nodes, size_t task, uint64_t *r)
{
    node *n = &nodes[task];
    mez_event *wait[FEW];
    n->count = task > 0 ? mez_test_random_below(r, FEW + 1) : 0;
    for (size_t i = 0; i < n->count; i++) {
        n->before[i] = mez_test_random_below(r, (uint32_t)task);
        wait[i] = s->events[n->before[i]];
    }
    const mez_task_params params = {
        .wait_for = wait, .wait_count = n->count, .event = &s->events[task]};
    mez_queue *queue = s->queues[mez_test_random_below(r, QUEUES)];
    const uint32_t number = number_of(task);
    if (mez_test_random_below(r, 5) == 0) {
        n->expected = 0;
        mez_test_ok(mez_host_task(queue, pass_gate, NULL, &params));
    } else if (n->count == 0) {
        n->expected = number;
        mez_test_ok(mez_fill(queue, &s->slots[task], &number, sizeof number, 4, &params));
    } else {
        n->expected = nodes[n->before[0]].expected;
        mez_test_ok(mez_copy(queue, &s->slots[task], &s->slots[n->before[0]], 4, &params));
    }
}

// Has happened, and so has all that it waits for.
static void check_node(const scene *s, const node *nodes, size_t task)
{
    mez_test_ok(mez_event_get_status(s->events[task]));
    for (size_t i = 0; i < nodes[task].count; i++)
        mez_test_ok(mez_event_get_status(s->events[nodes[task].before[i]]));
    if (mez_test_has("results"))
        assert_int_equal(s->slots[task], nodes[task].expected);
}

static void take_one(mez_event **left, size_t *tasks, size_t index, size_t count)
{
    left[index] = left[count - 1];
    tasks[index] = tasks[count - 1];
}

static void play_graph(uint32_t seed)
{
    uint64_t r = seed;
    scene *s = scene_create();
    node nodes[GRAPH];
    mez_event *left[GRAPH];
    size_t tasks[GRAPH], count = GRAPH;
    for (size_t task = 0; task < GRAPH; task++) {
        add_node(s, nodes, task, &r);
        left[task] = s->events[task];
        tasks[task] = task;
    }
    while (count > 0) {
        size_t index;
        const size_t some = 1 + mez_test_random_below(&r, (uint32_t)count);
        if (mez_test_random_below(&r, 8) == 0) {
            mez_test_ok(mez_events_wait_all(left, some));
            for (size_t i = some; i-- > 0; count--) {
                check_node(s, nodes, tasks[i]);
                take_one(left, tasks, i, count);
            }
            continue;
        }
        mez_test_ok(mez_events_wait_any(left, some, &index));
        assert_in_range(index, 0, some - 1);
        check_node(s, nodes, tasks[index]);
        take_one(left, tasks, index, count--);
    }
    scene_destroy(s);
}

static void graphs_by_chance(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++)
        play_graph(seed);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(all_of_several),
        MEZ_DEVICE_TEST(any_until_none_is_left),
        MEZ_DEVICE_TEST(one_of_them_is_free),
        MEZ_DEVICE_TEST(everything_is_held_for_a_while),
        MEZ_DEVICE_TEST(waits_of_a_host_function),
        MEZ_DEVICE_TEST(graphs_by_chance),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
