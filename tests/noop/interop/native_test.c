// SPDX-License-Identifier: MIT
//
// Native tasks: the calls that surround the user's commands on each kind of queue, and what is left when one fails.

#include "application.h"

#include <stdlib.h>

#define BARRIER "CommandListAppendBarrier "
#define COPY "CommandListAppendMemoryCopy "
#define CLOSE "CommandListClose "
#define EXECUTE "CommandQueueExecuteCommandLists "
#define RECYCLE "FenceHostSynchronize CommandListReset FenceReset "

// What the user's function does: one copy, then `result`.
typedef struct work {
    char to[16], from[16];
    ze_result_t result;
    int called;
    mez_queue *also; // submits a fill to it before
} work;

static ze_result_t append_copy(void *user, ze_command_list_handle_t list)
{
    work *w = user;
    const char zero = 0;
    w->called++;
    if (w->also)
        assert_ok(mez_fill(w->also, w->to, &zero, 1, sizeof w->to, NULL));
    assert_int_equal(
        zeCommandListAppendMemoryCopy(list, w->to, w->from, sizeof w->to, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
    return w->result;
}

// An in-order driver that really copies, with a queue of the kind.
static mez_queue *queue_of_kind(application *app, mez_queue_kind kind)
{
    // in order that kind has no immediate list
    const mez_queue_order order = kind == MEZ_QUEUE_BASIC ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER;
    struct noop_config config = noop_config_default();
    config.execute_copies = true;
    config.api_version = ZE_MAKE_VERSION(1, 7);
    noop_configure(&config);
    mez_context_destroy(&app->context); // made for the old configuration
    const mez_context_adopt_params params = all_of(app);
    assert_ok(mez_context_adopt(&params, &app->context));
    mez_queue *queue;
    assert_ok(mez_queue_create(
        app->context, &(const mez_queue_params){.kind = kind, .order = order}, &queue));
    return queue;
}

static void test_calls_on_a_batched_queue(void **state)
{
    mez_queue *queue = queue_of_kind(*state, MEZ_QUEUE_BATCHED);
    work w = {.from = "copied"};
    watch_calls();
    assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
    assert_string_equal(calls(), "CommandListCreate FenceCreate " BARRIER COPY CLOSE EXECUTE);
    assert_int_equal(w.called, 1);
    assert_string_equal(w.to, "copied");
    watch_calls();
    assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
    assert_string_equal(calls(), RECYCLE BARRIER COPY CLOSE EXECUTE);
    mez_queue_destroy(&queue);
}

// What waits in an open batch goes to the device first; the task behind has a barrier before it.
static void test_order_on_a_batched_queue(void **state)
{
    mez_queue *queue = queue_of_kind(*state, MEZ_QUEUE_BATCHED);
    work w = {.from = "copied"};
    const char zero = 0;
    noop_hold(true);
    assert_ok(mez_fill(queue, w.to, &zero, 1, sizeof w.to, NULL));
    assert_ok(mez_fill(queue, w.to, &zero, 1, sizeof w.to, NULL)); // in an open batch
    watch_calls();
    assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
    assert_string_equal(calls(), "FenceHostSynchronize CommandListCreate FenceCreate " BARRIER COPY
                                     CLOSE EXECUTE CLOSE EXECUTE);
    assert_string_equal(w.to, "copied"); // the fill went first
    watch_calls();
    assert_ok(mez_fill(queue, w.to, &zero, 1, sizeof w.to, NULL));
    assert_string_equal(calls(), "FenceHostSynchronize CommandListCreate FenceCreate " BARRIER
                                 "CommandListAppendMemoryFill ");
    noop_hold(false);
    mez_queue_destroy(&queue);
}

// gate on the immediate list, the side list, and the wait for it.
#define SIDE_LIST CLOSE BARRIER EXECUTE BARRIER

static void test_calls_on_immediate_queues(void **state)
{
    static const mez_queue_kind kinds[] = {MEZ_QUEUE_IMMEDIATE, MEZ_QUEUE_BASIC};
    for (size_t i = 0; i < 2; i++) {
        mez_queue *queue = queue_of_kind(*state, kinds[i]);
        work w = {.from = "copied"};
        assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
        assert_string_equal(w.to, "copied");
        assert_ok(mez_queue_wait(queue));
        watch_calls();
        assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
        assert_string_equal(
            calls(), RECYCLE "EventHostReset EventHostReset " BARRIER COPY BARRIER SIDE_LIST);
        mez_queue_destroy(&queue);
    }
}

// Out of order on several lists, barriers on both sides tie those that the side list does not touch.
static void test_several_lists(void **state)
{
    application *app = *state;
    mez_queue *in_order = queue_of_kind(app, MEZ_QUEUE_IMMEDIATE), *queue;
    assert_ok(mez_queue_create(app->context,
        &(const mez_queue_params){.kind = MEZ_QUEUE_IMMEDIATE, .order = MEZ_OUT_OF_ORDER}, &queue));
    work w = {.from = "copied"};
    const uint64_t before = noop_calls("zeCommandListAppendBarrier");
    assert_ok(mez_submit_native(in_order, append_copy, &w, NULL));
    const uint64_t of_side_list = noop_calls("zeCommandListAppendBarrier") - before;
    assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
    assert_int_equal(
        noop_calls("zeCommandListAppendBarrier") - before, 2 * of_side_list + 2 * (3 + 1 + 3));
    assert_string_equal(w.to, "copied");
    mez_queue_destroy(&in_order);
    mez_queue_destroy(&queue);
}

// A list whose task has not ended is not used again.
static void test_side_lists_in_flight(void **state)
{
    application *app = *state;
    mez_queue *queue = queue_of_kind(app, MEZ_QUEUE_BASIC);
    work w = {.from = "copied"};
    noop_hold(true);
    const int64_t before = noop_live(NOOP_COMMAND_LIST);
    for (int i = 1; i <= 5; i++) {
        assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
        assert_int_equal(noop_live(NOOP_COMMAND_LIST), before + i);
    }
    noop_hold(false);
    assert_ok(mez_queue_wait(queue));
    for (int i = 0; i < 5; i++)
        assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), before + 5);
    mez_queue_destroy(&queue);
}

static const mez_queue_kind all_kinds[] = {
    MEZ_QUEUE_BATCHED, MEZ_QUEUE_IMMEDIATE, MEZ_QUEUE_BASIC, MEZ_QUEUE_ADAPTIVE};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

static void test_events_and_waits(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        mez_queue *queue = queue_of_kind(*state, all_kinds[i]);
        mez_queue *other;
        application *app = *state;
        assert_ok(mez_queue_create(app->context, NULL, &other));
        work w = {.from = "copied"};
        mez_event *first, *second;
        noop_hold(true);
        assert_ok(mez_submit_native(other, append_copy, &w, MEZ_TASK(.event = &first)));
        assert_ok(mez_submit_native(queue, append_copy, &w,
            MEZ_TASK(.wait_for = &first, .wait_count = 1, .event = &second)));
        assert_condition(mez_event_wait_for(second, 0), MEZ_ERRC_TIMEOUT);
        noop_hold(false);
        assert_ok(mez_event_wait(second));
        mez_event_destroy(&first);
        mez_event_destroy(&second);
        mez_queue_destroy(&other);
        mez_queue_destroy(&queue);
    }
}

// No lock is held: the function may submit to the same queue, and that comes before.
static void test_submitting_from_inside(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        work w = {.from = "copied", .to = "old"};
        w.also = queue_of_kind(*state, all_kinds[i]);
        assert_ok(mez_submit_native(w.also, append_copy, &w, NULL));
        assert_string_equal(w.to, "copied");
        assert_ok(mez_queue_wait(w.also));
        mez_queue_destroy(&w.also);
    }
}

static void test_a_failing_function(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        mez_queue *queue = queue_of_kind(*state, all_kinds[i]);
        work w = {.from = "copied", .result = ZE_RESULT_ERROR_INVALID_SIZE};
        mez_event *event = (mez_event *)&w;
        const mez_error error = mez_submit_native(
            queue, append_copy, &w, MEZ_TASK(.event = &event, .debug_name = "by hand"));
        assert_int_equal(mez_error_get_category(error), MEZ_CATEGORY_LEVEL_ZERO);
        assert_int_equal(error.value, ZE_RESULT_ERROR_INVALID_SIZE);
        assert_contains(story_of(error), "the function of a native task failed");
        assert_contains(story_of(error), "by hand");
        assert_null(event);
        assert_int_equal(noop_calls("zeCommandQueueExecuteCommandLists"), 0);
        w.result = ZE_RESULT_SUCCESS; // and its list is fit for use again
        assert_ok(mez_submit_native(queue, append_copy, &w, NULL));
        assert_ok(mez_queue_wait(queue));
        assert_string_equal(w.to, "copied");
        mez_queue_destroy(&queue);
        noop_reset();
    }
}

static void test_wrong_parameters(void **state)
{
    mez_queue *queue = queue_of_kind(*state, MEZ_QUEUE_ANY);
    work w = {.from = "copied"};
    mez_event *none = NULL;
    assert_story(mez_submit_native(NULL, append_copy, &w, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"queue\"");
    assert_story(
        mez_submit_native(queue, NULL, &w, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"function\"");
    assert_condition(
        mez_submit_native(queue, append_copy, &w, MEZ_TASK(.wait_for = &none, .wait_count = 1)),
        MEZ_ERRC_EVENT);
    mez_queue_destroy(&queue);
}

// Appends without asserting that it goes well.
static ze_result_t append_anyway(void *user, ze_command_list_handle_t list)
{
    work *w = user;
    return zeCommandListAppendMemoryCopy(list, w->to, w->from, sizeof w->to, NULL, 0, NULL);
}

static mez_error submit_and_wait(mez_queue *queue, work *w)
{
    mez_event *event = NULL;
    mez_error error = mez_submit_native(queue, append_anyway, w, MEZ_TASK(.event = &event));
    if (!mez_failed(error))
        error = mez_event_wait(event);
    else
        assert_null(event);
    mez_event_destroy(&event);
    const mez_error rest = mez_queue_wait(queue);
    return mez_failed(error) ? error : rest;
}

// Whatever call fails, the error comes out, the next native task runs, and nothing is left over.
static void test_every_failing_call(void **state)
{
    for (int i = 0; i < KINDS; i++) {
        for (uint64_t n = 1, fired = 1; fired; n++) {
            mez_queue *queue = queue_of_kind(*state, all_kinds[i]);
            work w = {.from = "copied"};
            const uint64_t before = noop_fired();
            noop_fail(NULL, n, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
            const mez_error error = submit_and_wait(queue, &w);
            fired = noop_fired() - before;
            noop_reset();
            if (!fired)
                assert_ok(error);
            assert_ok(submit_and_wait(queue, &w));
            mez_queue_destroy(&queue);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        APPLICATION_TEST(test_calls_on_a_batched_queue),
        APPLICATION_TEST(test_order_on_a_batched_queue),
        APPLICATION_TEST(test_calls_on_immediate_queues),
        APPLICATION_TEST(test_several_lists),
        APPLICATION_TEST(test_side_lists_in_flight),
        APPLICATION_TEST(test_events_and_waits),
        APPLICATION_TEST(test_submitting_from_inside),
        APPLICATION_TEST(test_a_failing_function),
        APPLICATION_TEST(test_wrong_parameters),
        APPLICATION_TEST(test_every_failing_call),
    };
    return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}
