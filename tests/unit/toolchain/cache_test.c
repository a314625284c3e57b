// SPDX-License-Identifier: MIT
//
// The cache of built binaries as programs see it.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "cache/cache.h"
#include "child/folder.h"

// What contexts do.
static void store(mez_cache *cache, const char *name, const char *binary)
{
    const mez_cache_part part = {name, strlen(name)};
    const mez_cache_key key = mez_cache_key_of(&part, 1);
    assert_true(mez_cache_put(cache, &key, binary, strlen(binary)));
}

static mez_cache *open_in(const char *folder)
{
    mez_cache *cache;
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = folder, .limit = 1 << 20}, &cache));
    return cache;
}

static mez_cache_statistics statistics_of(mez_cache *cache)
{
    mez_cache_statistics statistics;
    assert_ok(mez_cache_get_statistics(cache, &statistics));
    return statistics;
}

static void programs_see_what_is_in_it(void **state)
{
    mez_cache *cache = open_in(*state);
    assert_int_equal(statistics_of(cache).entries, 0);
    store(cache, "first", "binary");
    store(cache, "second", "another");
    const mez_cache_statistics statistics = statistics_of(cache);
    assert_string_equal(statistics.folder, *state);
    assert_null(statistics.off);
    assert_true(statistics.limit == 1 << 20);
    assert_int_equal(statistics.entries, 2);
    assert_true(statistics.bytes > strlen("binary") + strlen("another"));
    assert_int_equal(statistics.stored, 2);
    mez_cache_close(&cache);
    assert_null(cache);
    mez_cache_close(&cache);
    mez_cache_close(NULL);
}

static void programs_clear_it(void **state)
{
    uint64_t removed = 7;
    mez_cache *cache = open_in(*state);
    assert_ok(mez_cache_clear(cache, &removed));
    assert_int_equal(removed, 0);
    store(cache, "first", "binary");
    assert_ok(mez_cache_clear(cache, &removed));
    assert_int_equal(removed, 1);
    assert_ok(mez_cache_clear(cache, NULL));
    assert_int_equal(statistics_of(cache).stored, 0);
    mez_cache_close(&cache);
}

static void one_that_is_off_is_empty(void **state)
{
    mez_cache *cache;
    uint64_t removed;
    (void)state;
    setenv("MEZ_CACHE", "off", 1);
    assert_ok(mez_cache_open(NULL, &cache));
    unsetenv("MEZ_CACHE");
    assert_string_equal(statistics_of(cache).off, "MEZ_CACHE=off");
    assert_string_equal(statistics_of(cache).folder, "");
    assert_ok(mez_cache_clear(cache, &removed));
    assert_int_equal(removed, 0);
    mez_cache_close(&cache);
    assert_non_null(statistics_of(NULL).off);
    assert_ok(mez_cache_clear(NULL, &removed));
    assert_int_equal(removed, 0);
}

static void what_is_wrong_is_refused(void **state)
{
    mez_cache *cache = (mez_cache *)state;
    mez_cache_params params = {.folder = "relative"};
    assert_story(mez_cache_open(&params, &cache), MEZ_ERRC_INVALID_PARAMETER, "relative");
    assert_null(cache);
    params.folder = *state;
    for (size_t i = 0; i < sizeof params.reserved / sizeof *params.reserved; i++) {
        params.reserved[i] = 1;
        assert_story(mez_cache_open(&params, &cache), MEZ_ERRC_INVALID_PARAMETER,
            "mez_cache_params.reserved is not zero");
        params.reserved[i] = 0;
    }
    assert_condition(mez_cache_open(&params, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(
        mez_cache_get_statistics(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"statistics\"");
    mez_alloc_fail_at(1);
    assert_story(mez_cache_open(&params, &cache), MEZ_ERRC_OUT_OF_HOST_MEMORY, "the cache");
    mez_alloc_fail_at(0);
    assert_null(cache);
}

// Whatever stands in its place is nobody's to remove.
static void a_file_in_its_place_is_reported(void **state)
{
    char path[256];
    uint64_t removed;
    mez_cache_statistics statistics;
    snprintf(path, sizeof path, "%s/file", (const char *)*state);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fclose(file);
    mez_cache *cache = open_in(path);
    assert_story(mez_cache_get_statistics(cache, &statistics), MEZ_ERRC_FILE, path);
    assert_string_equal(statistics.folder, path);
    assert_int_equal(statistics.entries, 0);
    assert_story(mez_cache_clear(cache, &removed), MEZ_ERRC_FILE, path);
    assert_int_equal(removed, 0);
    mez_cache_close(&cache);
}

static void one_that_can_not_be_used_says_why(void **state)
{
    (void)state;
    char above[] = "/tmp/mez-cache-check-XXXXXX", path[64];
    mez_cache *cache;
    assert_non_null(mkdtemp(above));
    snprintf(path, sizeof path, "%s/a/b", above);
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = path}, &cache));
    assert_ok(mez_cache_check(cache)); // it can be created
    assert_int_equal(access(path, F_OK), -1);
    mez_alloc_fail_at(1);
    assert_story(mez_cache_check(cache), MEZ_ERRC_OUT_OF_HOST_MEMORY, "folder");
    mez_alloc_fail_at(0);
    mez_cache_close(&cache);
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = above}, &cache));
    assert_ok(mez_cache_check(cache));
    assert_int_equal(chmod(above, 0777), 0);
    assert_story(mez_cache_check(cache), MEZ_ERRC_FILE, "others may write to it");
    mez_cache_close(&cache);
    assert_int_equal(rmdir(above), 0);
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = "/proc/self/cmdline/a"}, &cache));
    assert_story(mez_cache_check(cache), MEZ_ERRC_FILE, "Not a directory");
    mez_cache_close(&cache);
    assert_ok(mez_cache_check(NULL));
}

static void without_memory_nothing_stays(void **state)
{
    const mez_cache_params params = {.folder = *state};
    bool good = false;
    for (uint64_t n = 1; !good; n++) {
        mez_cache *cache;
        mez_alloc_fail_at(n);
        const mez_error error = mez_cache_open(&params, &cache);
        good = mez_alloc_fail_at(0) < n;
        assert_int_equal(mez_failed(error), !good);
        assert_int_equal(mez_failed(error), !cache);
        mez_cache_close(&cache);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(programs_see_what_is_in_it),
        TEST(programs_clear_it),
        TEST(one_that_is_off_is_empty),
        TEST(what_is_wrong_is_refused),
        TEST(a_file_in_its_place_is_reported),
        TEST(one_that_can_not_be_used_says_why),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
