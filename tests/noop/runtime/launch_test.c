// SPDX-License-Identifier: MIT
//
// Prepared launches: what is set once, what is set again, and what outlives what.

#include "runtime.h"

#include <pthread.h>

#include <mezzanine/level_zero.h>

#define LAUNCH "CommandListAppendLaunchKernel "
#define SET "KernelSetArgumentValue "

static const float factor = 2;

static mez_error prepare(runtime *r, mez_launch **launch)
{
    const mez_args *args = MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(r->x), MEZ_PTR(r->y));
    return mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(COUNT), args, launch);
}

static void test_a_submission_is_an_append(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(prepare(r, &launch));
    watch_calls();
    for (int i = 0; i < 3; i++)
        assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), LAUNCH LAUNCH LAUNCH);
    mez_launch_destroy(&launch);
    assert_null(launch);
}

static void test_without_arguments(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(mez_launch_create(r->queue, r->nothing, MEZ_RANGE(COUNT), NULL, &launch));
    watch_calls();
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), LAUNCH);
    mez_launch_destroy(&launch);
}

// On any kind of queue; here on a batched one.
static void test_on_a_batched_queue(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    const float changed = 3;
    assert_ok(prepare(r, &launch));
    assert_ok(mez_launch_submit(launch, NULL));
    watch_calls();
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(
        calls(), "FenceHostSynchronize FenceReset CommandQueueExecuteCommandLists ");
    assert_ok(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(factor)))); // to what it is
    watch_calls();
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(
        calls(), "FenceHostSynchronize FenceReset CommandQueueExecuteCommandLists ");
    assert_ok(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(changed))));
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_launch_submit(launch, MEZ_TASK(.debug_name = "with an argument set again")));
    assert_contains(calls(), LAUNCH);
    mez_launch_destroy(&launch);
}

// Neither other prepared launches of the kernel nor plain ones change what is set.
static void test_others_set_nothing_on_it(void **state)
{
    runtime *r = *state;
    mez_launch *first, *second;
    const float other = 3;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(other), MEZ_PTR(r->y), MEZ_PTR(r->x));
    assert_ok(prepare(r, &first));
    assert_ok(mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(8), args, &second));
    assert_ok(mez_submit(r->queue, r->saxpy, MEZ_RANGE(4), args, NULL));
    watch_calls();
    for (int i = 0; i < 2; i++) {
        assert_ok(mez_launch_submit(first, NULL));
        assert_ok(mez_submit(r->queue, r->saxpy, MEZ_RANGE(4), args, NULL));
        assert_ok(mez_launch_submit(second, NULL));
    }
    assert_string_equal(calls(), LAUNCH LAUNCH LAUNCH LAUNCH LAUNCH LAUNCH);
    mez_launch_destroy(&first);
    mez_launch_destroy(&second);
}

static void test_changed_arguments_are_set(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    float changed = 3;
    assert_ok(prepare(r, &launch));
    watch_calls();
    assert_ok(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(changed))));
    assert_ok(mez_launch_set_argument(launch, 1, MEZ_ARG(MEZ_PTR(r->y))));
    assert_ok(mez_launch_set_argument(launch, 1, MEZ_ARG(MEZ_PTR(r->y)))); // no change
    assert_string_equal(calls(), SET SET);
    changed = 0; // it was copied
    assert_ok(mez_launch_submit(launch, NULL));
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), SET SET LAUNCH LAUNCH);
    mez_launch_destroy(&launch);
}

static void test_wrong_changes(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    const double too_long = 1;
    assert_ok(prepare(r, &launch));
    watch_calls();
    assert_story(mez_launch_set_argument(launch, 3, MEZ_ARG(MEZ_VAL(factor))),
        MEZ_ERRC_KERNEL_ARGUMENT, "argument 3 of a kernel that has 3");
    assert_story(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(too_long))),
        MEZ_ERRC_KERNEL_ARGUMENT, "has 8 bytes, but had 4");
    assert_story(mez_launch_set_argument(launch, 1, MEZ_ARG(MEZ_VAL(factor))),
        MEZ_ERRC_KERNEL_ARGUMENT,
        "argument 1 is of another kind than when the launch was prepared: it was a pointer");
    assert_story(
        mez_launch_set_argument(launch, 0, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"argument\"");
    assert_condition(
        mez_launch_set_argument(NULL, 0, MEZ_ARG(MEZ_VAL(factor))), MEZ_ERRC_INVALID_PARAMETER);
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), LAUNCH); // as it was
    mez_launch_destroy(&launch);
}

// The driver may have taken part of it: the old argument is set again before the next launch.
static void test_a_change_that_the_driver_refuses(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    const float changed = 3;
    assert_ok(prepare(r, &launch));
    noop_fail("zeKernelSetArgumentValue", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_story(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(changed))), MEZ_ERRC_UNKNOWN,
        "zeKernelSetArgumentValue");
    watch_calls();
    assert_ok(mez_launch_submit(launch, NULL));
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), SET LAUNCH LAUNCH);
    mez_launch_destroy(&launch);
}

// An address may be another allocation than it was.
static void test_pointers_are_set_again_after_allocations(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(prepare(r, &launch));
    void *memory = mez_alloc_shared(r->context, 1 << 20, NULL);
    assert_non_null(memory);
    watch_calls();
    assert_ok(mez_launch_submit(launch, NULL));
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), SET SET LAUNCH LAUNCH);
    assert_ok(mez_free(r->context, memory));
    mez_launch_destroy(&launch);
}

// The user allocates in the Level Zero context without our knowledge.
static void test_pointers_are_set_always_where_the_user_allocates(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(prepare(r, &launch));
    assert_ok(mez_launch_submit(launch, NULL));
    assert_non_null(mez_context_get_ze(r->context));
    assert_ok(mez_launch_submit(launch, NULL));
    watch_calls();
    assert_ok(mez_launch_submit(launch, NULL));
    assert_string_equal(calls(), SET SET LAUNCH);
    mez_launch_destroy(&launch);
}

static void test_events_of_it_and_for_it(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    mez_queue *other;
    mez_event *first = NULL, *second = NULL;
    assert_ok(prepare(r, &launch));
    assert_ok(mez_queue_create(r->context, NULL, &other));
    noop_hold(true);
    assert_ok(mez_launch_submit(launch, MEZ_TASK(.event = &first)));
    assert_condition(mez_event_get_status(first), MEZ_ERRC_NOT_READY);
    assert_ok(mez_barrier(other, MEZ_TASK(.event = &second)));
    assert_ok(mez_launch_submit(launch, MEZ_TASK(.wait_for = &second, .wait_count = 1)));
    noop_hold(false);
    assert_ok(mez_event_wait(first));
    mez_event_destroy(&first);
    mez_event_destroy(&second);
    mez_launch_destroy(&launch);
    mez_queue_destroy(&other);
}

static void test_an_append_that_fails(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    mez_event *event = (mez_event *)r;
    assert_ok(prepare(r, &launch));
    for (int i = 0; i < 2; i++) {
        const mez_task_params *task =
            i == 0 ? NULL : MEZ_TASK(.event = &event, .debug_name = "step");
        noop_fail("zeCommandListAppendLaunchKernel", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        const mez_error error = mez_launch_submit(launch, task);
        assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
        assert_contains(story_of(error), "kernel: \"saxpy\"");
        assert_contains(story_of(error), "launch_test.c");
    }
    assert_null(event);
    assert_ok(mez_launch_submit(launch, NULL));
    mez_launch_destroy(&launch);
}

static mez_context_statistics statistics(runtime *r)
{
    mez_context_statistics numbers;
    mez_context_get_statistics(r->context, &numbers);
    return numbers;
}

// The Level Zero kernel lives as long as tasks of it run, and serves the next launch then.
static void test_destroyed_in_flight(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(prepare(r, &launch));
    assert_int_equal(statistics(r).launches, 1);
    noop_hold(true);
    assert_ok(mez_launch_submit(launch, NULL));
    mez_launch_destroy(&launch);
    assert_int_equal(statistics(r).launches, 0);
    assert_ok(prepare(r, &launch)); // of its own: the other is in use
    const int64_t kernels = noop_live(NOOP_KERNEL);
    mez_launch_destroy(&launch);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    mez_launch *again[2];
    assert_ok(prepare(r, &again[0]));
    assert_ok(prepare(r, &again[1]));
    assert_int_equal(noop_live(NOOP_KERNEL), kernels);
    mez_launch_destroy(&again[0]);
    mez_launch_destroy(&again[1]);
}

// With the user's last reference of the kernel gone, too.
static void test_everything_destroyed_in_flight(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(prepare(r, &launch));
    noop_hold(true);
    assert_ok(mez_launch_submit(launch, NULL));
    const int64_t kernels = noop_live(NOOP_KERNEL);
    mez_kernel_destroy(&r->saxpy);
    mez_launch_destroy(&launch);
    assert_int_equal(noop_live(NOOP_KERNEL), kernels);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_true(noop_live(NOOP_KERNEL) < kernels);
}

static void wait_for_the_door(void *door)
{
    pthread_mutex_lock(door);
    pthread_mutex_unlock(door);
}

// Behind a host task the runtime holds the launch, which may be gone when its turn comes.
static void test_destroyed_while_held(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    mez_event *event;
    pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
    noop_count_exactly(true);
    assert_ok(prepare(r, &launch));
    assert_ok(mez_launch_submit(launch, NULL));
    pthread_mutex_lock(&door);
    assert_ok(mez_host_task(r->queue, wait_for_the_door, &door, NULL));
    const uint64_t launches = noop_launches();
    assert_ok(mez_launch_submit(launch, MEZ_TASK(.event = &event)));
    assert_ok(mez_launch_submit(launch, NULL));
    mez_launch_destroy(&launch);
    assert_int_equal(noop_launches(), launches);
    pthread_mutex_unlock(&door);
    assert_ok(mez_event_wait(event));
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_launches(), launches + 2);
    mez_event_destroy(&event);
    assert_int_equal(statistics(r).events, 0);
}

static void test_after_its_queue(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    mez_event *event = (mez_event *)r;
    assert_ok(prepare(r, &launch));
    assert_ok(mez_launch_submit(launch, NULL));
    mez_queue_destroy(&r->queue);
    assert_story(mez_launch_submit(launch, NULL), MEZ_ERRC_WRONG_STATE, "has been destroyed");
    assert_condition(mez_launch_submit(launch, MEZ_TASK(.event = &event)), MEZ_ERRC_WRONG_STATE);
    assert_null(event);
    assert_story(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(factor))), MEZ_ERRC_WRONG_STATE,
        "has been destroyed");
    mez_launch_destroy(&launch);
}

static void test_wrong_launches(void **state)
{
    runtime *r = *state;
    mez_launch *launch = (mez_launch *)r;
    const mez_args *few = MEZ_ARGS(MEZ_VAL(factor));
    const mez_args *args = MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(r->x), MEZ_PTR(r->y));
    assert_story(mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(COUNT), few, &launch),
        MEZ_ERRC_KERNEL_ARGUMENT, "1 argument was given, ");
    assert_null(launch);
    assert_story(mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(0), args, &launch),
        MEZ_ERRC_ND_RANGE, "\"saxpy\"");
    assert_condition(
        mez_launch_create(NULL, r->saxpy, MEZ_RANGE(1), args, &launch), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_launch_create(r->queue, NULL, MEZ_RANGE(1), args, &launch), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_launch_create(r->queue, r->saxpy, NULL, args, &launch), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(1), args, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    mez_event *event = (mez_event *)r;
    assert_condition(
        mez_launch_submit(NULL, MEZ_TASK(.event = &event)), MEZ_ERRC_INVALID_PARAMETER);
    assert_null(event);
    assert_story(mez_launch_submit(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"launch\"");
    assert_int_equal(statistics(r).launches, 0);
    mez_launch_destroy(&launch);
    mez_launch_destroy(NULL);
}

static void test_a_kernel_of_another_context(void **state)
{
    runtime *r = *state;
    mez_context *other;
    mez_launch *launch;
    assert_ok(mez_context_create(NULL, &other));
    mez_kernel *kernel = load_kernel(other, "kernels.spv", "nothing");
    assert_story(mez_launch_create(r->queue, kernel, MEZ_RANGE(1), NULL, &launch),
        MEZ_ERRC_INVALID_PARAMETER, "another context");
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&other);
}

// Each submission is followed by what brings the assert's record to the host.
static void test_a_kernel_that_can_assert(void **state)
{
    runtime *r = *state;
    mez_kernel *checked = load_kernel(r->context, "asserts.spv", "checked");
    mez_launch *launch;
    assert_ok(
        mez_launch_create(r->queue, checked, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(r->x)), &launch));
    assert_ok(mez_launch_submit(launch, NULL));
    assert_ok(mez_queue_wait(r->queue));
    const uint64_t copies = noop_calls("zeCommandListAppendMemoryCopy");
    assert_true(copies > 0);
    assert_ok(mez_launch_submit(launch, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 2 * copies);
    mez_launch_destroy(&launch);
    mez_kernel_destroy(&checked);
}

static char warning[1024];

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)level, (void)topic;
    if (strstr(message, "prepared launch"))
        snprintf(warning, sizeof warning, "%s", message);
}

static void test_a_forgotten_one_is_named(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    assert_ok(prepare(r, &launch));
    mez_queue_destroy(&r->queue);
    mez_kernel_destroy(&r->nothing);
    mez_kernel_destroy(&r->saxpy);
    assert_ok(mez_free(r->context, r->x));
    assert_ok(mez_free(r->context, r->y));
    warning[0] = '\0';
    mez_log_set_function(hear, NULL);
    mez_context_destroy(&r->context);
    mez_log_set_function(NULL, NULL);
    assert_contains(warning, "\"saxpy\" is still alive, created at");
    assert_contains(warning, "launch_test.c");
    mez_launch_destroy(&launch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ORDER_TEST(test_a_submission_is_an_append),
        IN_ORDER_TEST(test_without_arguments),
        RUNTIME_TEST(test_on_a_batched_queue),
        IN_ORDER_TEST(test_others_set_nothing_on_it),
        IN_ORDER_TEST(test_changed_arguments_are_set),
        IN_ORDER_TEST(test_wrong_changes),
        IN_ORDER_TEST(test_a_change_that_the_driver_refuses),
        IN_ORDER_TEST(test_pointers_are_set_again_after_allocations),
        IN_ORDER_TEST(test_pointers_are_set_always_where_the_user_allocates),
        IN_ORDER_TEST(test_events_of_it_and_for_it),
        RUNTIME_TEST(test_events_of_it_and_for_it),
        IN_ORDER_TEST(test_an_append_that_fails),
        IN_ORDER_TEST(test_destroyed_in_flight),
        RUNTIME_TEST(test_destroyed_in_flight),
        IN_ORDER_TEST(test_everything_destroyed_in_flight),
        IN_ORDER_TEST(test_destroyed_while_held),
        RUNTIME_TEST(test_destroyed_while_held),
        IN_ORDER_TEST(test_after_its_queue),
        IN_ORDER_TEST(test_wrong_launches),
        IN_ORDER_TEST(test_a_kernel_of_another_context),
        cmocka_unit_test_setup_teardown(
            test_a_kernel_that_can_assert, runtime_setup_in_order_linking, runtime_teardown),
        IN_ORDER_TEST(test_a_forgotten_one_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
