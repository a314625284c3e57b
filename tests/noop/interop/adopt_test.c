// SPDX-License-Identifier: MIT
//
// Contexts made of the application's handles: what is asked of the driver, and that nothing adopted is destroyed.

#include "application.h"

#include "base/alloc.h"
#include "context/context.h"

static void test_handles_are_the_applications(void **state)
{
    application *app = *state;
    assert_ptr_equal(mez_context_get_ze(app->context), app->ze);
    assert_ptr_equal(mez_context_get_ze_driver(app->context), app->driver);
    assert_int_equal(mez_context_get_device_count(app->context), 1);
    assert_ptr_equal(mez_device_get_ze(mez_context_get_device(app->context, 0)), app->device);
}

static void test_handles_of_nothing(void **state)
{
    (void)state;
    assert_null(mez_context_get_ze(NULL));
    assert_null(mez_context_get_ze_driver(NULL));
    assert_null(mez_device_get_ze(NULL));
}

// A context of our own gives out what it made.
static void test_handles_of_our_own_context(void **state)
{
    (void)state;
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    void *memory;
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_context_handle_t ze = mez_context_get_ze(context);
    assert_int_equal(zeMemAllocHost(ze, &description, 64, 64, &memory), ZE_RESULT_SUCCESS);
    assert_int_equal(zeMemFree(ze, memory), ZE_RESULT_SUCCESS);
    mez_context_destroy(&context);
}

static void test_adopting_creates_and_destroys_no_context(void **state)
{
    (void)state;
    application app;
    application_open(&app);
    const mez_context_adopt_params params = all_of(&app);
    assert_ok(mez_context_adopt(&params, &app.context));
    mez_context_destroy(&app.context);
    assert_int_equal(noop_calls("zeContextCreate"), 1);
    assert_int_equal(noop_calls("zeContextDestroy"), 0);
    assert_int_equal(noop_live(NOOP_CONTEXT), 1);
    application_close(&app);
}

static void test_owning_destroys_the_context(void **state)
{
    (void)state;
    application app;
    application_open(&app);
    mez_context_adopt_params params = all_of(&app);
    params.owns = true;
    assert_ok(mez_context_adopt(&params, &app.context));
    mez_queue *queue;
    assert_ok(mez_queue_create(app.context, NULL, &queue));
    mez_context_destroy(&app.context);
    assert_int_equal(noop_calls("zeContextDestroy"), 0); // the queue needs it
    mez_queue_destroy(&queue);
    assert_int_equal(noop_calls("zeContextDestroy"), 1);
}

static void test_several_contexts_of_one(void **state)
{
    application *app = *state;
    mez_context *second;
    const mez_context_adopt_params params = all_of(app);
    assert_ok(mez_context_adopt(&params, &second));
    mez_context_destroy(&app->context);
    mez_queue *queue;
    assert_ok(mez_queue_create(second, NULL, &queue));
    mez_queue_destroy(&queue);
    mez_context_destroy(&second);
}

static void test_all_devices_in_the_drivers_order(void **state)
{
    (void)state;
    application app;
    application_open(&app);
    struct noop_config config = noop_config_default();
    config.devices = 3;
    noop_configure(&config);
    ze_device_handle_t devices[3];
    uint32_t count = 3;
    assert_int_equal(zeDeviceGet(app.driver, &count, devices), ZE_RESULT_SUCCESS);

    const mez_context_adopt_params all = {.ze_driver = app.driver, .ze_context = app.ze};
    assert_ok(mez_context_adopt(&all, &app.context));
    assert_int_equal(mez_context_get_device_count(app.context), 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_ptr_equal(mez_device_get_ze(mez_context_get_device(app.context, i)), devices[i]);
    mez_context_destroy(&app.context);

    const ze_device_handle_t backwards[] = {devices[2], devices[0]};
    mez_context_adopt_params two = all;
    two.ze_devices = backwards;
    two.ze_device_count = 2;
    assert_ok(mez_context_adopt(&two, &app.context));
    assert_int_equal(mez_context_get_device_count(app.context), 2);
    assert_ptr_equal(mez_device_get_ze(mez_context_get_device(app.context, 0)), devices[2]);
    mez_context_destroy(&app.context);
    application_close(&app);
}

static void expect_refusal(
    application *app, const mez_context_adopt_params *params, const char *words)
{
    mez_context *context = app->context;
    assert_story(mez_context_adopt(params, &context), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_null(context);
}

static void test_wrong_parameters(void **state)
{
    application *app = *state;
    const mez_context_adopt_params right = all_of(app);
    assert_condition(mez_context_adopt(&right, NULL), MEZ_ERRC_INVALID_PARAMETER);
    expect_refusal(app, NULL, "params");
    mez_context_adopt_params wrong = right;
    wrong.ze_driver = NULL;
    expect_refusal(app, &wrong, "ze_driver");
    wrong = right;
    wrong.ze_context = NULL;
    expect_refusal(app, &wrong, "ze_context");
    wrong = right;
    wrong.ze_devices = NULL;
    expect_refusal(app, &wrong, "ze_devices");
    const ze_device_handle_t none[] = {app->device, NULL};
    wrong = right;
    wrong.ze_devices = none;
    wrong.ze_device_count = 2;
    expect_refusal(app, &wrong, "device 1 to adopt is NULL");
    wrong = right;
    wrong.ze_driver = (ze_driver_handle_t)app; // its own, not the loader's
    expect_refusal(app, &wrong, "none of the 1 that the Level Zero loader reports");
}

static void test_a_driver_without_devices(void **state)
{
    (void)state;
    application app;
    application_open(&app);
    struct noop_config config = noop_config_default();
    config.devices = 0;
    noop_configure(&config);
    const mez_context_adopt_params all = {.ze_driver = app.driver, .ze_context = app.ze};
    assert_story(mez_context_adopt(&all, &app.context), MEZ_ERRC_PLATFORM, "reports no device");
    application_close(&app);
}

// Whatever call fails, the application's context stays, though it was to be owned.
static void test_every_failing_call(void **state)
{
    application *app = *state;
    const mez_context_adopt_params params = {
        .ze_driver = app->driver, .ze_context = app->ze, .owns = true};
    const uint64_t before = noop_calls("zeContextDestroy");
    for (uint64_t n = 1;; n++) {
        const uint64_t fired = noop_fired();
        mez_context *context;
        noop_fail(NULL, n, ZE_RESULT_ERROR_DEVICE_LOST);
        const mez_error error = mez_context_adopt(&params, &context);
        assert_int_equal(noop_calls("zeContextDestroy"), before);
        if (!mez_failed(error)) { // past the last call, or of no consequence
            context->platform.borrows_ze = true;
            mez_context_destroy(&context);
        } else {
            assert_null(context);
            assert_condition(error, MEZ_ERRC_DEVICE_LOST);
        }
        if (noop_fired() == fired) {
            assert_true(n > 5);
            noop_reset();
            return;
        }
    }
}

static void test_no_memory(void **state)
{
    application *app = *state;
    const mez_context_adopt_params params = {
        .ze_driver = app->driver, .ze_context = app->ze, .owns = true};
    mez_alloc_fail_at(0);
    for (uint64_t n = 1;; n++) {
        mez_context *context;
        mez_alloc_fail_at(n);
        const mez_error error = mez_context_adopt(&params, &context);
        const uint64_t tried = mez_alloc_fail_at(0);
        if (mez_failed(error)) {
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
            assert_null(context);
        } else {
            context->platform.borrows_ze = true;
            mez_context_destroy(&context);
        }
        if (tried < n) {
            assert_true(n > 4);
            return;
        }
    }
}

// An address that the application freed may be another allocation of its own at the next launch.
static void test_pointers_are_set_with_every_launch(void **state)
{
    application *app = *state;
    mez_queue *queue;
    mez_kernel *saxpy = load_kernel(app->context, "kernels.spv", "saxpy");
    assert_ok(mez_queue_create(app->context, NULL, &queue));
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *x;
    assert_int_equal(zeMemAllocHost(app->ze, &description, 1024, 64, &x), ZE_RESULT_SUCCESS);
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(x));
    assert_ok(mez_submit(queue, saxpy, MEZ_RANGE(COUNT), args, NULL));
    assert_int_equal(noop_calls("zeKernelSetArgumentValue"), 3);
    assert_ok(mez_submit(queue, saxpy, MEZ_RANGE(COUNT), args, NULL));
    assert_int_equal(noop_calls("zeKernelSetArgumentValue"), 5);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&saxpy);
    assert_int_equal(zeMemFree(app->ze, x), ZE_RESULT_SUCCESS);
}

// In a context of our own they are, once its handle has been given out.
static void test_pointers_after_the_handle_was_given_out(void **state)
{
    runtime *r = *state;
    assert_ok(submit_saxpy(r, NULL));
    assert_ok(submit_saxpy(r, NULL));
    assert_int_equal(noop_calls("zeKernelSetArgumentValue"), 3);
    mez_context_get_ze(r->context);
    assert_ok(submit_saxpy(r, NULL));
    assert_int_equal(noop_calls("zeKernelSetArgumentValue"), 5);
    assert_ok(submit_saxpy(r, NULL));
    assert_int_equal(noop_calls("zeKernelSetArgumentValue"), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        APPLICATION_TEST(test_handles_are_the_applications),
        cmocka_unit_test(test_handles_of_nothing),
        cmocka_unit_test_setup_teardown(
            test_handles_of_our_own_context, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_adopting_creates_and_destroys_no_context, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_owning_destroys_the_context, driver_setup, driver_teardown),
        APPLICATION_TEST(test_several_contexts_of_one),
        cmocka_unit_test_setup_teardown(
            test_all_devices_in_the_drivers_order, driver_setup, driver_teardown),
        APPLICATION_TEST(test_wrong_parameters),
        cmocka_unit_test_setup_teardown(
            test_a_driver_without_devices, driver_setup, driver_teardown),
        APPLICATION_TEST(test_every_failing_call),
        APPLICATION_TEST(test_no_memory),
        APPLICATION_TEST(test_pointers_are_set_with_every_launch),
        RUNTIME_TEST(test_pointers_after_the_handle_was_given_out),
    };
    return cmocka_run_group_tests_name("adopt", tests, NULL, NULL);
}
