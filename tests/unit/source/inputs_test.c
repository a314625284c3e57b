// SPDX-License-Identifier: MIT
//
// What a compilation depends on, as bytes, and where its includes might have been found.

#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "source/inputs.h"

// --- Lists

enum { ENTRIES = 2000 };

static void add_many(mez_bytes *list)
{
    char path[32];
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(path, sizeof path, "folder/file %d.h", i);
        mez_source_inputs_add(list, i % 3 ? MEZ_SOURCE_READ : MEZ_SOURCE_ABSENT, path);
    }
    assert_false(list->failed);
}

static void test_lists_are_read_as_written(void **state)
{
    (void)state;
    mez_bytes list = {0};
    mez_source_input input;
    size_t offset = 0;
    char path[32];
    add_many(&list);
    assert_true(mez_source_inputs_are_whole(list.data, list.size));
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(path, sizeof path, "folder/file %d.h", i);
        assert_true(mez_source_inputs_next(list.data, list.size, &offset, &input));
        assert_string_equal(input.path, path);
        assert_int_equal(input.kind, i % 3 ? MEZ_SOURCE_READ : MEZ_SOURCE_ABSENT);
    }
    assert_false(mez_source_inputs_next(list.data, list.size, &offset, &input));
    mez_bytes_finish(&list);
}

static void test_nothing_is_a_list(void **state)
{
    (void)state;
    size_t offset = 0;
    mez_source_input input;
    assert_true(mez_source_inputs_are_whole(NULL, 0));
    assert_false(mez_source_inputs_next(NULL, 0, &offset, &input));
}

static void test_other_bytes_are_none(void **state)
{
    (void)state;
    assert_true(mez_source_inputs_are_whole("Ra\0Ab", 6));
    assert_false(mez_source_inputs_are_whole("Ra\0Ab", 5)); // no NUL behind the last
    assert_false(mez_source_inputs_are_whole("R\0Ab", 5));  // no path
    assert_false(mez_source_inputs_are_whole("Qa", 3));
    assert_false(mez_source_inputs_are_whole("\0", 1));
    assert_false(mez_source_inputs_are_whole("R", 1));
}

// --- Options

static mez_source_folders folders_of(const char *options, bool *followed)
{
    mez_words words = {0};
    mez_source_folders folders;
    assert_ok(mez_words_split(&words, options));
    assert_ok(mez_source_folders_read(&words, &folders, followed));
    mez_words_finish(&words);
    return folders;
}

static void expect_folders(const char *options, const char *wanted, bool relative)
{
    bool followed;
    mez_text list = {0};
    mez_source_folders folders = folders_of(options, &followed);
    for (size_t i = 0; i < folders.list.count; i++)
        mez_text_add(&list, "%s%s", i ? " " : "", folders.list.items[i]);
    assert_string_equal(mez_text_get(&list), wanted);
    assert_int_equal(folders.relative, relative);
    assert_true(followed);
    mez_text_finish(&list);
    mez_source_folders_finish(&folders);
}

static void test_folders_are_in_the_compilers_order(void **state)
{
    (void)state;
    expect_folders("", "", false);
    expect_folders("-DA=1 -O3 -g -cl-fast-relaxed-math -Wall", "", false);
    expect_folders(
        "-I/a -I /b -isystem /s -iquote /q -idirafter/z -I/c", "/q /a /b /c /s /z", false);
    expect_folders("-Iinclude", "include", true);
    expect_folders("-D -I/a -I/b", "/b", false); // a macro of that name
    expect_folders("-include x.h -I/a", "/a", true);
    expect_folders("-I", "", false); // which the compiler refuses
}

static void expect_not_followed(const char *options)
{
    bool followed;
    mez_source_folders folders = folders_of(options, &followed);
    if (followed)
        fail_msg("%s was followed", options);
    mez_source_folders_finish(&folders);
}

static void test_what_cannot_be_followed(void **state)
{
    (void)state;
    expect_not_followed("-Xclang -I -Xclang /a");
    expect_not_followed("-iprefix /a");
    expect_not_followed("--include-directory=/a");
    expect_not_followed("-Wp,-I/a");
    expect_not_followed("-fplugin=/a.so");
    expect_not_followed("-O2 @options");
}

// --- Places

static char place[] = "/tmp/mez-absent-XXXXXX";

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static int make_folders(void **state)
{
    (void)state;
    if (!mkdtemp(place) || chdir(place) != 0 || mkdir("a", 0700) || mkdir("b", 0700) ||
        mkdir("c", 0700))
        return -1;
    write_file("main.cl");
    write_file("b/x.h");
    write_file("c/x.h");
    return 0;
}

static int remove_folders(void **state)
{
    (void)state;
    unlink("main.cl");
    unlink("b/x.h");
    unlink("c/x.h");
    return rmdir("a") || rmdir("b") || rmdir("c") || chdir("/") || rmdir(place);
}

static void expect_absent(const char *options, const char *files, const char *wanted)
{
    bool followed;
    mez_words read = {0};
    mez_bytes list = {0};
    mez_text absent = {0};
    mez_source_input input;
    mez_source_folders folders = folders_of(options, &followed);
    assert_ok(mez_words_split(&read, files));
    assert_ok(mez_source_add_absent(&folders, &read, &list));
    for (size_t offset = 0; mez_source_inputs_next(list.data, list.size, &offset, &input);) {
        assert_int_equal(input.kind, MEZ_SOURCE_ABSENT);
        mez_text_add(&absent, "%s%s", absent.length ? " " : "", input.path);
    }
    assert_string_equal(mez_text_get(&absent), wanted);
    mez_text_finish(&absent);
    mez_bytes_finish(&list);
    mez_words_finish(&read);
    mez_source_folders_finish(&folders);
}

static void test_places_before_the_one_where_a_file_was(void **state)
{
    (void)state;
    expect_absent("", "main.cl x.h", "");
    expect_absent("-Ia -Ib", "main.cl b/x.h", "a/x.h x.h");
    expect_absent("-Ib/ -Ia", "main.cl b/x.h", "x.h");
    // That of b is there, and was ignored for a reason.
    expect_absent("-Ia -Ib -Ic", "main.cl c/x.h", "a/x.h x.h");
    expect_absent("-Ibb -Ib", "main.cl b/x.h", "bb/x.h x.h");
}

static void add_words(mez_words *words, const char *format, int count)
{
    char word[128];
    for (int i = 0; i < count; i++) {
        snprintf(word, sizeof word, format, i);
        assert_ok(mez_words_add(words, word));
    }
}

// So many files in so many folders that all places together would be tens of megabytes.
static void test_the_end_of_a_list_that_is_too_long(void **state)
{
    (void)state;
    bool followed;
    mez_words options = {0}, files = {0};
    mez_source_folders folders;
    mez_bytes list = {0};
    add_words(&options, "-I/nowhere/%d", 1000);
    add_words(&files, "/nowhere/999/%d.h", 1000);
    assert_ok(mez_source_folders_read(&options, &folders, &followed));
    assert_ok(mez_source_add_absent(&folders, &files, &list));
    assert_true(list.size > MEZ_SOURCE_MOST_BYTES);
    assert_true(list.size < MEZ_SOURCE_MOST_BYTES + 128);
    mez_bytes_finish(&list);
    mez_source_folders_finish(&folders);
    mez_words_finish(&files);
    mez_words_finish(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_read_as_written),
        cmocka_unit_test(test_nothing_is_a_list),
        cmocka_unit_test(test_other_bytes_are_none),
        cmocka_unit_test(test_folders_are_in_the_compilers_order),
        cmocka_unit_test(test_what_cannot_be_followed),
        cmocka_unit_test_setup_teardown(
            test_places_before_the_one_where_a_file_was, make_folders, remove_folders),
        cmocka_unit_test(test_the_end_of_a_list_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
