// SPDX-License-Identifier: MIT
//
// What an engine or a device can't do, and launches whose arguments are none.

#include "runtime.h"

#include "base/alloc.h"

static void test_an_engine_that_only_copies(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    mez_launch *launch;
    mez_recording *recording;
    const mez_queue_params params = {.engine = MEZ_ENGINE_COPY};
    const char *words = "runs no kernels";
    assert_ok(mez_queue_create(r->context, &params, &queue));
    assert_story(mez_submit(queue, r->nothing, MEZ_RANGE(1), NULL, NULL),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, words);
    assert_story(mez_launch_create(queue, r->nothing, MEZ_RANGE(1), NULL, &launch),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, words);
    assert_null(launch);
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    assert_story(mez_replay(queue, recording, NULL), MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "recordings need the compute engine");
    mez_recording_destroy(&recording);
    mez_queue_destroy(&queue);
}

// A context on a device that has been taken something away from.
static mez_context *open_context(
    ze_command_queue_group_property_flags_t without, size_t max_fill_pattern)
{
    struct noop_config config = noop_config_default();
    mez_context *context;
    config.queue_groups[0].flags &= ~without;
    config.queue_groups[0].max_fill_pattern = max_fill_pattern;
    noop_reset();
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &context));
    return context;
}

static void test_work_groups_that_cant_run_together(void **state)
{
    (void)state;
    mez_context *context =
        open_context(ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS, 8);
    mez_queue *queue;
    mez_launch *launch;
    mez_recording *recording;
    const char *words = "has no cooperative launches";
    const mez_task_params *together = MEZ_TASK(.cooperative = true);
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_ok(mez_queue_create(context, NULL, &queue));
    assert_ok(mez_launch_create(queue, kernel, MEZ_RANGE(1), NULL, &launch));
    assert_ok(mez_recording_create(context, NULL, &recording));
    assert_story(mez_launch_submit(launch, together), MEZ_ERRC_FEATURE_NOT_SUPPORTED, words);
    assert_story(mez_record_submit(recording, kernel, MEZ_RANGE(1), NULL, together, NULL),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, words);
    mez_recording_destroy(&recording);
    mez_launch_destroy(&launch);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
}

// Of a prepared launch it shows only when it is submitted.
static void test_more_work_groups_than_run_together(void **state)
{
    runtime *r = *state;
    mez_launch *launch;
    const mez_range *many = MEZ_ND_RANGE(MEZ_SIZE(65), MEZ_SIZE(1));
    assert_ok(mez_launch_create(r->queue, r->nothing, many, NULL, &launch));
    assert_story(mez_launch_submit(launch, MEZ_TASK(.cooperative = true)), MEZ_ERRC_ND_RANGE,
        "runs at most 64 of this kernel");
    assert_ok(mez_launch_submit(launch, NULL));
    mez_launch_destroy(&launch);
}

static void test_patterns_that_the_device_does_not_take(void **state)
{
    (void)state;
    mez_context *context = open_context(0, 4);
    mez_recording *recording;
    float memory[4];
    assert_ok(mez_recording_create(context, NULL, &recording));
    assert_story(mez_record_fill(recording, memory, "pattern", 8, sizeof memory, NULL, NULL),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, "takes at most 4");
    mez_recording_destroy(&recording);
    mez_context_destroy(&context);
}

static void test_recorded_launches(void **state)
{
    runtime *r = *state;
    mez_recording *recording;
    uint32_t operation;
    const float factor = 2;
    const mez_arg changed = MEZ_VAL(factor);
    const mez_args *args = MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(r->x), MEZ_PTR(r->y));
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    assert_story(mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), NULL, NULL, NULL),
        MEZ_ERRC_KERNEL_ARGUMENT, "the kernel declares 3");
    assert_ok(mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), args, NULL, &operation));
    mez_alloc_fail_at(1);
    assert_story(mez_recording_set_argument(recording, operation, 0, &changed),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "a kernel's arguments");
    mez_alloc_fail_at(1);
    assert_story(mez_recording_set_range(recording, operation, MEZ_RANGE(8)),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "a command to keep");
    mez_alloc_fail_at(0);
    assert_ok(mez_replay(r->queue, recording, NULL)); // is as it was
    mez_recording_destroy(&recording);
}

static void do_nothing(void *user)
{
    (void)user;
}

static void test_tasks_of_no_queue(void **state)
{
    runtime *r = *state;
    assert_story(mez_marker(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"queue\"");
    assert_story(
        mez_host_task(NULL, do_nothing, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"queue\"");
    assert_story(mez_host_task(r->queue, NULL, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER,
        "needs \"function\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_an_engine_that_only_copies),
        cmocka_unit_test_teardown(test_work_groups_that_cant_run_together, driver_teardown),
        RUNTIME_TEST(test_more_work_groups_than_run_together),
        cmocka_unit_test_teardown(test_patterns_that_the_device_does_not_take, driver_teardown),
        RUNTIME_TEST(test_recorded_launches),
        RUNTIME_TEST(test_tasks_of_no_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
