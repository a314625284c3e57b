// SPDX-License-Identifier: MIT
//
// Cells of the global memory that a launch accesses, for all threads that run its groups. They are pages of memory that is
// reserved at once, and found by a table of the addresses that have one.

#include "races.h"

#include <stdlib.h>
#include <sys/mman.h>

// A record: who, counted over the launch (32 bits), site (14), epoch (11), how and which bytes.
#define WHO_SHIFT 32
#define SITE_SHIFT 18
#define MAX_SITE UINT64_C(0x3fff) // this one and all behind it
#define EPOCH_SHIFT 7
#define MAX_EPOCH UINT64_C(0x7ff) // this one and all behind it

#define CELL_SIZE 4u
#define PAGE_BITS 12
#define PAGE_CELLS ((size_t)1 << (PAGE_BITS - 2))
#define PAGE_SIZE (PAGE_CELLS * CELL_SIZE * sizeof(uint64_t))
// What is beyond so many pages, 256 MiB of a launch, is not looked at. The table is never more than half full.
#define MAX_PAGES (UINT32_C(1) << 16)
#define TABLE_BITS 17
#define TABLE_SIZE ((size_t)1 << TABLE_BITS)
#define CELLS_SIZE (TABLE_SIZE * PAGE_SIZE)

struct zc_launch_races {
    atomic_uint_least64_t
        released; // the group that has released something, ZC_NOBODY or ZC_SEVERAL
    atomic_uint page_count;
    atomic_uintptr_t *pages; // numbers of pages, from 1 on; 0: free
    uint64_t *cells;         // of the page at the same place in the table
};

// Far from what the program has, if the system has room there: a kernel that uses what has been freed is to fault.
static void *reserve(size_t size)
{
    static atomic_uint turn;
    const uintptr_t middle = (uintptr_t)1 << 46; // of what a process has
    const uintptr_t wanted = middle - (atomic_fetch_add(&turn, 1) % 64 + 1) * CELLS_SIZE;
    void *memory = mmap((void *)wanted, size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, size, MADV_NOHUGEPAGE); // it is touched here and there
    return memory;
}

void zc_launch_races_destroy(struct zc_launch_races *launch)
{
    if (launch == NULL)
        return;
    if (launch->pages != NULL)
        munmap(launch->pages, TABLE_SIZE * sizeof(*launch->pages));
    if (launch->cells != NULL)
        munmap(launch->cells, CELLS_SIZE);
    free(launch);
}

struct zc_launch_races *zc_launch_races_create(void)
{
    struct zc_launch_races *launch = calloc(1, sizeof(*launch));
    if (launch == NULL)
        return NULL;
    atomic_init(&launch->released, ZC_NOBODY);
    launch->pages = reserve(TABLE_SIZE * sizeof(*launch->pages));
    launch->cells = reserve(CELLS_SIZE);
    if (launch->pages != NULL && launch->cells != NULL)
        return launch;
    zc_launch_races_destroy(launch);
    return NULL;
}

// Takes a place of the table for the page. False: another one is there now.
static bool take(struct zc_launch_races *launch, size_t place, uintptr_t page)
{
    uintptr_t found = 0;
    if (atomic_compare_exchange_strong(&launch->pages[place], &found, page)) {
        atomic_fetch_add(&launch->page_count, 1);
        return true;
    }
    return found == page;
}

// NULL: there are too many.
static uint64_t *find_cell(struct zc_launch_races *launch, uintptr_t address)
{
    const uintptr_t page = (address >> PAGE_BITS) + 1;
    size_t place = (size_t)((uint64_t)page * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
    for (;; place = (place + 1) % TABLE_SIZE) {
        const uintptr_t found = atomic_load_explicit(&launch->pages[place], memory_order_relaxed);
        if (found == 0 && atomic_load(&launch->page_count) >= MAX_PAGES)
            return NULL;
        if (found == page || (found == 0 && take(launch, place, page)))
            break;
    }
    const size_t cell = (address >> 2) % PAGE_CELLS;
    return launch->cells + (place * PAGE_CELLS + cell) * CELL_SIZE;
}

static uint32_t number_of(const struct zc_races *races, uint64_t item)
{
    return (uint32_t)(races->group * races->group_size + item);
}

static enum zc_relation relate(const struct zc_races *races, uint64_t record)
{
    const uint32_t who = (uint32_t)(record >> WHO_SHIFT);
    const uint64_t epoch = record >> EPOCH_SHIFT & MAX_EPOCH;
    const bool is_now = epoch == races->global_epoch && epoch != MAX_EPOCH;
    if (record == 0)
        return ZC_RECORD_GONE;
    if (who == number_of(races, races->item))
        return is_now ? ZC_RECORD_OWN : ZC_RECORD_OLD;
    if (who - number_of(races, 0) < races->group_size)
        return is_now ? ZC_RECORD_UNORDERED : ZC_RECORD_ORDERED;
    return races->is_informed ? ZC_RECORD_ORDERED : ZC_RECORD_UNORDERED;
}

uint64_t zc_launch_look(const struct zc_races *races, uintptr_t address, uint64_t number,
    enum zc_access_kind kind, unsigned mask, bool adds)
{
    uint64_t *cell = find_cell(races->launch, address);
    if (cell == NULL)
        return 0;
    const uint64_t site = number < MAX_SITE ? number : MAX_SITE;
    const uint64_t record = (uint64_t)number_of(races, races->item) << WHO_SHIFT |
                            site << SITE_SHIFT | races->global_epoch << EPOCH_SHIFT |
                            (uint64_t)kind << ZC_RECORD_KIND_SHIFT | mask;
    return zc_cell_look(races, cell, CELL_SIZE, record, relate, adds);
}

uint64_t zc_launch_record_item(const struct zc_races *races, uint64_t record, uint64_t *group)
{
    const uint64_t who = record >> WHO_SHIFT;
    *group = who / races->group_size;
    return who % races->group_size;
}

uint64_t zc_launch_record_site(uint64_t record)
{
    const uint64_t site = record >> SITE_SHIFT & MAX_SITE;
    return site < MAX_SITE ? site : UINT64_MAX;
}

void zc_launch_release(struct zc_races *races)
{
    if (races->launch == NULL)
        return;
    uint64_t found = ZC_NOBODY;
    if (!atomic_compare_exchange_strong(&races->launch->released, &found, races->group) &&
        found != races->group)
        atomic_store(&races->launch->released, ZC_SEVERAL);
}

void zc_launch_acquire(struct zc_races *races)
{
    if (races->launch == NULL)
        return;
    const uint64_t released = atomic_load(&races->launch->released);
    races->is_informed |= released != ZC_NOBODY && released != races->group;
}

void zc_launch_end_epoch(struct zc_races *races)
{
    if (races->global_epoch < MAX_EPOCH)
        races->global_epoch++;
}
