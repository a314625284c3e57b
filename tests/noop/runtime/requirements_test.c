// SPDX-License-Identifier: MIT
//
// Kernels that a device can't run are refused before its compiler is asked.

#include "runtime.h"

static mez_error build_on(const struct noop_config *config, const char *name)
{
    mez_context *context;
    noop_reset();
    noop_configure(config);
    assert_ok(mez_context_create(NULL, &context));
    mez_kernel *kernel = load_kernel(context, "needs.spv", name);
    const mez_error error = mez_kernel_build(kernel, NULL);
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
    return error;
}

static void expect_refusal(const struct noop_config *config, const char *name, const char *need)
{
    const mez_error error = build_on(config, name);
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, need);
    assert_contains(story_of(error), name);
    assert_contains(story_of(error), "no-op device");
    assert_contains(story_of(error), "needs.spv");
    assert_int_equal(noop_calls("zeModuleCreate"), 0);
}

static struct noop_config without(ze_device_module_flags_t flags)
{
    struct noop_config config = noop_config_default();
    config.module_flags &= ~flags;
    return config;
}

static void test_fp64(void **state)
{
    (void)state;
    const struct noop_config config = without(ZE_DEVICE_MODULE_FLAG_FP64);
    expect_refusal(&config, "doubles", "'aspect::fp64' but device does not support this aspect.");
    assert_contains(story_of(build_on(&config, "doubles")),
        "for OpFConvert in function \"scale\", reached by doubles -> scale");
    assert_contains(
        story_of(build_on(&config, "doubles")), "the device has gpu, fp16, image, atomic64");
    assert_ok(build_on(&config, "halves")); // of the same image
}

static void test_fp16(void **state)
{
    (void)state;
    const struct noop_config config = without(ZE_DEVICE_MODULE_FLAG_FP16);
    expect_refusal(&config, "halves", "'aspect::fp16' but device does not support this aspect.");
    assert_contains(story_of(build_on(&config, "halves")), "for OpLoad in function \"halves\"");
    assert_ok(build_on(&config, "doubles"));
}

static void test_long_atomics(void **state)
{
    (void)state;
    const struct noop_config config = without(ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS);
    expect_refusal(&config, "long_atomics", "'aspect::atomic64' but device");
    assert_contains(story_of(build_on(&config, "long_atomics")), "for OpAtomic");
}

static void test_sub_group_size(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    memcpy(config.sub_group_sizes, (const uint32_t[NOOP_MAX_SUB_GROUP_SIZES]){16, 32},
        sizeof config.sub_group_sizes);
    expect_refusal(&config, "sub_groups", "required sub-group size of '8'");
    assert_contains(
        story_of(build_on(&config, "sub_groups")), "the device has sub-groups of 16, 32");
}

static void test_group_size(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.max_group_size = 128;
    expect_refusal(
        &config, "groups", "Required work-group size 256 is not supported on the device");
    assert_contains(story_of(build_on(&config, "groups")), "at most 128 work-items together");
}

static void test_everything_at_once(void **state)
{
    (void)state;
    struct noop_config config = without((ze_device_module_flags_t)-1);
    config.max_group_size = 128;
    memset(config.sub_group_sizes, 0, sizeof config.sub_group_sizes);
    config.sub_group_sizes[0] = 64;
    expect_refusal(&config, "everything", "'aspect::fp64'");
    const mez_error error = build_on(&config, "everything");
    assert_contains(story_of(error), "'aspect::fp16'");
    assert_contains(story_of(error), "'aspect::atomic64'");
    assert_contains(story_of(error), "sub-group size of '8'");
    assert_contains(story_of(error), "work-group size 256");
}

// The same answer as building gives, without building.
static void test_support_is_known_without_building(void **state)
{
    (void)state;
    static const char *const names[] = {
        "doubles", "halves", "long_atomics", "sub_groups", "groups"};
    const struct noop_config config = without(ZE_DEVICE_MODULE_FLAG_FP64);
    noop_configure(&config);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mez_kernel *kernel = load_kernel(context, "needs.spv", names[i]);
        mez_error reason;
        const bool supported = mez_kernel_is_supported(kernel, NULL, &reason);
        assert_int_equal(mez_kernel_is_supported(kernel, NULL, NULL), supported);
        assert_int_equal(noop_calls("zeModuleCreate"), 0);
        assert_int_equal(supported, i > 0);
        assert_condition(reason, i > 0 ? MEZ_SUCCESS : MEZ_ERRC_KERNEL_NOT_SUPPORTED);
        mez_kernel_destroy(&kernel);
    }
    mez_context_destroy(&context);
}

static void test_support_of_nothing(void **state)
{
    (void)state;
    mez_error reason;
    assert_false(mez_kernel_is_supported(NULL, NULL, NULL));
    assert_false(mez_kernel_is_supported(NULL, NULL, &reason));
    assert_story(reason, MEZ_ERRC_INVALID_PARAMETER, "mez_kernel_is_supported needs \"kernel\"");
}

static void test_a_device_that_has_everything(void **state)
{
    (void)state;
    static const char *const names[] = {
        "doubles", "halves", "long_atomics", "sub_groups", "groups", "everything"};
    const struct noop_config config = noop_config_default();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_ok(build_on(&config, names[i]));
}

// A submission asks the same questions.
static void test_submitting_is_refused_too(void **state)
{
    (void)state;
    const struct noop_config config = without(ZE_DEVICE_MODULE_FLAG_FP64);
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(context, NULL, &queue));
    mez_kernel *kernel = load_kernel(context, "needs.spv", "doubles");
    assert_condition(mez_submit(queue, kernel, MEZ_RANGE(8), MEZ_ARGS(MEZ_PTR(queue)), NULL),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    assert_int_equal(noop_calls("zeModuleCreate"), 0);
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, driver_setup, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_fp64),
        TEST(test_fp16),
        TEST(test_long_atomics),
        TEST(test_sub_group_size),
        TEST(test_group_size),
        TEST(test_everything_at_once),
        TEST(test_support_is_known_without_building),
        TEST(test_support_of_nothing),
        TEST(test_a_device_that_has_everything),
        TEST(test_submitting_is_refused_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
