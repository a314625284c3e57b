// SPDX-License-Identifier: MIT
//
// The errors that all ways to submit or record a task share: each call is refused as its header says, and the story says why.

#include "tasks.h"

#include "base/alloc.h"

static void test_events_that_are_none(void **state)
{
    tasks *t = *state;
    mez_event *none = NULL;
    const mez_task_params *task = MEZ_TASK(.wait_for = &none, .wait_count = 1);
    const char *words = "event 0 to wait for is NULL";
    assert_story_of(mez_submit, submit(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_launch_submit, submit_launch(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_submit_native, submit_appended(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_copy, copy(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_fill, fill(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_copy_2d, copy_2d(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_copy_3d, copy_3d(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_prefetch, prefetch(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_advise, advise(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_barrier, barrier(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_marker, marker(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_host_task, host_task(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_replay, replay(t, task), MEZ_ERRC_EVENT, words);
}

static void test_recorded_operations_have_no_events(void **state)
{
    tasks *t = *state;
    mez_event *event;
    const mez_task_params *task = MEZ_TASK(.event = &event);
    const char *words = "the replay does";
    assert_story_of(mez_record_submit, record_submit(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_record_copy, record_copy(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_record_fill, record_fill(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_record_copy_2d, record_copy_2d(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_record_copy_3d, record_copy_3d(t, task), MEZ_ERRC_EVENT, words);
    assert_story_of(mez_record_barrier, record_barrier(t, task), MEZ_ERRC_EVENT, words);
}

typedef mez_error way(tasks *t, const mez_task_params *task);

// The driver has no room for what the task needs.
static mez_error without_device_memory(tasks *t, way *submit_one, const char *call)
{
    mez_event *event = NULL;
    noop_fail(call, 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const mez_error error = submit_one(t, MEZ_TASK(.event = &event));
    assert_null(event);
    return error;
}

static void test_no_device_memory(void **state)
{
    tasks *t = *state;
    const char *launch = "zeCommandListAppendLaunchKernel";
    const char *fills = "zeCommandListAppendMemoryFill";
    const char *regions = "zeCommandListAppendMemoryCopyRegion";
    const char *prefetches = "zeCommandListAppendMemoryPrefetch";
    const char *advises = "zeCommandListAppendMemAdvise";
    const char *copies = "zeCommandListAppendMemoryCopy";
    const char *lists = "zeCommandListCreate";
    assert_story_of(
        mez_submit, without_device_memory(t, submit, launch), MEZ_ERRC_MEMORY_ALLOCATION, launch);
    assert_story_of(mez_launch_submit, without_device_memory(t, submit_launch, launch),
        MEZ_ERRC_MEMORY_ALLOCATION, launch);
    assert_story_of(mez_submit_native, without_device_memory(t, submit_appended, lists),
        MEZ_ERRC_MEMORY_ALLOCATION, lists);
    assert_story_of(
        mez_copy, without_device_memory(t, copy, copies), MEZ_ERRC_MEMORY_ALLOCATION, copies);
    assert_story_of(
        mez_fill, without_device_memory(t, fill, fills), MEZ_ERRC_MEMORY_ALLOCATION, fills);
    assert_story_of(mez_copy_2d, without_device_memory(t, copy_2d, regions),
        MEZ_ERRC_MEMORY_ALLOCATION, regions);
    assert_story_of(mez_copy_3d, without_device_memory(t, copy_3d, regions),
        MEZ_ERRC_MEMORY_ALLOCATION, regions);
    assert_story_of(mez_prefetch, without_device_memory(t, prefetch, prefetches),
        MEZ_ERRC_MEMORY_ALLOCATION, prefetches);
    assert_story_of(
        mez_advise, without_device_memory(t, advise, advises), MEZ_ERRC_MEMORY_ALLOCATION, advises);
    assert_story_of(
        mez_replay, without_device_memory(t, replay, lists), MEZ_ERRC_MEMORY_ALLOCATION, lists);
}

static mez_error without_host_memory(tasks *t, way *submit_one)
{
    mez_event *event = NULL;
    mez_alloc_fail_at(1);
    const mez_error error = submit_one(t, MEZ_TASK(.event = &event));
    mez_alloc_fail_at(0);
    assert_null(event);
    return error;
}

// A recording of its own, as one that has grown has room for more.
static mez_error record_without_memory(tasks *t, way *record)
{
    tasks fresh = {.r = t->r};
    assert_ok(mez_recording_create(t->r->context, NULL, &fresh.recording));
    mez_alloc_fail_at(1);
    const mez_error error = record(&fresh, NULL);
    mez_alloc_fail_at(0);
    mez_recording_destroy(&fresh.recording);
    return error;
}

// Each task asks for an event, and the queue has none yet.
static void test_no_host_memory(void **state)
{
    tasks *t = *state;
    const char *events = "no host memory for events";
    const char *recordings = "no host memory for a recording";
    assert_story_of(
        mez_submit, without_host_memory(t, submit), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(mez_launch_submit, without_host_memory(t, submit_launch),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(mez_submit_native, without_host_memory(t, submit_appended),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "for a batch of tasks");
    assert_story_of(mez_copy, without_host_memory(t, copy), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(mez_fill, without_host_memory(t, fill), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_copy_2d, without_host_memory(t, copy_2d), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_copy_3d, without_host_memory(t, copy_3d), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_prefetch, without_host_memory(t, prefetch), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_advise, without_host_memory(t, advise), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_barrier, without_host_memory(t, barrier), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_marker, without_host_memory(t, marker), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(
        mez_host_task, without_host_memory(t, host_task), MEZ_ERRC_OUT_OF_HOST_MEMORY, events);
    assert_story_of(mez_replay, without_host_memory(t, replay), MEZ_ERRC_OUT_OF_HOST_MEMORY,
        "for a recorded list");
    assert_story_of(mez_record_submit, record_without_memory(t, record_submit),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "for a kernel");
    assert_story_of(mez_record_copy, record_without_memory(t, record_copy),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, recordings);
    assert_story_of(mez_record_fill, record_without_memory(t, record_fill),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, recordings);
    assert_story_of(mez_record_copy_2d, record_without_memory(t, record_copy_2d),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, recordings);
    assert_story_of(mez_record_copy_3d, record_without_memory(t, record_copy_3d),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, recordings);
    assert_story_of(mez_record_barrier, record_without_memory(t, record_barrier),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, recordings);
}

static void test_a_lost_device(void **state)
{
    tasks *t = *state;
    const char *cause = "zeCommandListAppendLaunchKernel";
    noop_fail(cause, 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story_of(mez_submit, submit(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_launch_submit, submit_launch(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_submit_native, submit_appended(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_copy, copy(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_fill, fill(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_copy_2d, copy_2d(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_copy_3d, copy_3d(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_prefetch, prefetch(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_advise, advise(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_barrier, barrier(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_replay, replay(t, NULL), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story_of(mez_queue_wait, mez_queue_wait(t->r->queue), MEZ_ERRC_DEVICE_LOST, cause);
    assert_story(mez_queue_wait_for(t->r->queue, 0), MEZ_ERRC_DEVICE_LOST, cause);
}

static void lose_the_device(void *user)
{
    noop_fail("zeCommandListAppendLaunchKernel", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    submit(user, NULL);
}

static void expect_refused(mez_queue *queue, tasks *t)
{
    const char *cause = "zeCommandListAppendLaunchKernel";
    assert_story(mez_copy(queue, t->r->x, t->r->y, COUNT, NULL), MEZ_ERRC_DEVICE_LOST, cause);
}

// Of the lost device's context; one of them is created when it has been lost, another holds tasks then.
static void test_other_queues_of_a_lost_device(void **state)
{
    tasks *t = *state;
    mez_queue *before, *holding, *after;
    assert_ok(mez_queue_create(t->r->context, NULL, &before));
    assert_ok(mez_queue_create(t->r->context, NULL, &holding));
    assert_ok(mez_copy(before, t->r->x, t->r->y, COUNT, NULL));
    assert_ok(mez_host_task(holding, lose_the_device, t, NULL));
    assert_condition(mez_queue_wait(holding), MEZ_ERRC_DEVICE_LOST);
    assert_ok(mez_queue_create(t->r->context, NULL, &after));
    expect_refused(before, t);
    expect_refused(holding, t);
    expect_refused(after, t);
    mez_queue_destroy(&before);
    mez_queue_destroy(&holding);
    mez_queue_destroy(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TASKS_TEST(test_events_that_are_none),
        TASKS_TEST(test_recorded_operations_have_no_events),
        TASKS_TEST(test_no_device_memory),
        TASKS_TEST(test_no_host_memory),
        TASKS_TEST(test_a_lost_device),
        TASKS_TEST(test_other_queues_of_a_lost_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
