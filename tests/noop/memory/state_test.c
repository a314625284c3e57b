// SPDX-License-Identifier: MIT
//
// How much of a device's memory is free, and who reports it. Which tests run depends on ZES_ENABLE_SYSMAN, which is read once.

#include "memory.h"

#include <stdlib.h>

#include "base/alloc.h"

#define GIB ((uint64_t)1 << 30)

static mez_memory_state state_of(mez_context *context)
{
    mez_memory_state memory;
    assert_ok(mez_device_get_memory_state(mez_context_get_device(context, 0), &memory));
    return memory;
}

static void expect_free(mez_context *context, uint64_t total, uint64_t bytes)
{
    const mez_memory_state memory = state_of(context);
    assert_true(memory.free_is_known);
    assert_null(memory.why_unknown);
    assert_int_equal(memory.total, total);
    assert_int_equal(memory.free, bytes);
}

static void expect_unknown(mez_context *context, const char *why)
{
    const mez_memory_state memory = state_of(context);
    assert_false(memory.free_is_known);
    assert_int_equal(memory.free, 0);
    assert_int_equal(memory.total, 8 * GIB);
    assert_contains(memory.why_unknown, why);
}

static uint64_t sysman_calls(void)
{
    return noop_calls("zesDeviceEnumMemoryModules") + noop_calls("zesMemoryGetProperties") +
           noop_calls("zesMemoryGetState");
}

static struct noop_config reporting_config(void)
{
    static const char *const extensions[] = {"ZE_extension_device_usablemem_size_properties", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = extensions;
    return config;
}

// --- With either

static void test_wrong_calls(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    mez_memory_state memory;
    assert_condition(mez_device_get_memory_state(mez_context_get_device(context, 0), NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    memset(&memory, 1, sizeof memory);
    assert_story(
        mez_device_get_memory_state(NULL, &memory), MEZ_ERRC_INVALID_PARAMETER, "needs \"device\"");
    assert_int_equal(memory.total, 0);
    assert_false(memory.free_is_known);
    mez_context_destroy(&context);
}

static void test_the_driver_reports(void **state)
{
    (void)state;
    const struct noop_config config = reporting_config();
    mez_context *context = open_context(&config);
    expect_free(context, 8 * GIB, 5 * GIB);
    assert_int_equal(sysman_calls(), 0);
    mez_context_destroy(&context);
}

static void test_the_driver_fails_at_reporting(void **state)
{
    (void)state;
    const struct noop_config config = reporting_config();
    mez_context *context = open_context(&config);
    mez_memory_state memory;
    noop_fail("zeDeviceGetProperties", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    const mez_error error =
        mez_device_get_memory_state(mez_context_get_device(context, 0), &memory);
    assert_story(error, MEZ_ERRC_DEVICE_LOST, "zeDeviceGetProperties");
    assert_false(memory.free_is_known);
    assert_int_equal(memory.total, 8 * GIB);
    assert_contains(memory.why_unknown, "failed");
    expect_free(context, 8 * GIB, 5 * GIB); // the next time
    mez_context_destroy(&context);
}

// Its memory is the host's, and the host reports it.
static void test_an_integrated_device(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
    config.memory_modules = 0;
    config.memory_size = 1u << 20;
    mez_context *context = open_context(&config);
    expect_free(context, 1u << 20, 1u << 20); // the host has more than 1 MiB
    config.memory_size = UINT64_MAX / 2;
    noop_configure(&config);
    mez_context *other;
    assert_ok(mez_context_create(NULL, &other));
    const mez_memory_state memory = state_of(other);
    assert_true(memory.free_is_known);
    assert_uint_in_range(memory.free, 1u << 20, UINT64_MAX / 4);
    mez_context_destroy(&other);
    mez_context_destroy(&context);
}

static const char *refusal(mez_context *context)
{
    mez_error error;
    noop_fail_every("zeMemAllocDevice", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(mez_alloc_device(context, 100000, &error));
    assert_condition(error, MEZ_ERRC_MEMORY_ALLOCATION);
    return story_of(error);
}

static void test_a_refusal_reports_what_is_free(void **state)
{
    (void)state;
    const struct noop_config config = reporting_config();
    mez_context *context = open_context(&config);
    assert_contains(refusal(context), "free are 5368709120 bytes (5.0 GiB)");
    mez_context_destroy(&context);
}

// The story is of the allocation, whatever comes after.
static void test_a_refusal_when_nobody_can_report(void **state)
{
    (void)state;
    const struct noop_config config = reporting_config();
    mez_context *context = open_context(&config);
    noop_fail_every("zeDeviceGetProperties", ZE_RESULT_ERROR_UNKNOWN);
    assert_ok(mez_log_set_levels("off"));
    const char *story = refusal(context);
    assert_non_null(story);
    assert_contains(story, "what is free is not known: the driver failed to report it");
    assert_contains(story, "zeMemAllocDevice");
    assert_ok(mez_log_set_levels("warn"));
    mez_context_destroy(&context);
}

// --- Without ZES_ENABLE_SYSMAN

static void test_without_sysman_nobody_reports(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    expect_unknown(context, "ZES_ENABLE_SYSMAN=1");
    assert_contains(refusal(context), "ZES_ENABLE_SYSMAN=1");
    assert_int_equal(sysman_calls(), 0); // the driver would take the handle for another
    mez_context_destroy(&context);
}

// --- With it

static void test_sysman_reports(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    expect_free(context, 8 * GIB, 5 * GIB);
    assert_contains(refusal(context), "free are 5368709120 bytes (5.0 GiB)");
    mez_context_destroy(&context);
}

static void test_sysman_adds_modules_up(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.memory_modules = 4;
    mez_context *context = open_context(&config);
    expect_free(context, 8 * GIB, 5 * GIB);
    assert_int_equal(noop_calls("zesMemoryGetState"), 4);
    mez_context_destroy(&context);
}

// Each has its module.
static void test_sysman_of_sub_devices(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.sub_devices = 2;
    config.memory_modules = 2;
    mez_context *context = open_context(&config);
    mez_device *device = mez_context_get_device(context, 0);
    expect_free(context, 8 * GIB, 5 * GIB);
    for (uint32_t i = 0; i < 2; i++) {
        mez_memory_state memory;
        assert_ok(mez_device_get_memory_state(mez_device_get_sub_device(device, i), &memory));
        assert_int_equal(memory.total, 4 * GIB);
        assert_int_equal(memory.free, 5 * GIB / 2);
    }
    mez_context_destroy(&context);
}

// As where a part is shown as a device: the driver says how much memory that has.
static void test_sysman_reports_the_whole_card(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    mez_context *context = open_context(&config);
    config.memory_modules = 2;
    config.memory_size = 16 * GIB;
    noop_configure(&config);
    expect_unknown(context, "whole card");
    mez_context_destroy(&context);
}

static void test_sysman_knows_no_memory(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.memory_modules = 0;
    mez_context *context = open_context(&config);
    expect_unknown(context, "no memory of this device");
    mez_context_destroy(&context);
}

static void test_sysman_that_does_not_report(void **state)
{
    (void)state;
    static const struct {
        ze_result_t result;
        const char *why;
    } answers[] = {
        {ZE_RESULT_ERROR_UNINITIALIZED, "does not report this device"},
        {ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "does not report this device"},
        {ZE_RESULT_ERROR_NOT_AVAILABLE, "does not report this device"},
        {ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "does not report this device"},
        {ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, "more permissions"},
    };
    static const char *const calls[] = {
        "zesDeviceEnumMemoryModules", "zesMemoryGetProperties", "zesMemoryGetState"};
    mez_context *context = open_context(NULL);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
            noop_fail(calls[call], 1, answers[i].result);
            expect_unknown(context, answers[i].why);
        }
    expect_free(context, 8 * GIB, 5 * GIB);
    mez_context_destroy(&context);
}

static void expect_loss(mez_context *context)
{
    mez_memory_state memory;
    assert_condition(mez_device_get_memory_state(mez_context_get_device(context, 0), &memory),
        MEZ_ERRC_DEVICE_LOST);
    assert_false(memory.free_is_known);
    assert_int_equal(memory.total, 8 * GIB);
    assert_non_null(memory.why_unknown);
}

// Each call of Level Zero and our own allocation fail once.
static void test_sysman_fails(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.memory_modules = 2;
    mez_context *context = open_context(&config);
    const uint64_t before = noop_calls_total();
    expect_free(context, 8 * GIB, 5 * GIB);
    const uint64_t calls = noop_calls_total() - before;
    assert_int_equal(calls, 6);
    for (uint64_t n = 1; n <= calls; n++) {
        noop_fail(NULL, n, ZE_RESULT_ERROR_DEVICE_LOST);
        expect_loss(context);
    }
    mez_alloc_fail_at(1);
    mez_memory_state memory;
    assert_story(mez_device_get_memory_state(mez_context_get_device(context, 0), &memory),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "memory modules");
    mez_alloc_fail_at(0);
    expect_free(context, 8 * GIB, 5 * GIB);
    mez_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest always[] = {
        MEMORY_TEST(test_wrong_calls),
        MEMORY_TEST(test_the_driver_reports),
        MEMORY_TEST(test_the_driver_fails_at_reporting),
        MEMORY_TEST(test_an_integrated_device),
        MEMORY_TEST(test_a_refusal_reports_what_is_free),
        MEMORY_TEST(test_a_refusal_when_nobody_can_report),
    };
    const struct CMUnitTest without[] = {
        MEMORY_TEST(test_without_sysman_nobody_reports),
    };
    const struct CMUnitTest with[] = {
        MEMORY_TEST(test_sysman_reports),
        MEMORY_TEST(test_sysman_adds_modules_up),
        MEMORY_TEST(test_sysman_of_sub_devices),
        MEMORY_TEST(test_sysman_reports_the_whole_card),
        MEMORY_TEST(test_sysman_knows_no_memory),
        MEMORY_TEST(test_sysman_that_does_not_report),
        MEMORY_TEST(test_sysman_fails),
    };
    const char *sysman = getenv("ZES_ENABLE_SYSMAN");
    const int failed = cmocka_run_group_tests(always, NULL, NULL);
    return sysman && strcmp(sysman, "1") == 0
               ? failed + cmocka_run_group_tests(with, NULL, NULL)
               : failed + cmocka_run_group_tests(without, NULL, NULL);
}
