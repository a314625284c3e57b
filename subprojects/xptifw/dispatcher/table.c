// SPDX-License-Identifier: MIT
//
// The table: an index of open addressing, replaced by one of twice the size when it is half full, and pages of pointers by number.

#include "table.h"

#include "memory.h"

#include <stdbool.h>
#include <string.h>

enum { FIRST_SLOTS = 256, FIRST_PAGE = 1024, FIRST_PAGE_BITS = 10 };

// A reader may still be in an older one: it then finds less, and asks again under the lock.
struct xf_index {
    xf_index *older;
    size_t mask;
    _Atomic(xf_entry *) slots[];
};

// Multiplication by an odd constant (2^64 divided by the golden ratio) brings every bit up; the shift brings them down again.
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t word_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// The last word of a long key overlaps the one before.
static uint64_t hash_of(const char *key, size_t size, uint8_t type)
{
    const size_t step = sizeof(uint64_t);
    uint64_t hash = mix(type, size), rest = 0;
    if (size >= step) {
        for (size_t done = 0; done + step < size; done += step)
            hash = mix(hash, word_at(key + done));
        return mix(hash, word_at(key + size - step));
    }
    for (size_t i = 0; i < size; i++)
        rest = rest << 8 | (unsigned char)key[i];
    return mix(hash, rest);
}

static bool is(const xf_entry *entry, uint64_t hash, const void *key, size_t size, uint8_t type)
{
    return entry->hash == hash && entry->size == size && entry->type == type &&
           memcmp(entry->data, key, size) == 0;
}

static xf_entry *find(xf_table *table, uint64_t hash, const void *key, size_t size, uint8_t type)
{
    xf_index *index = atomic_load_explicit(&table->index, memory_order_acquire);
    if (!index)
        return NULL;
    for (size_t i = hash;; i++) {
        xf_entry *entry =
            atomic_load_explicit(&index->slots[i & index->mask], memory_order_acquire);
        if (!entry || is(entry, hash, key, size, type))
            return entry;
    }
}

xf_entry *xf_table_find(xf_table *table, const void *key, size_t size, uint8_t type)
{
    return find(table, hash_of(key, size, type), key, size, type);
}

// --- Adding, under the lock

static void put(xf_index *index, xf_entry *entry)
{
    size_t i = entry->hash;
    while (atomic_load_explicit(&index->slots[i & index->mask], memory_order_relaxed))
        i++;
    atomic_store_explicit(&index->slots[i & index->mask], entry, memory_order_release);
}

static void put_all(xf_index *into, xf_index *from)
{
    for (size_t i = 0; i <= from->mask; i++) {
        xf_entry *entry = atomic_load_explicit(&from->slots[i], memory_order_relaxed);
        if (entry)
            put(into, entry);
    }
}

static bool reserve_index(xf_table *table, size_t count)
{
    xf_index *index = atomic_load_explicit(&table->index, memory_order_relaxed);
    const size_t slots = index ? index->mask + 1 : 0;
    if (count * 2 < slots)
        return true;
    const size_t wanted = slots ? slots * 2 : FIRST_SLOTS;
    xf_index *larger = xf_alloc(sizeof *larger + wanted * sizeof larger->slots[0]);
    if (!larger)
        return false;
    larger->mask = wanted - 1;
    larger->older = index;
    if (index)
        put_all(larger, index);
    atomic_store_explicit(&table->index, larger, memory_order_release);
    return true;
}

// Page p begins with number (2^p - 1) * FIRST_PAGE, so that the highest bit of number + FIRST_PAGE gives the page.
static unsigned page_of(uint32_t number, size_t *place)
{
    const uint64_t shifted = (uint64_t)number + FIRST_PAGE;
    const unsigned bit = 63u - (unsigned)__builtin_clzll(shifted);
    *place = shifted - (UINT64_C(1) << bit);
    return bit - FIRST_PAGE_BITS;
}

static _Atomic(xf_entry *) *reserve_number(xf_table *table, uint32_t number)
{
    size_t place;
    const unsigned p = page_of(number, &place);
    _Atomic(xf_entry *) *page = atomic_load_explicit(&table->pages[p], memory_order_relaxed);
    if (!page) {
        page = xf_alloc(((size_t)FIRST_PAGE << p) * sizeof *page);
        if (!page)
            return NULL;
        atomic_store_explicit(&table->pages[p], page, memory_order_release);
    }
    return &page[place];
}

static xf_entry *add(xf_table *table, uint64_t hash, const void *key, size_t size, uint8_t type)
{
    const uint32_t number = atomic_load_explicit(&table->count, memory_order_relaxed);
    if (number >= table->limit || size > SIZE_MAX / 2)
        return NULL;
    _Atomic(xf_entry *) *by_number = reserve_number(table, number);
    if (!by_number || !reserve_index(table, (size_t)number + 1))
        return NULL;
    xf_entry *entry = xf_alloc(sizeof *entry + size + table->extra);
    if (!entry)
        return NULL;
    entry->hash = hash;
    entry->size = size;
    entry->number = number;
    entry->type = type;
    memcpy(entry->data, key, size);
    atomic_store_explicit(by_number, entry, memory_order_release);
    put(atomic_load_explicit(&table->index, memory_order_relaxed), entry);
    atomic_store_explicit(&table->count, number + 1, memory_order_release);
    return entry;
}

xf_entry *xf_table_intern(xf_table *table, const void *key, size_t size, uint8_t type)
{
    const uint64_t hash = hash_of(key, size, type);
    xf_entry *entry = find(table, hash, key, size, type);
    if (entry)
        return entry;
    pthread_mutex_lock(&table->lock);
    entry = find(table, hash, key, size, type);
    if (!entry)
        entry = add(table, hash, key, size, type);
    pthread_mutex_unlock(&table->lock);
    return entry;
}

xf_entry *xf_table_at(xf_table *table, uint32_t number)
{
    if (number >= atomic_load_explicit(&table->count, memory_order_acquire))
        return NULL;
    size_t place;
    const unsigned p = page_of(number, &place);
    _Atomic(xf_entry *) *page = atomic_load_explicit(&table->pages[p], memory_order_acquire);
    return atomic_load_explicit(&page[place], memory_order_acquire);
}

void xf_table_clear(xf_table *table)
{
    const uint32_t count = atomic_load(&table->count);
    for (uint32_t i = 0; i < count; i++)
        xf_free(xf_table_at(table, i));
    for (size_t p = 0; p < XF_TABLE_PAGES; p++)
        xf_free(atomic_exchange(&table->pages[p], NULL));
    xf_index *index = atomic_exchange(&table->index, NULL);
    while (index) {
        xf_index *older = index->older;
        xf_free(index);
        index = older;
    }
    atomic_store(&table->count, 0);
}
