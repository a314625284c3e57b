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

#define ALL_SITES (MAX_SITE << SITE_SHIFT)

// The first record of four bytes, which is a read of them all, where groups have read them and nobody has done anything else.
#define READ_BY_GROUPS ZC_RECORD_AGREED

#define CELL_SIZE 4u
// Cells are there for blocks of memory, which the table has.
#define BLOCK_BITS 16
#define BLOCK_CELLS ((size_t)1 << (BLOCK_BITS - 2))
// What is beyond so many blocks, 256 MiB of a launch, is not looked at. The table is never more than half full.
#define MAX_BLOCKS (UINT32_C(1) << 12)
#define TABLE_BITS 13
#define TABLE_SIZE ((size_t)1 << TABLE_BITS)
// Workers keep pages, in which nothing of the engine's lies beside other memory.
#define PAGE_BITS 12
#define PAGE_CELLS ((size_t)1 << (PAGE_BITS - 2))
#define CELLS (TABLE_SIZE * BLOCK_CELLS)
#define FIRST_SIZE (CELLS * sizeof(uint64_t))
#define OTHERS_SIZE (CELLS * (CELL_SIZE - 1) * sizeof(uint64_t))

struct zc_launch_races {
    atomic_uint_least64_t
        released; // the group that has released something, ZC_NOBODY or ZC_SEVERAL
    atomic_uint block_count;
    atomic_uintptr_t *blocks; // their numbers, from 1 on; 0: free
    uint64_t *first, *others; // records of the block at the same place in the table
};

// Far from what the program has, if the system has room there: a kernel that uses what has been freed is to fault.
static void *reserve(size_t size)
{
    static atomic_uint turn;
    const uintptr_t middle = (uintptr_t)1 << 46; // of what a process has
    const uintptr_t wanted = middle - (atomic_fetch_add(&turn, 1) % 256 + 1) * OTHERS_SIZE;
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
    if (launch->blocks != NULL)
        munmap(launch->blocks, TABLE_SIZE * sizeof(*launch->blocks));
    if (launch->first != NULL)
        munmap(launch->first, FIRST_SIZE);
    if (launch->others != NULL)
        munmap(launch->others, OTHERS_SIZE);
    free(launch);
}

struct zc_launch_races *zc_launch_races_create(void)
{
    struct zc_launch_races *launch = calloc(1, sizeof(*launch));
    if (launch == NULL)
        return NULL;
    atomic_init(&launch->released, ZC_NOBODY);
    launch->blocks = reserve(TABLE_SIZE * sizeof(*launch->blocks));
    launch->first = reserve(FIRST_SIZE);
    launch->others = reserve(OTHERS_SIZE);
    if (launch->blocks != NULL && launch->first != NULL && launch->others != NULL)
        return launch;
    zc_launch_races_destroy(launch);
    return NULL;
}

// Takes a place of the table for the block. False: another one is there now.
static bool take(struct zc_launch_races *launch, size_t place, uintptr_t block)
{
    uintptr_t found = 0;
    if (atomic_compare_exchange_strong(&launch->blocks[place], &found, block)) {
        atomic_fetch_add(&launch->block_count, 1);
#ifdef MADV_POPULATE_WRITE // far less work than a fault for each of its pages; Linux 5.14
        madvise(launch->first + place * BLOCK_CELLS, BLOCK_CELLS * sizeof(uint64_t),
            MADV_POPULATE_WRITE);
#endif
        return true;
    }
    return found == block;
}

// The block's place in the table; TABLE_SIZE: there are too many.
static size_t find_place(struct zc_launch_races *launch, uintptr_t block)
{
    size_t place = (size_t)((uint64_t)block * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
    for (;; place = (place + 1) % TABLE_SIZE) {
        const uintptr_t found = atomic_load_explicit(&launch->blocks[place], memory_order_relaxed);
        if (found == 0 && atomic_load(&launch->block_count) >= MAX_BLOCKS)
            return TABLE_SIZE;
        if (found == block || (found == 0 && take(launch, place, block)))
            return place;
    }
}

static uintptr_t page_of(uintptr_t address)
{
    return (address >> PAGE_BITS) + 1;
}

static struct zc_cell cell_in(const struct zc_race_page *page, uintptr_t address)
{
    const size_t cell = (address >> 2) % PAGE_CELLS;
    return (struct zc_cell){page->first + cell, page->others + cell * (CELL_SIZE - 1), CELL_SIZE};
}

static bool find_page(struct zc_launch_races *launch, uintptr_t address, struct zc_race_page *page)
{
    const size_t place = find_place(launch, (address >> BLOCK_BITS) + 1);
    const size_t within = (address >> 2) % BLOCK_CELLS / PAGE_CELLS * PAGE_CELLS;
    if (place == TABLE_SIZE)
        return false;
    page->number = page_of(address);
    page->first = launch->first + place * BLOCK_CELLS + within;
    page->others = launch->others + (place * BLOCK_CELLS + within) * (CELL_SIZE - 1);
    return true;
}

// Sites often go through several arrays in step, which would take each other's places.
static unsigned kept_place(uintptr_t page, uint64_t site)
{
    return (unsigned)((page + site * 17) % ZC_RACE_PAGES);
}

// NULL: it is not kept.
static const struct zc_race_page *kept_page(
    const struct zc_races *races, uintptr_t address, uint64_t site)
{
    const uintptr_t number = page_of(address);
    const struct zc_race_page *page = &races->pages[kept_place(number, site)];
    return page->number == number ? page : NULL;
}

void zc_launch_keep_page(struct zc_races *races, uintptr_t address, uint64_t site)
{
    struct zc_race_page page;
    if (kept_page(races, address, site) == NULL && find_page(races->launch, address, &page))
        races->pages[kept_place(page.number, site)] = page;
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

static uint64_t record_of(
    const struct zc_races *races, uint64_t number, enum zc_access_kind kind, unsigned mask)
{
    const uint64_t site = number < MAX_SITE ? number : MAX_SITE;
    return (uint64_t)number_of(races, races->item) << WHO_SHIFT | site << SITE_SHIFT |
           races->global_epoch << EPOCH_SHIFT | (uint64_t)kind << ZC_RECORD_KIND_SHIFT | mask;
}

static bool is_whole_read(uint64_t record)
{
    return zc_record_access(record) == ZC_ACCESS_READ && zc_record_mask(record) == ZC_RECORD_MASK;
}

static uint64_t group_of(const struct zc_races *races, uint64_t record)
{
    return (record >> WHO_SHIFT) / races->group_size;
}

// Nothing but reads, and reads of all four bytes by two groups: one of them is another group than that of whoever writes.
static bool is_read_by_groups(const struct zc_races *races, const struct zc_cell *cell)
{
    const uint64_t first = __atomic_load_n(cell->first, __ATOMIC_SEQ_CST);
    bool found = false;
    if (!is_whole_read(first))
        return false;
    for (unsigned i = 1; i < CELL_SIZE; i++) {
        const uint64_t other = __atomic_load_n(zc_cell_slot(cell, i), __ATOMIC_SEQ_CST);
        if (other != 0 && zc_record_access(other) != ZC_ACCESS_READ)
            return false;
        found |=
            other != 0 && is_whole_read(other) && group_of(races, other) != group_of(races, first);
    }
    return found;
}

static void forget_reads(const struct zc_cell *cell)
{
    uint64_t first = __atomic_load_n(cell->first, __ATOMIC_SEQ_CST);
    while (is_whole_read(first) && first & READ_BY_GROUPS) {
        if (__atomic_compare_exchange_n(cell->first, &first, first & ~(uint64_t)READ_BY_GROUPS,
                false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    }
}

// Whoever adds something else in between either sees the mark and takes it away, or is seen.
static void note_reads(const struct zc_races *races, const struct zc_cell *cell)
{
    uint64_t first = __atomic_load_n(cell->first, __ATOMIC_SEQ_CST);
    const bool is_own = first >> WHO_SHIFT == number_of(races, races->item);
    if (is_own || first & READ_BY_GROUPS || !is_read_by_groups(races, cell))
        return;
    __atomic_compare_exchange_n(
        cell->first, &first, first | READ_BY_GROUPS, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    if (!is_read_by_groups(races, cell))
        forget_reads(cell);
}

uint64_t zc_launch_look(const struct zc_races *races, uintptr_t address, uint64_t number,
    enum zc_access_kind kind, unsigned mask, bool adds)
{
    const struct zc_race_page *page = kept_page(races, address, number);
    struct zc_race_page found_page;
    if (page == NULL && find_page(races->launch, address, &found_page))
        page = &found_page;
    if (page == NULL)
        return 0;
    const struct zc_cell cell = cell_in(page, address);
    const uint64_t found =
        zc_cell_look(races, &cell, record_of(races, number, kind, mask), relate, adds);
    if (adds && kind != ZC_ACCESS_READ)
        forget_reads(&cell);
    else if (adds && found == 0)
        note_reads(races, &cell);
    return found;
}

// ---- simple accesses ----

// Nobody was there before, and the record is there now.
static bool add_first(const struct zc_cell *cell, uint64_t record)
{
    uint64_t none = 0;
    return __atomic_compare_exchange_n(
        cell->first, &none, record, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

// Nobody but the work-item was there, and it did the same, or wrote where it reads now.
static bool is_repeated(const struct zc_races *races, const struct zc_cell *cell, uint64_t first,
    uint64_t record, enum zc_access_kind kind)
{
    const bool is_own = zc_record_is_like(first, record, ALL_SITES) ||
                        (kind == ZC_ACCESS_READ && zc_record_is_write(first) &&
                            zc_record_is_like(first, record, ALL_SITES | ZC_RECORD_KIND));
    return is_own && races->global_epoch != MAX_EPOCH &&
           __atomic_load_n(cell->others, __ATOMIC_RELAXED) == 0;
}

static bool note_word(const struct zc_races *races, const struct zc_cell *cell, uint64_t record,
    enum zc_access_kind kind)
{
    const uint64_t first = __atomic_load_n(cell->first, __ATOMIC_ACQUIRE);
    if (first == 0)
        return kind == ZC_ACCESS_WRITE || add_first(cell, record);
    if (kind == ZC_ACCESS_READ && is_whole_read(first) && first & READ_BY_GROUPS &&
        !races->is_informed)
        return true;
    return is_repeated(races, cell, first, record, kind);
}

bool zc_launch_note(struct zc_races *races, uintptr_t address, uint64_t size, uint64_t number,
    enum zc_access_kind kind)
{
    const struct zc_race_page *page = kept_page(races, address, number);
    if (page == NULL || page->number != page_of(address + size - 1))
        return false;
    const uint64_t record = record_of(races, number, kind, zc_record_mask_of(address, size));
    for (uint64_t i = 0; i < size; i += 4) {
        const struct zc_cell cell = cell_in(page, address + i);
        if (!note_word(races, &cell, record, kind))
            return false;
    }
    return true;
}

bool zc_launch_add(struct zc_races *races, uintptr_t address, uint64_t size, uint64_t number)
{
    const struct zc_race_page *page = kept_page(races, address, number);
    const uint64_t record =
        record_of(races, number, ZC_ACCESS_WRITE, zc_record_mask_of(address, size));
    for (uint64_t i = 0; i < size; i += 4) {
        const struct zc_cell cell = cell_in(page, address + i);
        const uint64_t first = __atomic_load_n(cell.first, __ATOMIC_ACQUIRE);
        const bool is_there = first != 0 ? is_repeated(races, &cell, first, record, ZC_ACCESS_WRITE)
                                         : add_first(&cell, record);
        if (!is_there)
            return false;
    }
    return true;
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
