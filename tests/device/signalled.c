// SPDX-License-Identifier: MIT
//
// Events that the program signals: what waits for them, on every kind of queue, and what becomes of it.

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "harness.h"

enum { SOON = 5 * 1000 * 1000, WIDTH = 64 };

static mez_event *create(const char *name)
{
    mez_event *event;
    const mez_user_event_params params = {.debug_name = name};
    mez_test_ok(mez_user_event_create(mez_test_context(), &params, &event));
    return event;
}

static mez_queue *create_queue(mez_queue_order order)
{
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), &(mez_queue_params){.order = order}, &queue));
    return queue;
}

static void fill(mez_queue *queue, uint32_t *values, uint32_t value, const mez_task_params *task)
{
    mez_test_ok(mez_fill(queue, values, &value, sizeof value, WIDTH * sizeof value, task));
}

static void check_all(const uint32_t *values, uint32_t expected)
{
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
}

static void expect_in_story(mez_error error, const char *words)
{
    char story[4096];
    mez_error_get_story(error, story, sizeof story);
    if (!strstr(story, words))
        print_error("\"%s\" is not in: %s\n", words, story);
    assert_non_null(strstr(story, words));
}

// What is in the queue's batch runs, what waits does not, and what comes behind it in order neither.
static void wait_in_order(mez_queue *queue, bool in_order)
{
    uint32_t *values = mez_test_alloc(MEZ_MEMORY_HOST, 4 * WIDTH * sizeof *values);
    mez_event *go = create("go"), *before, *waiting, *behind;
    memset(values, 0, 4 * WIDTH * sizeof *values);
    fill(queue, values + 3 * WIDTH, 1, NULL);
    fill(queue, values, 2, MEZ_TASK(.event = &before));
    fill(queue, values + WIDTH, 3, MEZ_TASK(.wait_for = &go, .wait_count = 1, .event = &waiting));
    fill(queue, values + 2 * WIDTH, 4, MEZ_TASK(.event = &behind));
    mez_test_ok(mez_event_wait(before));
    mez_test_fails(mez_event_wait_for(go, SOON), MEZ_ERRC_TIMEOUT);
    mez_test_fails(mez_event_wait_for(waiting, SOON), MEZ_ERRC_TIMEOUT);
    mez_test_fails(mez_queue_wait_for(queue, 0), MEZ_ERRC_TIMEOUT);
    mez_test_fails(mez_event_get_status(go), MEZ_ERRC_NOT_READY);
    if (in_order)
        mez_test_fails(mez_event_get_status(behind), MEZ_ERRC_NOT_READY);
    else
        mez_test_ok(mez_event_wait(behind));
    check_all(values, 2);
    check_all(values + WIDTH, 0);
    mez_test_ok(mez_user_event_signal(go, mez_ok()));
    mez_test_ok(mez_event_wait(go));
    mez_test_ok(mez_queue_wait(queue));
    check_all(values + WIDTH, 3);
    check_all(values + 2 * WIDTH, 4);
    mez_event *all[] = {go, before, waiting, behind};
    mez_test_ok(mez_events_wait_all(all, 4));
    for (int i = 0; i < 4; i++)
        mez_event_destroy(&all[i]);
    mez_test_free(values);
}

static void tasks_wait(void **state)
{
    mez_queue *other = create_queue(MEZ_OUT_OF_ORDER);
    wait_in_order(*state, true);
    wait_in_order(other, false);
    mez_queue_destroy(&other);
}

static void count(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

static void count_outcome(void *user, mez_error outcome)
{
    atomic_fetch_add((atomic_int *)user, mez_failed(outcome) ? 100 : 1);
}

// Every sort of task, on several queues, behind one event.
static void every_task_waits(void **state)
{
    mez_queue *queues[] = {*state, create_queue(MEZ_IN_ORDER), create_queue(MEZ_OUT_OF_ORDER)};
    uint32_t *values = mez_test_alloc(MEZ_MEMORY_HOST, 3 * WIDTH * sizeof *values);
    mez_kernel *step = mez_test_kernel("order", "step_once");
    mez_recording *recording;
    mez_event *go = create("go");
    const mez_task_params after = {.wait_for = &go, .wait_count = 1};
    const uint32_t value = 7, k = 5;
    atomic_int calls = 0;
    mez_test_ok(mez_recording_create(mez_test_context(), NULL, &recording));
    mez_test_ok(
        mez_record_fill(recording, values, &value, sizeof value, WIDTH * sizeof value, NULL, NULL));
    mez_test_fails(
        mez_record_copy(recording, values, values + WIDTH, 4, &after, NULL), MEZ_ERRC_EVENT);
    mez_test_ok(mez_event_set_callback(go, count_outcome, &calls));
    memset(values, 0, 3 * WIDTH * sizeof *values);
    mez_test_ok(mez_replay(queues[0], recording, &after));
    mez_test_ok(mez_submit(
        queues[1], step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values + WIDTH), MEZ_VAL(k)), &after));
    fill(queues[2], values + 2 * WIDTH, 9, &after);
    for (int i = 0; i < 3; i++) {
        mez_test_ok(mez_host_task(queues[i], count, &calls, &after));
        mez_test_ok(mez_barrier(queues[i], &after));
        mez_test_ok(mez_marker(queues[i], &after));
    }
    assert_int_equal(atomic_load(&calls), 0);
    check_all(values, 0);
    mez_test_ok(mez_user_event_signal(go, mez_ok()));
    for (int i = 0; i < 3; i++)
        mez_test_ok(mez_queue_wait(queues[i]));
    while (atomic_load(&calls) < 4)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    assert_int_equal(atomic_load(&calls), 4);
    check_all(values, 7);
    check_all(values + WIDTH, 5);
    check_all(values + 2 * WIDTH, 9);
    mez_event_destroy(&go);
    mez_recording_destroy(&recording);
    mez_kernel_destroy(&step);
    mez_queue_destroy(&queues[1]);
    mez_queue_destroy(&queues[2]);
    mez_test_free(values);
}

// --- Failures

// A task and a host task that wait for it fail with its story; the queue goes on.
static void expect_failure(mez_queue *queue, mez_event *go, mez_event **given, const char *words)
{
    uint32_t *values = mez_test_alloc(MEZ_MEMORY_HOST, WIDTH * sizeof *values);
    mez_event *task, *host;
    atomic_int calls = 0;
    memset(values, 0, WIDTH * sizeof *values);
    fill(queue, values, 3, MEZ_TASK(.wait_for = &go, .wait_count = 1, .event = &task));
    mez_test_ok(mez_host_task(
        queue, count, &calls, MEZ_TASK(.wait_for = &go, .wait_count = 1, .event = &host)));
    if (given)
        mez_event_destroy(given);
    else
        mez_test_ok(mez_user_event_signal(
            go, (mez_error){.value = MEZ_ERRC_FILE, .origin = MEZ_CATEGORY_RUNTIME}));
    mez_error error = mez_event_wait(task);
    mez_test_fails(error, MEZ_ERRC_EVENT);
    expect_in_story(error, words);
    mez_test_fails(mez_event_wait(host), MEZ_ERRC_EVENT);
    mez_test_fails(mez_queue_wait(queue), MEZ_ERRC_EVENT);
    while (mez_queue_take_error(queue, &error))
        ;
    assert_int_equal(atomic_load(&calls), 0);
    check_all(values, 0);
    fill(queue, values, 4, NULL);
    mez_test_ok(mez_queue_wait(queue));
    check_all(values, 4);
    mez_event_destroy(&task);
    mez_event_destroy(&host);
    mez_test_free(values);
}

static void errors_are_passed_on(void **state)
{
    mez_event *go = create("go");
    expect_failure(*state, go, NULL, "MEZ_ERRC_FILE");
    mez_test_fails(mez_event_wait(go), MEZ_ERRC_FILE);
    mez_test_fails(mez_events_wait_all(&go, 1), MEZ_ERRC_FILE);
    mez_test_fails(mez_user_event_signal(go, mez_ok()), MEZ_ERRC_WRONG_STATE);
    mez_test_fails(mez_event_get_status(go), MEZ_ERRC_FILE); // stays
    mez_test_fails(mez_barrier(*state, MEZ_TASK(.wait_for = &go, .wait_count = 1)), MEZ_ERRC_EVENT);
    mez_event_destroy(&go);
}

static void destroyed_events_fail(void **state)
{
    mez_event *go = create("never"), *same = go;
    expect_failure(*state, go, &same, " before it was signalled");
    go = create(NULL);
    mez_event_destroy(&go); // nobody waits
}

// --- Who signals

static void *signal_late(void *user)
{
    nanosleep(&(struct timespec){.tv_nsec = SOON}, NULL);
    mez_test_ok(mez_user_event_signal(user, mez_ok()));
    return NULL;
}

static void another_thread_signals(void **state)
{
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        size_t index;
        mez_event *go = create("go"), *done;
        mez_test_ok(
            mez_barrier(*state, MEZ_TASK(.wait_for = &go, .wait_count = 1, .event = &done)));
        assert_int_equal(pthread_create(&thread, NULL, signal_late, go), 0);
        if (i == 0)
            mez_test_ok(mez_event_wait(done));
        else if (i == 1)
            mez_test_ok(mez_events_wait_any((mez_event *[]){go, done}, 2, &index));
        else if (i == 2)
            mez_test_ok(mez_event_wait(go));
        mez_test_ok(mez_queue_wait(*state));
        pthread_join(thread, NULL);
        mez_event_destroy(&go);
        mez_event_destroy(&done);
    }
}

typedef struct inside {
    mez_event *go;
    mez_error waited, signalled;
} inside;

static void wait_and_signal(void *user)
{
    inside *my = user;
    my->waited = mez_error_retain(mez_event_wait(my->go));
    my->signalled = mez_user_event_signal(my->go, mez_ok());
}

// A host function may signal, but a wait would keep everybody who could from running.
static void a_host_function_signals(void **state)
{
    mez_queue *other = create_queue(MEZ_IN_ORDER);
    inside my = {.go = create("go")};
    mez_test_ok(mez_barrier(*state, MEZ_TASK(.wait_for = &my.go, .wait_count = 1)));
    mez_test_ok(mez_host_task(other, wait_and_signal, &my, NULL));
    mez_test_ok(mez_queue_wait(*state));
    mez_test_ok(mez_queue_wait(other));
    mez_test_fails(my.waited, MEZ_ERRC_WRONG_STATE);
    mez_test_ok(my.signalled);
    mez_error_release(my.waited);
    mez_event_destroy(&my.go);
    mez_queue_destroy(&other);
}

// --- Nobody signals

static atomic_bool warned;

static void look_for_name(void *user, mez_log_level level, const char *topic, const char *text)
{
    (void)user, (void)topic;
    if (level == MEZ_LOG_WARN && strstr(text, "no progress") &&
        strstr(text, "user event \"forgotten\"") && strstr(text, "signalled.c:"))
        atomic_store(&warned, true);
}

static void expect_warning(void)
{
    assert_true(atomic_load(&warned));
    atomic_store(&warned, false);
}

static void stalls_are_named(void **state)
{
    char text[2048];
    const uint64_t long_enough = 500 * 1000 * 1000; // MEZ_STALL is 0.2 here
    mez_event *go = create("forgotten"), *done;
    mez_test_ok(mez_barrier(*state, MEZ_TASK(.wait_for = &go, .wait_count = 1, .event = &done)));
    mez_queue_describe(*state, text, sizeof text);
    assert_non_null(strstr(text, "user event \"forgotten\", created at "));
    mez_log_set_function(look_for_name, NULL);
    mez_test_fails(mez_queue_wait_for(*state, long_enough), MEZ_ERRC_TIMEOUT);
    expect_warning();
    mez_test_fails(mez_event_wait_for(done, long_enough), MEZ_ERRC_TIMEOUT);
    expect_warning();
    mez_test_fails(mez_event_wait_for(go, long_enough), MEZ_ERRC_TIMEOUT);
    expect_warning();
    mez_test_fails(
        mez_events_wait_any_for((mez_event *[]){go, done}, 2, long_enough, NULL), MEZ_ERRC_TIMEOUT);
    expect_warning();
    mez_log_set_function(NULL, NULL);
    mez_test_ok(mez_user_event_signal(go, mez_ok()));
    mez_test_ok(mez_queue_wait(*state));
    mez_queue_describe(*state, text, sizeof text);
    assert_null(strstr(text, "user event"));
    mez_event_destroy(&go);
    mez_event_destroy(&done);
}

// --- A queue is described while tasks of another one end, which gives their kernels back

enum { ROUNDS = 100, LAUNCHES = 24, TASKS = 8 };

typedef struct describer {
    mez_queue *queue;
    atomic_bool stop;
} describer;

static void *describe_again_and_again(void *user)
{
    describer *describer = user;
    char text[4096];
    while (!atomic_load(&describer->stop))
        mez_queue_describe(describer->queue, text, sizeof text);
    return NULL;
}

// Each with a kernel of its own, which nobody else keeps.
static void launch_all(mez_queue *queue, mez_image *image, uint32_t *values, mez_event **events)
{
    for (int i = 0; i < LAUNCHES; i++) {
        mez_kernel *kernel;
        mez_test_ok(mez_kernel_create(image, "step_once", &kernel));
        mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(WIDTH),
            MEZ_ARGS(MEZ_PTR(values), MEZ_VAL((uint32_t)i)), MEZ_TASK(.event = &events[i])));
        mez_kernel_destroy(&kernel);
    }
}

static void defer_all(mez_queue *queue, uint32_t *values, mez_event **events, mez_event *go)
{
    for (int i = 0; i < TASKS; i++)
        fill(queue, values, 7,
            MEZ_TASK(.wait_for = (mez_event *[]){events[3 * i], events[3 * i + 1], go},
                .wait_count = 3));
}

static void described_while_tasks_end(void **state)
{
    mez_queue *other = create_queue(MEZ_IN_ORDER);
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    mez_event *events[LAUNCHES];
    mez_image *image;
    mez_test_ok(mez_image_load(mez_test_context(), mez_test_kernel_path("order"), &image));
    describer describer = {.queue = *state};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, describe_again_and_again, &describer), 0);
    for (int round = 0; round < ROUNDS; round++) {
        mez_event *go = create("go");
        launch_all(other, image, values, events);
        defer_all(*state, values, events, go);
        mez_test_ok(mez_queue_wait(other));
        mez_test_ok(mez_user_event_signal(go, mez_ok()));
        mez_test_ok(mez_queue_wait(*state));
        for (int i = 0; i < LAUNCHES; i++)
            mez_event_destroy(&events[i]);
        mez_event_destroy(&go);
    }
    atomic_store(&describer.stop, true);
    pthread_join(thread, NULL);
    check_all(values, 7);
    mez_test_free(values);
    mez_image_destroy(&image);
    mez_queue_destroy(&other);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(tasks_wait),
        MEZ_DEVICE_TEST(every_task_waits),
        MEZ_DEVICE_TEST(errors_are_passed_on),
        MEZ_DEVICE_TEST(destroyed_events_fail),
        MEZ_DEVICE_TEST(another_thread_signals),
        MEZ_DEVICE_TEST(a_host_function_signals),
        MEZ_DEVICE_TEST(stalls_are_named),
        MEZ_DEVICE_TEST(described_while_tasks_end),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
