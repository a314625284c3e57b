// SPDX-License-Identifier: MIT
//
// Data races of kernels: two work-items access the same byte, at least one of them writes, not both atomically, and nothing orders
// the two. Each four bytes of memory have a cell of records, which say who accessed them, and where in the kernel.
//
// Barriers count the epochs of a group, one counter for local and one for global memory: accesses in two epochs are ordered.
// Barriers of a sub-group count its rounds. What atomic operations order is taken for more than it is, so that no right kernel
// is reported: once one work-item has done something that releases what it wrote, an atomic operation of another one begins
// an epoch, and a group whose work-item does one behind a release of another group is not compared with groups any more.
//
// A write that leaves the bytes as they were is harmless: all write the same value. So it is known only behind the write whether
// it was one that races; until then it is pending, and it is recorded only then, so that whoever finds a record of a write can
// compare with what was written.
//
// Nothing here is locked: records are exchanged atomically.

#ifndef ZC_ENGINE_RACES_H
#define ZC_ENGINE_RACES_H

#include "checked.h"
#include "context.h"

// Bits of SPIR-V's memory semantics: release, acquire and release, sequentially consistent.
#define ZC_SEMANTICS_RELEASE (4u | 8u | 16u)

// ---- calls of the kernel ----

// `size` bytes are about to be accessed at sites[number]; `object` is the variable or local argument that they belong to, or NULL.
void zc_race_access(void *address, uint64_t size, const void *object,
    const struct zc_access_site *sites, uint64_t number);
// A fence, or an atomic operation of these semantics, on local memory or any.
void zc_race_order(uint32_t semantics, uint32_t is_local);

// ---- race_cells.c: cells ----

// Any record: its last seven bits say which of the four bytes, how, and whether others wrote the same there. 0: none.
#define ZC_RECORD_MASK 15u
#define ZC_RECORD_KIND_SHIFT 4
#define ZC_RECORD_AGREED 64u
static inline enum zc_access_kind zc_record_access(uint64_t record)
{
    return (enum zc_access_kind)(record >> ZC_RECORD_KIND_SHIFT & 3);
}
static inline unsigned zc_record_mask(uint64_t record)
{
    return (unsigned)record & ZC_RECORD_MASK;
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
// Returns a record that this one races with, or 0. Adds this one to the cell, if there is need and if `adds` is set.
uint64_t zc_cell_look(const struct zc_races *races, uint64_t *cell, unsigned size, uint64_t record,
    zc_relate *relate, bool adds);

// ---- what a worker knows of the group that it runs ----

#define ZC_RACE_BYTES 256u // of a write are compared
#define ZC_RACE_CELLS (ZC_RACE_BYTES / 4 + 1)
#define ZC_NOBODY UINT64_MAX
#define ZC_SEVERAL (UINT64_MAX - 1)

// Of which two accesses is spoken.
struct zc_race {
    uint64_t record; // the first
    uint64_t item;   // the second
    const struct zc_access_site *sites;
    uint64_t number; // of the second's
    bool is_local;
    uintptr_t address;
    uint64_t size;
    uintptr_t object;
};

struct zc_pending_write {
    bool is_there;
    struct zc_race race;
    uint64_t found[ZC_RACE_CELLS]; // records that it may race with, or 0
    unsigned char before[ZC_RACE_BYTES];
};

struct zc_races {
    bool is_on;
    uint64_t *cells; // of local memory
    size_t cells_size;
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
void zc_races_end_round(struct zc_worker *worker);
// Whoever wrote last has done so.
void zc_races_settle(struct zc_worker *worker);

// Of a record of local memory: the work-item's number in the group; the site's, or UINT64_MAX where it is not known.
uint64_t zc_local_record_item(uint64_t record);
uint64_t zc_local_record_site(uint64_t record);

// race_story.c: ends the kernel.
_Noreturn void zc_race_report(struct zc_worker *worker, const struct zc_race *race);

// ---- race_launch.c: global memory ----

struct zc_launch_races *zc_launch_races_create(void);
void zc_launch_races_destroy(struct zc_launch_races *launch);
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
