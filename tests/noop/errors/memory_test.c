// SPDX-License-Identifier: MIT
//
// Memory that is not available, and questions about no device.

#include "runtime.h"

#include "base/alloc.h"

enum { SIZE = 1 << 20 }; // too large for pools

typedef void *allocate(mez_context *context, size_t size, mez_error *error);

static void *any(mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc(context, &(mez_memory_params){.alignment = 64}, size, error);
}

static void *device(mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc_device(context, size, error);
}

static void *host(mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc_host(context, size, error);
}

static void *shared(mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc_shared(context, size, error);
}

static mez_error refuse(allocate *one, mez_context *context, size_t size)
{
    mez_error error;
    assert_null(one(context, size, &error));
    return error;
}

static void test_nothing_at_all(void **state)
{
    runtime *r = *state;
    mez_context *c = r->context;
    assert_story_of(mez_alloc, refuse(any, c, 0), MEZ_ERRC_INVALID_PARAMETER, "0 bytes");
    assert_story_of(mez_alloc_device, refuse(device, c, 0), MEZ_ERRC_INVALID_PARAMETER, "0 bytes");
    assert_story_of(mez_alloc_host, refuse(host, c, 0), MEZ_ERRC_INVALID_PARAMETER, "0 bytes");
    assert_story_of(mez_alloc_shared, refuse(shared, c, 0), MEZ_ERRC_INVALID_PARAMETER, "0 bytes");
}

static mez_error refuse_by_driver(allocate *one, mez_context *context, const char *call)
{
    noop_fail_every(call, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    return refuse(one, context, SIZE);
}

static void test_no_room_on_the_device(void **state)
{
    runtime *r = *state;
    mez_context *c = r->context;
    const char *of_device = "zeMemAllocDevice", *of_host = "zeMemAllocHost";
    const char *of_both = "zeMemAllocShared";
    assert_story_of(
        mez_alloc, refuse_by_driver(any, c, of_device), MEZ_ERRC_MEMORY_ALLOCATION, of_device);
    assert_story_of(mez_alloc_device, refuse_by_driver(device, c, of_device),
        MEZ_ERRC_MEMORY_ALLOCATION, of_device);
    assert_story_of(
        mez_alloc_host, refuse_by_driver(host, c, of_host), MEZ_ERRC_MEMORY_ALLOCATION, of_host);
    assert_story_of(mez_alloc_shared, refuse_by_driver(shared, c, of_both),
        MEZ_ERRC_MEMORY_ALLOCATION, of_both);
}

static mez_error without_host_memory(allocate *one, mez_context *context)
{
    mez_alloc_fail_at(1);
    const mez_error error = refuse(one, context, SIZE);
    mez_alloc_fail_at(0);
    return error;
}

static void test_no_host_memory(void **state)
{
    runtime *r = *state;
    mez_context *c = r->context;
    const char *words = "an allocation";
    assert_story_of(mez_alloc, without_host_memory(any, c), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(
        mez_alloc_device, without_host_memory(device, c), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(
        mez_alloc_host, without_host_memory(host, c), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
    assert_story_of(
        mez_alloc_shared, without_host_memory(shared, c), MEZ_ERRC_OUT_OF_HOST_MEMORY, words);
}

static void test_no_device(void **state)
{
    runtime *r = *state;
    mez_native_asserts how;
    assert_story(
        mez_device_get_native_asserts(NULL, &how), MEZ_ERRC_INVALID_PARAMETER, "needs \"device\"");
    assert_story(mez_device_get_native_asserts(mez_context_get_device(r->context, 0), NULL),
        MEZ_ERRC_INVALID_PARAMETER, "needs \"how\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_nothing_at_all),
        RUNTIME_TEST(test_no_room_on_the_device),
        RUNTIME_TEST(test_no_host_memory),
        RUNTIME_TEST(test_no_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
