// SPDX-License-Identifier: MIT

#include "fixture.h"

#include <ftw.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/entry.h"

int make_folder(void **state)
{
    char path[] = "/tmp/mez-cache-XXXXXX";
    if (!mkdtemp(path))
        return -1;
    *state = mez_copy_string(path);
    return *state ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

int remove_folder(void **state)
{
    nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    mez_free_memory(*state);
    return 0;
}

mez_cache *open_cache(const char *folder, uint64_t limit)
{
    mez_cache *cache;
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = folder, .limit = limit}, &cache));
    return cache;
}

mez_cache_key key_of(uint32_t number)
{
    const mez_cache_part parts[] = {{"test", 4}, {&number, sizeof number}};
    return mez_cache_key_of(parts, 2);
}

// A new value from the one before (xorshift).
static uint32_t next_of(uint32_t value)
{
    value ^= value << 13;
    value ^= value >> 17;
    return value ^ value << 5;
}

size_t fill_entry(uint32_t number, uint8_t bytes[LARGEST_ENTRY])
{
    uint32_t value = number * 2654435761u + 1;
    const size_t size = next_of(value) % LARGEST_ENTRY;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value = next_of(value));
    return size;
}

bool put(mez_cache *cache, uint32_t number)
{
    static _Thread_local uint8_t bytes[LARGEST_ENTRY];
    const size_t size = fill_entry(number, bytes);
    const mez_cache_key key = key_of(number);
    return mez_cache_put(cache, &key, bytes, size);
}

bool has(mez_cache *cache, uint32_t number)
{
    static _Thread_local uint8_t expected[LARGEST_ENTRY];
    const mez_cache_key key = key_of(number);
    void *bytes;
    size_t size;
    if (!mez_cache_get(cache, &key, &bytes, &size)) {
        assert_null(bytes);
        return false;
    }
    assert_int_equal(size, fill_entry(number, expected));
    assert_memory_equal(bytes, expected, size);
    mez_free_memory(bytes);
    return true;
}

mez_cache_statistics stats_of(mez_cache *cache)
{
    mez_cache_statistics stats;
    assert_ok(mez_cache_get_statistics(cache, &stats));
    return stats;
}

const char *entry_path(const char *folder, uint32_t number)
{
    static char path[256];
    char name[MEZ_CACHE_NAME_SIZE];
    const mez_cache_key key = key_of(number);
    mez_cache_entry_name(&key, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
