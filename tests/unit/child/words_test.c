// SPDX-License-Identifier: MIT
//
// Options are taken apart as a shell does it.

#include "base/alloc.h"
#include "child/words.h"
#include "unit.h"

static void expect_words(const char *text, size_t count, const char *const *expected)
{
    mez_words words = {0};
    assert_ok(mez_words_split(&words, text));
    assert_int_equal(words.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(words.items[i], expected[i]);
    if (count > 0)
        assert_null(words.items[count]);
    mez_words_finish(&words);
}
#define EXPECT_WORDS(text, ...)                                                \
    expect_words(text, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
        (const char *[]){__VA_ARGS__})

static void blanks_separate_words(void **state)
{
    (void)state;
    EXPECT_WORDS("-device tgllp", "-device", "tgllp");
    EXPECT_WORDS("  -device\t\ttgllp \n", "-device", "tgllp");
    expect_words("", 0, NULL);
    expect_words(" \t ", 0, NULL);
}

static void quotes_hold_together(void **state)
{
    (void)state;
    EXPECT_WORDS("-options '-cl-fast -g'", "-options", "-cl-fast -g");
    EXPECT_WORDS("\"a b\"c'd e' f", "a bcd e", "f");
    EXPECT_WORDS("'' x \"\"", "", "x", "");
    EXPECT_WORDS("'a\\' \"b\\\"c\\d\"", "a\\", "b\"c\\d");
}

static void a_backslash_takes_one_character(void **state)
{
    (void)state;
    EXPECT_WORDS("a\\ b \\'c \\\\", "a b", "'c", "\\");
}

static void what_ends_within_a_word_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"'a", "b \"c", "d\\", "\"e\\"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mez_words words = {0};
        assert_story(mez_words_split(&words, texts[i]), MEZ_ERRC_INVALID_PARAMETER,
            "end inside a quoted word");
        mez_words_finish(&words);
    }
}

static void without_memory_there_is_an_error(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        mez_words words = {0};
        mez_alloc_fail_at(n);
        const mez_error error = mez_words_split(&words, "a b c d e f g h i j k l m n o p q");
        mez_alloc_fail_at(0);
        failed = mez_failed(error);
        if (failed)
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        else
            assert_int_equal(words.count, 17);
        mez_words_finish(&words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_separate_words),
        cmocka_unit_test(quotes_hold_together),
        cmocka_unit_test(a_backslash_takes_one_character),
        cmocka_unit_test(what_ends_within_a_word_is_refused),
        cmocka_unit_test(without_memory_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
