// SPDX-License-Identifier: MIT
//
// Accesses of work-items, and what orders them.

#include "races.h"
#include "run.h"
#include "worker.h"

#include <string.h>

#define PAGE_SIZE ((uintptr_t)4096)
#define MAX_ITEMS UINT64_C(0x10000) // of a group, as records have them

#if defined(__SANITIZE_THREAD__)
#define IS_THREAD_SANITIZED true
#elif defined(__has_feature)
#define IS_THREAD_SANITIZED __has_feature(thread_sanitizer)
#else
#define IS_THREAD_SANITIZED false
#endif

// Looks at the kernel's memory, which a sanitizer would report in the place of the kernel.
#define NOT_SANITIZED __attribute__((no_sanitize("address", "thread")))

// ---- epochs ----

bool zc_races_begin(struct zc_worker *worker, const struct zc_checker *checker)
{
    struct zc_races *races = &worker->races;
    const zc_word *size = worker->context.local_size;
    races->is_on = checker != NULL && checker->checks & ZC_CHECK_RACES &&
                   size[0] * size[1] * size[2] <= MAX_ITEMS;
    races->view.local_memory = (uintptr_t)zc_worker_local_memory(worker);
    races->view.local_size = 0; // what is not checked has no simple accesses
    if (!races->is_on)
        return true;
    memset(races->pages, 0, sizeof races->pages);
    races->launch = checker->races;
    races->group_size = size[0] * size[1] * size[2];
    races->sub_group_size = worker->context.sub_group_size > 0 ? worker->context.sub_group_size : 1;
    races->pending.is_there = false;
    return zc_local_reserve(races, worker->local_memory_size);
}

void zc_races_begin_group(struct zc_worker *worker)
{
    struct zc_races *races = &worker->races;
    const struct zc_context *context = &worker->context;
    if (!races->is_on)
        return;
    zc_local_end_epoch(races);
    races->global_epoch = 0;
    races->released = ZC_NOBODY;
    races->is_informed = races->may_be_informed = false;
    races->group = context->group_id[0] +
                   context->group_count[0] *
                       (context->group_id[1] + context->group_count[1] * context->group_id[2]);
}

void zc_races_end_epoch(struct zc_worker *worker, uint64_t orders)
{
    struct zc_races *races = &worker->races;
    // A fence before a barrier may order what the barrier itself doesn't.
    const bool has_fence = races->released != ZC_NOBODY;
    const bool orders_all = has_fence || !(orders & (ZC_WAIT_ORDERS_LOCAL | ZC_WAIT_ORDERS_GLOBAL));
    if (!races->is_on)
        return;
    if (orders & ZC_WAIT_ORDERS_NOTHING) {
        zc_local_keep_rounds(races);
        return;
    }
    if (orders_all || orders & ZC_WAIT_ORDERS_LOCAL)
        zc_local_end_epoch(races);
    else
        zc_local_keep_rounds(races);
    if (orders_all || orders & ZC_WAIT_ORDERS_GLOBAL)
        zc_launch_end_epoch(races);
    races->released = ZC_NOBODY;
}

void zc_races_end_round(struct zc_races *races)
{
    if (!races->is_on)
        return;
    zc_launch_end_epoch(races); // has no rounds
    zc_local_end_round(races);
}

// ---- accesses ----

static uint64_t look_at(
    struct zc_worker *worker, const struct zc_race *race, uintptr_t at, unsigned mask, bool adds)
{
    struct zc_races *races = &worker->races;
    const enum zc_access_kind kind = (enum zc_access_kind)race->sites[race->number].kind;
    if (!race->is_local)
        return zc_launch_look(races, at, race->number, kind, mask, adds);
    return zc_local_look(races, at - races->view.local_memory, race->number, kind, mask, adds);
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

// As the kernel does, which may fault there: the address may be a wrong one, or the memory have been freed meanwhile.
NOT_SANITIZED static void read_bytes(const struct zc_race *race, unsigned char *bytes)
{
    const uint64_t size = race->size < ZC_RACE_BYTES ? race->size : ZC_RACE_BYTES;
    for (uint64_t i = 0; i < size; i++)
        bytes[i] = ((const volatile unsigned char *)race->address)[i];
}

// Behind the look, so that a write that was found has been done.
static void note_bytes(struct zc_pending_write *pending)
{
    read_bytes(&pending->race, pending->before);
    pending->is_simple = false;
    pending->is_there = true;
}

static bool has_changed(const struct zc_pending_write *pending, uintptr_t at, unsigned mask)
{
    for (unsigned i = 0; i < 4; i++) {
        const uintptr_t offset = at + i - pending->race.address;
        if (mask >> i & 1 && offset < ZC_RACE_BYTES &&
            pending->after[offset] != pending->before[offset])
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

// Simple accesses may be left by a signal, but not where ThreadSanitizer's functions are called, which take locks.
static void pause_sanitizer(void)
{
    if (IS_THREAD_SANITIZED)
        zc_checked_pause();
}

static void resume_sanitizer(void)
{
    if (IS_THREAD_SANITIZED)
        zc_checked_resume();
}

void zc_race_done(void)
{
    struct zc_worker *worker = zc_checked_worker();
    struct zc_races *races = &worker->races;
    struct zc_pending_write *pending = &races->pending;
    if (pending->is_there && pending->is_simple) {
        pause_sanitizer();
        pending->is_there =
            !zc_launch_add(races, pending->race.address, pending->race.size, pending->race.number);
        resume_sanitizer();
        memset(pending->found, 0, (ZC_SIMPLE_BYTES / 4) * sizeof(*pending->found));
    }
    if (!pending->is_there && !races->may_be_informed)
        return;
    if (pending->is_there)
        read_bytes(&pending->race, pending->after);
    zc_checked_pause();
    acquire_from_groups(races);
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
    zc_local_end_epoch(races);
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

// A kernel that copies far more than there is faults here, where it can be left, and close to its own frame, by which its line is
// found.
NOT_SANITIZED static void touch_ends(const void *address, uint64_t size)
{
    const volatile char *bytes = address;
    (void)bytes[0];
    (void)bytes[size - 1];
}

static bool is_in_local_memory(const struct zc_races *races, uintptr_t address, uint64_t size)
{
    const uint64_t offset = address - races->view.local_memory, room = races->view.local_size;
    return offset < room && size <= room - offset;
}

// It does not lie across four bytes of which it accesses only some.
static bool may_be_simple(uintptr_t at, uint64_t size, enum zc_access_kind kind)
{
    const bool is_within = size < 4 && (at & 3) + size <= 4;
    return (kind == ZC_ACCESS_READ || kind == ZC_ACCESS_WRITE) &&
           (is_within || (!((at | size) & 3) && size <= ZC_SIMPLE_BYTES));
}

// Global memory is looked at if there is memory for its cells. Nothing of the engine's lies beside other memory, except for the stack.
static bool is_shared(struct zc_worker *worker, const struct zc_race *race)
{
    struct zc_races *races = &worker->races;
    if (race->is_local)
        return true;
    if (races->launch == NULL || race->sites[race->number].is_local ||
        zc_checked_is_own(worker, race->address))
        return false;
    if ((race->address ^ worker->checking.stack) / PAGE_SIZE != 0)
        zc_launch_keep_page(races, race->address, race->number);
    return true;
}

static uint32_t look_closely(struct zc_worker *worker, struct zc_race *race)
{
    struct zc_races *races = &worker->races;
    const uint64_t kind = race->sites[race->number].kind;
    zc_checked_pause();
    const bool looks = is_shared(worker, race);
    const bool writes = looks && kind == ZC_ACCESS_WRITE;
    if (writes)
        begin_write(worker, race);
    else if (looks)
        read_or_change(worker, race);
    if (kind == ZC_ACCESS_ATOMIC || kind == ZC_ACCESS_ATOMIC_READ)
        acquire(races, race->is_local);
    zc_checked_resume();
    if (writes)
        note_bytes(&races->pending);
    return writes || races->may_be_informed;
}

static struct zc_race describe(const struct zc_races *races, void *address, uint64_t size,
    const void *object, const struct zc_access_site *sites, uint64_t number)
{
    return (struct zc_race){.item = races->item,
        .sites = sites,
        .number = number,
        .is_local = is_in_local_memory(races, (uintptr_t)address, size),
        .address = (uintptr_t)address,
        .size = size,
        .object = (uintptr_t)object};
}

// Apart from zc_race_access, which would need more of the stack otherwise.
static __attribute__((noinline)) uint32_t look_closely_at(struct zc_worker *worker, void *address,
    uint64_t size, const void *object, const struct zc_access_site *sites, uint64_t number)
{
    struct zc_race race = describe(&worker->races, address, size, object, sites, number);
    return look_closely(worker, &race);
}

static bool note(struct zc_races *races, uintptr_t at, uint64_t size,
    const struct zc_access_site *site, uint64_t number)
{
    const enum zc_access_kind kind = (enum zc_access_kind)site->kind;
    if (!may_be_simple(at, size, kind))
        return false;
    if (is_in_local_memory(races, at, size))
        return zc_local_note(races, at - races->view.local_memory, size, number, kind);
    return zc_launch_note(races, at, size, number, kind);
}

uint32_t zc_race_access(void *address, uint64_t size, const void *object,
    const struct zc_access_site *sites, uint64_t number)
{
    struct zc_worker *worker = zc_checked_worker();
    struct zc_races *races = &worker->races;
    struct zc_pending_write *pending = &races->pending;
    if (!races->is_on || size == 0)
        return 0;
    races->item = item_of(worker);
    pause_sanitizer();
    const bool is_noted = note(races, (uintptr_t)address, size, &sites[number], number);
    resume_sanitizer();
    if (!is_noted) {
        touch_ends(address, size);
        return look_closely_at(worker, address, size, object, sites, number);
    }
    if (sites[number].kind == ZC_ACCESS_READ || is_in_local_memory(races, (uintptr_t)address, size))
        return 0;
    pending->race = describe(races, address, size, object, sites, number);
    note_bytes(pending);
    pending->is_simple = true;
    return 1;
}
