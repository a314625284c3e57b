// SPDX-License-Identifier: MIT
//
// Lists of files as compilers write them for make.

#include "compile/depfile.h"
#include "unit.h"

static mez_words read(const char *text)
{
    mez_words files = {0};
    assert_ok(mez_depfile_read(text, strlen(text), &files));
    return files;
}

static void a_list_goes_on_over_lines(void **state)
{
    (void)state;
    mez_words files = read("source: a.cl \\\n  include/b.h \\\r\n c.h\n");
    assert_int_equal(files.count, 3);
    assert_string_equal(files.items[0], "a.cl");
    assert_string_equal(files.items[1], "include/b.h");
    assert_string_equal(files.items[2], "c.h");
    mez_words_finish(&files);
}

static void special_characters_are_read_as_they_were(void **state)
{
    (void)state;
    mez_words files =
        read("source: with\\ blank.cl two\\\\\\ x.h no\\#1.h $$HOME/d.h back\\slash.h "
             "end\\\\ a:b.h");
    const char *const names[] = {
        "with blank.cl", "two\\ x.h", "no#1.h", "$HOME/d.h", "back\\slash.h", "end\\", "a:b.h"};
    assert_int_equal(files.count, 7);
    for (size_t i = 0; i < files.count; i++)
        assert_string_equal(files.items[i], names[i]);
    mez_words_finish(&files);
}

static void a_file_of_two_rules_is_named_once(void **state)
{
    (void)state;
    mez_words files = read("a: x.cl y.h\n\nb: y.h z.h\ny.h:\n");
    assert_int_equal(files.count, 3);
    assert_string_equal(files.items[2], "z.h");
    mez_words_finish(&files);
}

static void an_empty_list_has_no_files(void **state)
{
    (void)state;
    mez_words files = read("");
    assert_int_equal(files.count, 0);
    mez_words_finish(&files);
    files = read("source:\n");
    assert_int_equal(files.count, 0);
    mez_words_finish(&files);
}

static void what_is_no_list_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"a.cl b.h", "\177ELF", "a b: c"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mez_words files = {0};
        assert_story(
            mez_depfile_read(texts[i], strlen(texts[i]), &files), MEZ_ERRC_FILE, "list of files");
        mez_words_finish(&files);
    }
    mez_words files = {0};
    assert_story(mez_depfile_read("a: b\0c", 6, &files), MEZ_ERRC_FILE, "list of files");
    mez_words_finish(&files);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a.cl", "with blank", "\\ x", "a\\\\ b", "#1", "$HOME", "\\$\\x", "a\tb", "c:d"};
    mez_words files = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_ok(mez_words_add(&files, names[i]));
    mez_bytes text = {0};
    assert_ok(mez_depfile_write("out file.spv", "a.cl", &files, &text));
    assert_memory_equal(text.data, "out\\ file.spv: \\\n  a.cl \\\n", 25);
    mez_words again = {0};
    assert_ok(mez_depfile_read((const char *)text.data + 4, text.size - 4, &again));
    assert_int_equal(again.count, files.count);
    for (size_t i = 0; i < again.count; i++)
        assert_string_equal(again.items[i], names[i]);
    mez_words_finish(&files);
    mez_words_finish(&again);
    mez_bytes_finish(&text);
}

// "x: a=b.cl c.h" sets a variable, and x depends on nothing.
static void a_name_that_make_takes_for_a_variable_is_not_the_first(void **state)
{
    (void)state;
    mez_words files = {0};
    assert_ok(mez_words_add(&files, "a=b.cl"));
    assert_ok(mez_words_add(&files, "c=d.h"));
    assert_ok(mez_words_add(&files, "e.h"));
    mez_bytes text = {0};
    assert_ok(mez_depfile_write("x", "a=b.cl", &files, &text));
    mez_bytes_add(&text, "", 1);
    assert_string_equal((const char *)text.data, "x: \\\n  e.h \\\n  a=b.cl \\\n  c=d.h\ne.h:\n");
    mez_words_finish(&files);
    mez_bytes_finish(&text);
}

static void what_has_gone_has_a_rule(void **state)
{
    (void)state;
    static const char *const names[] = {"a.cl", "with blank.h", "$x.h", "#1", "c:d", "e%.h", "f=g"};
    mez_words files = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_ok(mez_words_add(&files, names[i]));
    mez_bytes text = {0};
    assert_ok(mez_depfile_write("x", "a.cl", &files, &text));
    mez_bytes_add(&text, "", 1);
    const char *rules = strstr((const char *)text.data, "f=g\n");
    assert_non_null(rules);
    assert_string_equal(rules, "f=g\nwith\\ blank.h:\n$$x.h:\n\\#1:\n");
    mez_words_finish(&files);
    mez_bytes_finish(&text);
}

static void some_names_can_not_be_written(void **state)
{
    (void)state;
    static const char *const names[] = {"a\nb", "a\\"};
    for (size_t i = 0; i < 2; i++) {
        mez_words files = {0};
        mez_bytes text = {0};
        assert_ok(mez_words_add(&files, names[i]));
        assert_story(mez_depfile_write("x", NULL, &files, &text), MEZ_ERRC_INVALID_PARAMETER,
            "a line break");
        mez_words_finish(&files);
        mez_bytes_finish(&text);
    }
}

// Make would take them for a pattern, a variable, another rule, a group.
static void some_targets_can_not_be_written(void **state)
{
    (void)state;
    static const char *const targets[] = {"a:b", "a%b", "a=b/x", "a;b", "a&"};
    static const char *const good[] = {"a&b", "a|b", "a b", "a#$.spv"};
    const mez_words files = {0};
    for (size_t i = 0; i < 5; i++) {
        mez_bytes text = {0};
        assert_story(mez_depfile_write(targets[i], NULL, &files, &text), MEZ_ERRC_INVALID_PARAMETER,
            "use a path without");
        mez_bytes_finish(&text);
    }
    for (size_t i = 0; i < 4; i++) {
        mez_bytes text = {0};
        assert_ok(mez_depfile_write(good[i], NULL, &files, &text));
        mez_bytes_finish(&text);
    }
    mez_bytes text = {0};
    assert_story(
        mez_depfile_write("", NULL, &files, &text), MEZ_ERRC_INVALID_PARAMETER, "an empty one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_goes_on_over_lines),
        cmocka_unit_test(special_characters_are_read_as_they_were),
        cmocka_unit_test(a_file_of_two_rules_is_named_once),
        cmocka_unit_test(an_empty_list_has_no_files),
        cmocka_unit_test(what_is_no_list_is_refused),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_name_that_make_takes_for_a_variable_is_not_the_first),
        cmocka_unit_test(what_has_gone_has_a_rule),
        cmocka_unit_test(some_names_can_not_be_written),
        cmocka_unit_test(some_targets_can_not_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
