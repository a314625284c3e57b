// SPDX-License-Identifier: MIT
//
// Data races of kernels: two work-items access the same byte, at least one of them writes, not both atomically, and nothing orders
// the two. Each four bytes of memory have a cell of records, which say who accessed them, and where in the kernel.
//
// Barriers count the epochs of a group, one counter for local and one for global memory: accesses in two epochs are ordered.
// Barriers of a sub-group count its rounds. Atomic operations are assumed to order more than they do, so that no right kernel is
// reported: once a work-item has released what it wrote, an atomic operation of another one of the group, on whatever variable,
// begins an epoch; and a group of which a work-item does an atomic operation after another group has released something is not
// compared with other groups any more.
//
// A write that leaves the bytes as they were is harmless: all write the same value. So it is known only behind the write whether
// it was one that races; until then it is pending, and it is recorded only then, so that whoever finds a record of a write can
// compare with what was written.
//
// Nearly all accesses are simple: nobody was there before but the work-item itself, or several have read and nobody has written.
// For these there are short ways (zc_local_note, zc_launch_note), which do what zc_cell_look would do.
//
// Cells of local memory are the worker's. Those of global memory are not locked: records are exchanged atomically.

#ifndef ZC_ENGINE_RACES_H
#define ZC_ENGINE_RACES_H

#include "checked.h"
#include "context.h"

// Bits of SPIR-V's memory semantics: release, acquire and release, sequentially consistent.
#define ZC_SEMANTICS_RELEASE (4u | 8u | 16u)

// ---- calls of the kernel ----

// `size` bytes are about to be accessed at sites[number]; `object` is the variable or local argument that they belong to, or NULL.
// Not 0: zc_race_done is to be called once they have been accessed.
uint32_t zc_race_access(void *address, uint64_t size, const void *object,
    const struct zc_access_site *sites, uint64_t number);
void zc_race_done(void);
// A fence, or an atomic operation of these semantics, on local memory or any.
void zc_race_order(uint32_t semantics, uint32_t is_local);

// ---- race_cells.c: cells ----

// Any record: its last seven bits say which of the four bytes, how, and whether others wrote the same there. 0: none.
#define ZC_RECORD_MASK 15u
#define ZC_RECORD_KIND_SHIFT 4
#define ZC_RECORD_KIND (3u << ZC_RECORD_KIND_SHIFT)
#define ZC_RECORD_AGREED 64u
static inline enum zc_access_kind zc_record_access(uint64_t record)
{
    return (enum zc_access_kind)(record >> ZC_RECORD_KIND_SHIFT & 3);
}
static inline unsigned zc_record_mask(uint64_t record)
{
    return (unsigned)record & ZC_RECORD_MASK;
}
// Of an access of `size` bytes, not across four that it does not access as a whole.
static inline unsigned zc_record_mask_of(uint64_t address, uint64_t size)
{
    return size >= 4 ? ZC_RECORD_MASK : ((1u << size) - 1) << (address & 3);
}
// Do the two differ in nothing but these bits?
static inline bool zc_record_is_like(uint64_t a, uint64_t b, uint64_t apart)
{
    return !((a ^ b) & ~apart);
}
static inline bool zc_record_is_write(uint64_t record)
{
    return zc_record_access(record) == ZC_ACCESS_WRITE;
}
static inline bool zc_record_is_agreed(uint64_t record)
{
    return record & ZC_RECORD_AGREED;
}

// What a record is to the work-item that runs.
enum zc_relation {
    ZC_RECORD_GONE, // it and all behind it in the cell are nobody's
    ZC_RECORD_OWN,  // the work-item's, and nothing has ordered it since
    ZC_RECORD_OLD,  // the work-item's
    ZC_RECORD_ORDERED,
    ZC_RECORD_UNORDERED,
};
struct zc_races;
typedef enum zc_relation zc_relate(const struct zc_races *races, uint64_t record);
#define ZC_MAX_CELL 8u
// The records of four bytes. Most have one or none, so the first lies apart from the others, beside that of its neighbours.
struct zc_cell {
    uint64_t *first, *others;
    unsigned size; // with the first
};
static inline uint64_t *zc_cell_slot(const struct zc_cell *cell, unsigned i)
{
    return i == 0 ? cell->first : &cell->others[i - 1];
}
// Returns a record that this one races with, or 0. Adds this one to the cell, if there is need and if `adds` is set.
uint64_t zc_cell_look(const struct zc_races *races, const struct zc_cell *cell, uint64_t record,
    zc_relate *relate, bool adds);

// ---- what a worker knows of the group that it runs ----

#define ZC_RACE_BYTES 256u // of a write are compared
#define ZC_RACE_CELLS (ZC_RACE_BYTES / 4 + 1)
#define ZC_SIMPLE_BYTES 16u // the longest access that may be a simple one
#define ZC_NOBODY UINT64_MAX
#define ZC_SEVERAL (UINT64_MAX - 1)

// The two accesses of a race: the first is known by its record, the second is the one that the work-item is about to make, or has
// just made.
struct zc_race {
    uint64_t record; // of the first
    uint64_t item;   // that makes the second
    const struct zc_access_site *sites;
    uint64_t number; // of the second's site
    bool is_local;
    uintptr_t address;
    uint64_t size;
    uintptr_t object;
};

struct zc_pending_write {
    bool is_there;
    bool is_simple; // to global memory where nobody was before
    struct zc_race race;
    uint64_t found[ZC_RACE_CELLS]; // records that it may race with, or 0
    unsigned char before[ZC_RACE_BYTES], after[ZC_RACE_BYTES];
};

// What the code of kernels reads itself (race_guard.c).
struct zc_race_view {
    // For each four bytes of local memory: the moment at which several have read them and nobody has written.
    uint32_t *read_by_several;
    uint64_t local_memory, local_size;
    uint64_t *cells;      // of local memory, ZC_LOCAL_CELL records each
    uint64_t local_stamp; // the epoch and the round, as records of local memory have them
    uint32_t moment;      // likewise, in less bits
};

// Where the cells of a page of global memory are.
struct zc_race_page {
    uintptr_t number; // 0: none
    uint64_t *first, *others;
};
#define ZC_RACE_PAGES 256u

struct zc_races {
    bool is_on;
    struct zc_race_view view;
    size_t cells_size;
    struct zc_race_page pages[ZC_RACE_PAGES]; // that the worker has found
    uint64_t epoch, global_epoch;
    uint64_t round, first_round,
        last_round; // of the sub-group; where each began, and the largest one
    uint64_t sub_group_size;
    uint64_t item;     // who runs
    uint64_t released; // the work-item that has released something, ZC_NOBODY or ZC_SEVERAL
    uint64_t group, group_size;
    bool is_informed;     // the group knows what others have released
    bool may_be_informed; // likewise, once the atomic operation that was noted last has been done
    struct zc_launch_races *launch; // NULL: only local memory is looked at
    struct zc_pending_write pending;
};

struct zc_worker;

// The groups that the worker runs from now on; `checker` may be NULL. False: there is no memory.
bool zc_races_begin(struct zc_worker *worker, const struct zc_checker *checker);
void zc_races_finish(struct zc_races *races);
void zc_races_begin_group(struct zc_worker *worker);
// All wait or have ended.
void zc_races_end_epoch(struct zc_worker *worker, uint64_t orders);
void zc_races_begin_sub_group(struct zc_races *races);
// The work-items of the sub-group have waited for each other.
void zc_races_end_round(struct zc_races *races);

// race_story.c: ends the kernel.
_Noreturn void zc_race_report(struct zc_worker *worker, const struct zc_race *race);

// ---- race_local.c: local memory ----

// A record of local memory: who (16 bits), epoch (19), round (4), site (18), how and which bytes.
#define ZC_LOCAL_WHO_SHIFT 48
#define ZC_LOCAL_EPOCH_SHIFT 29
#define ZC_LOCAL_MAX_EPOCH UINT64_C(0x7ffff)
#define ZC_LOCAL_CELL ZC_MAX_CELL

// What a record says of the access alone.
uint64_t zc_local_access(uint64_t number, enum zc_access_kind kind, unsigned mask);
// Where it is larger than before, cells are made for it. False: there is no memory.
bool zc_local_reserve(struct zc_races *races, size_t local_size);
// An access of up to ZC_SIMPLE_BYTES bytes, not across four that it does not access as a whole, is noted. False: it may be in a
// race, or it is not simple. A write may be noted before it happens, as nobody else looks.
bool zc_local_note(struct zc_races *races, uint64_t offset, uint64_t size, uint64_t number,
    enum zc_access_kind kind);
// As zc_cell_look, for bytes that the work-item that runs accesses at the site of that number.
uint64_t zc_local_look(struct zc_races *races, uint64_t offset, uint64_t number,
    enum zc_access_kind kind, unsigned mask, bool adds);
void zc_local_end_epoch(struct zc_races *races);
// A round that went before one that is not ordered with it goes on.
void zc_local_keep_rounds(struct zc_races *races);
void zc_local_end_round(struct zc_races *races);
// Of a record of local memory: the work-item's number in the group; the site's, or UINT64_MAX where it is not known.
uint64_t zc_local_record_item(uint64_t record);
uint64_t zc_local_record_site(uint64_t record);

// ---- race_launch.c: global memory ----

struct zc_launch_races *zc_launch_races_create(void);
void zc_launch_races_destroy(struct zc_launch_races *launch);
// As zc_local_note, for a page that zc_launch_keep_page was called for. A write is noted by zc_launch_add, once it has happened.
bool zc_launch_note(struct zc_races *races, uintptr_t address, uint64_t size, uint64_t number,
    enum zc_access_kind kind);
// False: somebody was there meanwhile.
bool zc_launch_add(struct zc_races *races, uintptr_t address, uint64_t size, uint64_t number);
// Accesses of that site to the page may be simple from now on: nothing in it is the engine's.
void zc_launch_keep_page(struct zc_races *races, uintptr_t address, uint64_t site);
// As zc_cell_look, for bytes that the work-item that runs accesses at the site of that number.
uint64_t zc_launch_look(const struct zc_races *races, uintptr_t address, uint64_t number,
    enum zc_access_kind kind, unsigned mask, bool adds);
// Of a record of global memory: the group's number, and that of the work-item in the group.
uint64_t zc_launch_record_item(const struct zc_races *races, uint64_t record, uint64_t *group);
// Likewise the site's, or UINT64_MAX where it is not known.
uint64_t zc_launch_record_site(uint64_t record);
void zc_launch_release(struct zc_races *races);
void zc_launch_acquire(struct zc_races *races);
void zc_launch_end_epoch(struct zc_races *races);

#endif
