// SPDX-License-Identifier: MIT
//
// A table in which each key is kept once, for ever, and has a number: strings, objects, streams, locations. It only grows; looking up,
// both ways, takes no lock.
//
// Thread-safety: safe, except for xf_table_clear.

#ifndef XF_TABLE_H
#define XF_TABLE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xf_entry {
    uint64_t hash;
    size_t size; // of the key, in bytes
    uint32_t number;
    uint8_t type;
    alignas(max_align_t) char data[]; // the key, then the table's extra bytes, zeroed at first
} xf_entry;

typedef struct xf_index xf_index;

enum { XF_TABLE_PAGES = 22 };

// All zero except for the first two is an empty table.
typedef struct xf_table {
    size_t extra;         // bytes behind each key
    uint32_t limit;       // how many entries it may have; below 2^31
    pthread_mutex_t lock; // guards adding
    atomic_uint count;
    _Atomic(xf_index *) index; // from keys to entries
    _Atomic(_Atomic(xf_entry *) *)
        pages[XF_TABLE_PAGES]; // from numbers to entries; each twice as large as that before
} xf_table;

#define XF_TABLE(extra_bytes, entries)                                            \
    {                                                                             \
        .extra = extra_bytes, .limit = entries, .lock = PTHREAD_MUTEX_INITIALIZER \
    }

// NULL: it is not there.
xf_entry *xf_table_find(xf_table *table, const void *key, size_t size, uint8_t type);

// Adds it unless it is there. NULL: the table is full, or there is no memory.
xf_entry *xf_table_intern(xf_table *table, const void *key, size_t size, uint8_t type);

// By its number, which counts from 0 in the order of adding. NULL: there is none.
xf_entry *xf_table_at(xf_table *table, uint32_t number);

// Frees all entries. Nobody else may use the table meanwhile.
void xf_table_clear(xf_table *table);

#endif
