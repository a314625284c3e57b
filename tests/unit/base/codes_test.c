// SPDX-License-Identifier: MIT
//
// The tables of codes: complete, unambiguous, and readable.

#include "unit.h"

#include <level_zero/ze_api.h>

#include "base/error.h"

static const mez_category categories[] = {
    MEZ_CATEGORY_SUCCESS, MEZ_CATEGORY_RUNTIME, MEZ_CATEGORY_DEVICE, MEZ_CATEGORY_LEVEL_ZERO};
enum { CATEGORIES = sizeof categories / sizeof categories[0] };

static mez_error error_of(mez_category category, int32_t value)
{
    return (mez_error){.value = value, .origin = (uint32_t)category};
}

static void check_entry(const mez_code_info *table, size_t count, size_t i)
{
    assert_true(table[i].name[0] != '\0');
    assert_true(table[i].message[0] != '\0');
    assert_true(table[i].message[strlen(table[i].message) - 1] != '.');
    for (size_t j = i + 1; j < count; j++) {
        assert_int_not_equal(table[i].value, table[j].value);
        assert_string_not_equal(table[i].name, table[j].name);
    }
}

static void test_values_and_names_are_distinct(void **state)
{
    (void)state;
    for (size_t c = 0; c < CATEGORIES; c++) {
        size_t count;
        const mez_code_info *table = mez_code_table(categories[c], &count);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            check_entry(table, count, i);
    }
}

static void test_own_codes_are_their_conditions(void **state)
{
    (void)state;
    for (size_t c = 1; c < 3; c++) {
        size_t count;
        const mez_code_info *table = mez_code_table(categories[c], &count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(table[i].value, table[i].condition);
            assert_int_equal(table[i].value >> 8, categories[c]);
        }
    }
}

// Those that the oldest headers do not have.
static void test_results_of_newer_specifications(void **state)
{
    (void)state;
    assert_string_equal(mez_code_level_zero_name(0x78000021), "ZE_RESULT_ERROR_ADDRESS_NOT_FOUND");
    assert_string_equal(mez_code_level_zero_name(0x78000022), "ZE_RESULT_QUERY_TRUE");
    assert_string_equal(mez_code_level_zero_name(0x78000023), "ZE_RESULT_QUERY_FALSE");
    assert_string_equal(mez_code_level_zero_name(0x78000024), "ZE_RESULT_ERROR_INVALID_GRAPH");
    assert_string_equal(
        mez_code_level_zero_name(0x7800002a), "ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT");
}

static void test_every_ze_result_is_known(void **state)
{
    (void)state;
    static const struct {
        ze_result_t value;
        const char *name;
    } results[] = {
#define RESULT(name) {name, #name},
#include "results.inc"
#undef RESULT
    };
    const size_t count = sizeof results / sizeof results[0];
    assert_true(count > 40); // the header was really read
    for (size_t i = 0; i < count; i++) {
        const mez_code_info *info =
            mez_code_find(MEZ_CATEGORY_LEVEL_ZERO, (int32_t)results[i].value);
        if (!info)
            fail_msg(
                "Level Zero's header has %s = 0x%08x, which lib/base/codes.c has not: give it a "
                "condition and a message there",
                results[i].name, (unsigned)results[i].value);
        assert_string_equal(info->name, results[i].name);
        const bool is_success = results[i].value == ZE_RESULT_SUCCESS;
        assert_int_equal(info->condition == MEZ_SUCCESS, is_success);
    }
}

static void test_conditions_of_level_zero(void **state)
{
    (void)state;
    static const struct {
        ze_result_t result;
        mez_condition condition;
    } expected[] = {
        {ZE_RESULT_ERROR_DEVICE_LOST, MEZ_ERRC_DEVICE_LOST},
        {ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, MEZ_ERRC_OUT_OF_HOST_MEMORY},
        {ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, MEZ_ERRC_MEMORY_ALLOCATION},
        {ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, MEZ_ERRC_COMPILE_PROGRAM},
        {ZE_RESULT_ERROR_MODULE_LINK_FAILURE, MEZ_ERRC_LINK_PROGRAM},
        {ZE_RESULT_ERROR_UNINITIALIZED, MEZ_ERRC_PLATFORM},
        {ZE_RESULT_ERROR_UNKNOWN, MEZ_ERRC_UNKNOWN},
        {ZE_RESULT_NOT_READY, MEZ_ERRC_NOT_READY},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const mez_error error = error_of(MEZ_CATEGORY_LEVEL_ZERO, (int32_t)expected[i].result);
        assert_true(mez_error_is(error, expected[i].condition));
    }
}

static void test_success_is_zero(void **state)
{
    (void)state;
    const mez_error success = {0};
    assert_false(mez_failed(success));
    assert_true(mez_error_is_equal(success, mez_ok()));
    assert_true(mez_error_is(success, MEZ_SUCCESS));
    assert_string_equal(mez_error_get_name(success), "MEZ_SUCCESS");
    assert_string_equal(mez_error_get_message(success), "success");
    for (size_t c = 0; c < CATEGORIES; c++)
        assert_true(mez_error_is(error_of(categories[c], 0), MEZ_SUCCESS));
}

static void test_only_success_is_zero(void **state)
{
    (void)state;
    for (size_t c = 0; c < CATEGORIES; c++) {
        size_t count;
        const mez_code_info *table = mez_code_table(categories[c], &count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(table[i].value == 0, table[i].condition == MEZ_SUCCESS);
    }
}

static void test_conditions_have_a_family_and_words(void **state)
{
    (void)state;
    assert_int_equal(mez_condition_get_category(MEZ_SUCCESS), MEZ_CATEGORY_SUCCESS);
    for (size_t c = 0; c < CATEGORIES; c++) {
        size_t count;
        const mez_code_info *table = mez_code_table(categories[c], &count);
        for (size_t i = 0; i < count; i++) {
            const mez_condition condition = table[i].condition;
            const mez_code_info *own =
                mez_code_find(mez_condition_get_category(condition), (int32_t)condition);
            assert_non_null(own);
            assert_string_equal(mez_condition_get_name(condition), own->name);
            assert_string_equal(mez_condition_get_message(condition), own->message);
        }
    }
    assert_string_equal(mez_condition_get_name((mez_condition)0x7777), "MEZ_ERRC_UNKNOWN");
}

static void test_categories_catch_native_codes_too(void **state)
{
    (void)state;
    const mez_error lost = error_of(MEZ_CATEGORY_LEVEL_ZERO, (int32_t)ZE_RESULT_ERROR_DEVICE_LOST);
    assert_true(mez_error_is_in(lost, MEZ_CATEGORY_LEVEL_ZERO));
    assert_true(mez_error_is_in(lost, MEZ_CATEGORY_DEVICE));
    assert_false(mez_error_is_in(lost, MEZ_CATEGORY_RUNTIME));
    const mez_error memory =
        error_of(MEZ_CATEGORY_LEVEL_ZERO, (int32_t)ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    assert_true(mez_error_is_in(memory, MEZ_CATEGORY_RUNTIME));
    assert_false(mez_error_is_in(memory, MEZ_CATEGORY_DEVICE));
    const mez_error range = error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_ND_RANGE);
    assert_true(mez_error_is_in(range, MEZ_CATEGORY_RUNTIME));
    assert_false(mez_error_is_in(range, MEZ_CATEGORY_LEVEL_ZERO));
    assert_true(mez_error_is_in(mez_ok(), MEZ_CATEGORY_SUCCESS));
    assert_false(mez_error_is_in(mez_ok(), MEZ_CATEGORY_RUNTIME));
    assert_false(mez_error_is_in(range, MEZ_CATEGORY_SUCCESS));
}

static void test_unknown_codes_have_words(void **state)
{
    (void)state;
    const mez_error unknown[] = {error_of(MEZ_CATEGORY_LEVEL_ZERO, 0x12345),
        error_of((mez_category)200, 7), error_of(MEZ_CATEGORY_RUNTIME, MEZ_ERRC_DEVICE_LOST)};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_true(mez_failed(unknown[i]));
        assert_true(mez_error_is(unknown[i], MEZ_ERRC_UNKNOWN));
        assert_true(mez_error_get_name(unknown[i])[0] != '\0');
        assert_true(mez_error_get_message(unknown[i])[0] != '\0');
    }
    assert_string_equal(mez_category_get_name((mez_category)200), "unknown");
}

static void test_same_value_in_another_category_differs(void **state)
{
    (void)state;
    assert_false(mez_error_is_equal(
        error_of(MEZ_CATEGORY_RUNTIME, 0x101), error_of(MEZ_CATEGORY_LEVEL_ZERO, 0x101)));
    for (size_t a = 0; a < CATEGORIES; a++)
        for (size_t b = a + 1; b < CATEGORIES; b++)
            assert_string_not_equal(
                mez_category_get_name(categories[a]), mez_category_get_name(categories[b]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_names_are_distinct),
        cmocka_unit_test(test_own_codes_are_their_conditions),
        cmocka_unit_test(test_results_of_newer_specifications),
        cmocka_unit_test(test_every_ze_result_is_known),
        cmocka_unit_test(test_conditions_of_level_zero),
        cmocka_unit_test(test_success_is_zero),
        cmocka_unit_test(test_only_success_is_zero),
        cmocka_unit_test(test_conditions_have_a_family_and_words),
        cmocka_unit_test(test_categories_catch_native_codes_too),
        cmocka_unit_test(test_unknown_codes_have_words),
        cmocka_unit_test(test_same_value_in_another_category_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
