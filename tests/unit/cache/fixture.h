// SPDX-License-Identifier: MIT
//
// Caches in folders of their own.

#ifndef MEZ_TESTS_CACHE_FIXTURE_H
#define MEZ_TESTS_CACHE_FIXTURE_H

#include <stdlib.h>
#include <sys/stat.h>

#include "cache/cache.h"
#include "unit.h"

// An empty folder for a test; `state` is its path.
int make_folder(void **state);
int remove_folder(void **state);

mez_cache *open_cache(const char *folder, uint64_t limit);

mez_cache_key key_of(uint32_t number);

// Some bytes that depend on the number, and how many there are.
enum { LARGEST_ENTRY = 100000 };
size_t fill_entry(uint32_t number, uint8_t bytes[LARGEST_ENTRY]);

// Stores the entry of that number.
bool put(mez_cache *cache, uint32_t number);

// Is the entry of that number there? Fails the test where it is there and not what was put.
bool has(mez_cache *cache, uint32_t number);

mez_cache_statistics stats_of(mez_cache *cache);

// The path of an entry's file; overwritten by the next call.
const char *entry_path(const char *folder, uint32_t number);

#endif
