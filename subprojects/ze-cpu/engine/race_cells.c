// SPDX-License-Identifier: MIT
//
// Cells of records: what races with an access, and which records are kept where there is no room for all.

#include "races.h"

struct snapshot {
    uint64_t records[ZC_MAX_CELL];
    enum zc_relation relations[ZC_MAX_CELL];
    unsigned count; // without those that are gone
};

static bool is_read(uint64_t record)
{
    const enum zc_access_kind kind = zc_record_access(record);
    return kind == ZC_ACCESS_READ || kind == ZC_ACCESS_ATOMIC_READ;
}

// Who reads what several have written alike reads what anyone of them wrote.
static bool is_conflict(uint64_t a, uint64_t b)
{
    const enum zc_access_kind x = zc_record_access(a), y = zc_record_access(b);
    if (!(zc_record_mask(a) & zc_record_mask(b)))
        return false;
    if ((zc_record_is_agreed(a) && is_read(b)) || (zc_record_is_agreed(b) && is_read(a)))
        return false;
    return zc_record_is_write(a) || zc_record_is_write(b) ||
           (x == ZC_ACCESS_READ && y == ZC_ACCESS_ATOMIC) ||
           (x == ZC_ACCESS_ATOMIC && y == ZC_ACCESS_READ);
}

static void look(struct snapshot *seen, const struct zc_races *races, const struct zc_cell *cell,
    zc_relate *relate)
{
    for (seen->count = 0; seen->count < cell->size; seen->count++) {
        const uint64_t record = __atomic_load_n(zc_cell_slot(cell, seen->count), __ATOMIC_ACQUIRE);
        seen->records[seen->count] = record;
        seen->relations[seen->count] = relate(races, record);
        if (seen->relations[seen->count] == ZC_RECORD_GONE)
            break;
    }
}

static uint64_t find_conflict(const struct snapshot *seen, uint64_t record)
{
    for (unsigned i = 0; i < seen->count; i++) {
        if (seen->relations[i] == ZC_RECORD_UNORDERED && is_conflict(seen->records[i], record))
            return seen->records[i];
    }
    return 0;
}

// Where the record writes what others wrote, all write the same, or it will be found. Returns the record.
static uint64_t agree(struct snapshot *seen, const struct zc_cell *cell, uint64_t record)
{
    const uint64_t agreed = ZC_RECORD_AGREED;
    uint64_t result = record;
    for (unsigned i = 0; zc_record_is_write(record) && i < seen->count; i++) {
        const uint64_t other = seen->records[i];
        if (seen->relations[i] != ZC_RECORD_UNORDERED || !zc_record_is_write(other) ||
            !(zc_record_mask(other) & zc_record_mask(record)))
            continue;
        result |= agreed;
        if (__atomic_compare_exchange_n(zc_cell_slot(cell, i), &seen->records[i], other | agreed,
                false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            seen->records[i] = other | agreed;
    }
    return result;
}

static bool is_alike(uint64_t a, uint64_t b)
{
    return zc_record_access(a) == zc_record_access(b);
}

// Two others are enough, as whoever comes later is not one of them; but a write may have to be found by its writer.
static bool is_superfluous(const struct snapshot *seen, uint64_t record)
{
    unsigned similar = 0;
    for (unsigned i = 0; i < seen->count; i++) {
        if (seen->relations[i] == ZC_RECORD_UNORDERED && is_alike(seen->records[i], record))
            similar += !(zc_record_mask(record) & ~zc_record_mask(seen->records[i]));
    }
    return similar >= 2 && (!zc_record_is_write(record) || zc_record_is_agreed(record));
}

// Which record of a full cell is given up: a read before any other; `size`: none.
static unsigned find_victim(const struct snapshot *seen, unsigned size, uint64_t record)
{
    const unsigned first = (unsigned)(record >> 32 ^ record >> 18) % size;
    for (unsigned i = 0; i < size; i++) {
        const unsigned place = (first + i) % size;
        if (is_read(seen->records[place]))
            return place;
    }
    return is_read(record) ? size : first;
}

// Where the record goes to; `size`: nowhere.
static unsigned find_place(const struct snapshot *seen, unsigned size, uint64_t record)
{
    for (unsigned i = 0; i < seen->count; i++) {
        const bool is_own =
            seen->relations[i] == ZC_RECORD_OWN || seen->relations[i] == ZC_RECORD_OLD;
        if (is_own && is_alike(seen->records[i], record) &&
            zc_record_mask(seen->records[i]) == zc_record_mask(record))
            return i;
    }
    if (is_superfluous(seen, record))
        return size;
    return seen->count < size ? seen->count : find_victim(seen, size, record);
}

uint64_t zc_cell_look(const struct zc_races *races, const struct zc_cell *cell, uint64_t record,
    zc_relate *relate, bool adds)
{
    struct snapshot seen;
    for (;;) {
        look(&seen, races, cell, relate);
        const uint64_t found = find_conflict(&seen, record);
        if (!adds)
            return found;
        const uint64_t added = agree(&seen, cell, record);
        const unsigned place = find_place(&seen, cell->size, added);
        if (place == cell->size ||
            __atomic_compare_exchange_n(zc_cell_slot(cell, place), &seen.records[place], added,
                false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return found;
    }
}
