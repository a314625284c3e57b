// SPDX-License-Identifier: MIT
//
// What a device is called and has, by what the driver reports.

#include <stdlib.h>

#include <mezzanine/code.h>

#include "device/device.h"
#include "runtime.h"

static const char *const reports_ip[] = {"ZE_extension_device_ip_version", NULL};

static mez_context *open_device(const struct noop_config *config)
{
    noop_configure(config);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    return context;
}

static void expect_architecture(const struct noop_config *config, const char *name)
{
    mez_context *context = open_device(config);
    mez_device *device = mez_context_get_device(context, 0);
    assert_string_equal(mez_device_get_architecture(device), name);
    mez_context_destroy(&context);
}

static void the_ip_version_names_the_device(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.extensions = reports_ip;
    config.ip_version = 0x030f0005;
    expect_architecture(&config, "intel_gpu_pvc");
    config.ip_version = 0x030f003f; // a revision that nobody has seen
    expect_architecture(&config, "intel_gpu_pvc");
    config.ip_version = 0x3f000000; // and a device
    expect_architecture(&config, "unknown");
}

static void else_the_pci_id_does(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.ip_version = 0x030f0005; // not listed, so not asked
    expect_architecture(&config, "intel_gpu_tgllp");
    config.extensions = reports_ip;
    config.ip_version = 0; // listed, but not reported for this device
    expect_architecture(&config, "intel_gpu_tgllp");
    config.vendor_id = 0x1002;
    expect_architecture(&config, "unknown");
    config.vendor_id = 0x8086;
    config.device_id = 0;
    expect_architecture(&config, "unknown");
}

static void a_cpu_is_the_host(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.type = ZE_DEVICE_TYPE_CPU;
    config.vendor_id = config.device_id = 0;
    mez_context *context = open_device(&config);
    mez_device *device = mez_context_get_device(context, 0);
    assert_string_not_equal(mez_device_get_architecture(device), "unknown");
    assert_true(mez_device_has_aspect(device, "cpu"));
    assert_false(mez_device_has_aspect(device, "gpu"));
    assert_false(mez_device_has_aspect(device, "ext_intel_esimd"));
    mez_context_destroy(&context);
}

static void fixed_targets_are_compared_with_what_is_known(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    mez_context *context = open_device(&config);
    const mez_target *target = &mez_context_get_device(context, 0)->target;
    assert_true(mez_target_is(target, MEZ_ASPECTS_CLASSIC, 0x03000000));
    assert_false(mez_target_is(target, MEZ_ASPECTS_CLASSIC, 0x03004000));
    assert_true(mez_target_is(target, MEZ_ASPECTS_CLASSIC, 2)); // gpu
    mez_context_destroy(&context);
    config.extensions = reports_ip;
    config.ip_version = 0x3f000001;
    context = open_device(&config);
    target = &mez_context_get_device(context, 0)->target;
    assert_true(mez_target_is(target, MEZ_ASPECTS_CLASSIC, 0x3f000000));
    assert_false(mez_target_is(target, MEZ_ASPECTS_CLASSIC, 0x03000000));
    mez_context_destroy(&context);
}

static void aspects_are_what_the_driver_reports(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    mez_context *context = open_device(&config);
    mez_device *device = mez_context_get_device(context, 0);
    assert_true(mez_device_has_aspect(device, "gpu"));
    assert_true(mez_device_has_aspect(device, "fp64"));
    assert_true(mez_device_has_aspect(device, "aspect::atomic64"));
    assert_true(mez_device_has_aspect(device, "image"));
    assert_true(mez_device_has_aspect(device, "usm_shared_allocations"));
    assert_true(mez_device_has_aspect(device, "ext_intel_esimd"));
    assert_false(mez_device_has_aspect(device, "usm_system_allocations"));
    assert_false(mez_device_has_aspect(device, "ext_intel_matrix")); // tgllp
    assert_false(mez_device_has_aspect(device, "fp65"));
    assert_false(mez_device_has_aspect(device, NULL));
    mez_context_destroy(&context);

    config.module_flags = ZE_DEVICE_MODULE_FLAG_FP16;
    config.max_image_size = 0;
    config.shared_memory = 0;
    config.host_memory |= ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
    config.device_id = 0x56a0;
    context = open_device(&config);
    device = mez_context_get_device(context, 0);
    assert_false(mez_device_has_aspect(device, "fp64")); // the table has nothing to say here
    assert_false(mez_device_has_aspect(device, "atomic64"));
    assert_true(mez_device_has_aspect(device, "fp16"));
    assert_false(mez_device_has_aspect(device, "image"));
    assert_false(mez_device_has_aspect(device, "usm_shared_allocations"));
    assert_true(mez_device_has_aspect(device, "usm_atomic_host_allocations"));
    assert_true(mez_device_has_aspect(device, "ext_intel_matrix"));
    mez_context_destroy(&context);
}

static void sizes_are_what_the_driver_reports(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    mez_context *context = open_device(&config);
    const mez_target *target = &mez_context_get_device(context, 0)->target;
    assert_int_equal(target->max_group_size, 512);
    assert_int_equal(target->max_group_sizes[2], 512);
    assert_true(mez_target_has_sub_group_size(target, 8));
    assert_false(mez_target_has_sub_group_size(target, 64));
    mez_context_destroy(&context);
}

static void a_driver_without_images_is_no_failure(void **state)
{
    (void)state;
    noop_fail_every("zeDeviceGetImageProperties", ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    assert_false(mez_device_has_aspect(mez_context_get_device(context, 0), "image"));
    mez_context_destroy(&context);
}

// For programs that judge code for a device as the library does.
static void a_device_is_a_target(void **state)
{
    static const uint32_t module[] = {0x07230203, 0x00010000, 0, 1, 0};
    (void)state;
    mez_context *context;
    mez_code *code;
    mez_findings *findings;
    mez_target_limits limits;
    assert_ok(mez_context_create(NULL, &context));
    mez_device *device = mez_context_get_device(context, 0);
    const mez_target *target = mez_device_get_target(device);
    assert_string_equal(mez_target_get_name(target), mez_device_get_architecture(device));
    assert_int_equal(mez_target_has_aspect(target, "fp64"), mez_device_has_aspect(device, "fp64"));
    mez_target_get_limits(target, &limits);
    assert_int_equal(limits.spirv_version, mez_device_get_info(device)->spirv_version);
    assert_false(limits.may_have_other_aspects);
    assert_string_equal(limits.compiler, "");
    assert_ok(mez_code_read(module, sizeof module, NULL, &code));
    assert_ok(mez_code_judge(code, &(mez_judge_params){.target = target}, &findings));
    assert_string_equal(mez_findings_get_compiler(findings), "IGC 1");
    mez_findings_destroy(&findings);
    mez_code_destroy(&code);
    mez_context_destroy(&context);
    assert_null(mez_device_get_target(NULL));
}

static void no_device_has_nothing(void **state)
{
    (void)state;
    assert_string_equal(mez_device_get_architecture(NULL), "unknown");
    assert_false(mez_device_has_aspect(NULL, "fp16"));
}

static void a_wrong_configuration_is_reported(void **state)
{
    (void)state;
    setenv("MEZ_DEVICE_CONFIG", "/does/not/exist.yaml", 1);
    mez_context *context;
    assert_story(mez_context_create(NULL, &context), MEZ_ERRC_FILE, "MEZ_DEVICE_CONFIG=");
    assert_null(context);
    unsetenv("MEZ_DEVICE_CONFIG");
}

#define WITH_DRIVER(test) cmocka_unit_test_setup_teardown(test, driver_setup, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DRIVER(a_device_is_a_target),
        WITH_DRIVER(the_ip_version_names_the_device),
        WITH_DRIVER(else_the_pci_id_does),
        WITH_DRIVER(a_cpu_is_the_host),
        WITH_DRIVER(fixed_targets_are_compared_with_what_is_known),
        WITH_DRIVER(aspects_are_what_the_driver_reports),
        WITH_DRIVER(sizes_are_what_the_driver_reports),
        WITH_DRIVER(a_driver_without_images_is_no_failure),
        cmocka_unit_test(no_device_has_nothing),
        WITH_DRIVER(a_wrong_configuration_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
