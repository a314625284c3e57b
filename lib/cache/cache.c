// SPDX-License-Identifier: MIT
//
// Where the cache is, and its entries: getting, putting, counting.

#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/log.h"
#include "base/version.h"
#include "cache/folder.h"

// --- Settings

#define NO_HOME "neither XDG_CACHE_HOME nor HOME names a folder"
#define NO_SUCH_HOME \
    "HOME names a folder that does not exist, and XDG_CACHE_HOME does not name a folder"

static mez_error set_folder(mez_cache_settings *settings, const char *base, const char *rest)
{
    settings->folder = mez_print_string("%s%s", base, rest);
    return settings->folder ? mez_ok() : mez_error_no_memory("the cache's folder");
}

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

// Users that run services often have a home that nobody made, as /nonexistent: no cache is meant, and nothing has to be said.
static mez_error use_home(mez_cache_settings *settings)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    if (is_absolute(cache))
        return set_folder(settings, cache, "/mezzanine");
    if (is_absolute(home) && is_folder(home))
        return set_folder(settings, home, "/.cache/mezzanine");
    settings->off = is_absolute(home) ? NO_SUCH_HOME : NO_HOME;
    mez_log(IMAGE, DEBUG, "built binaries are not cached: %s", settings->off);
    return mez_ok();
}

static mez_error use_environment(mez_cache_settings *settings)
{
    const char *chosen = mez_setting(MEZ_VARIABLE_CACHE);
    if (!chosen || strcmp(chosen, "on") == 0)
        return use_home(settings);
    if (is_absolute(chosen))
        return set_folder(settings, chosen, "");
    if (strcmp(chosen, "off") != 0)
        return mez_setting_refused(MEZ_VARIABLE_CACHE);
    settings->off = "MEZ_CACHE=off";
    return mez_ok();
}

static mez_error read_folder(const char *folder, mez_cache_settings *settings)
{
    if (!folder)
        return use_environment(settings);
    if (!is_absolute(folder))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "the folder of the cache, \"%s\", is not an absolute path", folder);
    return set_folder(settings, folder, "");
}

mez_error mez_cache_read_settings(const mez_cache_params *params, mez_cache_settings *settings)
{
    *settings = (mez_cache_settings){.limit = params->limit};
    if (settings->limit == 0)
        MEZ_TRY(mez_setting_read_size(
            MEZ_VARIABLE_CACHE_LIMIT, MEZ_CACHE_DEFAULT_LIMIT, &settings->limit));
    return read_folder(params->folder, settings);
}

// --- Opening

struct mez_cache {
    mez_cache_settings settings;
    mez_cache_counts counts;
    atomic_bool logged;              // that it does not work
    atomic_uint_fast64_t unmeasured; // bytes stored since the folder was last looked through
    atomic_bool measured;            // it was, by this process
};

mez_error mez_cache_open(const mez_cache_params *params, mez_cache **cache)
{
    static const mez_cache_params defaults;
    MEZ_REQUIRE(cache, NULL);
    *cache = NULL;
    if (params)
        MEZ_TRY_RESERVED(mez_cache_params, params);
    *cache = mez_new(mez_cache);
    if (!*cache)
        return mez_error_no_memory("the cache");
    const mez_error error =
        mez_cache_read_settings(params ? params : &defaults, &(*cache)->settings);
    if (mez_failed(error)) {
        mez_free_memory(*cache);
        *cache = NULL;
    }
    return error;
}

bool mez_cache_is_on(const mez_cache *cache)
{
    return cache && cache->settings.folder;
}

// Works on without it, and says so once: each miss would have the same reason.
static void report_once(mez_cache *cache, const char *what, int reason)
{
    if (atomic_exchange(&cache->logged, true))
        return;
    mez_log(IMAGE, WARN, "the cache of built binaries in %s can't be %s: %s%s",
        cache->settings.folder, what, strerror(reason),
        reason == EPERM ? " (it must belong to you, and no other user may be able to write to it)"
                        : "");
}

// -1: there is none, or it can't be used. `create` where something will be stored.
static int open_folder(mez_cache *cache, bool create)
{
    const int folder = mez_cache_open_folder(cache->settings.folder, create);
    if (folder < 0 && (create || errno != ENOENT))
        report_once(cache, create ? "written" : "read", errno);
    return folder;
}

void mez_cache_close(mez_cache **cache)
{
    if (!cache)
        return;
    mez_cache *closed = *cache;
    *cache = NULL;
    if (!closed)
        return;
    const int folder =
        mez_cache_is_on(closed) ? mez_cache_open_folder(closed->settings.folder, false) : -1;
    if (folder >= 0) {
        mez_cache_write_counts(&closed->counts, folder);
        close(folder);
    }
    mez_free_memory(closed->settings.folder);
    mez_free_memory(closed);
}

// --- Keys

static void add_size(mez_sha256 *sum, uint64_t size)
{
    mez_sha256_add(sum, &size, sizeof size);
}

mez_cache_key mez_cache_key_of(const mez_cache_part *parts, size_t count)
{
    mez_cache_key key;
    mez_sha256 sum;
    mez_sha256_init(&sum);
    add_size(&sum, count);
    for (size_t i = 0; i < count; i++) {
        add_size(&sum, parts[i].size);
        mez_sha256_add(&sum, parts[i].bytes, parts[i].size);
    }
    mez_sha256_finish(&sum, key.digest);
    return key;
}

// --- Getting

static void remove_entry(mez_cache *cache, int folder, const char *name)
{
    unlinkat(folder, name, 0);
    mez_cache_add(&cache->counts, MEZ_CACHE_DAMAGES, 1);
}

static void remove_damaged(mez_cache *cache, int folder, const mez_cache_key *key)
{
    char name[MEZ_CACHE_NAME_SIZE];
    mez_cache_entry_name(key, name);
    remove_entry(cache, folder, name);
    mez_log(IMAGE, INFO, "the cache entry %s/%s was damaged and has been removed",
        cache->settings.folder, name);
}

// Somebody has written there who could give any code to the driver.
static void remove_foreign(mez_cache *cache, int folder, const char *name)
{
    remove_entry(cache, folder, name);
    mez_log(IMAGE, WARN,
        "the cache entry %s/%s was not used and has been removed: it belongs to another user, or "
        "others may write to it",
        cache->settings.folder, name);
}

// Used now: others give way first.
static void touch(int file)
{
    futimens(file, NULL);
}

static bool read_entry(
    mez_cache *cache, int folder, const mez_cache_key *key, void **bytes, size_t *size)
{
    char name[MEZ_CACHE_NAME_SIZE];
    mez_cache_entry_name(key, name);
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        if (errno != ENOENT)
            report_once(cache, "read", errno);
        return false;
    }
    const mez_cache_reading reading = mez_cache_read_entry(file, key, bytes, size);
    if (reading == MEZ_CACHE_READ)
        touch(file);
    else if (reading == MEZ_CACHE_DAMAGED)
        remove_damaged(cache, folder, key);
    else if (reading == MEZ_CACHE_FOREIGN)
        remove_foreign(cache, folder, name);
    close(file);
    return reading == MEZ_CACHE_READ;
}

bool mez_cache_get(mez_cache *cache, const mez_cache_key *key, void **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    if (!mez_cache_is_on(cache))
        return false;
    const int folder = open_folder(cache, false);
    const bool found = folder >= 0 && read_entry(cache, folder, key, bytes, size);
    mez_cache_add(&cache->counts, found ? MEZ_CACHE_HITS : MEZ_CACHE_MISSES, 1);
    if (!found)
        *size = 0;
    if (folder < 0)
        return false;
    mez_cache_write_counts(&cache->counts, folder);
    close(folder);
    return found;
}

void mez_cache_reject(mez_cache *cache, const mez_cache_key *key)
{
    const int folder = mez_cache_is_on(cache) ? open_folder(cache, false) : -1;
    if (folder < 0)
        return;
    remove_damaged(cache, folder, key);
    mez_cache_write_counts(&cache->counts, folder);
    close(folder);
}

// --- Putting

// Looking through the folder takes a while where it is large, so it is done for the first entry of a process, and then for each
// thirtieth part of the limit.
static void make_room(mez_cache *cache, int folder, const mez_cache_key *kept, size_t size)
{
    const uint64_t limit = cache->settings.limit;
    const uint64_t unmeasured = atomic_fetch_add(&cache->unmeasured, size) + size;
    if (atomic_exchange(&cache->measured, true) && unmeasured < limit / 30)
        return;
    atomic_store(&cache->unmeasured, 0);
    mez_cache_usage usage;
    if (!mez_cache_measure(folder, &usage) || usage.bytes <= limit)
        return;
    const uint64_t evicted = mez_cache_evict(folder, limit, kept);
    mez_cache_add(&cache->counts, MEZ_CACHE_EVICTED, evicted);
    mez_log(IMAGE, DEBUG, "%llu entries of the cache were removed to limit its size",
        (unsigned long long)evicted);
}

static bool store(
    mez_cache *cache, int folder, const mez_cache_key *key, const void *bytes, size_t size)
{
    if (!mez_cache_store(folder, key, bytes, size)) {
        report_once(cache, "written", errno);
        return false;
    }
    mez_cache_add(&cache->counts, MEZ_CACHE_STORED, 1);
    make_room(cache, folder, key, size);
    mez_cache_write_counts(&cache->counts, folder);
    return true;
}

static bool fits(const mez_cache *cache, size_t size)
{
    const uint64_t limit = cache->settings.limit;
    return size <= limit && limit - size >= sizeof(mez_cache_header);
}

bool mez_cache_put(mez_cache *cache, const mez_cache_key *key, const void *bytes, size_t size)
{
    if (!mez_cache_is_on(cache) || !fits(cache, size))
        return false;
    const int folder = open_folder(cache, true);
    if (folder < 0)
        return false;
    const bool stored = store(cache, folder, key, bytes, size);
    close(folder);
    return stored;
}

// --- For people

static mez_error folder_failed(const mez_cache *cache, const char *what, int reason)
{
    return mez_error_make(MEZ_ERRC_FILE, "the cache in %s can't be %s: %s", cache->settings.folder,
        what, strerror(reason));
}

static void copy_counts(const mez_cache *cache, int folder, mez_cache_statistics *statistics)
{
    uint64_t totals[MEZ_CACHE_COUNTS];
    mez_cache_read_counts(&cache->counts, folder, totals);
    statistics->hits = totals[MEZ_CACHE_HITS];
    statistics->misses = totals[MEZ_CACHE_MISSES];
    statistics->stored = totals[MEZ_CACHE_STORED];
    statistics->evicted = totals[MEZ_CACHE_EVICTED];
    statistics->damaged = totals[MEZ_CACHE_DAMAGES];
}

static mez_error measure(const mez_cache *cache, int folder, mez_cache_statistics *statistics)
{
    mez_cache_usage usage;
    if (!mez_cache_count_entries(folder, &usage))
        return folder_failed(cache, "read", errno);
    statistics->entries = usage.entries;
    statistics->bytes = usage.bytes;
    return mez_ok();
}

mez_error mez_cache_get_statistics(mez_cache *cache, mez_cache_statistics *statistics)
{
    MEZ_REQUIRE(statistics, NULL);
    *statistics = (mez_cache_statistics){.folder = "", .off = "no context has opened it"};
    if (!cache)
        return mez_ok();
    statistics->folder = cache->settings.folder ? cache->settings.folder : "";
    statistics->off = cache->settings.off;
    statistics->limit = cache->settings.limit;
    if (!mez_cache_is_on(cache))
        return mez_ok();
    const int folder = mez_cache_open_folder(cache->settings.folder, false);
    const int reason = errno;
    copy_counts(cache, folder, statistics);
    if (folder < 0)
        return reason == ENOENT ? mez_ok() : folder_failed(cache, "read", reason);
    const mez_error error = measure(cache, folder, statistics);
    close(folder);
    return error;
}

mez_error mez_cache_clear(mez_cache *cache, uint64_t *removed)
{
    uint64_t entries = 0;
    mez_error error = mez_ok();
    const int folder =
        mez_cache_is_on(cache) ? mez_cache_open_folder(cache->settings.folder, false) : -1;
    if (folder < 0 && mez_cache_is_on(cache) && errno != ENOENT)
        error = folder_failed(cache, "cleared", errno);
    if (folder >= 0) {
        if (!mez_cache_empty(folder, &entries))
            error = folder_failed(cache, "cleared", errno);
        close(folder);
    }
    if (removed)
        *removed = entries;
    return error;
}

mez_error mez_cache_check(const mez_cache *cache)
{
    return mez_cache_is_on(cache) ? mez_cache_check_folder(cache->settings.folder) : mez_ok();
}
