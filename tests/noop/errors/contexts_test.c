// SPDX-License-Identifier: MIT
//
// Contexts, queues and recordings that can't be created. This program chooses its drivers by Mezzanine's own variables, as a user
// without ZE_ENABLE_ALT_DRIVERS does, with the no-op driver in the CPU driver's place.

#include "runtime.h"

#include <stdlib.h>

#include <mezzanine/level_zero.h>

#include "base/alloc.h"

// The first of all tests: nobody has opened Level Zero yet.
static void test_adopting_without_level_zero(void **state)
{
    (void)state;
    mez_context *context = NULL;
    int handle;
    const mez_context_adopt_params params = {
        .ze_driver = (ze_driver_handle_t)&handle, .ze_context = (ze_context_handle_t)&handle};
    assert_story(mez_context_adopt(&params, &context), MEZ_ERRC_WRONG_STATE,
        "no Level Zero loader is open in this process");
    assert_null(context);
    mez_alloc_fail_at(1);
    assert_story(mez_context_adopt(&params, &context), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a context");
    mez_alloc_fail_at(0);
    assert_null(context);
}

static void test_devices_that_nobody_has(void **state)
{
    (void)state;
    mez_context *context;
    const mez_context_params params = {.device = "nonsense"};
    assert_story(
        mez_context_create(&params, &context), MEZ_ERRC_PLATFORM, "no device fits \"nonsense\"");
    assert_null(context);
}

static void test_another_set_of_drivers(void **state)
{
    (void)state;
    mez_context *first, *second;
    const mez_context_params gpu = {.device = "gpu"};
    assert_ok(mez_context_create(NULL, &first));
    unsetenv("MEZ_DRIVERS");
    assert_story(mez_context_create(&gpu, &second), MEZ_ERRC_WRONG_STATE, "MEZ_DRIVERS=gpu,cpu");
    assert_null(second);
    mez_context_destroy(&first);
}

static void test_no_host_memory(void **state)
{
    (void)state;
    mez_context *context;
    mez_queue *queue;
    mez_recording *recording;
    mez_alloc_fail_at(1);
    assert_story(mez_context_create(NULL, &context), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a context");
    mez_alloc_fail_at(0);
    assert_null(context);
    assert_ok(mez_context_create(NULL, &context));
    mez_alloc_fail_at(1);
    assert_story(mez_queue_create(context, NULL, &queue), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a queue");
    assert_null(queue);
    mez_alloc_fail_at(1);
    assert_story(mez_recording_create(context, NULL, &recording), MEZ_ERRC_OUT_OF_HOST_MEMORY,
        "a recording");
    mez_alloc_fail_at(0);
    assert_null(recording);
    mez_context_destroy(&context);
}

static void test_what_the_driver_says_to_a_queue(void **state)
{
    (void)state;
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    const char *call = "zeCommandQueueCreate";
    noop_fail(call, 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_story(mez_queue_create(context, NULL, &queue), MEZ_ERRC_MEMORY_ALLOCATION, call);
    noop_fail(call, 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story(mez_queue_create(context, NULL, &queue), MEZ_ERRC_DEVICE_LOST, call);
    assert_null(queue);
    mez_context_destroy(&context);
}

#define CONTEXT_TEST(name) cmocka_unit_test_setup_teardown(name, driver_setup, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(test_adopting_without_level_zero),
        CONTEXT_TEST(test_devices_that_nobody_has),
        CONTEXT_TEST(test_another_set_of_drivers),
        CONTEXT_TEST(test_no_host_memory),
        CONTEXT_TEST(test_what_the_driver_says_to_a_queue),
    };
    unsetenv("ZE_ENABLE_ALT_DRIVERS");
    unsetenv("MEZ_DEVICE");
    setenv("MEZ_DRIVERS", "cpu", 1);
    setenv("MEZ_CPU_DRIVER", getenv("MEZ_TEST_DRIVER"), 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
