// SPDX-License-Identifier: MIT
//
// Strings, objects, and types of one's own.

#include "test.h"

enum { MANY = 5000 }; // more than an index and a page begin with

static void a_string_is_kept_once_and_copied(void **state)
{
    (void)state;
    char text[] = "kernel_name";
    char *kept, *again;
    const mez_xpti_string string = xptiRegisterString(text, &kept);
    assert_int_not_equal(string, MEZ_XPTI_NO_STRING);
    assert_ptr_not_equal(kept, text);
    text[0] = 'K';
    assert_string_equal(kept, "kernel_name");
    assert_int_equal(xptiRegisterString("kernel_name", &again), string);
    assert_ptr_equal(again, kept);
    assert_ptr_equal(xptiLookupString(string), kept);
    assert_int_not_equal(xptiRegisterString(text, &again), string);
}

static void no_string_has_no_number(void **state)
{
    (void)state;
    char *kept = (char *)&kept;
    assert_int_equal(xptiRegisterString(NULL, &kept), MEZ_XPTI_NO_STRING);
    assert_null(kept);
    assert_int_equal(xptiRegisterString("", &kept), MEZ_XPTI_NO_STRING);
    assert_int_equal(xptiRegisterString("name", NULL), MEZ_XPTI_NO_STRING);
    assert_null(xptiLookupString(0));
    assert_null(xptiLookupString(1));
    assert_null(xptiLookupString(MEZ_XPTI_NO_STRING));
}

static void many_strings_are_all_found_again(void **state)
{
    (void)state;
    char text[32], *kept;
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "string %u", i);
        assert_int_equal(xptiRegisterString(text, &kept), i + 1);
    }
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "string %u", i);
        assert_string_equal(xptiLookupString(i + 1), text);
        assert_int_equal(xptiRegisterString(text, &kept), i + 1);
    }
}

static void an_object_is_its_bytes_and_type(void **state)
{
    (void)state;
    const double value = 0.5;
    const char *bytes = (const char *)&value;
    const mez_xpti_object floating = xptiRegisterObject(bytes, sizeof value, MEZ_XPTI_FLOATING);
    const mez_xpti_object binary = xptiRegisterObject(bytes, sizeof value, MEZ_XPTI_BINARY);
    assert_int_equal(floating, 0);
    assert_int_equal(binary, 1);
    assert_int_equal(xptiRegisterObject(bytes, sizeof value, MEZ_XPTI_FLOATING), floating);
    assert_int_equal(xptiRegisterObject(bytes, 4, MEZ_XPTI_BINARY), 2);
    const mez_xpti_object_data data = xptiLookupObject(floating);
    assert_int_equal(data.size, sizeof value);
    assert_int_equal(data.type, MEZ_XPTI_FLOATING);
    assert_memory_equal(data.data, bytes, sizeof value);
    assert_int_equal((uintptr_t)data.data % _Alignof(max_align_t), 0);
}

static void a_string_object_ends_with_a_zero(void **state)
{
    (void)state;
    const mez_xpti_object object = xptiRegisterObject("saxpy???", 5, MEZ_XPTI_STRING);
    assert_int_equal(xptiLookupObject(object).size, 5);
    assert_string_equal(xptiLookupObject(object).data, "saxpy");
}

static void no_object_has_no_number(void **state)
{
    (void)state;
    assert_int_equal(xptiRegisterObject(NULL, 4, MEZ_XPTI_BINARY), MEZ_XPTI_NO_OBJECT);
    assert_null(xptiLookupObject(0).data);
    assert_null(xptiLookupObject(-1).data);
    assert_null(xptiLookupObject(MEZ_XPTI_NO_OBJECT).data);
    assert_int_equal(xptiLookupObject(MEZ_XPTI_NO_OBJECT).size, 0);
}

static void types_of_ones_own_name_tool_and_type(void **state)
{
    (void)state;
    const uint16_t first = xptiRegisterUserDefinedTracePoint("solver", 3);
    const uint16_t second = xptiRegisterUserDefinedEventType("mesher", 0x83);
    assert_int_equal(first, 1 << 8 | 0x80 | 3);
    assert_int_equal(second, 2 << 8 | 0x80 | 3);
    assert_int_equal(xptiRegisterUserDefinedEventType("solver", 3), first);
    assert_int_equal(MEZ_XPTI_TOOL(second), 2);
    assert_int_equal(MEZ_XPTI_USER_TYPE(second), 3);
    assert_int_equal(xptiRegisterUserDefinedTracePoint(NULL, 1), 0);
}

static void there_are_255_tools(void **state)
{
    (void)state;
    char name[32];
    for (unsigned i = 1; i <= 255; i++) {
        snprintf(name, sizeof name, "tool %u", i);
        assert_int_equal(MEZ_XPTI_TOOL(xptiRegisterUserDefinedTracePoint(name, 1)), i);
    }
    assert_int_equal(xptiRegisterUserDefinedTracePoint("one more", 1), 0);
}

static void unique_ids_count_from_one(void **state)
{
    (void)state;
    assert_int_equal(xptiGetUniqueId(), 1);
    assert_int_equal(xptiGetUniqueId(), 2);
}

static void a_reset_forgets_all(void **state)
{
    (void)state;
    char *kept;
    xptiRegisterString("a", &kept);
    xptiRegisterObject("a", 1, MEZ_XPTI_STRING);
    xptiReset();
    assert_null(xptiLookupString(1));
    assert_null(xptiLookupObject(0).data);
    assert_int_equal(xptiRegisterString("b", &kept), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_string_is_kept_once_and_copied, start_anew),
        cmocka_unit_test_setup(no_string_has_no_number, start_anew),
        cmocka_unit_test_setup(many_strings_are_all_found_again, start_anew),
        cmocka_unit_test_setup(an_object_is_its_bytes_and_type, start_anew),
        cmocka_unit_test_setup(a_string_object_ends_with_a_zero, start_anew),
        cmocka_unit_test_setup(no_object_has_no_number, start_anew),
        cmocka_unit_test_setup(types_of_ones_own_name_tool_and_type, start_anew),
        cmocka_unit_test_setup(there_are_255_tools, start_anew),
        cmocka_unit_test_setup(unique_ids_count_from_one, start_anew),
        cmocka_unit_test_setup(a_reset_forgets_all, start_anew),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
