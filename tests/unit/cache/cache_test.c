// SPDX-License-Identifier: MIT
//
// The cache as its user sees it: what is put is got, damage and full disks are misses, the least recently used give way.

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <mezzanine/log.h>

#include "base/alloc.h"
#include "base/file.h"
#include "cache/entry.h"
#include "cache/folder.h"
#include "fixture.h"

#define MEGABYTE (1u << 20)

static void what_is_put_is_got(void **state)
{
    mez_cache *cache = open_cache(*state, 100 * MEGABYTE);
    for (uint32_t i = 0; i < 20; i++) {
        assert_false(has(cache, i));
        assert_true(put(cache, i));
        assert_true(has(cache, i));
    }
    mez_cache_close(&cache);
    assert_null(cache);
    cache = open_cache(*state, 100 * MEGABYTE);
    for (uint32_t i = 0; i < 20; i++)
        assert_true(has(cache, i));
    assert_false(has(cache, 20));
    mez_cache_close(&cache);
}

static void nothing_is_an_entry_too(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    const mez_cache_key key = key_of(1);
    void *bytes;
    size_t size = 5;
    assert_true(mez_cache_put(cache, &key, NULL, 0));
    assert_true(mez_cache_get(cache, &key, &bytes, &size));
    assert_non_null(bytes);
    assert_int_equal(size, 0);
    mez_free_memory(bytes);
    mez_cache_close(&cache);
}

static void a_later_entry_replaces_the_first(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    const mez_cache_key key = key_of(1);
    assert_true(mez_cache_put(cache, &key, "other", 5));
    assert_true(put(cache, 1));
    assert_true(has(cache, 1));
    assert_int_equal(stats_of(cache).entries, 1);
    mez_cache_close(&cache);
}

static void parts_do_not_run_into_each_other(void **state)
{
    (void)state;
    const mez_cache_part one[] = {{"ab", 2}, {"c", 1}}, two[] = {{"a", 1}, {"bc", 2}};
    const mez_cache_part three[] = {{"abc", 3}}, four[] = {{"abc", 3}, {NULL, 0}};
    const mez_cache_key keys[] = {mez_cache_key_of(one, 2), mez_cache_key_of(two, 2),
        mez_cache_key_of(three, 1), mez_cache_key_of(four, 2), mez_cache_key_of(NULL, 0)};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(&keys[i], &keys[j], sizeof *keys);
    const mez_cache_key again = mez_cache_key_of(one, 2);
    assert_memory_equal(&again, &keys[0], sizeof again);
}

// --- Damage

// Changes one byte of a file, or cuts it there.
static void damage(const char *path, off_t at, bool cut)
{
    const int file = open(path, O_RDWR);
    assert_true(file >= 0);
    uint8_t byte = 0;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= (uint8_t)(1u << at % 8);
    if (cut)
        assert_int_equal(ftruncate(file, at), 0);
    else
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
    close(file);
}

static void every_damage_is_a_miss(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    const mez_cache_key key = key_of(1);
    const char *path = entry_path(*state, 1);
    static const char content[] = "a binary of a few bytes";
    const off_t size = sizeof(mez_cache_header) + sizeof content;
    uint64_t damages = 0;
    for (off_t at = 0; at < 2 * size; at++) {
        void *bytes;
        size_t got;
        assert_true(mez_cache_put(cache, &key, content, sizeof content));
        damage(path, at / 2, at % 2);
        assert_false(mez_cache_get(cache, &key, &bytes, &got));
        assert_null(bytes);
        assert_int_equal(access(path, F_OK), -1); // removed
        assert_int_equal(stats_of(cache).damaged, ++damages);
    }
    mez_cache_close(&cache);
}

static void an_entry_of_another_key_is_damage(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_true(put(cache, 1));
    char path[256];
    snprintf(path, sizeof path, "%s", entry_path(*state, 1));
    assert_int_equal(rename(path, entry_path(*state, 2)), 0);
    assert_false(has(cache, 2));
    assert_int_equal(stats_of(cache).damaged, 1);
    mez_cache_close(&cache);
}

static void what_the_driver_rejects_is_removed(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    const mez_cache_key key = key_of(1);
    assert_true(put(cache, 1));
    mez_cache_reject(cache, &key);
    assert_false(has(cache, 1));
    assert_int_equal(stats_of(cache).damaged, 1);
    mez_cache_close(&cache);
}

static void folders_and_pipes_in_an_entrys_place_are_no_entries(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_int_equal(mkdir(entry_path(*state, 1), 0700), 0);
    assert_int_equal(mkfifo(entry_path(*state, 2), 0600), 0);
    assert_false(has(cache, 1));
    assert_false(has(cache, 2));
    mez_cache_close(&cache);
}

// --- What others can write

static unsigned foreign;

static void count_foreign(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    foreign += level == MEZ_LOG_WARN &&
               strstr(message, "it belongs to another user, or others may write to it") != NULL;
}

// The entry is a miss, which is said, and the next one of its key is used again.
static void expect_foreign(mez_cache *cache, const char *path)
{
    foreign = 0;
    mez_log_set_function(count_foreign, NULL);
    assert_false(has(cache, 1));
    mez_log_set_function(NULL, NULL);
    assert_int_equal(foreign, 1);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(put(cache, 1));
    assert_true(has(cache, 1));
}

static void an_entry_that_others_may_write_is_not_used(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    const char *path = entry_path(*state, 1);
    assert_true(put(cache, 1));
    assert_int_equal(chmod(path, 0644), 0); // who may only read it does no harm
    assert_true(has(cache, 1));
    assert_int_equal(chmod(path, 0620), 0);
    expect_foreign(cache, path);
    assert_int_equal(chmod(path, 0602), 0);
    expect_foreign(cache, path);
    mez_cache_close(&cache);
}

static void an_entry_of_another_user_is_not_used(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    const char *path = entry_path(*state, 1);
    assert_true(put(cache, 1));
    if (chown(path, 65534, (gid_t)-1) == 0) // root alone can give files away
        expect_foreign(cache, path);
    else
        assert_int_equal(errno, EPERM);
    mez_cache_close(&cache);
}

// --- What can't be written

static unsigned warnings;

static void count_warning(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    warnings += level == MEZ_LOG_WARN && strstr(message, "cache of built binaries") != NULL;
}

static void expect_one_warning(mez_cache *cache)
{
    warnings = 0;
    mez_log_set_function(count_warning, NULL);
    assert_false(put(cache, 1));
    assert_false(put(cache, 2));
    assert_false(has(cache, 1));
    mez_log_set_function(NULL, NULL);
    assert_int_equal(warnings, 1);
}

static void a_folder_that_cant_be_made_is_reported_once(void **state)
{
    (void)state;
    mez_cache *cache = open_cache("/proc/mezzanine/cache", MEGABYTE);
    expect_one_warning(cache);
    mez_cache_close(&cache);
}

// What lies below a folder that can't be made is missing only for that.
static void the_first_parent_that_cant_be_made_has_the_reason(void **state)
{
    const uid_t user = geteuid(), nobody = 65534;
    char path[256];
    snprintf(path, sizeof path, "%s/a/b/mezzanine", (const char *)*state);
    assert_int_equal(chmod(*state, 0555), 0);
    assert_int_equal(seteuid(user == 0 ? nobody : user), 0); // root may write everywhere
    const int folder = mez_cache_open_folder(path, true);
    const int reason = errno;
    assert_int_equal(seteuid(user), 0);
    assert_int_equal(chmod(*state, 0700), 0);
    assert_int_equal(folder, -1);
    assert_int_equal(reason, EACCES);
}

static void a_folder_that_others_may_write_is_not_used(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_int_equal(chmod(*state, 0777), 0);
    expect_one_warning(cache);
    mez_cache_statistics stats;
    assert_condition(mez_cache_get_statistics(cache, &stats), MEZ_ERRC_FILE);
    assert_condition(mez_cache_clear(cache, NULL), MEZ_ERRC_FILE);
    mez_cache_close(&cache);
}

static void a_full_disk_leaves_nothing(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    struct rlimit before, small = {300, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    expect_one_warning(cache);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(stats_of(cache).entries, 0);
    assert_int_not_equal(system("ls -A \"$MEZ_TEST_FOLDER\" | grep -q new"), 0);
    assert_true(put(cache, 1));
    mez_cache_close(&cache);
}

static int make_named_folder(void **state)
{
    return make_folder(state) || setenv("MEZ_TEST_FOLDER", *state, 1);
}

static void short_memory_is_a_miss(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_true(put(cache, 1));
    mez_alloc_fail_at(1);
    assert_false(has(cache, 1));
    mez_alloc_fail_at(0);
    assert_true(has(cache, 1)); // it was not damaged
    mez_cache_close(&cache);
    mez_alloc_fail_at(1);
    assert_condition(mez_cache_open(NULL, &cache), MEZ_ERRC_OUT_OF_HOST_MEMORY);
    assert_null(cache);
    mez_alloc_fail_at(0);
}

// --- Room

static void set_age(const char *path, time_t seconds)
{
    const struct timespec used = {.tv_sec = time(NULL) - seconds};
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[]){used, used}, 0), 0);
}

static bool put_sized(mez_cache *cache, uint32_t number, size_t size)
{
    static uint8_t zeros[LARGEST_ENTRY];
    const mez_cache_key key = key_of(number);
    return mez_cache_put(cache, &key, zeros, size);
}

static bool is_there(const char *folder, uint32_t number)
{
    return access(entry_path(folder, number), F_OK) == 0;
}

static void the_least_recently_used_give_way(void **state)
{
    mez_cache *cache = open_cache(*state, 10000);
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(put_sized(cache, i, 1000));
        set_age(entry_path(*state, i), 1000 - (time_t)i);
    }
    const mez_cache_key first = key_of(0);
    void *bytes;
    size_t size;
    assert_true(mez_cache_get(cache, &first, &bytes, &size)); // now it was used last
    mez_free_memory(bytes);
    assert_true(put_sized(cache, 8, 1000));
    assert_int_equal(stats_of(cache).entries, 9);
    assert_true(put_sized(cache, 9, 1000));
    const mez_cache_statistics stats = stats_of(cache);
    assert_uint_in_range(stats.bytes, 1, 9000); // nine tenths, so that not every put evicts
    assert_int_equal(stats.entries, 8);
    assert_int_equal(stats.evicted, 2);
    assert_true(is_there(*state, 0));
    assert_false(is_there(*state, 1));
    assert_false(is_there(*state, 2));
    assert_true(is_there(*state, 3));
    assert_true(is_there(*state, 9));
    mez_cache_close(&cache);
}

static void what_is_larger_than_the_limit_is_not_stored(void **state)
{
    mez_cache *cache = open_cache(*state, 2000);
    assert_false(put_sized(cache, 1, 2000));
    assert_true(put_sized(cache, 2, 2000 - sizeof(mez_cache_header)));
    assert_true(is_there(*state, 2)); // the newest stays, though it takes more than nine tenths
    mez_cache_close(&cache);
}

static void only_our_files_are_touched(void **state)
{
    char foreign[256], similar[256], old[256], fresh[256];
    snprintf(foreign, sizeof foreign, "%s/notes.txt", (const char *)*state);
    snprintf(similar, sizeof similar, "%s/.new-0000000000000001.txt", (const char *)*state);
    snprintf(old, sizeof old, "%s/.new-0000000000000001", (const char *)*state);
    snprintf(fresh, sizeof fresh, "%s/.new-0000000000000002", (const char *)*state);
    close(open(foreign, O_CREAT | O_WRONLY, 0600));
    close(open(similar, O_CREAT | O_WRONLY, 0600));
    close(open(old, O_CREAT | O_WRONLY, 0600));
    close(open(fresh, O_CREAT | O_WRONLY, 0600));
    set_age(old, 4000);
    set_age(foreign, 4000);
    set_age(similar, 4000);
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_true(put(cache, 1));
    assert_true(put(cache, 2));
    assert_int_equal(access(old, F_OK), -1); // its writer was killed
    assert_int_equal(stats_of(cache).entries, 2);
    uint64_t removed = 0;
    assert_ok(mez_cache_clear(cache, &removed));
    assert_int_equal(removed, 2);
    assert_int_equal(access(foreign, F_OK), 0);
    assert_int_equal(access(similar, F_OK), 0);
    assert_int_equal(access(fresh, F_OK), 0); // its writer may be at it
    const mez_cache_statistics stats = stats_of(cache);
    assert_int_equal(stats.entries, 0);
    assert_int_equal(stats.stored, 0);
    mez_cache_close(&cache);
}

// --- Counts

static void counts_outlive_the_process(void **state)
{
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_false(has(cache, 1));
    assert_true(put(cache, 1));
    assert_true(has(cache, 1));
    assert_true(has(cache, 1));
    mez_cache_close(&cache);
    cache = open_cache(*state, MEGABYTE);
    const mez_cache_statistics stats = stats_of(cache);
    assert_int_equal(stats.hits, 2);
    assert_int_equal(stats.misses, 1);
    assert_int_equal(stats.stored, 1);
    assert_int_equal(stats.damaged, 0);
    assert_string_equal(stats.folder, *state);
    assert_int_equal(stats.limit, MEGABYTE);
    assert_null(stats.off);
    mez_cache_close(&cache);
}

static void write_counts_file(const char *folder, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/counts", folder);
    assert_ok(mez_file_write(path, text, strlen(text)));
}

// A folder that is chosen for the cache may hold other things.
static void a_file_of_others_is_no_counts(void **state)
{
    static const char notes[] = "one two three\n";
    char path[256];
    mez_file file;
    write_counts_file(*state, notes);
    mez_cache *cache = open_cache(*state, MEGABYTE);
    assert_true(put(cache, 1));
    assert_true(has(cache, 1));
    assert_int_equal(stats_of(cache).hits, 1);
    assert_ok(mez_cache_clear(cache, NULL));
    mez_cache_close(&cache);
    snprintf(path, sizeof path, "%s/counts", (const char *)*state);
    assert_ok(mez_file_read(path, &file));
    assert_int_equal(file.size, strlen(notes));
    assert_memory_equal(file.bytes, notes, strlen(notes));
    mez_file_finish(&file);
}

static void counts_that_were_cut_off_begin_anew(void **state)
{
    static const char *const rests[] = {"", "MEZC", "MEZCOUNT123"};
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        write_counts_file(*state, rests[i]);
        mez_cache *cache = open_cache(*state, MEGABYTE);
        assert_true(put(cache, 1));
        mez_cache_close(&cache);
        cache = open_cache(*state, MEGABYTE);
        assert_int_equal(stats_of(cache).stored, 1);
        mez_cache_close(&cache);
    }
}

// --- Threads

enum { THREADS = 6, ROUNDS = 100, ENTRIES = 10 };

static void *use_cache(void *user)
{
    mez_cache *cache = user;
    for (uint32_t i = 0; i < ROUNDS; i++)
        if (!has(cache, i % ENTRIES))
            put(cache, i % ENTRIES);
    return NULL;
}

static void threads_share_a_cache(void **state)
{
    mez_cache *cache = open_cache(*state, 200000); // less than all of them take
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_cache, cache), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const mez_cache_statistics stats = stats_of(cache);
    assert_int_equal(stats.hits + stats.misses, THREADS * ROUNDS);
    assert_int_equal(stats.damaged, 0);
    mez_cache_close(&cache);
}

// --- Settings

static void expect_folder(const char *folder)
{
    mez_cache *cache;
    assert_ok(mez_cache_open(NULL, &cache));
    const mez_cache_statistics stats = stats_of(cache);
    assert_string_equal(stats.folder, folder);
    assert_int_equal(stats.off == NULL, *folder != '\0');
    mez_cache_close(&cache);
}

static void the_environment_chooses_the_folder(void **state)
{
    unsetenv("MEZ_CACHE");
    char expected[256];
    snprintf(expected, sizeof expected, "%s/.cache/mezzanine", (const char *)*state);
    setenv("HOME", *state, 1);
    setenv("XDG_CACHE_HOME", "/does/not/exist", 1);
    expect_folder("/does/not/exist/mezzanine");
    setenv("XDG_CACHE_HOME", "relative", 1); // to be ignored, says the XDG specification
    expect_folder(expected);
    unsetenv("XDG_CACHE_HOME");
    expect_folder(expected);
    setenv("MEZ_CACHE", "/elsewhere", 1);
    expect_folder("/elsewhere");
    setenv("MEZ_CACHE", "off", 1);
    expect_folder("");
    setenv("MEZ_CACHE", "on", 1);
    unsetenv("HOME");
    expect_folder("");
    unsetenv("MEZ_CACHE");
    assert_int_equal(access("/does", F_OK), -1);
}

// Users that run services have such a home: nothing is made, kept or warned of.
static void a_home_that_does_not_exist_keeps_nothing(void **state)
{
    char home[256];
    snprintf(home, sizeof home, "%s/nobody", (const char *)*state);
    unsetenv("MEZ_CACHE");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home, 1);
    warnings = 0;
    mez_log_set_function(count_warning, NULL);
    mez_cache *cache;
    assert_ok(mez_cache_open(NULL, &cache));
    assert_false(put(cache, 1));
    assert_non_null(strstr(stats_of(cache).off, "does not exist"));
    mez_cache_close(&cache);
    mez_log_set_function(NULL, NULL);
    assert_int_equal(warnings, 0);
    assert_int_equal(access(home, F_OK), -1);
}

static uint64_t limit_for(const char *text)
{
    setenv("MEZ_CACHE_LIMIT", text, 1);
    mez_cache *cache;
    assert_ok(mez_cache_open(NULL, &cache));
    const uint64_t limit = stats_of(cache).limit;
    mez_cache_close(&cache);
    return limit;
}

static void refuse(const char *variable, const char *value)
{
    mez_cache *cache;
    setenv(variable, value, 1);
    assert_story(mez_cache_open(NULL, &cache), MEZ_ERRC_INVALID_PARAMETER, value);
    assert_null(cache);
    unsetenv(variable);
}

static void the_environment_sets_the_limit(void **state)
{
    (void)state;
    assert_true(limit_for("") == MEZ_CACHE_DEFAULT_LIMIT);
    assert_true(limit_for("5000") == 5000);
    assert_true(limit_for("2K") == 2048);
    assert_true(limit_for("3M") == 3u << 20);
    assert_true(limit_for("1T") == UINT64_C(1) << 40);
    refuse("MEZ_CACHE_LIMIT", "0");
    refuse("MEZ_CACHE_LIMIT", "-1");
    refuse("MEZ_CACHE_LIMIT", "5Q");
    refuse("MEZ_CACHE_LIMIT", "5MM");
    refuse("MEZ_CACHE_LIMIT", "99999999999999999999");
    refuse("MEZ_CACHE_LIMIT", "99999999999T");
    refuse("MEZ_CACHE", "of");
    mez_cache *cache;
    assert_condition(mez_cache_open(&(mez_cache_params){.folder = "relative"}, &cache),
        MEZ_ERRC_INVALID_PARAMETER);
}

static void a_cache_that_is_off_has_nothing(void **state)
{
    (void)state;
    setenv("MEZ_CACHE", "off", 1);
    mez_cache *cache;
    assert_ok(mez_cache_open(NULL, &cache));
    unsetenv("MEZ_CACHE");
    const mez_cache_key key = key_of(1);
    mez_cache *const both[] = {cache, NULL};
    for (int i = 0; i < 2; i++) {
        assert_false(put(both[i], 1));
        assert_false(has(both[i], 1));
        mez_cache_reject(both[i], &key);
        assert_ok(mez_cache_clear(both[i], NULL));
        assert_non_null(stats_of(both[i]).off);
    }
    assert_string_equal(stats_of(cache).off, "MEZ_CACHE=off");
    mez_cache_close(&cache);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_put_is_got),
        IN_FOLDER(nothing_is_an_entry_too),
        IN_FOLDER(a_later_entry_replaces_the_first),
        cmocka_unit_test(parts_do_not_run_into_each_other),
        IN_FOLDER(every_damage_is_a_miss),
        IN_FOLDER(an_entry_of_another_key_is_damage),
        IN_FOLDER(what_the_driver_rejects_is_removed),
        IN_FOLDER(folders_and_pipes_in_an_entrys_place_are_no_entries),
        IN_FOLDER(an_entry_that_others_may_write_is_not_used),
        IN_FOLDER(an_entry_of_another_user_is_not_used),
        cmocka_unit_test(a_folder_that_cant_be_made_is_reported_once),
        IN_FOLDER(the_first_parent_that_cant_be_made_has_the_reason),
        IN_FOLDER(a_folder_that_others_may_write_is_not_used),
        cmocka_unit_test_setup_teardown(
            a_full_disk_leaves_nothing, make_named_folder, remove_folder),
        IN_FOLDER(short_memory_is_a_miss),
        IN_FOLDER(the_least_recently_used_give_way),
        IN_FOLDER(what_is_larger_than_the_limit_is_not_stored),
        IN_FOLDER(only_our_files_are_touched),
        IN_FOLDER(counts_outlive_the_process),
        IN_FOLDER(a_file_of_others_is_no_counts),
        IN_FOLDER(counts_that_were_cut_off_begin_anew),
        IN_FOLDER(threads_share_a_cache),
        IN_FOLDER(the_environment_chooses_the_folder),
        IN_FOLDER(a_home_that_does_not_exist_keeps_nothing),
        cmocka_unit_test(the_environment_sets_the_limit),
        cmocka_unit_test(a_cache_that_is_off_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
