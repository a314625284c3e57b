// SPDX-License-Identifier: MIT
//
// What is at an address?

#include "memory.h"

#include <stdlib.h>

#include "ze/call.h"
#include "device/platform.h"

static mez_memory_info ask(mez_context *context, const void *pointer)
{
    mez_memory_info info;
    memset(&info, 0xee, sizeof info);
    assert_ok(mez_memory_get_info(context, pointer, &info));
    return info;
}

static void check_inside(mez_context *context, mez_memory_kind kind, size_t size)
{
    const mez_memory_params params = {.kind = kind, .debug_name = "particles"};
    char *memory = get(context, &params, size);
    const size_t offsets[] = {0, 1, size / 2, size - 1};
    for (size_t i = 0; i < 4; i++) {
        const mez_memory_info info = ask(context, memory + offsets[i]);
        assert_int_equal(info.origin, MEZ_POINTER_ALLOCATION);
        assert_int_equal(info.kind, kind);
        assert_ptr_equal(info.base, memory);
        assert_int_equal(info.size, size);
        assert_int_equal(info.offset, offsets[i]);
        assert_string_equal(info.debug_name, "particles");
        assert_ptr_equal(
            info.device, kind == MEZ_MEMORY_HOST ? NULL : mez_context_get_device(context, 0));
    }
    assert_int_not_equal(ask(context, memory + size).origin, MEZ_POINTER_ALLOCATION);
    put(context, memory);
    assert_int_not_equal(ask(context, memory).origin, MEZ_POINTER_ALLOCATION);
}

static void test_inside_allocations(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++)
        for (size_t size = 4; size < 200000; size *= 7)
            check_inside(context, (mez_memory_kind)kind, size);
    mez_context_destroy(&context);
}

static void test_among_many(void **state)
{
    (void)state;
    enum { MANY = 500 };
    static char *memory[MANY];
    mez_context *context = open_context(NULL);
    for (int i = 0; i < MANY; i++)
        memory[i] = get(context, &(mez_memory_params){.dedicated = i % 2}, 100 + (size_t)i);
    for (int i = 0; i < MANY; i += 3)
        put(context, memory[i]);
    for (int i = 0; i < MANY; i++) {
        if (i % 3 == 0)
            continue;
        const mez_memory_info info = ask(context, memory[i] + 99);
        assert_ptr_equal(info.base, memory[i]);
        assert_int_equal(info.size, 100 + i);
        put(context, memory[i]);
    }
    mez_context_destroy(&context);
}

static void test_memory_without_owner(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    char *memory = get(context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST}, 50);
    assert_int_equal(ask(context, memory + 50).origin, MEZ_POINTER_FREED);
    put(context, memory);
    const mez_memory_info info = ask(context, memory);
    assert_int_equal(info.origin, MEZ_POINTER_FREED);
    assert_int_equal(info.kind, MEZ_MEMORY_HOST);
    assert_null(info.base);
    mez_context_destroy(&context);
}

static void test_plain_memory(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    const int on_stack = 0;
    void *on_heap = malloc(100);
    assert_int_equal(ask(context, &on_stack).origin, MEZ_POINTER_PLAIN);
    assert_int_equal(ask(context, on_heap).origin, MEZ_POINTER_PLAIN);
    assert_int_equal(ask(context, NULL).origin, MEZ_POINTER_PLAIN);
    assert_null(ask(context, on_heap).base);
    free(on_heap);
    mez_context_destroy(&context);
}

static void test_foreign_memory(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    const mez_platform *platform = mez_platform_of(context);
    const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory;
    assert_int_equal(
        mez_ze.zeMemAllocDevice(platform->ze, &desc, 1000, 64, platform->devices[0].ze, &memory),
        ZE_RESULT_SUCCESS);
    const mez_memory_info info = ask(context, (char *)memory + 10);
    assert_int_equal(info.origin, MEZ_POINTER_FOREIGN);
    assert_int_equal(info.kind, MEZ_MEMORY_DEVICE);
    assert_ptr_equal(info.device, mez_context_get_device(context, 0));
    assert_ptr_equal(info.base, memory);
    assert_int_equal(info.size, 1000);
    assert_int_equal(info.offset, 10);
    assert_story(
        mez_free(context, memory), MEZ_ERRC_INVALID_PARAMETER, "not allocated by mez_alloc");
    assert_int_equal(mez_ze.zeMemFree(platform->ze, memory), ZE_RESULT_SUCCESS);
    mez_context_destroy(&context);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    mez_memory_info info = {0};
    assert_story(
        mez_memory_get_info(NULL, &info, &info), MEZ_ERRC_INVALID_PARAMETER, "needs \"context\"");
    assert_condition(mez_memory_get_info(context, &info, NULL), MEZ_ERRC_INVALID_PARAMETER);
    noop_fail("zeMemGetAllocProperties", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_condition(mez_memory_get_info(context, &info, &info), MEZ_ERRC_DEVICE_LOST);
    mez_context_destroy(&context);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        MEMORY_TEST(test_inside_allocations),
        MEMORY_TEST(test_among_many),
        MEMORY_TEST(test_memory_without_owner),
        MEMORY_TEST(test_plain_memory),
        MEMORY_TEST(test_foreign_memory),
        MEMORY_TEST(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
