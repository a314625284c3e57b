// SPDX-License-Identifier: MIT
//
// Cells of a group's local memory, which only the worker that runs the group looks at, and what they count by: epochs of the
// group, and rounds of its sub-groups.

#include "races.h"
#include "worker.h"

#include <string.h>
#include <sys/mman.h>

#define ROUND_SHIFT 25
#define MAX_ROUND UINT64_C(0xf)
#define ROUND_BITS 4
#define SITE_SHIFT 7
#define MAX_SITE UINT64_C(0x3ffff) // this one and all behind it
#define ALL_SITES (MAX_SITE << SITE_SHIFT)
#define ALL_WHO (~UINT64_C(0) << ZC_LOCAL_WHO_SHIFT)

#define CELL_SIZE ZC_LOCAL_CELL
#define CELL_BYTES \
    (CELL_SIZE * sizeof(uint64_t) + sizeof(uint32_t)) // with that of `read_by_several`

static uint64_t epoch_of(uint64_t record)
{
    return record >> ZC_LOCAL_EPOCH_SHIFT & ZC_LOCAL_MAX_EPOCH;
}

uint64_t zc_local_access(uint64_t number, enum zc_access_kind kind, unsigned mask)
{
    const uint64_t site = number < MAX_SITE ? number : MAX_SITE;
    return site << SITE_SHIFT | (uint64_t)kind << ZC_RECORD_KIND_SHIFT | mask;
}

static uint64_t record_of(
    const struct zc_races *races, uint64_t number, enum zc_access_kind kind, unsigned mask)
{
    return races->item << ZC_LOCAL_WHO_SHIFT | races->view.local_stamp |
           zc_local_access(number, kind, mask);
}

static enum zc_relation relate(const struct zc_races *races, uint64_t record)
{
    const uint64_t who = record >> ZC_LOCAL_WHO_SHIFT;
    if (epoch_of(record) != races->epoch)
        return ZC_RECORD_GONE;
    if (who == races->item)
        return ZC_RECORD_OWN;
    if ((record >> ROUND_SHIFT & MAX_ROUND) != races->round &&
        who / races->sub_group_size == races->item / races->sub_group_size)
        return ZC_RECORD_ORDERED;
    return ZC_RECORD_UNORDERED;
}

static struct zc_cell cell_at(const struct zc_races *races, uint64_t offset)
{
    uint64_t *records = races->view.cells + offset / 4 * CELL_SIZE;
    return (struct zc_cell){records, records + 1, CELL_SIZE};
}

uint64_t zc_local_look(struct zc_races *races, uint64_t offset, uint64_t number,
    enum zc_access_kind kind, unsigned mask, bool adds)
{
    const struct zc_cell cell = cell_at(races, offset);
    if (adds && kind != ZC_ACCESS_READ)
        races->view.read_by_several[offset / 4] = 0;
    return zc_cell_look(races, &cell, record_of(races, number, kind, mask), relate, adds);
}

uint64_t zc_local_record_item(uint64_t record)
{
    return record >> ZC_LOCAL_WHO_SHIFT;
}

uint64_t zc_local_record_site(uint64_t record)
{
    const uint64_t site = record >> SITE_SHIFT & MAX_SITE;
    return site < MAX_SITE ? site : UINT64_MAX;
}

// ---- simple accesses ----

// Where one record is there, and `record` races with nothing.
static bool note_second(
    struct zc_races *races, uint64_t *cell, uint32_t *read_by_several, uint64_t record)
{
    const uint64_t first = cell[0];
    const bool reads = zc_record_access(record) == ZC_ACCESS_READ;
    const bool was_read = zc_record_access(first) == ZC_ACCESS_READ;
    if (zc_record_is_like(first, record, ALL_SITES))
        return true;
    // The work-item's own: whoever races with a read does so with a write.
    if (zc_record_is_like(first, record, ALL_SITES | ZC_RECORD_KIND)) {
        if (was_read)
            cell[1] = record;
        return was_read || zc_record_is_write(first);
    }
    if (!reads || zc_record_mask(record) != ZC_RECORD_MASK ||
        !zc_record_is_like(first, record, ALL_SITES | ALL_WHO))
        return false;
    cell[1] = record;
    *read_by_several = races->view.moment;
    return true;
}

static bool note_word(
    struct zc_races *races, uint64_t offset, uint64_t record, enum zc_access_kind kind)
{
    uint64_t *cell = cell_at(races, offset).first;
    uint32_t *read_by_several = &races->view.read_by_several[offset / 4];
    if (kind == ZC_ACCESS_READ && *read_by_several == races->view.moment)
        return true;
    if (epoch_of(cell[0]) != races->epoch) {
        cell[0] = record;
        return true;
    }
    return epoch_of(cell[1]) != races->epoch && note_second(races, cell, read_by_several, record);
}

bool zc_local_note(struct zc_races *races, uint64_t offset, uint64_t size, uint64_t number,
    enum zc_access_kind kind)
{
    const uint64_t record = record_of(races, number, kind, zc_record_mask_of(offset, size));
    for (uint64_t i = 0; i < size; i += 4) {
        if (!note_word(races, offset + i, record, kind))
            return false;
    }
    return true;
}

// ---- memory ----

void zc_races_finish(struct zc_races *races)
{
    if (races->view.cells != NULL)
        munmap(races->view.cells, races->cells_size);
    races->view.cells = NULL;
    races->cells_size = 0;
}

bool zc_local_reserve(struct zc_races *races, size_t local_size)
{
    const size_t cells = local_size / 4 + ZC_SIMPLE_BYTES / 4;
    races->view.local_size = local_size;
    if (cells * CELL_BYTES > races->cells_size) {
        zc_races_finish(races);
        races->view.cells = zc_map_memory(cells * CELL_BYTES);
        races->cells_size = races->view.cells != NULL ? cells * CELL_BYTES : 0;
        races->epoch = 0;
    }
    const size_t room = races->cells_size / CELL_BYTES;
    races->view.read_by_several = (uint32_t *)(races->view.cells + room * CELL_SIZE);
    return races->view.cells != NULL;
}

// ---- epochs and rounds ----

static void set_round(struct zc_races *races, uint64_t round)
{
    races->round = round;
    races->view.local_stamp = races->epoch << ZC_LOCAL_EPOCH_SHIFT | round << ROUND_SHIFT;
    races->view.moment = (uint32_t)(races->epoch << ROUND_BITS | round);
}

void zc_local_end_epoch(struct zc_races *races)
{
    if (races->epoch == ZC_LOCAL_MAX_EPOCH) {
        memset(races->view.cells, 0, races->cells_size);
        races->epoch = 0;
    }
    races->epoch++;
    races->first_round = races->last_round = 0;
    set_round(races, 0);
}

void zc_local_keep_rounds(struct zc_races *races)
{
    races->first_round = races->last_round;
    set_round(races, races->first_round);
}

void zc_races_begin_sub_group(struct zc_races *races)
{
    set_round(races, races->first_round);
}

void zc_local_end_round(struct zc_races *races)
{
    if (races->round == MAX_ROUND) {
        zc_local_end_epoch(races);
        return;
    }
    set_round(races, races->round + 1);
    if (races->round > races->last_round)
        races->last_round = races->round;
}
