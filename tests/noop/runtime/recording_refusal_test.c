// SPDX-License-Identifier: MIT
//
// Recordings: what is refused, when, and in which words.

#include "recorded.h"

static void test_wrong_parameters(void **state)
{
    runtime *r = *state;
    mez_recording *recording = (mez_recording *)r;
    assert_story(mez_recording_create(NULL, NULL, &recording), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"context\"");
    assert_null(recording);
    assert_story(mez_recording_create(r->context, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"recording\"");
    const mez_recording_params params = {.order = (mez_queue_order)7};
    assert_story(mez_recording_create(r->context, &params, &recording), MEZ_ERRC_INVALID_PARAMETER,
        "recording order 7");
    mez_recording_destroy(&recording);
    mez_recording_destroy(NULL);

    recording = create_recording(r, MEZ_IN_ORDER);
    const int zero = 0;
    assert_condition(mez_record_copy(NULL, r->x, r->y, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_record_copy(recording, NULL, r->y, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_record_copy(recording, r->x, NULL, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_record_copy(recording, r->x, r->x, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "overlap");
    assert_condition(
        mez_record_fill(NULL, r->x, &zero, 4, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_record_fill(recording, NULL, &zero, 4, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(
        mez_record_fill(recording, r->x, NULL, 4, 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_record_fill(recording, r->x, &zero, 3, 3, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "power of two");
    assert_condition(
        mez_record_copy_2d(NULL, r->x, 8, r->y, 8, 4, 2, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_record_copy_2d(recording, NULL, 8, r->y, 8, 4, 2, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_record_copy_2d(recording, r->x, 8, NULL, 8, 4, 2, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_record_copy_2d(recording, r->x, 2, r->y, 8, 4, 2, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "pitch");
    const mez_copy_3d_params nowhere = {.from = r->x, .width = 4, .rows = 1, .slices = 1};
    assert_story(mez_record_copy_3d(recording, &nowhere, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "mez_copy_3d_params.to is NULL");
    assert_story(mez_record_copy_3d(recording, NULL, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"copy\"");
    assert_story(mez_record_copy_3d(NULL, &nowhere, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"recording\"");
    assert_story(
        mez_record_barrier(NULL, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"recording\"");
    assert_condition(mez_record_submit(NULL, r->nothing, MEZ_RANGE(4), NULL, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_record_submit(recording, NULL, MEZ_RANGE(4), NULL, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_record_submit(recording, r->nothing, NULL, NULL, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_replay(NULL, recording, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_replay(r->queue, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_recording_destroy(&recording);
}

// A launch is checked when it is recorded, and what was refused is not in the recording.
static void test_launches_are_checked_at_once(void **state)
{
    runtime *r = *state;
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    const double a = 2;
    const mez_error error = mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(a)), MEZ_TASK(.debug_name = "first"), NULL);
    assert_condition(error, MEZ_ERRC_KERNEL_ARGUMENT);
    assert_contains(story_of(error), "recording: \"steps\"");
    assert_contains(story_of(error), "kernel: \"saxpy\"");
    assert_contains(story_of(error), "task: \"first\"");
    assert_contains(story_of(error), "recording_refusal_test.c");
    assert_story(mez_record_submit(recording, r->nothing, MEZ_RANGE(0), NULL, NULL, NULL),
        MEZ_ERRC_ND_RANGE, "no work-items");
    uint32_t operation = 7;
    assert_ok(mez_record_submit(
        recording, r->nothing, MEZ_RANGE(4), NULL, MEZ_TASK(.cooperative = true), &operation));
    assert_int_equal(operation, 0);
    assert_ok(mez_record_barrier(recording, NULL, &operation));
    assert_int_equal(operation, 1);
    assert_ok(mez_replay(r->queue, recording, NULL));
    assert_int_equal(noop_calls("zeCommandListAppendLaunchCooperativeKernel"), 1);
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), 0);
    mez_recording_destroy(&recording);
}

static void test_operations_have_no_events(void **state)
{
    runtime *r = *state;
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    mez_event *event = NULL;
    const mez_task_params gives = {.event = &event};
    const mez_task_params waits = {.wait_for = &event, .wait_count = 1};
    const char *words = "the replay does";
    assert_story(mez_record_copy(recording, r->x, r->y, 4, &gives, NULL), MEZ_ERRC_EVENT, words);
    assert_story(mez_record_barrier(recording, &waits, NULL), MEZ_ERRC_EVENT, words);
    assert_story(mez_record_submit(recording, r->nothing, MEZ_RANGE(4), NULL, &gives, NULL),
        MEZ_ERRC_EVENT, words);
    mez_recording_destroy(&recording);
}

static void test_changes_are_checked(void **state)
{
    runtime *r = *state;
    mez_recording *recording = create_recording(r, MEZ_IN_ORDER);
    record_saxpy(r, recording);
    record_copy(r, recording);
    const float a = 3;
    const double d = 3;
    const mez_arg right = MEZ_VAL(a), too_large = MEZ_VAL(d), pointer = MEZ_PTR(r->x);
    assert_story(mez_recording_set_argument(NULL, 0, 0, &right), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"recording\"");
    assert_condition(mez_recording_set_argument(recording, 0, 0, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_recording_set_argument(recording, 2, 0, &right), MEZ_ERRC_INVALID_PARAMETER,
        "there are 2");
    assert_story(mez_recording_set_argument(recording, 1, 0, &right), MEZ_ERRC_INVALID_PARAMETER,
        "not the launch");
    assert_story(mez_recording_set_argument(recording, 0, 3, &right), MEZ_ERRC_KERNEL_ARGUMENT,
        "argument 3 does not exist");
    assert_story(mez_recording_set_argument(recording, 0, 0, &too_large), MEZ_ERRC_KERNEL_ARGUMENT,
        "recording: \"steps\"");
    assert_condition(
        mez_recording_set_argument(recording, 0, 0, &pointer), MEZ_ERRC_KERNEL_ARGUMENT);
    assert_condition(mez_recording_set_range(NULL, 0, MEZ_RANGE(4)), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_recording_set_range(recording, 0, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_recording_set_range(recording, 1, MEZ_RANGE(4)), MEZ_ERRC_INVALID_PARAMETER,
        "not the launch");
    assert_story(
        mez_recording_set_range(recording, 0, MEZ_RANGE(0)), MEZ_ERRC_ND_RANGE, "no work-items");
    assert_ok(mez_recording_set_argument(recording, 0, 0, &right));
    assert_ok(mez_replay(r->queue, recording, NULL)); // and is as it was
    mez_recording_destroy(&recording);
}

static void test_strangers(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.devices = 2;
    noop_reset();
    noop_configure(&config);
    mez_context *contexts[2];
    mez_queue *queues[2];
    mez_recording *recording;
    for (int i = 0; i < 2; i++)
        assert_ok(mez_context_create(NULL, &contexts[i]));
    const mez_queue_params second = {.device = mez_context_get_device(contexts[0], 1)};
    assert_ok(mez_queue_create(contexts[0], &second, &queues[0]));
    assert_ok(mez_queue_create(contexts[1], NULL, &queues[1]));
    assert_ok(mez_recording_create(contexts[0], NULL, &recording));
    mez_kernel *kernel = load_kernel(contexts[1], "kernels.spv", "nothing");
    assert_story(mez_record_submit(recording, kernel, MEZ_RANGE(4), NULL, NULL, NULL),
        MEZ_ERRC_INVALID_PARAMETER, "another context");
    assert_story(
        mez_replay(queues[0], recording, NULL), MEZ_ERRC_INVALID_PARAMETER, "is for device");
    assert_story(
        mez_replay(queues[1], recording, NULL), MEZ_ERRC_INVALID_PARAMETER, "another context");
    const mez_recording_params foreign = {.device = mez_context_get_device(contexts[1], 0)};
    mez_recording *none;
    assert_condition(
        mez_recording_create(contexts[0], &foreign, &none), MEZ_ERRC_INVALID_PARAMETER);
    mez_kernel_destroy(&kernel);
    mez_recording_destroy(&recording);
    for (int i = 0; i < 2; i++) {
        mez_queue_destroy(&queues[i]);
        mez_context_destroy(&contexts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_wrong_parameters),
        RUNTIME_TEST(test_launches_are_checked_at_once),
        RUNTIME_TEST(test_operations_have_no_events),
        RUNTIME_TEST(test_changes_are_checked),
        cmocka_unit_test_setup_teardown(test_strangers, driver_setup, driver_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
