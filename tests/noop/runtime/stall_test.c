// SPDX-License-Identifier: MIT
//
// Queues that make no progress: what a wait costs, what is said about the task that is stuck, and that everything goes on.

#include "runtime.h"

#include <level_zero/ze_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include <mezzanine/level_zero.h>

#include "base/alloc.h"

enum { KINDS = 4 };
static const mez_queue_kind kinds[KINDS] = {
    MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC, MEZ_QUEUE_IMMEDIATE, MEZ_QUEUE_ADAPTIVE};

// What was said about stalls.
static char warnings[16384];
static int warning_count;
static pthread_mutex_t warnings_lock = PTHREAD_MUTEX_INITIALIZER;

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    if (level > MEZ_LOG_WARN || !strstr(message, "no progress"))
        return;
    pthread_mutex_lock(&warnings_lock);
    warning_count++;
    snprintf(warnings, sizeof warnings, "%s", message);
    pthread_mutex_unlock(&warnings_lock);
}

// A driver with every kind of queue, and a context whose waits warn after a twentieth of a second.
static int setup_with(void **state, const char *stall)
{
    static runtime r;
    struct noop_config config = noop_config_default();
    config.api_version = ZE_MAKE_VERSION(1, 9);
    noop_reset();
    noop_configure(&config);
    setenv("MEZ_STALL", stall, 1);
    r = (runtime){0};
    assert_ok(mez_context_create(NULL, &r.context));
    r.nothing = load_kernel(r.context, "kernels.spv", "nothing");
    warning_count = 0;
    mez_log_set_function(hear, NULL);
    *state = &r;
    return 0;
}

static int setup(void **state)
{
    return setup_with(state, "0.05");
}

static int setup_silent(void **state)
{
    return setup_with(state, "0");
}

static int teardown(void **state)
{
    mez_log_set_function(NULL, NULL);
    unsetenv("MEZ_STALL");
    return runtime_teardown(state);
}

static mez_queue *make_queue(const runtime *r, mez_queue_kind kind, const char *name)
{
    mez_queue *queue;
    const mez_queue_params params = {.kind = kind, .debug_name = name};
    assert_ok(mez_queue_create(r->context, &params, &queue));
    return queue;
}

static char described[4096];

static const char *describe(mez_queue *queue)
{
    mez_queue_describe(queue, described, sizeof described);
    return described;
}

// --- What is said

static void expect_first_stall(mez_queue *queue)
{
    assert_condition(mez_queue_wait_for(queue, 200 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_int_equal(warning_count, 1);
    assert_contains(warnings, "no progress for 0.1 s: queue \"slow\"");
    assert_contains(warnings, " \"stuck\" (kernel \"nothing\", submitted at ");
    assert_contains(warnings, "runtime.c:");
    assert_contains(warnings, " task"); // how many are behind it
    assert_condition(mez_queue_wait_for(queue, 100 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_int_equal(warning_count, 1); // once
}

// The first task ends, and the second is stuck as well: a new stall.
static void stall_twice(runtime *r, mez_queue_kind kind)
{
    mez_event *first;
    warning_count = 0;
    r->queue = make_queue(r, kind, "slow");
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "stuck", .event = &first)));
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "second")));
    expect_first_stall(r->queue);
    noop_release(1);
    assert_ok(mez_event_wait(first));
    assert_condition(mez_queue_wait_for(r->queue, 200 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_int_equal(warning_count, 2);
    assert_contains(warnings, "\"second\"");
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&first);
    mez_queue_destroy(&r->queue);
}

static void test_a_stall_is_reported_once(void **state)
{
    for (int i = 0; i < KINDS; i++)
        stall_twice(*state, kinds[i]);
}

static void test_waits_for_events_report_as_well(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < KINDS; i++) {
        mez_event *event;
        warning_count = 0;
        r->queue = make_queue(r, kinds[i], "slow");
        noop_hold(true);
        assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "stuck", .event = &event)));
        assert_condition(mez_event_wait_for(event, 200 * MILLISECOND), MEZ_ERRC_TIMEOUT);
        assert_int_equal(warning_count, 1);
        assert_contains(warnings, "\"stuck\"");
        assert_contains(warnings, ", 0 tasks behind it");
        noop_hold(false);
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
        mez_queue_destroy(&r->queue);
    }
}

static void ignore(void *user, mez_error outcome)
{
    (void)user;
    assert_ok(outcome);
}

// Nobody waits but the completion thread, a short while at a time.
static void test_the_completion_thread_reports(void **state)
{
    runtime *r = *state;
    mez_event *event;
    r->queue = make_queue(r, MEZ_QUEUE_BATCHED, "slow");
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "stuck", .event = &event)));
    assert_ok(mez_event_set_callback(event, ignore, NULL));
    for (int i = 0; i < 500; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10 * MILLISECOND}, NULL);
        pthread_mutex_lock(&warnings_lock);
        const bool reported = warning_count > 0;
        pthread_mutex_unlock(&warnings_lock);
        if (reported)
            break;
    }
    noop_hold(false);
    assert_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    mez_queue_destroy(&r->queue);
    assert_int_equal(warning_count, 1);
    assert_contains(warnings, "\"stuck\"");
}

static void test_progress_is_no_stall(void **state)
{
    runtime *r = *state;
    mez_event *events[8];
    r->queue = make_queue(r, MEZ_QUEUE_BATCHED, "busy");
    noop_hold(true);
    for (int i = 0; i < 8; i++) {
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &events[i])));
        assert_ok(mez_queue_flush(r->queue));
    }
    for (int i = 0; i < 8; i++) { // 240 ms in all
        assert_condition(mez_queue_wait_for(r->queue, 30 * MILLISECOND), MEZ_ERRC_TIMEOUT);
        noop_release(1);
    }
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(warning_count, 0);
    for (int i = 0; i < 8; i++)
        mez_event_destroy(&events[i]);
    mez_queue_destroy(&r->queue);
}

static void test_no_warnings_when_switched_off(void **state)
{
    runtime *r = *state;
    r->queue = make_queue(r, MEZ_QUEUE_BATCHED, "slow");
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_condition(mez_queue_wait_for(r->queue, 200 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_int_equal(warning_count, 0);
    noop_hold(false);
    mez_queue_destroy(&r->queue);
}

static void test_values_without_meaning(void **state)
{
    static const char *const values[] = {"soon", "-1", "1s", "1.5.2", "99999999999", " 1"};
    (void)state;
    noop_reset();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        mez_context *context;
        setenv("MEZ_STALL", values[i], 1);
        assert_story(mez_context_create(NULL, &context), MEZ_ERRC_INVALID_PARAMETER, "seconds");
        assert_null(context);
    }
    unsetenv("MEZ_STALL");
}

// --- Descriptions

typedef struct by_hand {
    ze_event_pool_handle_t pool;
    ze_event_handle_t ze;
    mez_event *event;
} by_hand;

static by_hand make_by_hand(const runtime *r)
{
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1};
    const ze_event_desc_t first = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    by_hand made;
    assert_int_equal(
        zeEventPoolCreate(mez_context_get_ze(r->context), &pool, 0, NULL, &made.pool), 0);
    assert_int_equal(zeEventCreate(made.pool, &first, &made.ze), 0);
    assert_ok(mez_event_adopt(r->context, made.ze, &made.event));
    return made;
}

static void destroy_by_hand(by_hand *made)
{
    mez_event_destroy(&made->event);
    assert_int_equal(zeEventDestroy(made->ze), 0);
    assert_int_equal(zeEventPoolDestroy(made->pool), 0);
}

// A chain: the last queue's task waits for the middle one's, which is behind another, and that waits for the application.
static void test_what_a_task_waits_for(void **state)
{
    runtime *r = *state;
    by_hand hand = make_by_hand(r);
    mez_queue *middle = make_queue(r, MEZ_QUEUE_BATCHED, "middle");
    mez_queue *last = make_queue(r, MEZ_QUEUE_BASIC, "last");
    mez_event *sent, *also;
    char from[16] = "", to[16];
    noop_hold(true);
    r->queue = middle;
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "before")));
    const mez_task_params receive = {
        .debug_name = "receive", .wait_for = &hand.event, .wait_count = 1, .event = &sent};
    assert_ok(mez_copy(middle, to, from, sizeof to, &receive));
    assert_ok(mez_barrier(middle, MEZ_TASK(.event = &also)));
    mez_event *const both[] = {sent, also};
    r->queue = last;
    assert_ok(
        submit_nothing(r, MEZ_TASK(.debug_name = "gather", .wait_for = both, .wait_count = 2)));
    assert_ok(submit_nothing(r, NULL));
    const char *text = describe(last);
    assert_contains(text, "queue \"last\" (basic, in order)");
    assert_contains(text, "task 1 \"gather\" (kernel \"nothing\", submitted at ");
    assert_contains(text, " s, 1 task behind it");
    assert_contains(text, "\n    it waits for task 2 \"receive\" (copy of 16 bytes, submitted at ");
    assert_contains(text, " of queue \"middle\", behind 1 task");
    assert_contains(text, "\n        it waits for a hand-signalled event of the application");
    assert_contains(text, "\n    it waits for task 3 (barrier, submitted at ");
    assert_int_equal(zeEventHostSignal(hand.ze), 0);
    assert_null(strstr(describe(last), "hand-signalled"));
    noop_hold(false);
    assert_ok(mez_queue_wait(last));
    assert_contains(describe(last), "have ended");
    mez_event_destroy(&sent);
    mez_event_destroy(&also);
    mez_queue_destroy(&middle);
    mez_queue_destroy(&last);
    r->queue = NULL;
    destroy_by_hand(&hand);
}

// What a deferred task waits for may be a task that the device has, which waits itself.
static void test_deferred_tasks_lead_to_the_device(void **state)
{
    runtime *r = *state;
    by_hand hand = make_by_hand(r);
    mez_queue *middle = make_queue(r, MEZ_QUEUE_BATCHED, "middle");
    mez_queue *last = make_queue(r, MEZ_QUEUE_BATCHED, "last");
    mez_event *go, *sent;
    assert_ok(mez_user_event_create(r->context, NULL, &go));
    noop_hold(true);
    r->queue = middle;
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "before")));
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "receive", .wait_for = &hand.event,
                                    .wait_count = 1, .event = &sent)));
    mez_event *const both[] = {go, sent};
    r->queue = last;
    assert_ok(submit_nothing(r, MEZ_TASK(.wait_for = both, .wait_count = 2)));
    const char *text = describe(last);
    assert_contains(text, "\n        it waits for task 2 \"receive\" (kernel \"nothing\", ");
    assert_contains(text, ") of queue \"middle\", behind 1 task"
                          "\n            it waits for a hand-signalled event of the application");
    assert_ok(mez_user_event_signal(go, mez_ok()));
    assert_int_equal(zeEventHostSignal(hand.ze), 0);
    noop_hold(false);
    assert_ok(mez_queue_wait(last));
    mez_event_destroy(&go);
    mez_event_destroy(&sent);
    mez_queue_destroy(&middle);
    mez_queue_destroy(&last);
    r->queue = NULL;
    destroy_by_hand(&hand);
}

static void test_deferred_tasks_are_named(void **state)
{
    runtime *r = *state;
    mez_event *go, *first;
    mez_queue *other = make_queue(r, MEZ_QUEUE_IMMEDIATE, "other");
    r->queue = make_queue(r, MEZ_QUEUE_IMMEDIATE, "main");
    assert_contains(describe(r->queue), "in order): the device has been given no task");
    assert_ok(mez_user_event_create(r->context, &(mez_user_event_params){.debug_name = "go"}, &go));
    assert_ok(submit_nothing(
        r, MEZ_TASK(.debug_name = "first", .wait_for = &go, .wait_count = 1, .event = &first)));
    assert_ok(submit_nothing(r, NULL));
    const char *text = describe(r->queue);
    assert_contains(text, "\n    2 tasks are deferred, which the device has not been given yet"
                          "\n    task \"first\" (kernel \"nothing\", submitted at ");
    assert_contains(text, ")\n        it waits for user event \"go\", created at ");
    assert_contains(text, ", which nobody has signalled\n    a task (kernel \"nothing\", ");
    assert_contains(text, "), behind the deferred tasks before it");
    assert_null(strstr(text, "host task"));
    assert_ok(mez_barrier(other, MEZ_TASK(.wait_for = &first, .wait_count = 1)));
    text = describe(other);
    assert_contains(text, "\n    1 task is deferred, ");
    assert_contains(text, "\n    a task (barrier, submitted at ");
    assert_contains(
        text, ")\n        it waits for task \"first\" (kernel \"nothing\", submitted at ");
    assert_contains(text, ") of queue \"main\"\n            it waits for user event \"go\", ");
    assert_ok(mez_user_event_signal(go, mez_ok()));
    assert_ok(mez_queue_wait(other));
    assert_ok(mez_queue_wait(r->queue));
    assert_null(strstr(describe(r->queue), "deferred"));
    assert_contains(
        describe(r->queue), "in order): all 2 tasks that the device was given have ended");
    mez_event_destroy(&go);
    mez_event_destroy(&first);
    mez_queue_destroy(&other);
    mez_queue_destroy(&r->queue);
}

static void describe_from_within(void *user)
{
    describe(user);
}

static void test_host_tasks_are_named(void **state)
{
    runtime *r = *state;
    static char text[4096];
    r->queue = make_queue(r, MEZ_QUEUE_IMMEDIATE, "main");
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_host_task(r->queue, describe_from_within, r->queue, NULL));
    mez_queue_describe(r->queue, text, sizeof text);
    assert_contains(text, "\n    1 task is deferred, ");
    assert_contains(text, "\n    a task (host task, submitted at ");
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_contains(described, "): its function is running");
    mez_queue_destroy(&r->queue);
}

static void test_old_tasks_are_known_by_number(void **state)
{
    runtime *r = *state;
    r->queue = make_queue(r, MEZ_QUEUE_IMMEDIATE, "long");
    noop_hold(true);
    for (int i = 0; i < 300; i++)
        assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = "many")));
    assert_contains(describe(r->queue), " ended is task 1, for at least ");
    assert_contains(describe(r->queue), " s, 299 tasks behind it");
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    mez_queue_destroy(&r->queue);
}

// The launches of the quick path: no time is taken, and that of the wait is reported.
static void test_plain_launches(void **state)
{
    runtime *r = *state;
    r->queue = make_queue(r, MEZ_QUEUE_IMMEDIATE, "plain");
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    noop_hold(true);
    for (int i = 0; i < 3; i++)
        assert_ok(submit_nothing(r, NULL));
    assert_contains(describe(r->queue), "task 2 (kernel \"nothing\", submitted at ");
    assert_null(strstr(describe(r->queue), "for at least"));
    assert_condition(mez_queue_wait_for(r->queue, 30 * MILLISECOND), MEZ_ERRC_TIMEOUT);
    assert_contains(describe(r->queue), "), for at least 0.");
    mez_kernel_destroy(&r->nothing); // its tasks keep it
    assert_contains(describe(r->queue), "(kernel \"nothing\", ");
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    mez_queue_destroy(&r->queue);
}

static void test_descriptions_are_cut(void **state)
{
    runtime *r = *state;
    char text[16];
    r->queue = make_queue(r, MEZ_QUEUE_BATCHED, "idle");
    const size_t length = mez_queue_describe(r->queue, NULL, 0);
    assert_int_equal(
        length, strlen("queue \"idle\" (batched, in order): the device has been given no task"));
    assert_int_equal(mez_queue_describe(r->queue, text, sizeof text), length);
    assert_string_equal(text, "queue \"idle\" (b");
    assert_int_equal(mez_queue_describe(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    mez_queue_destroy(&r->queue);
}

// A call that fails reports nothing, and harms nothing. The text is as long as there is memory for it.
static void test_descriptions_in_spite_of_failures(void **state)
{
    static const char *const calls[] = {"zeFenceHostSynchronize", "zeEventHostSynchronize",
        "zeCommandListHostSynchronize", "zeCommandListHostSynchronize"};
    runtime *r = *state;
    for (int i = 0; i < KINDS; i++) {
        mez_event *event;
        r->queue = make_queue(r, kinds[i], "slow");
        noop_hold(true);
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
        noop_fail(calls[i], 1, ZE_RESULT_ERROR_UNKNOWN);
        assert_contains(describe(r->queue), "known to have ended is task 1 (kernel \"nothing\"");
        assert_int_equal(noop_fired(), i + 1);
        const size_t length = mez_queue_describe(r->queue, NULL, 0);
        mez_alloc_fail_at(1);
        assert_true(mez_queue_describe(r->queue, NULL, 0) < length);
        mez_alloc_fail_at(0);
        noop_hold(false);
        assert_ok(mez_queue_wait(r->queue));
        mez_event_destroy(&event);
        mez_queue_destroy(&r->queue);
    }
}

// The user's name may be gone when the task has ended, although the queue has not noticed that yet.
static void test_names_may_go(void **state)
{
    runtime *r = *state;
    mez_event *event;
    char *name = strdup("a name that is much longer than what is kept of a name by the queue");
    r->queue = make_queue(r, MEZ_QUEUE_BASIC, "names");
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.debug_name = name, .event = &event)));
    free(name);
    assert_contains(describe(r->queue), "\"a name that is much longer than what is kept of\"");
    noop_hold(false);
    assert_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    mez_queue_destroy(&r->queue);
}

// --- What waits cost

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

typedef struct cost {
    uint64_t real;
    uint64_t cpu; // of this thread
} cost;

static cost wait_and_measure(mez_queue *queue, mez_event *event, uint64_t timeout)
{
    const cost start = {nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
    assert_condition(
        event ? mez_event_wait_for(event, timeout) : mez_queue_wait_for(queue, timeout),
        MEZ_ERRC_TIMEOUT);
    return (cost){nanoseconds(CLOCK_MONOTONIC) - start.real,
        nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start.cpu};
}

// Asked for is a twentieth; a spinning wait takes all of it. The sanitizers have their share.
static void expect_sleep(mez_queue *queue, mez_event *event)
{
    const cost cost = wait_and_measure(queue, event, 1000ull * MILLISECOND);
    assert_true(cost.real >= 1000ull * MILLISECOND);
    print_message("1 s of waiting: %.2f ms of CPU time\n", (double)cost.cpu / MILLISECOND);
    assert_true(cost.cpu < 200ull * MILLISECOND);
}

static void test_waits_sleep(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < KINDS; i++) {
        mez_event *event;
        r->queue = make_queue(r, kinds[i], "slow");
        noop_hold(true);
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
        expect_sleep(r->queue, NULL);
        expect_sleep(r->queue, event);
        noop_hold(false);
        assert_ok(mez_queue_wait(r->queue));
        mez_event_destroy(&event);
        mez_queue_destroy(&r->queue);
    }
    assert_int_equal(noop_calls("zeEventQueryStatus"), 0);
    assert_int_equal(noop_calls("zeFenceQueryStatus"), 0);
}

// Late is what a busy machine makes of it; early or for ever is wrong.
static void test_timeouts(void **state)
{
    static const uint64_t timeouts[] = {0, 1, 1000, 100000, MILLISECOND, 20 * MILLISECOND};
    runtime *r = *state;
    for (int i = 0; i < KINDS; i++) {
        mez_event *event;
        r->queue = make_queue(r, kinds[i], "slow");
        noop_hold(true);
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
        for (size_t j = 0; j < sizeof timeouts / sizeof *timeouts; j++) {
            for (int of_event = 0; of_event < 2; of_event++) {
                const cost cost = wait_and_measure(r->queue, of_event ? event : NULL, timeouts[j]);
                assert_true(cost.real >= timeouts[j]);
                assert_true(cost.real < timeouts[j] + 1000ull * MILLISECOND);
            }
        }
        assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
        assert_ok(submit_nothing(r, NULL));
        noop_hold(false);
        assert_ok(mez_event_wait_for(event, 0));
        assert_ok(mez_queue_wait_for(r->queue, 1000ull * MILLISECOND));
        mez_event_destroy(&event);
        mez_queue_destroy(&r->queue);
    }
}

#define STALL_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define SILENT_TEST(name) cmocka_unit_test_setup_teardown(name, setup_silent, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STALL_TEST(test_a_stall_is_reported_once),
        STALL_TEST(test_waits_for_events_report_as_well),
        STALL_TEST(test_the_completion_thread_reports),
        STALL_TEST(test_progress_is_no_stall),
        SILENT_TEST(test_no_warnings_when_switched_off),
        cmocka_unit_test(test_values_without_meaning),
        SILENT_TEST(test_what_a_task_waits_for),
        SILENT_TEST(test_deferred_tasks_are_named),
        SILENT_TEST(test_deferred_tasks_lead_to_the_device),
        SILENT_TEST(test_host_tasks_are_named),
        SILENT_TEST(test_old_tasks_are_known_by_number),
        STALL_TEST(test_plain_launches),
        SILENT_TEST(test_descriptions_are_cut),
        SILENT_TEST(test_descriptions_in_spite_of_failures),
        SILENT_TEST(test_names_may_go),
        SILENT_TEST(test_waits_sleep),
        SILENT_TEST(test_timeouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
