// SPDX-License-Identifier: MIT
//
// Freeing: what is refused, and what waits for queues.

#include "memory.h"

#include <stdatomic.h>
#include <unistd.h>

#include "device/platform.h"

enum { LARGE = 100000 };

static const mez_memory_params of_device = {.kind = MEZ_MEMORY_DEVICE};
static const mez_memory_params of_host = {.kind = MEZ_MEMORY_HOST};

typedef struct bench {
    mez_context *context;
    mez_queue *queue, *other;
    void *target; // of the tasks
} bench;

static bench set_up(void)
{
    bench b = {.context = open_context(NULL)};
    assert_ok(mez_queue_create(b.context, NULL, &b.queue));
    assert_ok(mez_queue_create(b.context, NULL, &b.other));
    b.target = get(b.context, &of_host, 64);
    return b;
}

static void tear_down(bench *b)
{
    noop_hold(false);
    mez_queue_destroy(&b->queue);
    mez_queue_destroy(&b->other);
    put(b->context, b->target);
    mez_context_destroy(&b->context);
}

static uint64_t deferred(const bench *b)
{
    const mez_context_statistics statistics = statistics_of(b->context);
    return statistics.device_memory.deferred + statistics.host_memory.deferred +
           statistics.shared_memory.deferred;
}

static void test_idle_queues_defer_nothing(void **state)
{
    (void)state;
    bench b = set_up();
    submit_fill(b.queue, b.target);
    assert_ok(mez_queue_wait(b.queue));
    put(b.context, get(b.context, &of_device, LARGE));
    assert_int_equal(noop_calls("zeMemFree"), 1);
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

// Nobody has waited, but the device is done.
static void test_finished_tasks_defer_nothing(void **state)
{
    (void)state;
    bench b = set_up();
    submit_fill(b.queue, b.target);
    put(b.context, get(b.context, &of_device, LARGE));
    assert_int_equal(noop_calls("zeMemFree"), 1);
    tear_down(&b);
}

static void test_large_memory_in_flight(void **state)
{
    (void)state;
    bench b = set_up();
    void *memory = get(b.context, &of_host, LARGE);
    noop_hold(true);
    submit_fill(b.queue, memory);
    put(b.context, memory);
    assert_int_equal(noop_calls("zeMemFree"), 0);
    assert_int_equal(deferred(&b), 1);
    assert_int_equal(statistics_of(b.context).host_memory.deferred_bytes, LARGE);
    assert_int_equal(statistics_of(b.context).host_memory.allocations, 1);
    noop_hold(false);
    assert_ok(mez_queue_wait(b.queue));
    assert_int_equal(noop_calls("zeMemFree"), 1);
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

static void test_pooled_memory_in_flight_is_not_reused(void **state)
{
    (void)state;
    bench b = set_up();
    enum { FEW = 20 };
    char *memory = get(b.context, &of_host, 64), *others[FEW];
    noop_hold(true);
    submit_fill(b.queue, memory);
    put(b.context, memory);
    for (int i = 0; i < FEW; i++) {
        others[i] = get(b.context, &of_host, 64);
        assert_ptr_not_equal(others[i], memory);
    }
    noop_hold(false);
    assert_ok(mez_queue_wait(b.queue));
    assert_ptr_equal(get(b.context, &of_host, 64), memory);
    put(b.context, memory);
    for (int i = 0; i < FEW; i++)
        put(b.context, others[i]);
    tear_down(&b);
}

static void block(void *may_go)
{
    while (!atomic_load((atomic_bool *)may_go))
        usleep(1000);
}

// A task behind a host task is not with the device yet, and has no number.
static void test_memory_of_a_held_task_is_not_reused(void **state)
{
    (void)state;
    bench b = set_up();
    atomic_bool may_go = false;
    put(b.context,
        get(b.context, &of_host, 64)); // the next free knows the chunk, and is the short one
    char *pooled = get(b.context, &of_host, 64), *large = get(b.context, &of_host, LARGE);
    assert_ok(mez_queue_wait(b.queue));
    assert_ok(mez_host_task(b.queue, block, &may_go, NULL));
    usleep(20000); // until the function runs, and all before it is known to have ended
    submit_fill(b.queue, pooled);
    submit_fill(b.queue, large);
    put(b.context, pooled);
    put(b.context, large);
    assert_int_equal(deferred(&b), 2);
    char *other = get(b.context, &of_host, 64);
    assert_ptr_not_equal(other, pooled);
    assert_int_equal(noop_calls("zeMemFree"), 0);
    atomic_store(&may_go, true);
    assert_ok(mez_queue_wait(b.queue));
    put(b.context, other);
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

static void test_every_queue_is_waited_for(void **state)
{
    (void)state;
    bench b = set_up();
    void *memory = get(b.context, &of_host, LARGE);
    noop_hold(true);
    submit_fill(b.queue, memory);
    submit_fill(b.other, memory);
    put(b.context, memory);
    noop_release(1);
    assert_ok(mez_queue_wait(b.queue));
    assert_int_equal(deferred(&b), 1); // the other one is not done
    noop_hold(false);
    assert_ok(mez_queue_wait(b.other));
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

// A task that was submitted after the free can't use the memory, so nobody waits for it.
static void test_later_tasks_are_not_waited_for(void **state)
{
    (void)state;
    bench b = set_up();
    noop_hold(true);
    submit_fill(b.queue, b.target);
    put(b.context, get(b.context, &of_device, LARGE));
    submit_fill(b.queue, b.target);
    assert_ok(mez_queue_flush(b.queue));
    noop_release(1);
    put(b.context, get(b.context, &of_device, LARGE + 1)); // notices, and is itself deferred
    assert_int_equal(noop_calls("zeMemFree"), 1);
    assert_int_equal(deferred(&b), 1);
    noop_release(1);
    put(b.context, get(b.context, &of_host, 100)); // an allocation or a free is enough
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

static void test_frees_at_different_times(void **state)
{
    (void)state;
    bench b = set_up();
    enum { TURNS = 5 };
    noop_hold(true);
    for (int i = 0; i < TURNS; i++) {
        submit_fill(b.queue, b.target);
        assert_ok(mez_queue_flush(b.queue));
        put(b.context, get(b.context, &of_device, LARGE));
    }
    assert_int_equal(deferred(&b), TURNS);
    noop_release(1);
    put(b.context, get(b.context, &of_device, LARGE)); // the first is free now
    assert_int_equal(deferred(&b), TURNS);
    assert_int_equal(noop_calls("zeMemFree"), 1);
    noop_hold(false);
    assert_ok(mez_queue_wait(b.queue));
    assert_int_equal(deferred(&b), 0);
    assert_int_equal(noop_calls("zeMemFree"), TURNS + 1);
    tear_down(&b);
}

static void test_memory_of_an_open_batch(void **state)
{
    (void)state;
    bench b = set_up();
    void *memory = get(b.context, &of_host, LARGE);
    noop_hold(true);
    submit_fill(b.queue, b.target); // goes to the idle device
    submit_fill(b.queue, memory);   // waits in an open batch
    assert_int_equal(noop_pending(), 1);
    noop_release(1);
    put(b.context, memory);
    assert_int_equal(deferred(&b), 1);
    noop_hold(false);
    assert_ok(mez_queue_wait(b.queue));
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

static void test_destroying_the_queue_frees(void **state)
{
    (void)state;
    bench b = set_up();
    noop_hold(true);
    submit_fill(b.queue, b.target);
    put(b.context, get(b.context, &of_device, LARGE));
    noop_hold(false);
    mez_queue_destroy(&b.queue);
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

// The driver refuses a batch: its tasks never run, and hold nothing up.
static void test_lost_tasks_hold_nothing_up(void **state)
{
    (void)state;
    bench b = set_up();
    const char zero = 0;
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_true(mez_failed(mez_fill(b.queue, b.target, &zero, 1, 16, NULL)));
    put(b.context, get(b.context, &of_device, LARGE));
    assert_int_equal(deferred(&b), 0);
    tear_down(&b);
}

static void test_an_allocation_that_needs_deferred_memory(void **state)
{
    (void)state;
    bench b = set_up();
    noop_hold(true);
    submit_fill(b.queue, b.target);
    put(b.context, get(b.context, &of_device, LARGE));
    mez_error error;
    noop_fail("zeMemAllocDevice", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(mez_alloc_device(b.context, LARGE, &error));
    assert_story(error, MEZ_ERRC_MEMORY_ALLOCATION, "queues may still use them: 100000 bytes");
    assert_contains(story_of(error), "wait for the queues");
    tear_down(&b);
}

// The story says which allocation it was, and where it was freed: by `put`.
static void refuses_second_free(const bench *b, void *memory, size_t size)
{
    char words[100];
    const mez_error error = mez_free(b->context, memory);
    snprintf(words, sizeof words, "pointer: freed memory: an allocation of %zu bytes, made ", size);
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, words);
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, ", freed at ");
}

static void test_what_is_not_an_allocation(void **state)
{
    (void)state;
    bench b = set_up();
    int on_stack;
    char *large = get(
        b.context, &(mez_memory_params){.kind = MEZ_MEMORY_DEVICE, .debug_name = "weights"}, LARGE);
    char *small = get(b.context, &of_host, 100);
    assert_story(mez_free(b.context, &on_stack), MEZ_ERRC_INVALID_PARAMETER, "plain host memory");
    assert_story(mez_free(b.context, large + 8), MEZ_ERRC_INVALID_PARAMETER,
        "8 bytes into an allocation of 100000 bytes, \"weights\"");
    assert_story(mez_free(b.context, small + 1), MEZ_ERRC_INVALID_PARAMETER, "1 bytes into");
    assert_story(mez_free(NULL, small), MEZ_ERRC_INVALID_PARAMETER, "context");
    assert_ok(mez_free(NULL, NULL));
    put(b.context, large);
    put(b.context, small);
    refuses_second_free(&b, large, LARGE);
    refuses_second_free(&b, small, 100);
    tear_down(&b);
}

static void test_freeing_twice_in_flight(void **state)
{
    (void)state;
    bench b = set_up();
    void *large = get(b.context, &of_device, LARGE), *small = get(b.context, &of_device, 64);
    noop_hold(true);
    submit_fill(b.queue, b.target);
    put(b.context, large);
    put(b.context, small);
    refuses_second_free(&b, large, LARGE);
    refuses_second_free(&b, small, 64);
    assert_int_equal(deferred(&b), 2);
    tear_down(&b);
}

static void test_the_driver_refuses_a_free(void **state)
{
    (void)state;
    bench b = set_up();
    void *memory = get(b.context, &of_device, LARGE);
    noop_fail("zeMemFree", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story(mez_free(b.context, memory), MEZ_ERRC_DEVICE_LOST, "mez_free");
    assert_int_equal(statistics_of(b.context).device_memory.driver_bytes, 0);
    tear_down(&b);
}

static void test_the_generation_counts_what_the_driver_does(void **state)
{
    (void)state;
    bench b = set_up();
    const mez_platform *platform = mez_platform_of(b.context);
    put(b.context, get(b.context, &of_host, 64)); // its pool has a chunk now
    const uint64_t before = atomic_load(&platform->allocation_generation);
    put(b.context, get(b.context, &of_host, 64));
    assert_int_equal(atomic_load(&platform->allocation_generation), before);
    void *memory = get(b.context, &of_device, LARGE);
    assert_int_equal(atomic_load(&platform->allocation_generation), before + 1);
    put(b.context, memory);
    assert_int_equal(atomic_load(&platform->allocation_generation), before + 2);
    tear_down(&b);
}

// After many frees nobody looks at queues that were idle all the time; their next task is waited for all the same.
static void test_a_queue_that_was_idle_for_long(void **state)
{
    (void)state;
    bench b = set_up();
    for (int i = 0; i < 2000; i++)
        put(b.context, get(b.context, &of_device, 64));
    for (int round = 0; round < 2; round++) {
        noop_hold(true);
        submit_fill(round == 0 ? b.queue : b.other, b.target);
        put(b.context, get(b.context, &of_device, 64));
        assert_int_equal(deferred(&b), 1);
        noop_hold(false);
        assert_ok(mez_queue_wait(b.queue));
        assert_ok(mez_queue_wait(b.other));
        assert_int_equal(deferred(&b), 0);
    }
    tear_down(&b);
}

// The same of a task that the library defers.
static void test_a_deferred_task_of_a_queue_that_was_idle(void **state)
{
    (void)state;
    bench b = set_up();
    mez_event *event;
    assert_ok(mez_user_event_create(b.context, NULL, &event));
    for (int i = 0; i < 2000; i++)
        put(b.context, get(b.context, &of_device, 64));
    assert_ok(
        mez_fill(b.queue, b.target, "fill", 4, 64, MEZ_TASK(.wait_for = &event, .wait_count = 1)));
    put(b.context, get(b.context, &of_device, 64));
    assert_int_equal(deferred(&b), 1);
    assert_ok(mez_user_event_signal(event, mez_ok()));
    assert_ok(mez_queue_wait(b.queue));
    assert_int_equal(deferred(&b), 0);
    mez_event_destroy(&event);
    tear_down(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        MEMORY_TEST(test_idle_queues_defer_nothing),
        MEMORY_TEST(test_finished_tasks_defer_nothing),
        MEMORY_TEST(test_large_memory_in_flight),
        MEMORY_TEST(test_pooled_memory_in_flight_is_not_reused),
        MEMORY_TEST(test_memory_of_a_held_task_is_not_reused),
        MEMORY_TEST(test_every_queue_is_waited_for),
        MEMORY_TEST(test_later_tasks_are_not_waited_for),
        MEMORY_TEST(test_frees_at_different_times),
        MEMORY_TEST(test_memory_of_an_open_batch),
        MEMORY_TEST(test_destroying_the_queue_frees),
        MEMORY_TEST(test_lost_tasks_hold_nothing_up),
        MEMORY_TEST(test_an_allocation_that_needs_deferred_memory),
        MEMORY_TEST(test_what_is_not_an_allocation),
        MEMORY_TEST(test_freeing_twice_in_flight),
        MEMORY_TEST(test_the_driver_refuses_a_free),
        MEMORY_TEST(test_the_generation_counts_what_the_driver_does),
        MEMORY_TEST(test_a_queue_that_was_idle_for_long),
        MEMORY_TEST(test_a_deferred_task_of_a_queue_that_was_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
