// SPDX-License-Identifier: MIT
//
// Two engines behind one queue: which tasks go to the companion, what keeps them in order, and that waits, frees and failures
// cover both.

#include "runtime.h"

#include <stdlib.h>

enum { COMPUTE, COPY }; // ordinals of the no-op driver's groups
enum { LARGE = 1 << 20, MS = 1000000 };

static const char odd_pattern[32] = "beyond the copy engine's 16";

typedef struct engines {
    runtime *r;
    void *device, *more_device, *host, *shared; // LARGE bytes each
} engines;

static struct noop_config newer_config(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    return config;
}

// On a driver that has every kind of queue.
static int setup(void **state)
{
    static engines e;
    static runtime r;
    const struct noop_config config = newer_config();
    noop_reset();
    noop_configure(&config);
    e = (engines){.r = &r};
    r = (runtime){0};
    assert_ok(mez_context_create(NULL, &r.context));
    load_kernels(&r);
    e.device = mez_alloc_device(r.context, LARGE, NULL);
    e.more_device = mez_alloc_device(r.context, LARGE, NULL);
    e.host = mez_alloc_host(r.context, LARGE, NULL);
    e.shared = mez_alloc_shared(r.context, LARGE, NULL);
    assert_true(e.device && e.more_device && e.host && e.shared);
    *state = &e;
    return 0;
}

static int teardown(void **state)
{
    engines *e = *state;
    noop_hold(false);
    mez_queue_destroy(&e->r->queue);
    mez_free(e->r->context, e->device);
    mez_free(e->r->context, e->more_device);
    mez_free(e->r->context, e->host);
    mez_free(e->r->context, e->shared);
    return runtime_teardown((void *[]){e->r});
}

static void create(engines *e, const mez_queue_params *params)
{
    mez_queue_destroy(&e->r->queue);
    assert_ok(mez_queue_create(e->r->context, params, &e->r->queue));
}

static mez_error fill_oddly(engines *e, const mez_task_params *task)
{
    return mez_fill(e->r->queue, e->device, odd_pattern, sizeof odd_pattern, 256, task);
}

static mez_error copy(engines *e)
{
    return mez_copy(e->r->queue, e->device, e->host, 64, NULL);
}

// --- Who waits for whom

static struct noop_append appends[256];
static size_t append_count;

static void look_at_appends(void)
{
    append_count = noop_appends(appends, 256);
    assert_uint_in_range(append_count, 1, 256);
}

static size_t find(const char *function)
{
    for (size_t i = 0; i < append_count; i++)
        if (strcmp(appends[i].function, function) == 0)
            return i;
    fail_msg("no %s", function);
    return 0;
}

// Does something on group `behind`, from append `from` to before `to`, wait for what was signalled on the other group?
static bool is_tied(uint32_t behind, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        for (size_t j = 0; j < i; j++)
            if (appends[i].ordinal == behind && appends[i].wait_count == 1 &&
                appends[j].ordinal != behind && appends[j].signal &&
                appends[i].waits[0] == appends[j].signal)
                return true;
    return false;
}

// --- Fills that the copy engine can't take

static void test_fills_go_to_the_other_engine_in_order(void **state)
{
    engines *e = *state;
    for (mez_queue_kind kind = MEZ_QUEUE_IMMEDIATE; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
        create(e, &(mez_queue_params){.kind = kind, .engine = MEZ_ENGINE_COPY});
        noop_hold(true);
        noop_log_start();
        assert_ok(copy(e));
        assert_ok(fill_oddly(e, NULL));
        assert_ok(copy(e));
        look_at_appends();
        const size_t fill = find("zeCommandListAppendMemoryFill");
        assert_int_equal(appends[fill].ordinal, COMPUTE);
        assert_int_equal(appends[append_count - 1].ordinal, COPY);
        assert_true(is_tied(COMPUTE, 0, fill));
        assert_false(is_tied(COPY, 0, fill));
        assert_true(is_tied(COPY, fill, append_count - 1));
        noop_hold(false);
        assert_ok(mez_queue_wait(e->r->queue));
    }
}

static void test_fills_that_stay(void **state)
{
    engines *e = *state;
    static const char same[32] = {0};
    create(e, &(mez_queue_params){.engine = MEZ_ENGINE_COPY});
    noop_log_start();
    assert_ok(mez_fill(e->r->queue, e->device, same, sizeof same, 256, NULL));
    assert_ok(mez_fill(e->r->queue, e->device, odd_pattern, 16, 256, NULL));
    look_at_appends();
    for (size_t i = 0; i < append_count; i++)
        assert_int_equal(appends[i].ordinal, COPY);
}

static void test_fills_that_no_engine_takes(void **state)
{
    engines *e = *state;
    struct noop_config config = newer_config();
    config.queue_groups[0].max_fill_pattern = 16;
    mez_queue_destroy(&e->r->queue);
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, &(mez_queue_params){.engine = MEZ_ENGINE_COPY}, &queue));
    assert_story(mez_fill(queue, e->device, odd_pattern, sizeof odd_pattern, 256, NULL),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, "the compute engine");
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

static void test_events_of_the_other_engine(void **state)
{
    engines *e = *state;
    mez_event *event;
    create(e, &(mez_queue_params){.engine = MEZ_ENGINE_COPY, .profiling = true});
    noop_hold(true);
    noop_log_start();
    assert_ok(fill_oddly(e, MEZ_TASK(.event = &event)));
    look_at_appends(); // the event is the fill's own: so are its times
    assert_non_null(appends[find("zeCommandListAppendMemoryFill")].signal);
    assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
    noop_hold(false);
    mez_event_profile profile;
    mez_queue_destroy(&e->r->queue);
    assert_ok(mez_event_wait(event));
    assert_ok(mez_event_get_profile(event, &profile));
    assert_true(profile.end > profile.start);
    mez_event_destroy(&event);
}

// --- Large copies

static uint32_t engine_of_copy(engines *e, void *to, const void *from, size_t size)
{
    noop_log_start();
    assert_ok(mez_copy(e->r->queue, to, from, size, NULL));
    look_at_appends();
    return appends[find("zeCommandListAppendMemoryCopy")].ordinal;
}

static void test_large_copies_out_of_order(void **state)
{
    engines *e = *state;
    char *plain = malloc(LARGE);
    for (mez_queue_kind kind = MEZ_QUEUE_IMMEDIATE; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
        create(e, &(mez_queue_params){.kind = kind, .order = MEZ_OUT_OF_ORDER});
        assert_int_equal(engine_of_copy(e, e->device, e->host, LARGE), COPY);
        assert_int_equal(engine_of_copy(e, e->host, e->device, LARGE), COPY);
        assert_int_equal(engine_of_copy(e, plain, e->device, LARGE), COPY);
        assert_int_equal(engine_of_copy(e, e->device, e->host, LARGE - 1), COMPUTE);
        assert_int_equal(engine_of_copy(e, e->device, e->more_device, LARGE), COMPUTE);
        assert_int_equal(engine_of_copy(e, e->device, e->shared, LARGE), COMPUTE);
        assert_int_equal(engine_of_copy(e, e->host, e->shared, LARGE), COMPUTE);
        assert_int_equal(engine_of_copy(e, plain, e->host, LARGE), COMPUTE);
        assert_ok(mez_queue_wait(e->r->queue));
    }
    free(plain);
}

static void test_queues_whose_copies_stay(void **state)
{
    engines *e = *state;
    create(e, &(mez_queue_params){.order = MEZ_IN_ORDER});
    assert_int_equal(engine_of_copy(e, e->device, e->host, LARGE), COMPUTE);
    create(e, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER, .engine = MEZ_ENGINE_COMPUTE});
    assert_int_equal(engine_of_copy(e, e->device, e->host, LARGE), COMPUTE);
}

// What the copy waits for stands in an open batch of its own queue: it is handed over with it.
static void test_copies_wait_for_their_events(void **state)
{
    engines *e = *state;
    mez_event *event;
    create(e, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED, .order = MEZ_OUT_OF_ORDER});
    noop_hold(true);
    assert_ok(submit_nothing(e->r, NULL));
    assert_ok(submit_nothing(e->r, MEZ_TASK(.event = &event)));
    assert_int_equal(noop_pending(), 1);
    noop_log_start();
    assert_ok(mez_copy(
        e->r->queue, e->device, e->host, LARGE, MEZ_TASK(.wait_for = &event, .wait_count = 1)));
    assert_int_equal(noop_pending(), 3);
    look_at_appends();
    assert_int_equal(appends[find("zeCommandListAppendMemoryCopy")].wait_count, 1);
    mez_event_destroy(&event);
}

static void test_barriers_cover_both_engines(void **state)
{
    engines *e = *state;
    for (mez_queue_kind kind = MEZ_QUEUE_IMMEDIATE; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
        create(e, &(mez_queue_params){.kind = kind, .order = MEZ_OUT_OF_ORDER});
        noop_hold(true);
        assert_ok(submit_nothing(e->r, NULL));
        assert_ok(mez_copy(e->r->queue, e->device, e->host, LARGE, NULL));
        noop_log_start();
        assert_ok(mez_barrier(e->r->queue, NULL));
        assert_ok(mez_copy(e->r->queue, e->device, e->host, LARGE, NULL));
        look_at_appends();
        assert_true(is_tied(COMPUTE, 0, append_count));
        assert_true(is_tied(COPY, 0, find("zeCommandListAppendMemoryCopy")));
        noop_hold(false);
        assert_ok(mez_queue_wait(e->r->queue));
    }
}

static void test_waits_cover_both_engines(void **state)
{
    engines *e = *state;
    mez_event *event;
    create(e, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER});
    noop_hold(true);
    assert_ok(mez_copy(e->r->queue, e->device, e->host, LARGE, MEZ_TASK(.event = &event)));
    assert_condition(mez_queue_wait_for(e->r->queue, 0), MEZ_ERRC_TIMEOUT);
    assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
    noop_hold(false);
    assert_ok(mez_queue_wait(e->r->queue));
    assert_ok(mez_event_get_status(event));
    mez_event_destroy(&event);
}

// Nothing holds the device, except for the copy.
static void test_markers_cover_both_engines(void **state)
{
    engines *e = *state;
    mez_event *event;
    for (mez_queue_kind kind = MEZ_QUEUE_IMMEDIATE; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
        create(e, &(mez_queue_params){.kind = kind, .order = MEZ_OUT_OF_ORDER});
        noop_hold(true);
        assert_ok(mez_copy(e->r->queue, e->device, e->host, LARGE, NULL));
        assert_ok(mez_marker(e->r->queue, MEZ_TASK(.event = &event)));
        assert_condition(mez_event_wait_for(event, 50 * MS), MEZ_ERRC_TIMEOUT);
        noop_hold(false);
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
    }
}

static void test_memory_in_use_by_the_other_engine_stays(void **state)
{
    engines *e = *state;
    create(e, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER});
    noop_hold(true);
    assert_ok(mez_copy(e->r->queue, e->device, e->host, LARGE, NULL));
    const uint64_t frees = noop_calls("zeMemFree");
    assert_ok(mez_free(e->r->context, e->device));
    e->device = NULL;
    assert_int_equal(noop_calls("zeMemFree"), frees);
    noop_hold(false);
    assert_ok(mez_queue_wait(e->r->queue));
    assert_int_equal(noop_calls("zeMemFree"), frees + 1);
}

// --- Failures

static int reported;

static void note(mez_error error)
{
    reported += mez_failed(error);
}

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic, (void)message;
    reported += level <= MEZ_LOG_ERROR;
}

// Everything that needs a companion, on one kind of queue. Nothing is held: an in-order queue whose companion has a task and
// which could not be tied to it waits for that task.
static void use_both_engines(engines *e, const mez_queue_params *params)
{
    mez_event *event = NULL;
    note(mez_queue_create(e->r->context, params, &e->r->queue));
    if (!e->r->queue)
        return;
    note(copy(e));
    note(fill_oddly(e, MEZ_TASK(.event = &event)));
    note(copy(e));
    note(mez_copy(e->r->queue, e->device, e->host, LARGE, NULL));
    note(mez_barrier(e->r->queue, NULL));
    note(mez_copy(e->r->queue, e->host, e->device, LARGE, NULL));
    note(mez_queue_wait(e->r->queue));
    if (event)
        note(mez_event_wait(event));
    mez_event_destroy(&event);
    mez_queue_destroy(&e->r->queue);
}

// A wait that only looks may fail unheard.
static bool last_failure_may_go_unheard(uint64_t n)
{
    static const char *names[4096];
    const size_t count = noop_log(names, 4096);
    return n <= count && (strcmp(names[n - 1], "zeFenceHostSynchronize") == 0 ||
                             strcmp(names[n - 1], "zeCommandListHostSynchronize") == 0);
}

static void walk(engines *e, const mez_queue_params *params, ze_result_t code)
{
    reported = 0;
    use_both_engines(e, params); // makes what stays, such as pools of events
    assert_int_equal(reported, 0);
    const int64_t before = noop_live_total() - noop_live(NOOP_EVENT) - noop_live(NOOP_EVENT_POOL);
    for (uint64_t n = 1;; n++) {
        const uint64_t fired = noop_fired();
        reported = 0;
        noop_log_start();
        noop_fail(NULL, n, code);
        use_both_engines(e, params);
        if (noop_fired() == fired)
            return;
        if (reported == 0 && !last_failure_may_go_unheard(n))
            fail_msg("failure %llu of kind %d went unheard", (unsigned long long)n, params->kind);
        assert_int_equal(
            noop_live_total() - noop_live(NOOP_EVENT) - noop_live(NOOP_EVENT_POOL), before);
    }
}

static void test_every_failing_call(void **state)
{
    engines *e = *state;
    mez_queue_destroy(&e->r->queue);
    mez_log_set_function(hear, NULL);
    for (mez_queue_kind kind = MEZ_QUEUE_IMMEDIATE; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
        const mez_queue_params copying = {.kind = kind, .engine = MEZ_ENGINE_COPY};
        const mez_queue_params any = {.kind = kind, .order = MEZ_OUT_OF_ORDER};
        walk(e, &copying, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        const struct noop_config config = newer_config();
        noop_reset(); // takes back the failure that did not happen
        noop_configure(&config);
        walk(e, &any, ZE_RESULT_ERROR_UNKNOWN);
        noop_reset();
        noop_configure(&config);
    }
    mez_log_set_function(NULL, NULL);
}

#define ENGINES_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ENGINES_TEST(test_fills_go_to_the_other_engine_in_order),
        ENGINES_TEST(test_fills_that_stay),
        ENGINES_TEST(test_fills_that_no_engine_takes),
        ENGINES_TEST(test_events_of_the_other_engine),
        ENGINES_TEST(test_large_copies_out_of_order),
        ENGINES_TEST(test_queues_whose_copies_stay),
        ENGINES_TEST(test_copies_wait_for_their_events),
        ENGINES_TEST(test_barriers_cover_both_engines),
        ENGINES_TEST(test_waits_cover_both_engines),
        ENGINES_TEST(test_markers_cover_both_engines),
        ENGINES_TEST(test_memory_in_use_by_the_other_engine_stays),
        ENGINES_TEST(test_every_failing_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
