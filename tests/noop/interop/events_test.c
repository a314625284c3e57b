// SPDX-License-Identifier: MIT
//
// Events across the border: who destroys and resets what, and that a task is with the device before its event is given out.

#include "application.h"

#include "base/alloc.h"

typedef struct pool {
    ze_event_pool_handle_t ze;
    ze_event_handle_t event;
} pool;

static pool make_event(const application *app)
{
    const ze_event_pool_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1,
    };
    const ze_event_desc_t first = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    pool made;
    assert_int_equal(
        zeEventPoolCreate(app->ze, &description, 0, NULL, &made.ze), ZE_RESULT_SUCCESS);
    assert_int_equal(zeEventCreate(made.ze, &first, &made.event), ZE_RESULT_SUCCESS);
    return made;
}

static void destroy_event(const pool *pool)
{
    assert_int_equal(zeEventDestroy(pool->event), ZE_RESULT_SUCCESS);
    assert_int_equal(zeEventPoolDestroy(pool->ze), ZE_RESULT_SUCCESS);
}

static uint32_t events_alive(mez_context *context)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(context, &statistics);
    return statistics.events;
}

// Every wait asks the driver again.
static void test_waiting_for_the_applications_event(void **state)
{
    application *app = *state;
    const pool pool = make_event(app);
    mez_event *event;
    assert_ok(mez_event_adopt(app->context, pool.event, &event));
    assert_int_equal(events_alive(app->context), 1);
    assert_story(mez_event_wait_for(event, 0), MEZ_ERRC_TIMEOUT, "the time limit passed");
    assert_int_equal(zeEventHostSignal(pool.event), ZE_RESULT_SUCCESS);
    assert_ok(mez_event_wait_for(event, 0));
    assert_ok(mez_event_wait(event));
    assert_int_equal(zeEventHostReset(pool.event), ZE_RESULT_SUCCESS);
    assert_condition(mez_event_wait_for(event, MILLISECOND), MEZ_ERRC_TIMEOUT);
    ze_event_handle_t same;
    assert_ok(mez_event_get_ze(event, &same));
    assert_ptr_equal(same, pool.event);
    mez_event_destroy(&event);
    assert_null(event);
    assert_int_equal(events_alive(app->context), 0);
    assert_int_equal(noop_calls("zeEventDestroy"), 0);
    assert_int_equal(noop_calls("zeEventHostReset"), 1); // the application's
    destroy_event(&pool);
}

// The task keeps the mez_event; the application's event is neither reset nor destroyed when it lets go.
static void test_tasks_wait_for_the_applications_event(void **state)
{
    static const mez_queue_kind kinds[] = {MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC};
    application *app = *state;
    const pool pool = make_event(app);
    for (int i = 0; i < 2; i++) {
        mez_queue *queue;
        mez_event *event;
        const mez_queue_params params = {.kind = kinds[i]};
        assert_ok(mez_queue_create(app->context, &params, &queue));
        assert_ok(mez_event_adopt(app->context, pool.event, &event));
        char from[16] = "", to[16];
        assert_ok(
            mez_copy(queue, to, from, sizeof to, MEZ_TASK(.wait_for = &event, .wait_count = 1)));
        mez_event_destroy(&event);
        mez_queue_destroy(&queue);
        assert_int_equal(events_alive(app->context), 0);
    }
    assert_int_equal(zeEventQueryStatus(pool.event), ZE_RESULT_NOT_READY); // still there
    destroy_event(&pool);
}

// The mez_event keeps the context's insides; the order of destruction is free.
static void test_an_adopted_event_outlives_its_context(void **state)
{
    application *app = *state;
    const pool pool = make_event(app);
    mez_event *event;
    assert_ok(mez_event_adopt(app->context, pool.event, &event));
    mez_context_destroy(&app->context);
    mez_event_destroy(&event);
    destroy_event(&pool);
}

static void test_giving_out_hands_the_task_over(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event))); // in an open batch
    const uint64_t before = noop_calls("zeCommandQueueExecuteCommandLists");
    ze_event_handle_t ze;
    assert_ok(mez_event_get_ze(event, &ze));
    assert_int_equal(noop_calls("zeCommandQueueExecuteCommandLists"), before + 1);
    assert_int_equal(zeEventQueryStatus(ze), ZE_RESULT_NOT_READY);
    noop_hold(false);
    assert_int_equal(zeEventHostSynchronize(ze, UINT64_MAX), ZE_RESULT_SUCCESS);
    mez_event_destroy(&event);
}

static void test_a_lost_task_has_no_event_to_give(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_fail("zeCommandQueueExecuteCommandLists", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    ze_event_handle_t ze = (ze_event_handle_t)r;
    assert_condition(mez_event_get_ze(event, &ze), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_null(ze);
    noop_hold(false);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_story(mez_event_get_ze(event, &ze), MEZ_ERRC_EVENT, "its task failed");
    assert_null(ze);
    mez_event_destroy(&event);
}

static void test_wrong_parameters(void **state)
{
    application *app = *state;
    const pool pool = make_event(app);
    mez_event *event = (mez_event *)app;
    ze_event_handle_t ze;
    assert_story(
        mez_event_adopt(app->context, NULL, &event), MEZ_ERRC_INVALID_PARAMETER, "needs \"ze\"");
    assert_null(event);
    assert_condition(mez_event_adopt(NULL, pool.event, &event), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_event_adopt(app->context, pool.event, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_event_get_ze(NULL, &ze), MEZ_ERRC_INVALID_PARAMETER, "needs \"event\"");
    mez_alloc_fail_at(1);
    assert_story(
        mez_event_adopt(app->context, pool.event, &event), MEZ_ERRC_OUT_OF_HOST_MEMORY, "an event");
    mez_alloc_fail_at(0);
    assert_ok(mez_event_adopt(app->context, pool.event, &event));
    assert_condition(mez_event_get_ze(event, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_event_destroy(&event);
    destroy_event(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        APPLICATION_TEST(test_waiting_for_the_applications_event),
        APPLICATION_TEST(test_tasks_wait_for_the_applications_event),
        APPLICATION_TEST(test_an_adopted_event_outlives_its_context),
        RUNTIME_TEST(test_giving_out_hands_the_task_over),
        RUNTIME_TEST(test_a_lost_task_has_no_event_to_give),
        APPLICATION_TEST(test_wrong_parameters),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
