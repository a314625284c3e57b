// SPDX-License-Identifier: MIT
//
// File tables and symbol files.

#include "base/alloc.h"
#include "container/table.h"
#include "unit.h"

static mez_error read_text(const char *text, mez_table *table)
{
    return mez_table_read(text, strlen(text), "a.table", table);
}

static void assert_writes(const mez_table *table, const char *expected)
{
    mez_bytes bytes = {0};
    assert_ok(mez_table_write(table, &bytes));
    mez_bytes_add(&bytes, "", 1);
    assert_string_equal((const char *)bytes.data, expected);
    mez_bytes_finish(&bytes);
}

static void a_table_reads_and_writes_the_same(void **state)
{
    (void)state;
    static const char text[] = "[Code|Properties|Symbols]\n"
                               "a_0.spv|a_0.prop|a_0.sym\n"
                               "a_1.spv||a_1.sym\n";
    mez_table table = {0};
    assert_ok(read_text(text, &table));
    assert_int_equal(table.rows, 2);
    assert_int_equal(mez_table_find_column(&table, MEZ_COLUMN_SYMBOLS), 2);
    assert_int_equal(mez_table_find_column(&table, "Nothing"), MEZ_NO_COLUMN);
    assert_string_equal(mez_table_get(&table, 1, 1), "");
    assert_string_equal(mez_table_get(&table, 1, 2), "a_1.sym");
    assert_writes(&table, text);
    mez_table_finish(&table);
}

static void columns_without_titles_are_numbered(void **state)
{
    (void)state;
    mez_table table = {0};
    assert_ok(read_text("a|b\nc|d", &table));
    assert_false(table.titled);
    assert_int_equal(mez_table_find_column(&table, "1"), 1);
    assert_string_equal(mez_table_get(&table, 1, 0), "c");
    assert_writes(&table, "a|b\nc|d\n");
    mez_table_finish(&table);
}

static void nothing_and_titles_alone_are_tables(void **state)
{
    (void)state;
    mez_table table = {0};
    assert_ok(read_text("", &table));
    assert_int_equal(table.titles.count, 0);
    assert_writes(&table, "");
    assert_ok(read_text("[Code]\n", &table));
    assert_int_equal(table.titles.count, 1);
    assert_int_equal(table.rows, 0);
    assert_writes(&table, "[Code]\n");
    mez_table_finish(&table);
}

static void damaged_tables_are_refused_with_their_line(void **state)
{
    (void)state;
    mez_table table = {0};
    assert_story(read_text("[Code\na\n", &table), MEZ_ERRC_INVALID_IMAGE, "malformed title line");
    assert_story(read_text("[\na\n", &table), MEZ_ERRC_INVALID_IMAGE, "malformed title line");
    assert_story(read_text("[A|B|A]\n", &table), MEZ_ERRC_INVALID_IMAGE, "duplicate column");
    assert_story(read_text("[A|B]\na|b\n\na|b|c\n", &table), MEZ_ERRC_INVALID_IMAGE,
        "row size mismatch at line 4");
    assert_story(
        read_text("a|b\nc\n", &table), MEZ_ERRC_INVALID_IMAGE, "row size mismatch at line 2");
    assert_story(mez_table_read("a\0b", 3, "a.table", &table), MEZ_ERRC_INVALID_IMAGE, "a.table:1");
    assert_int_equal(table.titles.count, 0);
    char wide[2000];
    memset(wide, '|', sizeof wide);
    assert_story(mez_table_read(wide, sizeof wide, "a.table", &table), MEZ_ERRC_INVALID_IMAGE,
        "too many columns");
}

static void rows_come_and_go(void **state)
{
    (void)state;
    mez_table table = {0};
    assert_ok(mez_table_add_column(&table, MEZ_COLUMN_CODE));
    assert_ok(mez_table_add_column(&table, MEZ_COLUMN_PROPERTIES));
    assert_condition(mez_table_add_column(&table, "Code"), MEZ_ERRC_INVALID_PARAMETER);
    for (char name = 'a'; name <= 'e'; name++) {
        const char *cells[] = {(char[]){name, '\0'}, "p"};
        assert_ok(mez_table_add_row(&table, cells));
    }
    mez_table_remove_row(&table, 4);
    mez_table_remove_row(&table, 0);
    mez_table_remove_row(&table, 1);
    assert_writes(&table, "[Code|Properties]\nb|p\nd|p\n");
    assert_condition(mez_table_add_column(&table, "Late"), MEZ_ERRC_INVALID_PARAMETER);
    mez_table_finish(&table);
}

static void expect_unwritable(const char *cell)
{
    mez_table table = {0};
    mez_bytes bytes = {0};
    assert_ok(mez_table_add_column(&table, "Code"));
    assert_ok(mez_table_add_row(&table, &cell));
    assert_condition(mez_table_write(&table, &bytes), MEZ_ERRC_INVALID_PARAMETER);
    mez_bytes_finish(&bytes);
    mez_table_finish(&table);
}

static void cells_that_would_read_otherwise_are_refused(void **state)
{
    (void)state;
    expect_unwritable("a|b");
    expect_unwritable("a\nb");
    expect_unwritable("a\r");
    expect_unwritable("");
}

static void expect_resolved(const char *table, const char *cell, const char *expected)
{
    char *path = mez_table_resolve(table, cell);
    assert_string_equal(path, expected);
    mez_free_memory(path);
}

static void paths_are_relative_to_the_table(void **state)
{
    (void)state;
    expect_resolved("out/a.table", "a.spv", "out/a.spv");
    expect_resolved("/a.table", "b/a.spv", "/b/a.spv");
    expect_resolved("a.table", "a.spv", "a.spv");
    expect_resolved("out/a.table", "/b/a.spv", "/b/a.spv");
}

static void symbol_files_read_and_write_the_same(void **state)
{
    (void)state;
    mez_symbols symbols = {0};
    static const char text[] = "_ZTS3add\n_ZTS3mul\n";
    assert_ok(mez_symbols_read(text, strlen(text), "a.sym", &symbols));
    assert_int_equal(symbols.count, 2);
    mez_bytes bytes = {0};
    assert_ok(mez_symbols_write(&symbols, &bytes));
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
    mez_bytes_finish(&bytes);
    assert_story(mez_symbols_read("a\n\0\n", 4, "a.sym", &symbols), MEZ_ERRC_INVALID_IMAGE,
        "a.sym:2: a NUL");
    assert_ok(mez_symbols_add(&symbols, "", 0));
    assert_condition(mez_symbols_write(&symbols, &bytes), MEZ_ERRC_INVALID_PARAMETER);
    mez_bytes_finish(&bytes);
    mez_symbols_finish(&symbols);
}

static void short_memory_is_an_error_everywhere(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        mez_table table = {0};
        mez_alloc_fail_at(n);
        const mez_error error = read_text("[Code|Properties]\na|b\nc|d\n", &table);
        const bool failed_one = mez_alloc_fail_at(0) >= n;
        mez_table_finish(&table);
        if (!failed_one) {
            assert_ok(error);
            assert_true(n > 5);
            break;
        }
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_reads_and_writes_the_same),
        cmocka_unit_test(columns_without_titles_are_numbered),
        cmocka_unit_test(nothing_and_titles_alone_are_tables),
        cmocka_unit_test(damaged_tables_are_refused_with_their_line),
        cmocka_unit_test(rows_come_and_go),
        cmocka_unit_test(cells_that_would_read_otherwise_are_refused),
        cmocka_unit_test(paths_are_relative_to_the_table),
        cmocka_unit_test(symbol_files_read_and_write_the_same),
        cmocka_unit_test(short_memory_is_an_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
