// SPDX-License-Identifier: MIT
//
// What waits and queries of events return: failed asserts, tasks that never ran, lost devices, waits that would never end.

#include "runtime.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"

#define RECORD "__SYCL_AssertHappenedMem"

// --- A failed assert

typedef struct asserting {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    int *memory;
} asserting;

static mez_error launch(asserting *a, mez_event **event)
{
    return mez_submit(a->queue, a->kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(a->memory)),
        event ? MEZ_TASK(.event = event) : NULL);
}

// A program that goes on behind failed asserts. The first run makes the record.
static int open_asserting(void **state)
{
    static asserting a;
    const struct noop_config config = linking_config();
    noop_reset();
    noop_configure(&config);
    assert_ok(mez_context_create(
        &(mez_context_params){.asserts = {.policy = MEZ_ASSERT_ERROR}}, &a.context));
    const mez_queue_params params = {.profiling = true};
    assert_ok(mez_queue_create(a.context, &params, &a.queue));
    a.kernel = load_kernel(a.context, "asserts.spv", "checked");
    a.memory = mez_alloc_shared(a.context, COUNT * sizeof *a.memory, NULL);
    assert_ok(launch(&a, NULL));
    assert_ok(mez_queue_wait(a.queue));
    *state = &a;
    return 0;
}

static int close_asserting(void **state)
{
    asserting *a = *state;
    mez_queue_destroy(&a->queue);
    mez_kernel_destroy(&a->kernel);
    assert_ok(mez_free(a->context, a->memory));
    mez_context_destroy(&a->context);
    return driver_teardown(state);
}

// What the device would write.
static void fail_assert(void)
{
    mez_assert_record *record = noop_global(RECORD);
    strcpy(record->expression, "y[i] < limit");
    strcpy(record->file, "saxpy.cl");
    strcpy(record->function, "saxpy");
    record->line = 7;
    record->serial++;
    record->flag = 2;
}

static void test_failed_asserts(void **state)
{
    asserting *a = *state;
    mez_event *event;
    mez_event_profile profile;
    const char *words = "Assertion `y[i] < limit` failed";
    fail_assert();
    assert_ok(launch(a, NULL));
    assert_story(mez_queue_wait(a->queue), MEZ_ERRC_ASSERT, words);
    fail_assert();
    assert_ok(launch(a, NULL));
    assert_story(mez_queue_wait_for(a->queue, MEZ_FOREVER), MEZ_ERRC_ASSERT, words);
    fail_assert();
    assert_ok(launch(a, &event));
    assert_story(mez_event_wait(event), MEZ_ERRC_ASSERT, words);
    assert_story(mez_event_wait_for(event, 0), MEZ_ERRC_ASSERT, words);
    assert_story(mez_event_get_status(event), MEZ_ERRC_ASSERT, words); // it keeps its outcome
    assert_story(mez_event_get_profile(event, &profile), MEZ_ERRC_ASSERT, words);
    assert_story(mez_events_wait_all(&event, 1), MEZ_ERRC_ASSERT, words);
    assert_story(mez_events_wait_all_for(&event, 1, 0), MEZ_ERRC_ASSERT, words);
    assert_story(mez_events_wait_any(&event, 1, NULL), MEZ_ERRC_ASSERT, words);
    assert_story(mez_events_wait_any_for(&event, 1, 0, NULL), MEZ_ERRC_ASSERT, words);
    mez_event_destroy(&event);
}

// Of three queues with copies of the record the last one has an older failure, which the first has reported.
static void test_late_copies(void **state)
{
    asserting *a = *state;
    mez_queue *queues[] = {a->queue, NULL, NULL};
    noop_hold(true);
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            assert_ok(mez_queue_create(a->context, NULL, &queues[i]));
        fail_assert();
        if (i == 2)
            ((mez_assert_record *)noop_global(RECORD))->serial -= 2;
        assert_ok(
            mez_submit(queues[i], a->kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(a->memory)), NULL));
        assert_ok(mez_queue_flush(queues[i]));
    }
    noop_hold(false);
    assert_condition(mez_queue_wait(queues[0]), MEZ_ERRC_ASSERT);
    assert_condition(mez_queue_wait(queues[1]), MEZ_ERRC_ASSERT);
    assert_ok(mez_queue_wait(queues[2]));
    mez_queue_destroy(&queues[1]);
    mez_queue_destroy(&queues[2]);
}

// --- A task that never ran

static atomic_bool gate;

static void pass_gate(void *user)
{
    (void)user;
    while (!atomic_load(&gate))
        sched_yield();
}

static void do_nothing(void *user)
{
    (void)user;
}

// A host task of the queue, and behind it a launch, wait for a launch behind a gate, which the driver will refuse.
static void refuse_what_they_wait_for(runtime *r, mez_queue *queue, mez_event *never[2])
{
    mez_event *refused;
    atomic_store(&gate, false);
    assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &refused)));
    const mez_task_params host = {.wait_for = &refused, .wait_count = 1, .event = &never[0]};
    const mez_task_params launch = {.wait_for = &refused, .wait_count = 1, .event = &never[1]};
    assert_ok(mez_host_task(queue, do_nothing, NULL, &host));
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, &launch));
    noop_fail("zeCommandListAppendLaunchKernel", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    atomic_store(&gate, true);
    assert_condition(mez_queue_wait(r->queue), MEZ_ERRC_MEMORY_ALLOCATION);
    mez_event_destroy(&refused);
}

static void test_tasks_that_never_ran(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    mez_event *never[2];
    mez_event_profile profile;
    size_t index;
    const char *words = "a task that it waits for failed", *launch = "its task failed";
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.profiling = true}, &queue));
    refuse_what_they_wait_for(r, queue, never);
    assert_story(mez_queue_wait_for(queue, MEZ_FOREVER), MEZ_ERRC_EVENT, words);
    assert_story(mez_event_get_status(never[0]), MEZ_ERRC_EVENT, words);
    assert_story(mez_event_get_profile(never[1], &profile), MEZ_ERRC_EVENT, launch);
    assert_story(mez_events_wait_all(never, 2), MEZ_ERRC_EVENT, words);
    assert_story(mez_event_wait_for(never[1], 0), MEZ_ERRC_EVENT, launch);
    assert_story(mez_events_wait_all_for(&never[1], 1, 0), MEZ_ERRC_EVENT, launch);
    assert_story(mez_events_wait_any(never, 2, &index), MEZ_ERRC_EVENT, words);
    assert_int_equal(index, 0);
    assert_story(mez_events_wait_any_for(&never[1], 1, 0, &index), MEZ_ERRC_EVENT, launch);
    assert_int_equal(index, 0);
    mez_event_destroy(&never[0]);
    mez_event_destroy(&never[1]);
    mez_queue_destroy(&queue);
}

// --- A lost device

static void expect_loss(mez_event **event)
{
    const char *words = "zeEventHostSynchronize";
    assert_story(mez_event_wait_for(*event, 0), MEZ_ERRC_DEVICE_LOST, words);
    assert_story(mez_events_wait_all(event, 1), MEZ_ERRC_DEVICE_LOST, words);
    assert_story(mez_events_wait_all_for(event, 1, 0), MEZ_ERRC_DEVICE_LOST, words);
    assert_story(mez_events_wait_any(event, 1, NULL), MEZ_ERRC_DEVICE_LOST, words);
    assert_story(mez_events_wait_any_for(event, 1, 0, NULL), MEZ_ERRC_DEVICE_LOST, words);
}

static void test_lost_devices(void **state)
{
    runtime *r = *state;
    mez_event *event;
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(mez_queue_flush(r->queue));
    noop_fail_every("zeEventHostSynchronize", ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story(mez_event_get_status(event), MEZ_ERRC_DEVICE_LOST, "zeEventHostSynchronize");
    expect_loss(&event);
    noop_hold(false);
    mez_event_destroy(&event);
}

// --- Events that the program signals

static void test_signalling(void **state)
{
    runtime *r = *state;
    mez_event *event = (mez_event *)r, *of_task;
    const mez_user_event_params newer = {.reserved = {0, 1}};
    assert_story(
        mez_user_event_create(NULL, NULL, &event), MEZ_ERRC_INVALID_PARAMETER, "needs \"context\"");
    assert_null(event);
    assert_story(mez_user_event_create(r->context, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"event\"");
    assert_story(mez_user_event_create(r->context, &newer, &event), MEZ_ERRC_INVALID_PARAMETER,
        "reserved is not zero");
    mez_alloc_fail_at(1);
    assert_story(mez_user_event_create(r->context, NULL, &event), MEZ_ERRC_OUT_OF_HOST_MEMORY,
        "for an event");
    mez_alloc_fail_at(0);
    assert_null(event);
    assert_ok(mez_user_event_create(r->context, NULL, &event));
    assert_ok(mez_user_event_signal(event, mez_ok()));
    assert_story(mez_user_event_signal(event, mez_ok()), MEZ_ERRC_WRONG_STATE, "signalled already");
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &of_task)));
    assert_story(mez_user_event_signal(of_task, mez_ok()), MEZ_ERRC_EVENT, "this one is a task's");
    assert_story(
        mez_user_event_signal(NULL, mez_ok()), MEZ_ERRC_INVALID_PARAMETER, "needs \"event\"");
    mez_event_destroy(&of_task);
    mez_event_destroy(&event);
}

// Errors that would say to waits that nothing has happened yet, or to tasks that they may run.
static mez_event *create_reply(runtime *r, mez_event **behind)
{
    mez_event *event;
    assert_ok(
        mez_user_event_create(r->context, &(mez_user_event_params){.debug_name = "reply"}, &event));
    assert_ok(submit_nothing(r, MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = behind)));
    return event;
}

static void check_outcome(runtime *r, mez_event *event, mez_event *behind, const char *name)
{
    assert_story(mez_event_wait(behind), MEZ_ERRC_EVENT, "event 0 to wait for has failed");
    const mez_error late = submit_nothing(r, MEZ_TASK(.wait_for = &event, .wait_count = 1));
    assert_story(late, MEZ_ERRC_EVENT, "event 0 to wait for has failed");
    assert_story(late, MEZ_ERRC_EVENT, "its outcome: MEZ_ERRC_EVENT");
    assert_story(mez_event_wait_for(event, 0), MEZ_ERRC_EVENT, "user event \"reply\", created at");
    assert_story(mez_event_get_status(event), MEZ_ERRC_EVENT, name);
    assert_story(
        mez_user_event_signal(event, mez_ok()), MEZ_ERRC_WRONG_STATE, "\"reply\", created");
    mez_error_ignore(mez_queue_wait(r->queue)); // the task's error, which has been seen
    mez_event_destroy(&behind);
    mez_event_destroy(&event);
}

static void test_outcomes_of_another_sense(void **state)
{
    runtime *r = *state;
    mez_event *behind, *event = create_reply(r, &behind);
    assert_ok(mez_user_event_signal(event, mez_error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_TIMEOUT)));
    check_outcome(r, event, behind, "MEZ_ERRC_TIMEOUT");
    event = create_reply(r, &behind);
    assert_ok(mez_user_event_signal(event, mez_error_of(MEZ_CATEGORY_DEVICE, MEZ_ERRC_NOT_READY)));
    check_outcome(r, event, behind, "MEZ_ERRC_NOT_READY");
    event = create_reply(r, &behind);
    assert_ok(mez_user_event_signal(event, mez_error_of(MEZ_CATEGORY_DEVICE, MEZ_ERRC_ASSERT)));
    check_outcome(r, event, behind, "MEZ_ERRC_ASSERT");
}

static void test_outcomes_of_host_tasks(void **state)
{
    runtime *r = *state;
    mez_event *event, *behind;
    assert_ok(mez_user_event_create(r->context, NULL, &event));
    assert_ok(mez_host_task(r->queue, pass_gate, NULL,
        MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = &behind)));
    assert_ok(mez_user_event_signal(event, mez_error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_FILE)));
    const mez_error error = mez_event_wait(behind);
    assert_story(
        error, MEZ_ERRC_EVENT, "a task was not run, because an event that it waits for has failed");
    assert_story(error, MEZ_ERRC_EVENT, "its outcome: MEZ_ERRC_FILE");
    mez_error_ignore(mez_queue_wait(r->queue)); // the task's error, which has been seen
    mez_event_destroy(&behind);
    mez_event_destroy(&event);
}

// --- Lists that can't be waited for

static void test_wrong_lists(void **state)
{
    runtime *r = *state;
    mez_event *events[2] = {NULL};
    size_t index = 7;
    const char *words = "event 1 of 2 is NULL";
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &events[0])));
    assert_story(mez_events_wait_all(events, 2), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_story(mez_events_wait_all_for(events, 2, 0), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_story(mez_events_wait_any(events, 2, &index), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_int_equal(index, 2);
    assert_story(mez_events_wait_any_for(events, 2, 0, NULL), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_story(mez_events_wait_all(NULL, 1), MEZ_ERRC_INVALID_PARAMETER, "needs \"events\"");
    assert_story(
        mez_events_wait_any(NULL, 1, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"events\"");
    assert_story(mez_events_wait_any(events, 0, &index), MEZ_ERRC_INVALID_PARAMETER, "of none");
    assert_int_equal(index, 0);
    assert_ok(mez_events_wait_all(NULL, 0));
    assert_story(mez_events_wait_all_for(events, 1, 0), MEZ_ERRC_TIMEOUT, "time limit passed");
    assert_story(
        mez_events_wait_any_for(events, 1, 0, NULL), MEZ_ERRC_TIMEOUT, "time limit passed");
    noop_hold(false);
    mez_event_destroy(&events[0]);
}

// --- Waits that would never end

typedef struct self {
    mez_queue *queue;
    mez_event *behind;
    mez_error of_queue, of_event, of_both, of_event_for;
    mez_error of_all, of_all_for, of_any, of_any_for;
} self;

static void wait_for_what_comes_next(void *user)
{
    self *my = user;
    my->of_queue = mez_error_retain(mez_queue_wait(my->queue));
    my->of_both = mez_error_retain(mez_queue_wait_for(my->queue, MEZ_FOREVER));
    my->of_event = mez_error_retain(mez_event_wait(my->behind));
    my->of_event_for = mez_error_retain(mez_event_wait_for(my->behind, MEZ_FOREVER));
    my->of_all = mez_error_retain(mez_events_wait_all(&my->behind, 1));
    my->of_all_for = mez_error_retain(mez_events_wait_all_for(&my->behind, 1, MEZ_FOREVER));
    my->of_any = mez_error_retain(mez_events_wait_any(&my->behind, 1, NULL));
    my->of_any_for = mez_error_retain(mez_events_wait_any_for(&my->behind, 1, MEZ_FOREVER, NULL));
}

static void expect_refusals(const self *my)
{
    const char *words = "the wait would never end";
    assert_story_of(mez_events_wait_all, my->of_all, MEZ_ERRC_WRONG_STATE, words);
    assert_story_of(mez_events_wait_all_for, my->of_all_for, MEZ_ERRC_WRONG_STATE, words);
    assert_story_of(mez_events_wait_any, my->of_any, MEZ_ERRC_WRONG_STATE, words);
    assert_story_of(mez_events_wait_any_for, my->of_any_for, MEZ_ERRC_WRONG_STATE, words);
    const char *place = "waits_test.c:";
    assert_story(my->of_all, MEZ_ERRC_WRONG_STATE, place);
    assert_story(my->of_all_for, MEZ_ERRC_WRONG_STATE, place);
    assert_story(my->of_any, MEZ_ERRC_WRONG_STATE, place);
    assert_story(my->of_any_for, MEZ_ERRC_WRONG_STATE, place);
    mez_error_release(my->of_all);
    mez_error_release(my->of_all_for);
    mez_error_release(my->of_any);
    mez_error_release(my->of_any_for);
}

static void test_waits_for_itself(void **state)
{
    runtime *r = *state;
    self my = {.queue = r->queue};
    const char *words = "the wait would never end";
    atomic_store(&gate, false);
    assert_ok(mez_host_task(r->queue, pass_gate, NULL, NULL));
    assert_ok(mez_host_task(r->queue, wait_for_what_comes_next, &my, NULL));
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &my.behind)));
    atomic_store(&gate, true);
    assert_ok(mez_queue_wait(r->queue));
    assert_story_of(mez_queue_wait, my.of_queue, MEZ_ERRC_WRONG_STATE, words);
    assert_story_of(mez_queue_wait_for, my.of_both, MEZ_ERRC_WRONG_STATE, words);
    assert_story_of(mez_event_wait, my.of_event, MEZ_ERRC_WRONG_STATE, words);
    assert_story_of(mez_event_wait_for, my.of_event_for, MEZ_ERRC_WRONG_STATE, words);
    expect_refusals(&my);
    mez_error_release(my.of_queue);
    mez_error_release(my.of_both);
    mez_error_release(my.of_event);
    mez_error_release(my.of_event_for);
    mez_event_destroy(&my.behind);
}

// --- Batches that can't be handed over

// Four launches, and then the first two of them again: the same list is expected to do, until somebody wants these two alone.
static void begin_again(mez_queue *queue, mez_launch *launch)
{
    for (int i = 0; i < 4; i++)
        assert_ok(mez_launch_submit(launch, NULL));
    assert_ok(mez_queue_wait(queue));
    for (int i = 0; i < 2; i++)
        assert_ok(mez_launch_submit(launch, NULL));
    mez_alloc_fail_at(1);
}

static void test_no_memory_for_a_batch(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    mez_launch *launch;
    const char *words = "a batch of tasks";
    setenv("MEZ_BATCH", "4", 1);
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &queue));
    unsetenv("MEZ_BATCH");
    assert_ok(mez_launch_create(queue, r->nothing, MEZ_RANGE(COUNT), NULL, &launch));
    begin_again(queue, launch);
    assert_story(mez_queue_wait(queue), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    begin_again(queue, launch);
    assert_story(mez_queue_wait_for(queue, MEZ_FOREVER), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    begin_again(queue, launch);
    assert_story(mez_queue_flush(queue), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    mez_alloc_fail_at(0);
    mez_launch_destroy(&launch);
    mez_queue_destroy(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_failed_asserts, open_asserting, close_asserting),
        cmocka_unit_test_setup_teardown(test_late_copies, open_asserting, close_asserting),
        RUNTIME_TEST(test_tasks_that_never_ran),
        RUNTIME_TEST(test_lost_devices),
        RUNTIME_TEST(test_signalling),
        RUNTIME_TEST(test_outcomes_of_another_sense),
        RUNTIME_TEST(test_outcomes_of_host_tasks),
        RUNTIME_TEST(test_wrong_lists),
        RUNTIME_TEST(test_waits_for_itself),
        RUNTIME_TEST(test_no_memory_for_a_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
