// SPDX-License-Identifier: MIT
//
// Counter-based events of newer drivers: which queues have them, what becomes of them, and what older queues do with them.

#include "newer.h"

#include <mezzanine/level_zero.h>

#include "ze/call.h"

enum { EVENTS_OF_A_SLAB = 256 };

static int setup_pooled(void **state)
{
    const struct noop_config config = newest(pooled_events);
    return setup_with(state, &config);
}

static int setup_without_counters(void **state)
{
    const struct noop_config config = newest(NULL);
    return setup_with(state, &config);
}

static void use_an_event(runtime *r, mez_queue *queue)
{
    mez_event *event;
    noop_hold(true);
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.event = &event)));
    assert_condition(mez_event_wait_for(event, 0), MEZ_ERRC_TIMEOUT); // though it starts complete
    noop_hold(false);
    assert_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    assert_ok(mez_queue_wait(queue));
}

// More than a slab has, so that each is used again.
static void use_many_events(runtime *r, mez_queue *queue)
{
    noop_count_exactly(true);
    for (int i = 0; i < 2 * EVENTS_OF_A_SLAB; i++)
        use_an_event(r, queue);
}

static void test_single_events_need_no_reset(void **state)
{
    runtime *r = *state;
    use_many_events(r, r->queue);
    assert_int_equal(noop_calls("zeEventHostReset"), 0);
    assert_int_equal(noop_calls("zexCounterBasedEventCreate2"), EVENTS_OF_A_SLAB);
    assert_int_equal(noop_calls("zeEventPoolCreate"), 0);
}

static void test_pooled_events_need_no_reset(void **state)
{
    runtime *r = *state;
    use_many_events(r, r->queue);
    assert_int_equal(noop_calls("zeEventHostReset"), 0);
    assert_int_equal(noop_calls("zeEventPoolCreate"), 1);
    assert_int_equal(noop_calls("zeEventCreate"), EVENTS_OF_A_SLAB);
}

static void test_ordinary_events_do(void **state)
{
    runtime *r = *state;
    use_many_events(r, r->queue);
    assert_int_equal(noop_calls("zeEventHostReset"), 2 * EVENTS_OF_A_SLAB);
    assert_int_equal(noop_calls("zeEventPoolCreate"), 1);
}

// Lists that are not in order can't signal them; while calls are watched, the driver refuses it.
static void test_other_queues_have_ordinary_events(void **state)
{
    runtime *r = *state;
    const mez_queue_params others[] = {{.kind = MEZ_QUEUE_BATCHED}, {.kind = MEZ_QUEUE_BASIC},
        {.kind = MEZ_QUEUE_ADAPTIVE}, {.kind = MEZ_QUEUE_BASIC, .order = MEZ_OUT_OF_ORDER}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        mez_queue *queue;
        const uint64_t before = noop_calls("zeEventHostReset");
        assert_ok(mez_queue_create(r->context, &others[i], &queue));
        use_an_event(r, queue);
        assert_true(noop_calls("zeEventHostReset") > before);
        mez_queue_destroy(&queue);
    }
    assert_int_equal(noop_calls("zexCounterBasedEventCreate2"), 0);
}

static void test_other_queues_wait_for_them(void **state)
{
    runtime *r = *state;
    mez_queue *batched;
    mez_event *first, *second;
    noop_count_exactly(true);
    assert_ok(mez_queue_create(
        r->context, &(const mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &batched));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &first)));
    assert_ok(mez_submit(batched, r->nothing, MEZ_RANGE(COUNT), NULL,
        MEZ_TASK(.wait_for = &first, .wait_count = 1, .event = &second)));
    assert_ok(submit_nothing(r, MEZ_TASK(.wait_for = &second, .wait_count = 1)));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&first);
    mez_event_destroy(&second);
    mez_queue_destroy(&batched);
}

static void test_timed_ones(void **state)
{
    runtime *r = *state;
    mez_queue *timed;
    mez_event *event;
    mez_event_profile profile;
    noop_count_exactly(true);
    assert_ok(mez_queue_create(r->context, &(const mez_queue_params){.profiling = true}, &timed));
    assert_ok(mez_barrier(timed, MEZ_TASK(.event = &event)));
    assert_ok(mez_event_get_profile(event, &profile));
    assert_int_equal(profile.end - profile.start, 3 * 80);
    mez_event_destroy(&event);
    mez_queue_destroy(&timed);
    assert_int_equal(noop_calls("zeEventHostReset"), 0);
    assert_int_equal(noop_calls("zexCounterBasedEventCreate2"), EVENTS_OF_A_SLAB);
}

// The driver refuses to signal a single event on another device's list.
static void test_single_events_are_of_the_queues_device(void **state)
{
    (void)state;
    enum { DEVICES = 3 };
    struct noop_config config = newest(single_events);
    config.devices = DEVICES;
    noop_reset();
    noop_configure(&config);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    noop_count_exactly(true);
    for (uint32_t i = DEVICES; i-- > 0;) {
        const mez_queue_params params = {.device = mez_context_get_device(context, i)};
        mez_queue *queue;
        assert_ok(mez_queue_create(context, &params, &queue));
        for (int use = 0; use < 2 * EVENTS_OF_A_SLAB; use++) { // each is used again
            mez_event *event;
            assert_ok(mez_barrier(queue, MEZ_TASK(.event = &event)));
            assert_ok(mez_event_wait(event));
            mez_event_destroy(&event);
        }
        mez_queue_destroy(&queue);
    }
    assert_int_equal(noop_calls("zexCounterBasedEventCreate2"), DEVICES * EVENTS_OF_A_SLAB);
    mez_context_destroy(&context);
    assert_int_equal(noop_live_total(), 0);
}

static void expect_happened(mez_event *event)
{
    ze_event_handle_t ze;
    assert_ok(mez_event_get_ze(event, &ze));
    assert_int_equal(mez_ze.zeEventHostSynchronize(ze, 0), ZE_RESULT_SUCCESS);
}

// The driver takes an event for happened that it was given for no command: that of a host task, which never is, and that of a
// task behind it, which is only later.
static void test_events_of_tasks_that_the_driver_has_not(void **state)
{
    runtime *r = *state;
    gate g = {.open = false};
    mez_event *of_host, *behind;
    ze_event_handle_t ze;
    noop_count_exactly(true);
    use_an_event(r, r->queue);
    assert_ok(mez_host_task(r->queue, wait_at_gate, &g, MEZ_TASK(.event = &of_host)));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &behind)));
    assert_condition(mez_event_wait_for(of_host, 0), MEZ_ERRC_TIMEOUT);
    assert_condition(mez_event_wait_for(behind, 0), MEZ_ERRC_TIMEOUT);
    assert_story(
        mez_event_get_ze(behind, &ze), MEZ_ERRC_NOT_READY, "has not been submitted to the driver");
    atomic_store(&g.open, true);
    assert_ok(mez_event_wait(behind));
    assert_ok(mez_event_wait(of_host));
    expect_happened(of_host);
    expect_happened(behind);
    assert_int_equal(noop_calls("zeEventHostSignal"), 0);
    mez_event_destroy(&of_host);
    mez_event_destroy(&behind);
}

static void test_making_them_fails(void **state)
{
    runtime *r = *state;
    const uint64_t when[] = {1, 2, EVENTS_OF_A_SLAB};
    for (size_t i = 0; i < sizeof when / sizeof when[0]; i++) {
        const int64_t before = noop_live(NOOP_EVENT);
        mez_event *event;
        noop_fail("zexCounterBasedEventCreate2", when[i], ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        assert_story(submit_nothing(r, MEZ_TASK(.event = &event)), MEZ_ERRC_MEMORY_ALLOCATION,
            "zexCounterBasedEventCreate2");
        assert_null(event);
        assert_int_equal(noop_live(NOOP_EVENT), before);
    }
    use_an_event(r, r->queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NEWER_TEST(test_single_events_need_no_reset, setup),
        NEWER_TEST(test_pooled_events_need_no_reset, setup_pooled),
        NEWER_TEST(test_ordinary_events_do, setup_without_counters),
        NEWER_TEST(test_other_queues_have_ordinary_events, setup),
        NEWER_TEST(test_other_queues_wait_for_them, setup),
        NEWER_TEST(test_timed_ones, setup),
        cmocka_unit_test(test_single_events_are_of_the_queues_device),
        NEWER_TEST(test_events_of_tasks_that_the_driver_has_not, setup),
        NEWER_TEST(test_making_them_fails, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
