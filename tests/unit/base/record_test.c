// SPDX-License-Identifier: MIT
//
// The line that a failed assert prints, whatever the device has written.

#include "unit.h"

#include "assert/report.h"

static void fill_in(mez_assert_record *record)
{
    *record = (mez_assert_record){
        .flag = MEZ_ASSERT_FAILED, .line = 7, .global_id = {999, 1, 2}, .local_id = {7, 3, 4}};
    strcpy(record->expression, "y[i] < limit");
    strcpy(record->file, "saxpy.cl");
    strcpy(record->function, "saxpy");
}

static void expect_line(const mez_assert_record *record, const char *expected)
{
    mez_text line = {0};
    mez_assert_format(record, &line);
    assert_string_equal(mez_text_get(&line), expected);
    mez_text_finish(&line);
}

static void test_says_what_c_says(void **state)
{
    (void)state;
    mez_assert_record record;
    fill_in(&record);
    expect_line(&record,
        "saxpy.cl:7: saxpy: global id: [999,1,2], local id: [7,3,4] Assertion `y[i] < limit` "
        "failed.\n");
}

static void test_empty_strings_have_names(void **state)
{
    (void)state;
    const mez_assert_record record = {.flag = MEZ_ASSERT_FAILED};
    expect_line(&record,
        "<unknown file>:0: <unknown func>: global id: [0,0,0], local id: [0,0,0] Assertion "
        "`<unknown expr>` failed.\n");
}

static void test_unterminated_strings_end_with_their_field(void **state)
{
    (void)state;
    mez_assert_record record;
    fill_in(&record);
    memset(record.expression, 'e', sizeof record.expression);
    memset(record.file, 'f', sizeof record.file);
    memset(record.function, 'n', sizeof record.function);
    mez_text line = {0};
    mez_assert_format(&record, &line);
    const char *text = mez_text_get(&line);
    assert_int_equal(strspn(text, "f"), 256);
    assert_int_equal(strspn(strstr(text, ":7: ") + 4, "n"), 128);
    assert_int_equal(strspn(strchr(text, '`') + 1, "e"), 256);
    mez_text_finish(&line);
}

static void test_percent_signs_are_text(void **state)
{
    (void)state;
    mez_assert_record record;
    fill_in(&record);
    strcpy(record.expression, "x %s n == 0");
    mez_text line = {0};
    mez_assert_format(&record, &line);
    assert_contains(mez_text_get(&line), "Assertion `x %s n == 0` failed.");
    mez_text_finish(&line);
}

static void test_large_ids(void **state)
{
    (void)state;
    mez_assert_record record;
    fill_in(&record);
    record.global_id[0] = UINT64_MAX;
    record.line = -1;
    mez_text line = {0};
    mez_assert_format(&record, &line);
    assert_contains(mez_text_get(&line), "saxpy.cl:-1: ");
    assert_contains(mez_text_get(&line), "[18446744073709551615,1,2]");
    mez_text_finish(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_says_what_c_says),
        cmocka_unit_test(test_empty_strings_have_names),
        cmocka_unit_test(test_unterminated_strings_end_with_their_field),
        cmocka_unit_test(test_percent_signs_are_text),
        cmocka_unit_test(test_large_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
