// SPDX-License-Identifier: MIT
//
// A lost device: the driver reports it to one call, and the library to all others, although the driver never signals anything again.

#include "runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static const mez_queue_kind kinds[] = {
    MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC, MEZ_QUEUE_IMMEDIATE, MEZ_QUEUE_ADAPTIVE};
enum { KINDS = 4, PROMPT = 1000 * MILLISECOND };

// A driver with every kind of queue.
static int setup(void **state)
{
    static runtime r;
    struct noop_config config = noop_config_default();
    config.api_version = ZE_MAKE_VERSION(1, 9);
    noop_reset();
    noop_configure(&config);
    r = (runtime){0};
    assert_ok(mez_context_create(NULL, &r.context));
    r.nothing = load_kernel(r.context, "kernels.spv", "nothing");
    *state = &r;
    return 0;
}

static mez_queue *make_queue(const runtime *r, mez_queue_kind kind)
{
    mez_queue *queue;
    const mez_queue_params params = {.kind = kind, .debug_name = "doomed"};
    assert_ok(mez_queue_create(r->context, &params, &queue));
    return queue;
}

static uint64_t milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

// A large allocation goes to the driver, which says there that the device is lost. Not in a queue: no waiter learns it from
// the driver.
static mez_error lose(const runtime *r)
{
    mez_error error;
    noop_fail("zeMemAllocDevice", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_null(mez_alloc_device(r->context, 64u << 20, &error));
    assert_story(error, MEZ_ERRC_DEVICE_LOST, "zeMemAllocDevice");
    return error;
}

typedef struct waiter {
    mez_queue *queue;
    mez_event *event; // NULL: waits for the queue
    mez_error outcome;
    pthread_t thread;
} waiter;

static void *wait_for_ever(void *argument)
{
    waiter *w = argument;
    w->outcome = w->event ? mez_event_wait(w->event) : mez_queue_wait(w->queue);
    mez_error_retain(w->outcome);
    return NULL;
}

static void start(waiter *w)
{
    assert_int_equal(pthread_create(&w->thread, NULL, wait_for_ever, w), 0);
}

static void expect_reported(waiter *w, mez_error loss)
{
    assert_int_equal(pthread_join(w->thread, NULL), 0);
    assert_story(w->outcome, MEZ_ERRC_DEVICE_LOST, "zeMemAllocDevice");
    assert_int_equal(w->outcome.origin, loss.origin); // the same story
    mez_error_release(w->outcome);
}

typedef struct heard {
    atomic_int calls;
    mez_error outcome;
} heard;

static void hear(void *user, mez_error outcome)
{
    heard *my = user;
    my->outcome = outcome;
    atomic_fetch_add(&my->calls, 1);
}

static void pause_for(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static void submit(runtime *r, mez_queue *queue, mez_event **event)
{
    r->queue = queue;
    assert_ok(submit_nothing(r, event ? MEZ_TASK(.event = event) : NULL));
}

static void expect_everything_lost(runtime *r, mez_queue *queue, mez_event *event)
{
    r->queue = queue;
    assert_condition(mez_queue_wait(queue), MEZ_ERRC_DEVICE_LOST);
    assert_condition(mez_queue_wait_for(queue, 0), MEZ_ERRC_DEVICE_LOST); // not only once
    assert_condition(mez_event_wait_for(event, 0), MEZ_ERRC_DEVICE_LOST);
    assert_condition(mez_event_get_status(event), MEZ_ERRC_DEVICE_LOST);
    mez_event *none = event;
    assert_condition(mez_barrier(queue, MEZ_TASK(.event = &none)), MEZ_ERRC_DEVICE_LOST);
    assert_null(none);
    const mez_task_params waiting = {.wait_for = &event, .wait_count = 1};
    assert_condition(submit_nothing(r, &waiting), MEZ_ERRC_DEVICE_LOST);
    r->queue = NULL;
}

// Waits that began before, of a queue and of an event, and the completion thread.
static void lose_while_threads_wait(runtime *r, mez_queue_kind kind)
{
    mez_queue *queue = make_queue(r, kind), *other = make_queue(r, kind);
    mez_event *event, *called;
    heard heard = {0};
    void *memory = mez_alloc_device(r->context, 4096, NULL);
    noop_hold(true);
    submit(r, queue, NULL);
    submit(r, other, &event);
    submit(r, queue, &called);
    submit(r, other, NULL);
    assert_ok(mez_event_set_callback(called, hear, &heard));
    waiter waiters[] = {{.queue = queue}, {.event = event}, {.queue = other}, {.event = called}};
    for (int i = 0; i < 4; i++)
        start(&waiters[i]);
    pause_for(20 * MILLISECOND);
    const uint64_t begin = milliseconds();
    const mez_error loss = lose(r);
    for (int i = 0; i < 4; i++)
        expect_reported(&waiters[i], loss);
    expect_everything_lost(r, queue, called);
    expect_everything_lost(r, other, event);
    assert_ok(mez_free(r->context, memory)); // deferred or not: freed at the end
    mez_event_destroy(&event);
    mez_event_destroy(&called);
    mez_queue_destroy(&queue); // while nothing is signalled still
    mez_queue_destroy(&other);
    assert_true(milliseconds() - begin < PROMPT / MILLISECOND);
    assert_int_equal(atomic_load(&heard.calls), 1);
    assert_condition(heard.outcome, MEZ_ERRC_DEVICE_LOST);
}

static void destroy_context(runtime *r)
{
    r->queue = NULL;
    mez_kernel_destroy(&r->nothing);
    mez_context_destroy(&r->context);
    assert_int_equal(noop_live_total(), 0); // while it is held
}

static void test_waiters_return(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        if (i > 0)
            setup(state);
        lose_while_threads_wait(*state, kinds[i]);
        destroy_context(*state);
    }
}

// What was freed while tasks ran goes as well, and so does what was forgotten.
static void test_memory_of_a_lost_device(void **state)
{
    runtime *r = *state;
    mez_queue *queue = make_queue(r, MEZ_QUEUE_BATCHED);
    void *large = mez_alloc_device(r->context, 64u << 20, NULL), *freed = large;
    assert_non_null(mez_alloc_shared(r->context, 64u << 20, NULL));
    noop_hold(true);
    for (int i = 0; i < 40; i++)
        submit(r, queue, NULL);
    assert_ok(mez_free(r->context, freed));
    assert_int_equal(noop_live(NOOP_MEMORY), 2);
    lose(r);
    assert_condition(mez_queue_wait(queue), MEZ_ERRC_DEVICE_LOST);
    assert_int_equal(noop_live(NOOP_MEMORY), 2); // what runs may use it still
    mez_queue_destroy(&queue);
    assert_int_equal(noop_live(NOOP_MEMORY), 1);
    destroy_context(r);
}

// Every way in which a driver reports it, and that the next call returns it with the story of the first.
typedef struct reporter {
    const char *call;
    mez_queue_kind kind;
    mez_error (*report)(runtime *r);
} reporter;

static mez_error by_submission(runtime *r)
{
    return submit_nothing(r, NULL);
}

static mez_error by_named_submission(runtime *r)
{
    return submit_nothing(r, MEZ_TASK(.debug_name = "the last"));
}

// Never the same as an earlier batch.
static mez_error by_submission_with_event(runtime *r)
{
    mez_event *event;
    const mez_error error = submit_nothing(r, MEZ_TASK(.event = &event));
    mez_event_destroy(&event);
    return error;
}

static mez_error by_copy(runtime *r)
{
    char from[16] = "", to[16];
    return mez_copy(r->queue, to, from, sizeof to, NULL);
}

static mez_error by_flush(runtime *r)
{
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL)); // in an open batch
    return mez_queue_flush(r->queue);
}

static mez_error by_wait(runtime *r)
{
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "the last")));
    return mez_queue_wait(r->queue);
}

static mez_error by_event(runtime *r)
{
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    const mez_error error = mez_event_wait(event);
    mez_event_destroy(&event);
    return error;
}

static mez_error by_build(runtime *r)
{
    mez_kernel_destroy(&r->nothing);
    r->nothing = load_kernel(r->context, "kernels.spv", "nothing");
    return mez_kernel_build(r->nothing, NULL);
}

static mez_error by_creation(runtime *r)
{
    mez_queue *queue;
    return mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &queue);
}

static const reporter reporters[] = {
    {"zeCommandQueueExecuteCommandLists", MEZ_QUEUE_BATCHED, by_named_submission},
    {"zeCommandListAppendLaunchKernel", MEZ_QUEUE_BATCHED, by_submission_with_event},
    {"zeCommandListAppendLaunchKernel", MEZ_QUEUE_IMMEDIATE, by_submission},
    {"zeCommandListAppendMemoryCopy", MEZ_QUEUE_IMMEDIATE, by_copy},
    {"zeCommandListAppendMemoryCopy", MEZ_QUEUE_BASIC, by_copy},
    {"zeCommandQueueExecuteCommandLists", MEZ_QUEUE_BATCHED, by_flush},
    {"zeFenceHostSynchronize", MEZ_QUEUE_BATCHED, by_wait},
    {"zeCommandListHostSynchronize", MEZ_QUEUE_IMMEDIATE, by_wait},
    {"zeFenceHostSynchronize", MEZ_QUEUE_BASIC, by_wait},
    {"zeEventHostSynchronize", MEZ_QUEUE_BATCHED, by_event},
    {"zeEventHostSynchronize", MEZ_QUEUE_IMMEDIATE, by_event},
    {"zeModuleCreate", MEZ_QUEUE_BATCHED, by_build},
    {"zeCommandQueueCreate", MEZ_QUEUE_BATCHED, by_creation},
};

// Once, whichever function is asked; a name distinguishes a batch from the barrier of an event.
static void report_and_receive(runtime *r, const reporter *reporter)
{
    r->queue = make_queue(r, reporter->kind);
    mez_queue *idle = make_queue(r, reporter->kind);
    assert_ok(submit_nothing(r, NULL)); // so that the second launch is the same again
    assert_ok(mez_queue_wait(r->queue));
    if (reporter->report == by_flush) // the first task on an idle queue goes at once
        noop_fail(reporter->call, 2, ZE_RESULT_ERROR_DEVICE_LOST);
    else
        noop_fail(reporter->call, 1, ZE_RESULT_ERROR_DEVICE_LOST);
    const mez_error first = reporter->report(r);
    assert_story(first, MEZ_ERRC_DEVICE_LOST, reporter->call);
    if (reporter->report == by_wait)
        assert_contains(story_of(first), "\"the last\" (kernel \"nothing\", submitted at");
    const mez_error second = mez_queue_wait(idle);
    assert_int_equal(second.origin, first.origin);
    assert_int_equal(second.value, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_condition(
        mez_barrier(r->queue, MEZ_TASK(.debug_name = "too late")), MEZ_ERRC_DEVICE_LOST);
    assert_null(strstr(story_of(first), "too late")); // the story is closed
    mez_queue_destroy(&idle);
    mez_queue_destroy(&r->queue);
    destroy_context(r);
}

static void test_every_reporter(void **state)
{
    for (size_t i = 0; i < sizeof reporters / sizeof *reporters; i++) {
        if (i > 0)
            setup(state);
        report_and_receive(*state, &reporters[i]);
    }
}

// A look at a fence is not a wait, and its failure may be ignored; that of the wait after it may not.
static void test_other_contexts_live_on(void **state)
{
    runtime *r = *state;
    mez_context *other;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &other));
    assert_ok(mez_queue_create(other, NULL, &queue));
    lose(r);
    char from[16] = "", to[16];
    assert_ok(mez_copy(queue, to, from, sizeof to, NULL));
    assert_ok(mez_queue_wait(queue));
    mez_error error;
    void *memory = mez_alloc_device(other, 64u << 20, &error);
    assert_ok(error);
    assert_ok(mez_free(other, memory));
    mez_queue_destroy(&queue);
    mez_context_destroy(&other);
    destroy_context(r);
}

// What had ended before the device was lost has ended well.
static void test_events_that_had_happened(void **state)
{
    runtime *r = *state;
    mez_queue *queue = make_queue(r, MEZ_QUEUE_BATCHED);
    mez_event *event;
    submit(r, queue, &event);
    assert_ok(mez_queue_wait(queue));
    lose(r);
    assert_ok(mez_event_wait(event));
    assert_ok(mez_event_get_status(event));
    mez_event_destroy(&event);
    mez_queue_destroy(&queue);
    destroy_context(r);
}

// It is logged once, however many calls return it.
static void count_errors(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)topic;
    int *count = user;
    if (level <= MEZ_LOG_ERROR && strstr(message, "DEVICE_LOST"))
        ++*count;
}

static void test_the_log_says_it_once(void **state)
{
    runtime *r = *state;
    int count = 0;
    mez_log_set_function(count_errors, &count);
    mez_queue *first = make_queue(r, MEZ_QUEUE_BATCHED), *second = make_queue(r, MEZ_QUEUE_BASIC);
    noop_hold(true);
    submit(r, first, NULL);
    submit(r, second, NULL);
    lose(r);
    mez_queue_destroy(&first);
    mez_queue_destroy(&second);
    destroy_context(r);
    mez_log_set_function(NULL, NULL);
    assert_int_equal(count, 1);
}

#define LOST_TEST(name) cmocka_unit_test_setup_teardown(name, setup, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOST_TEST(test_waiters_return),
        LOST_TEST(test_memory_of_a_lost_device),
        LOST_TEST(test_every_reporter),
        LOST_TEST(test_other_contexts_live_on),
        LOST_TEST(test_events_that_had_happened),
        LOST_TEST(test_the_log_says_it_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
