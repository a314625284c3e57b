// SPDX-License-Identifier: MIT
//
// What the generated getters are made of. The functions are declared here without their real
// parameters, because most of them are newer than the headers we build against; ze_api.h is
// therefore not included.
#ifndef ZE_CPU_DDI_H
#define ZE_CPU_DDI_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t (*zc_entry_fn)(void);

struct zc_entry {
    uint32_t since;       // API version that added this entry to the table
    zc_entry_fn function; // NULL: not implemented
};

#define ZC_API_1(minor) (1u << 16 | (minor))

struct zc_named_entry {
    const char *name;
    zc_entry_fn function; // NULL: not implemented
};
// Generated; sorted by name.
extern const struct zc_named_entry zc_named_entries[];
extern const size_t zc_named_entry_count;

// Weak: what no file defines is NULL, and the loader is given the function that says "unsupported".
#define ZC_ENTRY(name) __attribute__((weak, visibility("hidden"))) int32_t name(void)

#define ZC_GETTER(name)                                                                        \
    __attribute__((visibility("default"))) int32_t name(uint32_t version, zc_entry_fn *table); \
    int32_t name(uint32_t version, zc_entry_fn *table)

// Fills a table whose caller knows API `version`: entries that came later are not there and stay
// untouched.
int32_t zc_fill_table(
    uint32_t version, const struct zc_entry *entries, size_t count, zc_entry_fn *table);

// The entry point of that name; NULL: there is none, or it is not implemented.
zc_entry_fn zc_find_entry(const char *name);

#endif
