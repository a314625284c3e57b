// SPDX-License-Identifier: MIT
//
// Devices and their parts.

#include "runtime.h"

enum { ROOTS = 2, PARTS = 3 };

static mez_context *open_parts(void)
{
    struct noop_config config = noop_config_default();
    config.devices = ROOTS;
    config.sub_devices = PARTS;
    noop_configure(&config);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    return context;
}

static void test_tree(void **state)
{
    (void)state;
    mez_context *context = open_parts();
    assert_int_equal(mez_context_device_count(context), ROOTS);
    for (uint32_t i = 0; i < ROOTS; i++) {
        mez_device *root = mez_context_device(context, i);
        assert_null(mez_device_parent(root));
        assert_false(mez_device_get_info(root)->is_sub_device);
        assert_int_equal(mez_device_sub_device_count(root), PARTS);
        assert_null(mez_device_sub_device(root, PARTS));
        for (uint32_t j = 0; j < PARTS; j++) {
            mez_device *part = mez_device_sub_device(root, j);
            assert_ptr_equal(mez_device_parent(part), root);
            assert_int_equal(mez_device_sub_device_count(part), 0);
            assert_null(mez_device_sub_device(part, 0));
            assert_true(mez_device_get_info(part)->is_sub_device);
            assert_int_equal(mez_device_get_info(part)->sub_device_number, j);
            assert_string_equal(mez_device_get_info(part)->name, "no-op device");
        }
    }
    mez_context_destroy(&context);
}

static void test_no_device(void **state)
{
    (void)state;
    assert_int_equal(mez_device_sub_device_count(NULL), 0);
    assert_null(mez_device_sub_device(NULL, 0));
    assert_null(mez_device_parent(NULL));
}

// Its own module, its own pool, and memory that is known as its own.
static void use(mez_context *context, mez_device *device, mez_kernel *kernel)
{
    mez_queue *queue;
    mez_error error;
    mez_memory_info info;
    const uint64_t modules = noop_calls("zeModuleCreate");
    const uint64_t allocations = noop_calls("zeMemAllocDevice");
    assert_ok(mez_queue_create(context, &(mez_queue_params){.device = device}, &queue));
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), NULL, NULL));
    assert_int_equal(noop_calls("zeModuleCreate"), modules + 1);
    void *memory = mez_alloc(context, &(mez_memory_params){.device = device}, 100, &error);
    assert_ok(error);
    assert_int_equal(noop_calls("zeMemAllocDevice"), allocations + 1);
    assert_ok(mez_memory_query(context, memory, &info));
    assert_ptr_equal(info.device, device);
    assert_ok(mez_free(context, memory));
    mez_queue_destroy(&queue);
}

static void test_each_is_a_device(void **state)
{
    (void)state;
    mez_context *context = open_parts();
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    for (uint32_t i = 0; i < ROOTS; i++) {
        mez_device *root = mez_context_device(context, i);
        use(context, root, kernel);
        for (uint32_t j = 0; j < PARTS; j++)
            use(context, mez_device_sub_device(root, j), kernel);
    }
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
}

static void test_part_of_another_context(void **state)
{
    (void)state;
    mez_context *one = open_parts(), *other = open_parts();
    mez_device *part = mez_device_sub_device(mez_context_device(one, 0), 0);
    mez_queue *queue;
    const mez_queue_params params = {.device = part};
    assert_condition(mez_queue_create(other, &params, &queue), MEZ_ERRC_INVALID_PARAMETER);
    mez_context_destroy(&one);
    mez_context_destroy(&other);
}

// Every call that reads the devices fails once.
static void test_driver_fails(void **state)
{
    (void)state;
    bool fired = true;
    for (uint64_t n = 1; fired; n++) {
        noop_reset();
        struct noop_config config = noop_config_default();
        config.sub_devices = PARTS;
        noop_configure(&config);
        noop_fail(NULL, n, ZE_RESULT_ERROR_DEVICE_LOST);
        mez_context *context;
        const mez_error error = mez_context_create(NULL, &context);
        fired = noop_fired() > 0;
        assert_true(fired || !mez_failed(error));
        assert_true(mez_failed(error) ||
                    mez_device_sub_device_count(mez_context_device(context, 0)) == PARTS);
        mez_context_destroy(&context);
        assert_int_equal(noop_live_total(), 0);
    }
}

static void test_driver_without_shared_memory(void **state)
{
    (void)state;
    mez_context *context = open_parts();
    mez_ipc_handle handle;
    mez_error error;
    void *memory = mez_alloc(context, &(mez_memory_params){.dedicated = true}, 100, &error);
    assert_ok(error);
    noop_fail_every("zeMemGetIpcHandle", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    error = mez_ipc_get(context, memory, &handle);
    assert_tells(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED, "the driver makes no handle");
    error = mez_ipc_send(context, memory, -1);
    assert_tells(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED, "zeMemGetIpcHandle");
    assert_ok(mez_free(context, memory));
    mez_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tree, driver_setup, driver_teardown),
        cmocka_unit_test(test_no_device),
        cmocka_unit_test_setup_teardown(test_each_is_a_device, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_part_of_another_context, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_driver_without_shared_memory, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_driver_fails, driver_setup, driver_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
