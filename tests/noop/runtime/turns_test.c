// SPDX-License-Identifier: MIT
//
// Launches whose arguments take turns: a queue gets a use of the kernel for each set of arguments, so that nothing is set again. And
// launches that wait for events, signal rare sorts of them, or are out of order: they make one call each.

#include "runtime.h"

#define LAUNCH "CommandListAppendLaunchKernel "
#define SET "KernelSetArgumentValue "

static mez_error submit_with(runtime *r, float a, float *x, float *y)
{
    return mez_submit(
        r->queue, r->saxpy, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL);
}

static void launch_in_turn(runtime *r, int count)
{
    for (int i = 0; i < count; i++)
        assert_ok(submit_with(r, 2, i % 2 ? r->x : r->y, i % 2 ? r->y : r->x));
}

static void test_pointers_in_turn_are_set_no_more(void **state)
{
    runtime *r = *state;
    launch_in_turn(r, 40);
    watch_calls();
    launch_in_turn(r, 4);
    assert_string_equal(calls(), LAUNCH LAUNCH LAUNCH LAUNCH);
    assert_ok(mez_queue_wait(r->queue));
}

// On a queue that collects, batches go on repeating.
static void test_batches_of_turns_repeat(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 100; i++) {
        launch_in_turn(r, 16);
        assert_ok(mez_queue_wait(r->queue));
    }
    watch_calls();
    launch_in_turn(r, 16);
    assert_ok(mez_queue_wait(r->queue));
    assert_null(strstr(calls(), LAUNCH));
    assert_null(strstr(calls(), SET));
}

// Whatever comes, each launch has its own arguments.
static void test_other_orders_are_right(void **state)
{
    runtime *r = *state;
    launch_in_turn(r, 40);
    watch_calls();
    assert_ok(submit_with(r, 2, r->y, r->x));
    assert_ok(submit_with(r, 2, r->y, r->x)); // the other one was expected
    assert_ok(submit_with(r, 2, r->y, r->x));
    assert_ok(submit_with(r, 2, r->x, r->y));
    assert_string_equal(calls(), LAUNCH LAUNCH LAUNCH LAUNCH);
    watch_calls();
    assert_ok(submit_with(r, 3, r->x, r->y)); // neither: one of them is changed
    assert_contains(calls(), SET);
    watch_calls();
    assert_ok(submit_with(r, 3, r->x, r->y));
    assert_string_equal(calls(), LAUNCH);
    assert_ok(mez_queue_wait(r->queue));
}

// An allocation makes all pointers doubtful, those of both variants.
static void test_allocations_set_both_again(void **state)
{
    runtime *r = *state;
    mez_error error;
    launch_in_turn(r, 40);
    void *memory = mez_alloc_device(r->context, (size_t)8 << 20, &error);
    assert_ok(error);
    watch_calls();
    launch_in_turn(r, 2);
    assert_string_equal(calls(), SET SET LAUNCH SET SET LAUNCH);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_free(r->context, memory));
}

// Another argument is new each time, so that no variant is ever the same: they are given up, and the kernel has one again.
static void test_useless_variants_are_given_up(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 1000; i++)
        assert_ok(submit_with(r, (float)i, i % 2 ? r->x : r->y, r->y));
    const uint32_t made = noop_calls("zeKernelCreate");
    for (int i = 0; i < 1000; i++)
        assert_ok(submit_with(r, (float)i, i % 2 ? r->x : r->y, r->y));
    assert_int_equal(noop_calls("zeKernelCreate"), made);
    assert_ok(mez_queue_wait(r->queue));
}

static void test_a_variant_that_can_not_be_made(void **state)
{
    runtime *r = *state;
    noop_fail("zeKernelCreate", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    launch_in_turn(r, 40); // is logged, and all goes on
    assert_ok(mez_queue_wait(r->queue));
}

static void test_kernel_destroyed_with_variants(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    launch_in_turn(r, 40);
    mez_kernel_destroy(&r->saxpy);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
}

// --- One call each

static void test_launches_behind_events_are_one_call(void **state)
{
    runtime *r = *state;
    mez_queue *other;
    mez_event *event;
    assert_ok(mez_queue_create(r->context, NULL, &other));
    assert_ok(submit_with(r, 2, r->x, r->y));
    noop_hold(true);
    assert_ok(mez_barrier(other, MEZ_TASK(.event = &event)));
    assert_ok(
        submit_saxpy(r, MEZ_TASK(.wait_for = &event, .wait_count = 1))); // makes room for events
    watch_calls();
    assert_ok(submit_saxpy(r, MEZ_TASK(.wait_for = &event, .wait_count = 1)));
    assert_string_equal(calls(), LAUNCH);
    noop_hold(false);
    assert_ok(mez_queue_wait(other));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&event);
    mez_queue_destroy(&other);
}

static void test_device_events_come_from_a_cache(void **state)
{
    runtime *r = *state;
    mez_event *event;
    for (int i = 0; i < 100; i++) {
        assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event, .device_event = true)));
        assert_ok(mez_queue_wait(r->queue));
        mez_event_destroy(&event);
    }
    watch_calls();
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event, .device_event = true)));
    assert_string_equal(calls(), LAUNCH);
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&event);
}

// What the direct way can't do takes the long one, with the errors of that.
static void test_wrong_tasks_take_the_long_way(void **state)
{
    runtime *r = *state;
    mez_event *none = NULL, *event = (mez_event *)r;
    assert_condition(submit_saxpy(r, MEZ_TASK(.event = &event, .wait_for = &none, .wait_count = 1)),
        MEZ_ERRC_EVENT);
    assert_null(event);
    assert_condition(submit_saxpy(r, MEZ_TASK(.wait_count = 1)), MEZ_ERRC_EVENT);
}

static void test_a_queue_out_of_order_takes_its_lists_in_turn(void **state)
{
    runtime *r = *state;
    mez_queue *ordered = r->queue;
    assert_ok(
        mez_queue_create(r->context, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER}, &r->queue));
    assert_ok(submit_saxpy(r, NULL));
    watch_calls();
    for (int i = 0; i < 5; i++)
        assert_ok(submit_saxpy(r, NULL));
    assert_string_equal(calls(), LAUNCH LAUNCH LAUNCH LAUNCH LAUNCH);
    assert_ok(mez_queue_wait(r->queue));
    mez_queue_destroy(&r->queue);
    r->queue = ordered;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_ORDER_TEST(test_pointers_in_turn_are_set_no_more),
        RUNTIME_TEST(test_batches_of_turns_repeat),
        IN_ORDER_TEST(test_other_orders_are_right),
        IN_ORDER_TEST(test_allocations_set_both_again),
        IN_ORDER_TEST(test_useless_variants_are_given_up),
        RUNTIME_TEST(test_useless_variants_are_given_up),
        IN_ORDER_TEST(test_a_variant_that_can_not_be_made),
        IN_ORDER_TEST(test_kernel_destroyed_with_variants),
        IN_ORDER_TEST(test_launches_behind_events_are_one_call),
        IN_ORDER_TEST(test_device_events_come_from_a_cache),
        IN_ORDER_TEST(test_wrong_tasks_take_the_long_way),
        IN_ORDER_TEST(test_a_queue_out_of_order_takes_its_lists_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
