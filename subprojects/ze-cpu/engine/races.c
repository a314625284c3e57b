// SPDX-License-Identifier: MIT
//
// The cells of a group's local memory, its epochs, and the accesses of its work-items.

#include "races.h"
#include "run.h"
#include "worker.h"

#include <string.h>
#include <sys/mman.h>

// A record of local memory: who (16 bits), epoch (19), round (4), site (18), how and which bytes.
#define WHO_SHIFT 48
#define EPOCH_SHIFT 29
#define MAX_EPOCH UINT64_C(0x7ffff)
#define ROUND_SHIFT 25
#define MAX_ROUND UINT64_C(0xf)
#define SITE_SHIFT 7
#define MAX_SITE UINT64_C(0x3ffff) // this one and all behind it
#define MAX_ITEMS UINT64_C(0x10000)

#define CELL_SIZE ZC_MAX_CELL

// Looks at the kernel's memory, which a sanitizer would report in the place of the kernel.
#define NOT_SANITIZED __attribute__((no_sanitize("address", "thread")))

// ---- local memory ----

static enum zc_relation relate(const struct zc_races *races, uint64_t record)
{
    const uint64_t who = record >> WHO_SHIFT;
    if ((record >> EPOCH_SHIFT & MAX_EPOCH) != races->epoch)
        return ZC_RECORD_GONE;
    if (who == races->item)
        return ZC_RECORD_OWN;
    if ((record >> ROUND_SHIFT & MAX_ROUND) != races->round &&
        who / races->sub_group_size == races->item / races->sub_group_size)
        return ZC_RECORD_ORDERED;
    return ZC_RECORD_UNORDERED;
}

static uint64_t look_at_local(const struct zc_races *races, uint64_t offset, uint64_t number,
    enum zc_access_kind kind, unsigned mask, bool adds)
{
    const uint64_t site = number < MAX_SITE ? number : MAX_SITE;
    const uint64_t record = races->item << WHO_SHIFT | races->epoch << EPOCH_SHIFT |
                            races->round << ROUND_SHIFT | site << SITE_SHIFT |
                            (uint64_t)kind << ZC_RECORD_KIND_SHIFT | mask;
    return zc_cell_look(
        races, races->cells + offset / 4 * CELL_SIZE, CELL_SIZE, record, relate, adds);
}

uint64_t zc_local_record_item(uint64_t record)
{
    return record >> WHO_SHIFT;
}

uint64_t zc_local_record_site(uint64_t record)
{
    const uint64_t site = record >> SITE_SHIFT & MAX_SITE;
    return site < MAX_SITE ? site : UINT64_MAX;
}

static bool reserve_cells(struct zc_races *races, size_t local_size)
{
    const size_t size = (local_size / 4 + 1) * CELL_SIZE * sizeof(uint64_t);
    if (size <= races->cells_size)
        return true;
    zc_races_finish(races);
    races->cells = zc_map_memory(size);
    races->cells_size = races->cells != NULL ? size : 0;
    races->epoch = 0;
    return races->cells != NULL;
}

// ---- epochs ----

static void end_local_epoch(struct zc_races *races)
{
    races->round = races->first_round = races->last_round = 0;
    if (races->epoch == MAX_EPOCH) {
        memset(races->cells, 0, races->cells_size);
        races->epoch = 0;
    }
    races->epoch++;
}

void zc_races_finish(struct zc_races *races)
{
    if (races->cells != NULL)
        munmap(races->cells, races->cells_size);
    races->cells = NULL;
    races->cells_size = 0;
}

bool zc_races_begin(struct zc_worker *worker, const struct zc_checker *checker)
{
    struct zc_races *races = &worker->races;
    const zc_word *size = worker->context.local_size;
    races->is_on = checker != NULL && checker->checks & ZC_CHECK_RACES &&
                   size[0] * size[1] * size[2] <= MAX_ITEMS;
    if (!races->is_on)
        return true;
    races->launch = checker->races;
    races->group_size = size[0] * size[1] * size[2];
    races->sub_group_size = worker->context.sub_group_size > 0 ? worker->context.sub_group_size : 1;
    races->pending.is_there = false;
    return reserve_cells(races, worker->local_memory_size);
}

void zc_races_begin_group(struct zc_worker *worker)
{
    struct zc_races *races = &worker->races;
    const struct zc_context *context = &worker->context;
    if (!races->is_on)
        return;
    end_local_epoch(races);
    races->global_epoch = 0;
    races->released = ZC_NOBODY;
    races->is_informed = races->may_be_informed = false;
    races->group = context->group_id[0] +
                   context->group_count[0] *
                       (context->group_id[1] + context->group_count[1] * context->group_id[2]);
}

// A round that went before one that is not ordered with it goes on.
static void keep_rounds(struct zc_races *races)
{
    races->first_round = races->last_round;
    races->round = races->first_round;
}

void zc_races_end_epoch(struct zc_worker *worker, uint64_t orders)
{
    struct zc_races *races = &worker->races;
    // A fence before a barrier may order what the barrier itself doesn't.
    const bool has_fence = races->released != ZC_NOBODY;
    const bool orders_all = has_fence || !(orders & (ZC_WAIT_ORDERS_LOCAL | ZC_WAIT_ORDERS_GLOBAL));
    if (!races->is_on)
        return;
    zc_races_settle(worker);
    if (orders & ZC_WAIT_ORDERS_NOTHING) {
        keep_rounds(races);
        return;
    }
    if (orders_all || orders & ZC_WAIT_ORDERS_LOCAL)
        end_local_epoch(races);
    else
        keep_rounds(races);
    if (orders_all || orders & ZC_WAIT_ORDERS_GLOBAL)
        zc_launch_end_epoch(races);
    races->released = ZC_NOBODY;
}

void zc_races_begin_sub_group(struct zc_races *races)
{
    races->round = races->first_round;
}

void zc_races_end_round(struct zc_worker *worker)
{
    struct zc_races *races = &worker->races;
    if (!races->is_on)
        return;
    zc_races_settle(worker);
    zc_launch_end_epoch(races); // has no rounds
    if (races->round == MAX_ROUND)
        end_local_epoch(races);
    else if (++races->round > races->last_round)
        races->last_round = races->round;
}

// ---- accesses ----

static uint64_t look_at(const struct zc_worker *worker, const struct zc_race *race, uintptr_t at,
    unsigned mask, bool adds)
{
    const struct zc_races *races = &worker->races;
    const enum zc_access_kind kind = (enum zc_access_kind)race->sites[race->number].kind;
    if (!race->is_local)
        return zc_launch_look(races, at, race->number, kind, mask, adds);
    const uintptr_t begin = (uintptr_t)zc_worker_local_memory(worker);
    return look_at_local(races, at - begin, race->number, kind, mask, adds);
}

// Which of the four bytes at an address belong to the access.
static unsigned part_of(const struct zc_race *race, uintptr_t at)
{
    const uintptr_t end = race->address + race->size;
    unsigned mask = ZC_RECORD_MASK;
    if (at < race->address)
        mask &= ZC_RECORD_MASK << (race->address - at);
    if (at + 4 > end)
        mask &= ZC_RECORD_MASK >> (at + 4 - end);
    return mask;
}

static uintptr_t first_of(const struct zc_race *race)
{
    return race->address & ~(uintptr_t)3;
}

static void read_or_change(struct zc_worker *worker, struct zc_race *race)
{
    const uintptr_t end = race->address + race->size;
    for (uintptr_t at = first_of(race); at < end; at += 4) {
        race->record = look_at(worker, race, at, part_of(race, at), true);
        if (race->record != 0)
            zc_race_report(worker, race);
    }
}

// The number of cells in which a write is compared.
static size_t compared_cells(const struct zc_race *race)
{
    const uintptr_t end = race->address + (race->size < ZC_RACE_BYTES ? race->size : ZC_RACE_BYTES);
    return (end - first_of(race) + 3) / 4;
}

static void begin_write(struct zc_worker *worker, const struct zc_race *race)
{
    struct zc_pending_write *pending = &worker->races.pending;
    pending->race = *race;
    for (size_t i = 0; i < compared_cells(race); i++) {
        const uintptr_t at = first_of(race) + 4 * i;
        pending->found[i] = look_at(worker, race, at, part_of(race, at), false);
    }
}

// Behind the look, so that a write that was found has been done. The address may be a wrong one, at which a kernel faults.
NOT_SANITIZED static void note_bytes(struct zc_pending_write *pending)
{
    const struct zc_race *race = &pending->race;
    const uint64_t size = race->size < ZC_RACE_BYTES ? race->size : ZC_RACE_BYTES;
    for (uint64_t i = 0; i < size; i++)
        pending->before[i] = ((const volatile unsigned char *)race->address)[i];
    pending->is_there = true;
}

NOT_SANITIZED static bool has_changed(
    const struct zc_pending_write *pending, uintptr_t at, unsigned mask)
{
    const unsigned char *now = (const unsigned char *)pending->race.address;
    for (unsigned i = 0; i < 4; i++) {
        const uintptr_t offset = at + i - pending->race.address;
        if (mask >> i & 1 && offset < ZC_RACE_BYTES && now[offset] != pending->before[offset])
            return true;
    }
    return false;
}

// The operation has been done.
static void acquire_from_groups(struct zc_races *races)
{
    if (races->may_be_informed)
        zc_launch_acquire(races);
    races->may_be_informed = false;
}

// Another thread's write that was not recorded when this one began may have come before it or behind it: the values can't be
// compared.
static void settle(struct zc_worker *worker)
{
    struct zc_pending_write *pending = &worker->races.pending;
    struct zc_race race = pending->race;
    if (!pending->is_there)
        return;
    pending->is_there = false;
    const size_t count = (race.address + race.size - first_of(&race) + 3) / 4;
    for (size_t i = 0; i < count; i++) {
        const uintptr_t at = first_of(&race) + 4 * i;
        const unsigned mask = part_of(&race, at);
        const uint64_t new = look_at(worker, &race, at, mask, true);
        if (i >= compared_cells(&race))
            continue;
        race.record = pending->found[i] != 0 || zc_record_is_write(new) ? pending->found[i] : new;
        if (race.record != 0 && has_changed(pending, at, mask & zc_record_mask(race.record)))
            zc_race_report(worker, &race);
    }
}

void zc_races_settle(struct zc_worker *worker)
{
    if (!worker->races.is_on || !worker->races.pending.is_there)
        return;
    zc_checked_pause();
    settle(worker);
    zc_checked_resume();
}

static uint64_t item_of(const struct zc_worker *worker)
{
    const struct zc_context *context = &worker->context;
    const zc_word *size = context->local_size, *id = context->local_id;
    return worker->item != ZC_UNKNOWN_ID ? worker->item
                                         : id[0] + size[0] * (id[1] + size[1] * id[2]);
}

// Behind an atomic operation of one, what another one has released may be known. A group on another thread may release it between
// the look at the operation and the operation itself.
static void acquire(struct zc_races *races, bool is_local)
{
    races->may_be_informed |= !is_local;
    if (races->released == ZC_NOBODY || races->released == races->item)
        return;
    races->released = races->item;
    end_local_epoch(races);
    zc_launch_end_epoch(races);
}

void zc_race_order(uint32_t semantics, uint32_t is_local)
{
    struct zc_worker *worker = zc_checked_worker();
    struct zc_races *races = &worker->races;
    if (!races->is_on || !(semantics & ZC_SEMANTICS_RELEASE))
        return;
    const uint64_t item = item_of(worker);
    zc_checked_pause();
    races->released = races->released == ZC_NOBODY || races->released == item ? item : ZC_SEVERAL;
    if (!is_local)
        zc_launch_release(races);
    zc_checked_resume();
}

static bool is_in_local_memory(const struct zc_worker *worker, uintptr_t address, uint64_t size)
{
    const uintptr_t begin = (uintptr_t)zc_worker_local_memory(worker);
    return address >= begin && address - begin < worker->local_memory_size &&
           size <= worker->local_memory_size - (address - begin);
}

// A kernel that copies far more than there is faults here, where it can be left.
NOT_SANITIZED static void touch_ends(const void *address, uint64_t size)
{
    const volatile char *bytes = address;
    (void)bytes[0];
    (void)bytes[size - 1];
}

void zc_race_access(void *address, uint64_t size, const void *object,
    const struct zc_access_site *sites, uint64_t number)
{
    struct zc_worker *worker = zc_checked_worker();
    struct zc_races *races = &worker->races;
    if (!races->is_on || size == 0)
        return;
    touch_ends(address, size);
    zc_checked_pause();
    acquire_from_groups(races);
    settle(worker);
    races->item = item_of(worker);
    const uintptr_t at = (uintptr_t)address;
    const bool is_local = is_in_local_memory(worker, at, size);
    struct zc_race race = {.item = races->item,
        .sites = sites,
        .number = number,
        .is_local = is_local,
        .address = at,
        .size = size,
        .object = (uintptr_t)object};
    const bool is_shared = is_local || (races->launch != NULL && !sites[number].is_local &&
                                           !zc_checked_is_own(worker, at));
    const bool writes = is_shared && sites[number].kind == ZC_ACCESS_WRITE;
    if (writes)
        begin_write(worker, &race);
    else if (is_shared)
        read_or_change(worker, &race);
    if (sites[number].kind == ZC_ACCESS_ATOMIC || sites[number].kind == ZC_ACCESS_ATOMIC_READ)
        acquire(races, is_local);
    zc_checked_resume();
    if (writes)
        note_bytes(&races->pending);
}
