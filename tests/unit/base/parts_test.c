// SPDX-License-Identifier: MIT
//
// Stories in parts, and as JSON, for programs.

#include "unit.h"

#include "base/alloc.h"
#include "base/story.h"

static mez_error report(void)
{
    static const mez_location where = {"app.c", "run", 12, 0};
    mez_error error = mez_error_make(MEZ_ERRC_FILE, "\"a.spv\" can't be opened");
    error = mez_error_add(error, "reason", "no such file");
    error = mez_error_headline(error, "the image can't be loaded");
    error = mez_error_add(error, "build log", "one\ntwo\n");
    error = mez_error_headline(error, "kernel \"saxpy\" is not there");
    error = mez_error_add(error, "reason", "again");
    return mez_error_add_place(error, &where);
}

static const char *const names[] = {"reason", "build log", "reason", "called from"};
static const char *const texts[] = {"no such file", "one\ntwo", "again", "app.c:12, run"};
enum { FIELDS = sizeof names / sizeof names[0] };

static void test_a_headline_has_causes_down_to_the_first(void **state)
{
    (void)state;
    char text[64];
    const mez_error error = report();
    assert_int_equal(mez_error_get_headline(error, text, sizeof text), 27);
    assert_string_equal(text, "kernel \"saxpy\" is not there");
    assert_int_equal(mez_error_get_cause_count(error), 2);
    mez_error_get_cause(error, 0, text, sizeof text);
    assert_string_equal(text, "the image can't be loaded");
    assert_int_equal(mez_error_get_cause(error, 1, text, sizeof text), 23);
    assert_string_equal(text, "\"a.spv\" can't be opened");
    assert_int_equal(mez_error_get_cause(error, 2, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static void test_fields_come_as_they_were_reported(void **state)
{
    (void)state;
    const mez_error error = report();
    assert_int_equal(mez_error_get_field_count(error), FIELDS);
    for (size_t i = 0; i < FIELDS; i++) {
        char text[64];
        const char *name;
        assert_int_equal(mez_error_get_field(error, i, &name, text, sizeof text), strlen(texts[i]));
        assert_string_equal(name, names[i]);
        assert_string_equal(text, texts[i]);
        assert_int_equal(mez_error_get_field(error, i, NULL, NULL, 0), strlen(texts[i]));
    }
}

static void test_there_is_nothing_behind_the_last_field(void **state)
{
    (void)state;
    char text[8] = "before";
    const char *name = "before";
    assert_int_equal(mez_error_get_field(report(), FIELDS, &name, text, sizeof text), 0);
    assert_null(name);
    assert_string_equal(text, "");
    name = "before";
    assert_int_equal(mez_error_get_field(report(), SIZE_MAX, &name, text, sizeof text), 0);
    assert_null(name);
}

static void test_a_field_is_found_by_its_name(void **state)
{
    (void)state;
    char text[16];
    assert_int_equal(mez_error_find_field(report(), "reason", text, sizeof text), 12);
    assert_string_equal(text, "no such file");
    assert_int_equal(mez_error_find_field(report(), "build", text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(mez_error_find_field(report(), NULL, text, sizeof text), 0);
}

static void test_parts_are_cut_like_snprintf(void **state)
{
    (void)state;
    const mez_error error = report();
    char text[8];
    memset(text, '#', sizeof text);
    assert_int_equal(mez_error_get_headline(error, text, 7), 27);
    assert_string_equal(text, "kernel");
    assert_int_equal(text[7], '#');
    assert_int_equal(mez_error_get_field(error, 0, NULL, text, 1), 12);
    assert_string_equal(text, "");
    text[0] = '#';
    assert_int_equal(mez_error_get_field(error, 0, NULL, text, 0), 12);
    assert_int_equal(text[0], '#');
}

static void test_codes_without_a_story_have_no_parts(void **state)
{
    (void)state;
    const mez_error codes[] = {mez_ok(), mez_error_of(MEZ_CATEGORY_DEVICE, MEZ_ERRC_ASSERT)};
    for (size_t i = 0; i < 2; i++) {
        char text[8] = "before";
        assert_int_equal(mez_error_get_headline(codes[i], text, sizeof text), 0);
        assert_string_equal(text, "");
        assert_int_equal(mez_error_get_cause_count(codes[i]), 0);
        assert_int_equal(mez_error_get_field_count(codes[i]), 0);
    }
}

static void test_a_retained_story_can_be_walked_through(void **state)
{
    (void)state;
    const mez_error error = mez_error_retain(report());
    for (int i = 0; i < 2 * MEZ_STORY_SLOTS; i++)
        mez_error_make(MEZ_ERRC_FILE, "another");
    assert_int_equal(mez_error_get_field_count(error), FIELDS);
    mez_error_release(error);
    assert_int_equal(mez_error_get_field_count(error), 0);
}

// --- JSON

static const char *json_of(mez_error error)
{
    static char json[STORY_ROOM];
    assert_true(mez_error_get_json(error, json, sizeof json) < sizeof json);
    return json;
}

static void test_json_reports_everything(void **state)
{
    (void)state;
    mez_error error =
        mez_error_make_native(MEZ_CATEGORY_LEVEL_ZERO, 0x70000001, "the device does not answer");
    error = mez_error_headline(error, "queue \"main\" can't be waited for");
    error = mez_error_add(error, "call", "one\ttab\nand a line");
    assert_string_equal(json_of(error),
        "{\"category\":\"level_zero\",\"value\":1879048193,"
        "\"name\":\"ZE_RESULT_ERROR_DEVICE_LOST\","
        "\"message\":\"the device hung, was reset or removed, or its driver was updated\","
        "\"condition\":\"MEZ_ERRC_DEVICE_LOST\",\"family\":\"mezzanine device\","
        "\"headline\":\"queue \\\"main\\\" can't be waited for\","
        "\"causes\":[\"the device does not answer\"],"
        "\"fields\":[{\"name\":\"call\",\"text\":\"one\\u0009tab\\nand a line\"}]}");
}

static void test_json_of_a_code_alone_has_all_members(void **state)
{
    (void)state;
    assert_string_equal(json_of(mez_ok()),
        "{\"category\":\"success\",\"value\":0,\"name\":\"MEZ_SUCCESS\",\"message\":\"success\","
        "\"condition\":\"MEZ_SUCCESS\",\"family\":\"success\",\"headline\":\"\",\"causes\":[],"
        "\"fields\":[]}");
    assert_contains(json_of(mez_error_of(MEZ_CATEGORY_LEVEL_ZERO, -7)), "\"value\":-7,");
}

static void test_json_is_cut_like_snprintf(void **state)
{
    (void)state;
    char whole[1024], cut[40];
    const mez_error error = report();
    const size_t length = mez_error_get_json(error, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    for (size_t size = 1; size < sizeof cut; size++) {
        memset(cut, '#', sizeof cut);
        assert_int_equal(mez_error_get_json(error, cut, size), length);
        assert_int_equal(strlen(cut), size - 1);
        assert_memory_equal(cut, whole, size - 1);
        assert_int_equal(cut[size], '#');
    }
    assert_int_equal(mez_error_get_json(error, NULL, 0), length);
}

// Two bytes that begin characters, one that only follows, and a surrogate.
static void test_bytes_that_are_no_utf8_are_escaped(void **state)
{
    (void)state;
    const mez_error error = mez_error_make(MEZ_ERRC_FILE, "%s", "\xc3\xa9 \xc3 \x80 \xed\xa0\x80");
    assert_contains(
        json_of(error), "\"headline\":\"\xc3\xa9 \\\\xc3 \\\\x80 \\\\xed\\\\xa0\\\\x80\"");
}

static void test_reading_needs_no_memory(void **state)
{
    (void)state;
    const mez_error error = report();
    mez_alloc_fail_at(1);
    char text[64];
    mez_error_get_headline(error, text, sizeof text);
    mez_error_get_cause(error, 0, text, sizeof text);
    mez_error_get_field(error, 0, NULL, text, sizeof text);
    mez_error_find_field(error, "reason", text, sizeof text);
    const size_t length = mez_error_get_json(error, NULL, 0);
    assert_int_equal(mez_alloc_fail_at(0), 0);
    assert_int_equal(mez_error_get_json(error, NULL, 0), length);
}

static void test_bounded_texts_are_cut_like_snprintf(void **state)
{
    (void)state;
    char text[8];
    mez_bounded out = mez_bounded_begin(text, sizeof text);
    mez_bounded_print(&out, "%d", 1234);
    mez_bounded_add_string(&out, "ab");
    mez_bounded_print(&out, "%s", "cde"); // one more than fits
    assert_string_equal(text, "1234abc");
    assert_int_equal(out.length, 9);
    mez_bounded_print(&out, "%d", 5);
    assert_string_equal(text, "1234abc");
    assert_int_equal(out.length, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_headline_has_causes_down_to_the_first),
        cmocka_unit_test(test_fields_come_as_they_were_reported),
        cmocka_unit_test(test_there_is_nothing_behind_the_last_field),
        cmocka_unit_test(test_a_field_is_found_by_its_name),
        cmocka_unit_test(test_parts_are_cut_like_snprintf),
        cmocka_unit_test(test_codes_without_a_story_have_no_parts),
        cmocka_unit_test(test_a_retained_story_can_be_walked_through),
        cmocka_unit_test(test_json_reports_everything),
        cmocka_unit_test(test_json_of_a_code_alone_has_all_members),
        cmocka_unit_test(test_json_is_cut_like_snprintf),
        cmocka_unit_test(test_bytes_that_are_no_utf8_are_escaped),
        cmocka_unit_test(test_reading_needs_no_memory),
        cmocka_unit_test(test_bounded_texts_are_cut_like_snprintf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
