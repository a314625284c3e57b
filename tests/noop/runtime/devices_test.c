// SPDX-License-Identifier: MIT
//
// Devices and their parts.

#include "runtime.h"

#include "base/alloc.h"

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
    assert_int_equal(mez_context_get_device_count(context), ROOTS);
    for (uint32_t i = 0; i < ROOTS; i++) {
        mez_device *root = mez_context_get_device(context, i);
        assert_null(mez_device_get_parent(root));
        assert_false(mez_device_get_info(root)->is_sub_device);
        assert_int_equal(mez_device_get_sub_device_count(root), PARTS);
        assert_null(mez_device_get_sub_device(root, PARTS));
        for (uint32_t j = 0; j < PARTS; j++) {
            mez_device *part = mez_device_get_sub_device(root, j);
            assert_ptr_equal(mez_device_get_parent(part), root);
            assert_int_equal(mez_device_get_sub_device_count(part), 0);
            assert_null(mez_device_get_sub_device(part, 0));
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
    assert_int_equal(mez_device_get_sub_device_count(NULL), 0);
    assert_null(mez_device_get_sub_device(NULL, 0));
    assert_null(mez_device_get_parent(NULL));
}

// --- Details

static const char *const reporting[] = {
    "ZE_extension_pci_properties", "ZE_extension_device_memory_properties", NULL};

static mez_context *open_reporting(const char *const *extensions)
{
    struct noop_config config = noop_config_default();
    config.devices = ROOTS;
    config.sub_devices = PARTS;
    config.extensions = extensions;
    noop_reset();
    noop_configure(&config);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    return context;
}

static void check_address(mez_device *device, uint32_t slot)
{
    const mez_device_details *details;
    assert_ok(mez_device_get_details(device, &details));
    assert_true(details->has_pci_address);
    assert_int_equal(details->pci_domain, 1);
    assert_int_equal(details->pci_bus, 0x3a);
    assert_int_equal(details->pci_device, slot);
    assert_int_equal(details->pci_function, 0);
}

static void test_details(void **state)
{
    (void)state;
    const mez_device_details *first, *second, *again;
    mez_context *context = open_reporting(reporting);
    assert_ok(mez_device_get_details(mez_context_get_device(context, 0), &first));
    assert_ok(mez_device_get_details(mez_context_get_device(context, 1), &second));
    assert_ok(mez_device_get_details(mez_context_get_device(context, 0), &again));
    assert_ptr_equal(first, again);
    assert_int_equal(noop_calls("zeDevicePciGetPropertiesExt"), 2);
    assert_true(memcmp(first->uuid, second->uuid, sizeof first->uuid) != 0);
    assert_int_equal(first->core_clock, 1000);
    assert_int_equal(first->memory_count, 1);
    const mez_device_memory *memory = first->memories[0];
    assert_string_equal(memory->name, "host memory");
    assert_string_equal(memory->kind, "HBM2");
    assert_int_equal(memory->size, noop_config_default().memory_size);
    assert_int_equal(memory->physical_size, memory->size + 1);
    assert_int_equal(memory->clock, 1000);
    assert_int_equal(memory->bus_width, 64);
    assert_int_equal(first->cache_count, 1);
    assert_int_equal(first->caches[0]->size, 1u << 20);
    assert_false(first->caches[0]->user_controlled);
    assert_true(first->queue_group_count >= 1);
    assert_true(first->queue_groups[0]->computes);
    check_address(mez_context_get_device(context, 1), 1);
    check_address(mez_device_get_sub_device(mez_context_get_device(context, 1), 2), 1);
    mez_context_destroy(&context);
}

static void test_details_that_a_driver_lacks(void **state)
{
    (void)state;
    const mez_device_details *details;
    mez_context *context = open_reporting(NULL);
    assert_ok(mez_device_get_details(mez_context_get_device(context, 0), &details));
    assert_false(details->has_pci_address);
    assert_string_equal(details->memories[0]->kind, "");
    assert_int_equal(details->memories[0]->physical_size, 0);
    assert_int_equal(noop_calls("zeDevicePciGetPropertiesExt"), 0);
    mez_context_destroy(&context);

    context = open_reporting(reporting); // the driver has it, and not on this system
    noop_fail("zeDevicePciGetPropertiesExt", 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_ok(mez_device_get_details(mez_context_get_device(context, 0), &details));
    assert_false(details->has_pci_address);
    mez_context_destroy(&context);
}

static void test_details_that_are_refused(void **state)
{
    (void)state;
    const mez_device_details *details = (const mez_device_details *)reporting;
    mez_context *context = open_reporting(reporting);
    mez_device *device = mez_context_get_device(context, 0);
    assert_story(
        mez_device_get_details(NULL, &details), MEZ_ERRC_INVALID_PARAMETER, "needs \"device\"");
    assert_null(details);
    assert_story(
        mez_device_get_details(device, NULL), MEZ_ERRC_INVALID_PARAMETER, "needs \"details\"");
    mez_alloc_fail_at(1);
    assert_story(mez_device_get_details(device, &details), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a device");
    mez_alloc_fail_at(0);
    noop_fail("zeDeviceGetCacheProperties", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_story(
        mez_device_get_details(device, &details), MEZ_ERRC_UNKNOWN, "zeDeviceGetCacheProperties");
    assert_null(details);
    assert_ok(mez_device_get_details(device, &details)); // the next call asks again
    mez_context_destroy(&context);
}

static void test_aspects_are_listed(void **state)
{
    (void)state;
    const mez_device_details *details;
    mez_context *context = open_reporting(NULL);
    mez_device *device = mez_context_get_device(context, 0);
    assert_ok(mez_device_get_details(device, &details));
    assert_true(details->aspect_count > 3);
    for (uint32_t i = 0; i < details->aspect_count; i++)
        assert_true(mez_device_has_aspect(device, details->aspects[i]));
    mez_context_destroy(&context);
}

// --- Parts that are used

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
    assert_ok(mez_memory_get_info(context, memory, &info));
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
        mez_device *root = mez_context_get_device(context, i);
        use(context, root, kernel);
        for (uint32_t j = 0; j < PARTS; j++)
            use(context, mez_device_get_sub_device(root, j), kernel);
    }
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
}

static void test_part_of_another_context(void **state)
{
    (void)state;
    mez_context *one = open_parts(), *other = open_parts();
    mez_device *part = mez_device_get_sub_device(mez_context_get_device(one, 0), 0);
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
                    mez_device_get_sub_device_count(mez_context_get_device(context, 0)) == PARTS);
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
    error = mez_ipc_get_handle(context, memory, &handle);
    assert_story(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED, "the driver makes no handle");
    error = mez_ipc_send(context, memory, -1);
    assert_story(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED, "zeMemGetIpcHandle");
    assert_ok(mez_free(context, memory));
    mez_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tree, driver_setup, driver_teardown),
        cmocka_unit_test(test_no_device),
        cmocka_unit_test_setup_teardown(test_details, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_details_that_a_driver_lacks, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_details_that_are_refused, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_aspects_are_listed, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_each_is_a_device, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_part_of_another_context, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_driver_without_shared_memory, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_driver_fails, driver_setup, driver_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
