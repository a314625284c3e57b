// SPDX-License-Identifier: MIT
//
// Stories: how they grow, how long they live, and what is left of them when memory is short.

#include "unit.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

static uint32_t number_of(mez_error error)
{
    return error.origin >> 8;
}

static mez_error make_numbered(int n)
{
    return mez_error_make(MEZ_ERRC_FILE, "file number %d", n);
}

static void make_many(int count)
{
    for (int i = 0; i < count; i++)
        make_numbered(i);
}

static void test_grows_as_it_travels(void **state)
{
    (void)state;
    static const mez_location where = {"app.c", "run", 12, 0};
    static const mez_location outer = {"outer.c", "main", 3, 0};
    mez_error error = mez_error_make(MEZ_ERRC_ND_RANGE, "dimension %d has no work-items", 1);
    error = mez_error_add(error, "kernel", "\"%s\"", "saxpy");
    error = mez_error_headline(error, "\"%s\" can't be submitted", "step 1");
    error = mez_error_add_place(error, &where);
    error = mez_error_add_place(error, &outer); // the innermost stays
    assert_string_equal(story_of(error),
        "mezzanine: \"step 1\" can't be submitted\n"
        "    MEZ_ERRC_ND_RANGE: a range that the kernel or the device cannot run\n"
        "    because: dimension 1 has no work-items\n"
        "    kernel: \"saxpy\"\n"
        "    called from: app.c:12, run");
    assert_int_equal(mez_error_get_category(error), MEZ_CATEGORY_RUNTIME);
}

static void test_category_follows_condition(void **state)
{
    (void)state;
    assert_int_equal(
        mez_error_get_category(mez_error_make(MEZ_ERRC_WRONG_STATE, "x")), MEZ_CATEGORY_RUNTIME);
    assert_int_equal(
        mez_error_get_category(mez_error_make(MEZ_ERRC_COMPILE_PROGRAM, "x")), MEZ_CATEGORY_DEVICE);
    const mez_error native = mez_error_make_native(MEZ_CATEGORY_LEVEL_ZERO, 0x70000001, "x");
    assert_int_equal(mez_error_get_category(native), MEZ_CATEGORY_LEVEL_ZERO);
    assert_true(mez_error_is(native, MEZ_ERRC_DEVICE_LOST));
}

static void test_unknown_places_add_nothing(void **state)
{
    (void)state;
    static const mez_location unknown = {0};
    static const mez_location no_function = {"app.c", NULL, 5, 0};
    mez_error error = make_numbered(1);
    error = mez_error_add_place(error, NULL);
    error = mez_error_add_place(error, &unknown);
    assert_null(strstr(story_of(error), "called from"));
    error = mez_error_add_place(error, &no_function);
    assert_contains(story_of(error), "called from: app.c:5, unknown function");
}

static void test_a_place_has_a_column_where_it_is_known(void **state)
{
    (void)state;
    static const mez_location known = {"app.c", "run", 5, 9};
    const mez_location *here = MEZ_HERE;
    assert_contains(
        story_of(mez_error_add_place(make_numbered(1), &known)), "called from: app.c:5:9, run");
#ifdef __clang__
    assert_int_equal(here->column, strlen("    const mez_location *here = ") + 1);
#else
    assert_int_equal(here->column, 0);
#endif
}

static void test_success_has_no_story(void **state)
{
    (void)state;
    const mez_error ok = mez_error_add_place(mez_error_add(mez_ok(), "a", "b"), NULL);
    assert_int_equal(ok.origin, 0);
    mez_alloc_fail_at(0);
    mez_error_add(mez_ok(), "never", "%s", "put together");
    assert_int_equal(mez_alloc_fail_at(0), 0);
    assert_int_equal(mez_error_headline(ok, "never").origin, 0);
    assert_false(mez_failed(mez_error_retain(ok)));
    mez_error_release(ok);
}

static void test_several_lines_are_indented(void **state)
{
    (void)state;
    const mez_error error =
        mez_error_add(make_numbered(1), "build log", "first\nsecond\n\nfourth\n");
    assert_contains(
        story_of(error), "\n    build log: first\n        second\n        \n        fourth");
    assert_true(story_of(error)[strlen(story_of(error)) - 1] == 'h');
}

static void test_oldest_gives_way(void **state)
{
    (void)state;
    const mez_error old = make_numbered(4711);
    make_many(MEZ_STORY_SLOTS - 1);
    assert_contains(story_of(old), "file number 4711");
    make_many(1);
    assert_string_equal(
        story_of(old), "mezzanine: MEZ_ERRC_FILE: a file cannot be read or written");
    assert_true(mez_error_is(old, MEZ_ERRC_FILE));
}

static void test_adding_to_what_gave_way_is_harmless(void **state)
{
    (void)state;
    const mez_error old = make_numbered(1);
    make_many(MEZ_STORY_SLOTS);
    assert_true(mez_error_is_equal(mez_error_add(old, "late", "words"), old));
    assert_true(mez_error_is_equal(mez_error_headline(old, "late"), old));
    mez_error_release(old);
    assert_null(strstr(story_of(old), "late"));
}

static void test_retained_stays(void **state)
{
    (void)state;
    const mez_error kept = mez_error_retain(mez_error_retain(make_numbered(4711)));
    make_many(2 * MEZ_STORY_SLOTS);
    assert_contains(story_of(kept), "file number 4711");
    mez_error_release(kept);
    assert_contains(story_of(kept), "file number 4711"); // one reference is left
    mez_error_add(kept, "still", "grows");
    assert_contains(story_of(kept), "still: grows");
    mez_error_release(kept);
    assert_null(strstr(story_of(kept), "4711"));
    mez_error_release(kept); // one too many
}

static void test_release_inside_the_bound_keeps_the_story(void **state)
{
    (void)state;
    const mez_error error = mez_error_retain(make_numbered(4711));
    mez_error_release(error);
    assert_contains(story_of(error), "file number 4711");
}

static void test_handing_over_makes_a_story_new(void **state)
{
    (void)state;
    mez_error error = mez_error_retain(make_numbered(4711));
    make_many(2 * MEZ_STORY_SLOTS);
    const mez_error given = mez_error_hand_over(error);
    assert_true(mez_error_is_equal(given, error));
    make_many(MEZ_STORY_SLOTS - 1);
    assert_contains(story_of(given), "file number 4711");
    make_many(1);
    assert_null(strstr(story_of(given), "4711"));

    error = mez_error_retain(make_numbered(4712)); // still in its place: nothing changes
    assert_int_equal(mez_error_hand_over(error).origin, error.origin);
    assert_contains(story_of(error), "file number 4712");

    mez_error_retain(mez_error_retain(error)); // somebody else keeps it: it stays under its number
    make_many(MEZ_STORY_SLOTS);
    assert_int_equal(mez_error_hand_over(error).origin, error.origin);
    assert_contains(story_of(error), "file number 4712");
    mez_error_release(error);
    assert_int_equal(mez_error_hand_over(mez_ok()).origin, 0);
}

static void test_numbers_wrap(void **state)
{
    (void)state;
    const mez_error kept = mez_error_retain(make_numbered(4711));
    uint32_t before = number_of(kept);
    bool wrapped = false;
    for (uint32_t i = 0; i < 1u << 24; i++) {
        const uint32_t number = number_of(mez_error_make(MEZ_ERRC_FILE, "x"));
        if (number == 0 || number == number_of(kept))
            fail_msg("number %u was given again", number);
        wrapped |= number < before;
        before = number;
    }
    assert_true(wrapped);
    assert_contains(story_of(kept), "file number 4711");
    mez_error_release(kept);
}

static void test_cut_like_snprintf(void **state)
{
    (void)state;
    const mez_error error = make_numbered(1);
    char whole[256], cut[16];
    const size_t length = mez_error_get_story(error, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    memset(cut, '#', sizeof cut);
    assert_int_equal(mez_error_get_story(error, cut, 8), length);
    assert_int_equal(strlen(cut), 7);
    assert_memory_equal(cut, whole, 7);
    assert_int_equal(cut[8], '#');
    assert_int_equal(mez_error_get_story(error, NULL, 0), length);
    cut[0] = '#';
    assert_int_equal(mez_error_get_story(error, cut, 0), length);
    assert_int_equal(cut[0], '#');
}

static void test_prints_with_a_newline(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    mez_error_print(stream, mez_ok());
    mez_error_print(NULL, make_numbered(1));
    mez_error_print(stream, make_numbered(2));
    fclose(stream);
    assert_string_equal(
        printed, "mezzanine: file number 2\n    MEZ_ERRC_FILE: a file cannot be read or written\n");
    free(printed);
}

// --- Without memory

static mez_error report_a_long_story(void)
{
    static const mez_location where = {"app.c", "run", 12, 0};
    mez_error error = mez_error_make(MEZ_ERRC_FILE, "a headline of %s",
        "quite some length, so that the text that holds it has to grow while it is put together");
    error = mez_error_add(error, "line", "%s", "first\nsecond");
    error = mez_error_headline(error, "raised");
    return mez_error_add_place(error, &where);
}

static void test_code_survives_without_memory(void **state)
{
    (void)state;
    mez_alloc_fail_at(0);
    report_a_long_story();
    const uint64_t allocations = mez_alloc_fail_at(0);
    assert_true(allocations >= 5);
    for (uint64_t n = 1; n <= allocations; n++) {
        mez_alloc_fail_at(n);
        const mez_error error = report_a_long_story();
        mez_alloc_fail_at(0);
        assert_condition(error, MEZ_ERRC_FILE);
        assert_contains(story_of(error), "MEZ_ERRC_FILE: a file cannot be read or written");
    }
}

// Reading is asked for at the worst of times.
static void test_reading_survives_without_memory(void **state)
{
    (void)state;
    const mez_error error = report_a_long_story();
    mez_alloc_fail_at(0);
    mez_error_get_story(error, NULL, 0);
    const uint64_t allocations = mez_alloc_fail_at(0);
    for (uint64_t n = 1; n <= allocations; n++) {
        char story[1024], printed[1024] = "";
        mez_alloc_fail_at(n);
        const size_t length = mez_error_get_story(error, story, sizeof story);
        mez_alloc_fail_at(0);
        assert_int_equal(length, strlen(story));
        assert_true(length > 0);

        FILE *stream = fmemopen(printed, sizeof printed, "w");
        mez_alloc_fail_at(n);
        mez_error_print(stream, error);
        mez_alloc_fail_at(0);
        fclose(stream);
        assert_true(strlen(printed) > 1);
    }
}

// --- Threads

static void *use_stories(void *argument)
{
    static const char gone[] = "mezzanine: MEZ_ERRC_FILE: a file cannot be read or written";
    for (int i = 0; i < 2000; i++) {
        const mez_error error = mez_error_retain(make_numbered(i));
        mez_error_add(error, "line", "%d", i);
        char expected[32], story[256];
        snprintf(expected, sizeof expected, "file number %d\n", i);
        mez_error_get_story(error, story, sizeof story);
        mez_error_release(error);
        // Other threads may have filled the store before this one could retain.
        if (!strstr(story, expected) && strcmp(story, gone) != 0)
            return argument;
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[4];
    static int wrong;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_stories, &wrong), 0);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_null(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_as_it_travels),
        cmocka_unit_test(test_category_follows_condition),
        cmocka_unit_test(test_unknown_places_add_nothing),
        cmocka_unit_test(test_a_place_has_a_column_where_it_is_known),
        cmocka_unit_test(test_success_has_no_story),
        cmocka_unit_test(test_several_lines_are_indented),
        cmocka_unit_test(test_oldest_gives_way),
        cmocka_unit_test(test_adding_to_what_gave_way_is_harmless),
        cmocka_unit_test(test_retained_stays),
        cmocka_unit_test(test_release_inside_the_bound_keeps_the_story),
        cmocka_unit_test(test_handing_over_makes_a_story_new),
        cmocka_unit_test(test_numbers_wrap),
        cmocka_unit_test(test_cut_like_snprintf),
        cmocka_unit_test(test_prints_with_a_newline),
        cmocka_unit_test(test_code_survives_without_memory),
        cmocka_unit_test(test_reading_survives_without_memory),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
