// SPDX-License-Identifier: MIT
//
// Checked contexts: fences around allocations, and a quarantine of what was freed.

#include "memory/memory.h"

#include <string.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/log.h"
#include "device/platform.h"
#include "ze/call.h"

// As numbers of programs both are rare: neither small integers nor usual floating point.
#define FENCE_BYTE 0xa5
#define FREED_BYTE 0xfb

#define FENCE ((size_t)256) // bytes on each side, or more before one with a larger alignment
#define LARGEST_FENCE ((size_t)4096)
#define DEFAULT_LIMIT ((uint64_t)64 << 20)

struct mez_checked {
    uint64_t limit;
    // Guarded by memory's lock.
    uint64_t kept;               // bytes in the quarantine
    mez_span *oldest;            // in it, linked by `next`
    mez_span *newest;            // NULL: it is empty
    MEZ_VECTOR(mez_error) waits; // findings that wait for a wait; retained
    uint64_t count;

    pthread_mutex_t copying; // guards what is below; held while a device copies
    struct copiers {
        struct copies *copies; // NULL: none were needed yet, or they are not possible
        bool none;             // nor will they be
    } copiers[];               // one per device of the platform
};

mez_error mez_checked_read_setting(bool wanted, uint64_t *limit)
{
    const char *text = mez_setting(MEZ_VARIABLE_CHECK);
    *limit = (text ? strcmp(text, "0") != 0 : wanted) ? DEFAULT_LIMIT : 0;
    if (!text || strcmp(text, "0") == 0 || strcmp(text, "1") == 0)
        return mez_ok();
    return mez_setting_read_size(MEZ_VARIABLE_CHECK, DEFAULT_LIMIT, limit);
}

mez_error mez_checked_create(struct mez_memory *memory, uint64_t limit)
{
    // For a driver that looks by itself, fences and what is kept back would be memory of the context's.
    if (memory->finds_strays)
        return mez_ok();
    const size_t copiers = memory->platform->device_total * sizeof(struct copiers);
    memory->checked = mez_alloc_array(1, sizeof *memory->checked + copiers);
    if (!memory->checked)
        return mez_error_no_memory("a context's checks");
    memory->checked->limit = limit;
    pthread_mutex_init(&memory->checked->copying, NULL);
    // So that each wait comes to mez_memory_sweep_now, and others need not ask whether the context is checked.
    atomic_fetch_add(&memory->platform->deferred_frees, 1);
    return mez_ok();
}

static void copies_destroy(struct copies *copies);

void mez_checked_destroy(struct mez_memory *memory)
{
    struct mez_checked *checked = memory->checked;
    if (!checked)
        return;
    for (size_t i = 0; i < checked->waits.count; i++)
        mez_error_release(checked->waits.items[i]);
    mez_vector_finish(&checked->waits);
    for (uint32_t i = 0; i < memory->platform->device_total; i++)
        copies_destroy(checked->copiers[i].copies);
    pthread_mutex_destroy(&checked->copying);
    mez_free_memory(checked);
    memory->checked = NULL;
}

// --- Bytes

static char *behind_of(const mez_span *span)
{
    return span->start + span->size - span->fences->behind;
}

static bool host_reaches(const mez_span *span)
{
    return span->kind != MEZ_MEMORY_DEVICE;
}

// Their number: there is none.
static size_t find_other(const char *bytes, size_t count, unsigned char expected)
{
    const unsigned char *at = (const unsigned char *)bytes;
    if (count == 0 || (*at == expected && memcmp(at, at + 1, count - 1) == 0))
        return count;
    size_t place = 0;
    while (at[place] == expected)
        place++;
    return place;
}

// --- Copies
//
// What a device alone reaches, the host looks at by copies. They have a list of their own, on the copy engine where there is one, so that
// they wait for no queue. A device that does not copy in time, as one that hangs, or not at all, as Intel's driver without hardware, has
// no fences looked at from then on; other devices go on. Nor has a discrete GPU whose driver has no in-order lists: two threads that
// submit at once make driver 22.43 hang there (lists/batch.c).

#define COPY_TIMEOUT (UINT64_C(5) * 1000 * 1000 * 1000)

struct copies {
    ze_event_pool_handle_t pool;
    ze_event_handle_t event;
    ze_command_list_handle_t list;
    bool late; // the device may still write to the bytes
    struct copies *next_late;
    char before[LARGEST_FENCE], behind[FENCE];
};

static mez_error copies_init(
    mez_platform *platform, struct copies *copies, const mez_device *device)
{
    const mez_engine *engine = device->copy.queues > 0 ? &device->copy : &device->compute;
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1};
    const ze_event_desc_t event = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = engine->ordinal,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    MEZ_TRY(ZE(zeEventPoolCreate, platform->ze, &pool, 0, NULL, &copies->pool));
    MEZ_TRY(ZE(zeEventCreate, copies->pool, &event, &copies->event));
    return ZE(zeCommandListCreateImmediate, platform->ze, device->ze, &queue, &copies->list);
}

// What is late stays as it is until the process ends, where leak checkers find it.
static void leave_behind(struct copies *copies)
{
    static _Atomic(struct copies *) all;
    copies->next_late = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &copies->next_late, copies))
        ;
}

static void copies_destroy(struct copies *copies)
{
    if (!copies)
        return;
    if (copies->late) {
        leave_behind(copies);
        return;
    }
    if (copies->list)
        ZE_LOGGED(zeCommandListDestroy, copies->list);
    if (copies->event)
        ZE_LOGGED(zeEventDestroy, copies->event);
    if (copies->pool)
        ZE_LOGGED(zeEventPoolDestroy, copies->pool);
    mez_free_memory(copies);
}

static mez_error copy(struct copies *copies, void *to, const void *from, size_t size)
{
    if (size == 0)
        return mez_ok();
    MEZ_TRY(
        ZE(zeCommandListAppendMemoryCopy, copies->list, to, from, size, copies->event, 0, NULL));
    copies->late = true;
    MEZ_TRY(ZE(zeEventHostSynchronize, copies->event, COPY_TIMEOUT));
    copies->late = false;
    return ZE(zeEventHostReset, copies->event);
}

static mez_error read_both(struct copies *copies, const mez_span *span)
{
    MEZ_TRY(copy(copies, copies->before, span->start, span->fences->before));
    return copy(copies, copies->behind, behind_of(span), span->fences->behind);
}

// Also reads them, to see that they are there.
static mez_error write_both(struct copies *copies, const mez_span *span)
{
    memset(copies->before, FENCE_BYTE, sizeof copies->before);
    memset(copies->behind, FENCE_BYTE, sizeof copies->behind);
    MEZ_TRY(copy(copies, span->start, copies->before, span->fences->before));
    MEZ_TRY(copy(copies, behind_of(span), copies->behind, span->fences->behind));
    memset(copies->behind, 0, sizeof copies->behind);
    MEZ_TRY(read_both(copies, span));
    return find_other(copies->behind, FENCE, FENCE_BYTE) == FENCE
               ? mez_ok()
               : mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED, "the device does not copy");
}

typedef mez_error both(struct copies *copies, const mez_span *span);

static bool may_copy(const mez_platform *platform, const mez_device *device)
{
    return !mez_platform_is_lost(platform) &&
           (platform->caps.in_order_lists || device->info.integrated ||
               device->info.type != MEZ_DEVICE_GPU);
}

static mez_error try_copies(
    mez_platform *platform, struct copiers *copiers, const mez_span *span, both *work)
{
    if (!copiers->copies) {
        copiers->copies = mez_new(struct copies);
        if (!copiers->copies)
            return mez_error_no_memory("copies of fences");
        MEZ_TRY(copies_init(platform, copiers->copies, span->device));
    }
    return work(copiers->copies, span);
}

static void say_why_not(const mez_device *device, mez_error error)
{
    mez_log(
        MEMORY, INFO, "fences of the memory of device \"%s\" are not looked at", device->info.name);
    if (mez_log_shows(MEZ_TOPIC_MEMORY, MEZ_LOG_INFO))
        mez_log_error(MEZ_TOPIC_MEMORY, error);
}

// NULL: it does not work, now or at all. Else the caller holds `copying`, which guards what was read.
static struct copies *begin_copies(mez_platform *platform, const mez_span *span, both *work)
{
    struct mez_checked *checked = platform->memory->checked;
    struct copiers *copiers = &checked->copiers[span->device->index];
    mez_error error = mez_ok();
    if (!may_copy(platform, span->device))
        return NULL;
    pthread_mutex_lock(&checked->copying);
    const bool tries = !copiers->none;
    if (tries)
        error = try_copies(platform, copiers, span, work);
    if (tries && !mez_failed(error))
        return copiers->copies;
    copiers->none = true;
    pthread_mutex_unlock(&checked->copying);
    if (tries)
        say_why_not(span->device, error);
    return NULL;
}

static bool write_by_copies(mez_platform *platform, const mez_span *span)
{
    const bool written = begin_copies(platform, span, write_both) != NULL;
    if (written)
        pthread_mutex_unlock(&platform->memory->checked->copying);
    return written;
}

// --- Fences

// Device memory that other processes may be given begins where the driver's allocation does.
bool mez_checked_add_fences(mez_span_request *request, bool pooled)
{
    const size_t before = request->alignment > FENCE ? request->alignment : FENCE;
    const bool fits = before <= LARGEST_FENCE && (pooled || request->kind != MEZ_MEMORY_DEVICE);
    mez_fences *fences = request->fences = mez_new(mez_fences);
    if (!fences)
        return false;
    if (request->size > request->device->info.max_alloc_size - LARGEST_FENCE - FENCE)
        return true; // it may be as large as the driver allows
    fences->before = fits ? before : 0;
    fences->behind = FENCE;
    request->size += fences->before + fences->behind;
    return true;
}

void mez_checked_write_fences(mez_platform *platform, mez_span *span)
{
    if (span->fences->behind == 0) { // too large for any
        span->fences->over = true;
    } else if (host_reaches(span)) {
        memset(span->start, FENCE_BYTE, span->fences->before);
        memset(behind_of(span), FENCE_BYTE, span->fences->behind);
    } else {
        span->fences->over = !write_by_copies(platform, span);
    }
}

void mez_checked_note_kernel(struct mez_memory *memory, const void *address, const char *kernel)
{
    char quoted[sizeof((mez_fences *)0)->kernels];
    mez_bounded name = mez_bounded_begin(quoted, sizeof quoted);
    mez_bounded_print(&name, "\"%s\"", kernel);
    mez_lock_take(&memory->lock);
    mez_slot *slot = mez_memory_find(memory, address);
    char *known = slot && slot->span->fences ? slot->span->fences->kernels : NULL;
    if (known && !strstr(known, quoted)) {
        const size_t used = strlen(known);
        mez_bounded text = mez_bounded_begin(known + used, sizeof quoted - used);
        mez_bounded_print(&text, "%s%s", used > 0 ? ", " : "", quoted);
    }
    mez_lock_release(&memory->lock);
}

// --- Findings

static mez_error add_allocation(mez_error error, const mez_slot *slot)
{
    const mez_location *where = &slot->where;
    mez_text text = {0};
    mez_text_add(&text, "%s memory", mez_memory_kind_name(slot->span->kind));
    if (slot->name)
        mez_text_add(&text, ", \"%s\"", slot->name);
    if (where->file)
        mez_text_add(&text, ", made at %s:%d", where->file, where->line);
    if (slot->state != MEZ_SLOT_LIVE && where->function) // mez_place_note_free
        mez_text_add(&text, ", freed at %s:%d", where->function, where->column);
    error = mez_error_add(error, "allocation", "%s", mez_text_get(&text));
    mez_text_finish(&text);
    const char *kernels = slot->span->fences->kernels;
    return *kernels ? mez_error_add(error, "given to kernels", "%s", kernels) : error;
}

// What the fences show of an allocation, once. The caller holds the lock, or nobody else has the span any more.
static mez_error judge_fences(mez_span *span, const char *before_it, const char *behind_it)
{
    const mez_slot *slot = &span->slots[0];
    const size_t before = span->fences->before, behind = span->fences->behind;
    const size_t first = find_other(behind_it, behind, FENCE_BYTE);
    const size_t low = find_other(before_it, before, FENCE_BYTE);
    if (first == behind && low == before)
        return mez_ok();
    span->fences->over = true;
    const mez_error error =
        first < behind ? mez_error_make(MEZ_ERRC_STRAY_WRITE,
                             "memory behind the end of an allocation of %zu bytes was written, "
                             "from offset %zu on",
                             slot->size, slot->size + first)
                       : mez_error_make(MEZ_ERRC_STRAY_WRITE,
                             "memory before the start of an allocation of %zu bytes was written, "
                             "from offset -%zu on",
                             slot->size, before - low);
    return add_allocation(error, slot);
}

// Of memory that the host reaches.
static mez_error look_at_fences(mez_span *span)
{
    return span->fences->over ? mez_ok() : judge_fences(span, span->start, behind_of(span));
}

// Of any memory, by who has the span alone.
static mez_error look_at_all_fences(mez_platform *platform, mez_span *span)
{
    if (host_reaches(span) || span->fences->over)
        return look_at_fences(span);
    const struct copies *copies = begin_copies(platform, span, read_both);
    if (!copies)
        return mez_ok();
    const mez_error finding = judge_fences(span, copies->before, copies->behind);
    pthread_mutex_unlock(&platform->memory->checked->copying);
    return finding;
}

// The host may look while a kernel uses what lies beside.
static bool may_look_now(const mez_span *span)
{
    return span->kind == MEZ_MEMORY_HOST ||
           (span->kind == MEZ_MEMORY_SHARED && span->device->shares_finely);
}

// What was written since the memory was freed. Nobody else has the span any more.
static mez_error look_at_freed(const mez_span *span)
{
    const mez_slot *slot = &span->slots[0];
    if (!host_reaches(span))
        return mez_ok();
    const size_t first = find_other(span->base, slot->size, FREED_BYTE);
    if (first == slot->size)
        return mez_ok();
    return add_allocation(
        mez_error_make(MEZ_ERRC_STRAY_WRITE,
            "freed memory was written: an allocation of %zu bytes, from offset %zu on", slot->size,
            first),
        slot);
}

// Logged at once, as programs may not look at what mez_free returns, and some are found where no call returns them.
static mez_error notice(struct mez_memory *memory, mez_error finding)
{
    if (!mez_failed(finding))
        return finding;
    mez_lock_take(&memory->lock);
    memory->checked->count++;
    mez_lock_release(&memory->lock);
    mez_log_error(MEZ_TOPIC_MEMORY, finding);
    return finding;
}

void mez_checked_keep(struct mez_memory *memory, mez_error finding)
{
    mez_lock_take(&memory->lock);
    if (mez_vector_push(&memory->checked->waits, finding))
        mez_error_retain(finding);
    mez_lock_release(&memory->lock);
}

// What no call returns.
static void keep_or_log(struct mez_memory *memory, mez_error error)
{
    if (mez_error_is(error, MEZ_ERRC_STRAY_WRITE))
        mez_checked_keep(memory, error);
    else
        mez_log_error(MEZ_TOPIC_MEMORY, error);
}

// The first is returned.
static mez_error join(struct mez_memory *memory, mez_error first, mez_error second)
{
    if (!mez_failed(first))
        return second;
    keep_or_log(memory, second);
    return first;
}

// --- The quarantine

// The caller holds the lock.
static void let_oldest_go(struct mez_memory *memory, mez_span **left)
{
    struct mez_checked *checked = memory->checked;
    mez_span *span = checked->oldest;
    checked->oldest = span->next;
    if (!checked->oldest)
        checked->newest = NULL;
    checked->kept -= span->size;
    mez_memory_forget_span(memory, span, left);
}

// The same.
static void add_newest(struct mez_checked *checked, mez_span *span)
{
    span->next = NULL;
    if (checked->newest)
        checked->newest->next = span;
    else
        checked->oldest = span;
    checked->newest = span;
    checked->kept += span->size;
}

static mez_error destroy_all(mez_platform *platform, mez_span *left)
{
    struct mez_memory *memory = platform->memory;
    mez_error error = mez_ok();
    mez_span *span;
    while (mez_list_pop(&left, span, next)) {
        error = join(memory, error, notice(memory, look_at_freed(span)));
        error = join(memory, error, mez_span_destroy(platform, span));
    }
    return error;
}

mez_error mez_checked_retire(mez_platform *platform, mez_span *span)
{
    struct mez_memory *memory = platform->memory;
    struct mez_checked *checked = memory->checked;
    mez_span *left = NULL;
    span->fences->retires = false;
    const mez_error finding = notice(memory, look_at_all_fences(platform, span));
    if (host_reaches(span))
        memset(span->base, FREED_BYTE, span->slots[0].size);
    mez_lock_take(&memory->lock);
    if (span->shared) // other processes have it for as long as we have
        mez_memory_forget_span(memory, span, &left);
    else
        add_newest(checked, span);
    while (checked->kept > checked->limit)
        let_oldest_go(memory, &left);
    mez_lock_release(&memory->lock);
    return join(memory, finding, destroy_all(platform, left));
}

bool mez_checked_empty(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    mez_span *left = NULL;
    mez_lock_take(&memory->lock);
    while (memory->checked->oldest)
        let_oldest_go(memory, &left);
    mez_lock_release(&memory->lock);
    const bool some = left != NULL;
    keep_or_log(memory, destroy_all(platform, left));
    return some;
}

// --- Who looks

static bool is_alive(const mez_span *span)
{
    return span->fences && span->slots[0].state == MEZ_SLOT_LIVE;
}

// Of allocations that are alive. The caller holds the lock.
static mez_error look_at_live(const mez_registry *registry)
{
    for (size_t i = 0; i < registry->spans.count; i++) {
        mez_span *span = registry->spans.items[i].span;
        if (!is_alive(span) || !may_look_now(span))
            continue;
        const mez_error finding = look_at_fences(span);
        if (mez_failed(finding))
            return mez_error_retain(finding);
    }
    return mez_ok();
}

mez_error mez_checked_take(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    struct mez_checked *checked = memory->checked;
    if (!checked)
        return mez_ok();
    mez_lock_take(&memory->lock);
    const bool kept = checked->waits.count > 0;
    const mez_error finding = kept ? checked->waits.items[0] : look_at_live(&memory->registry);
    if (kept)
        mez_vector_remove(&checked->waits, 0);
    mez_lock_release(&memory->lock);
    return kept ? finding : notice(memory, finding);
}

// Looks at the allocations that waits leave out. The context is being destroyed, so that nobody frees one of these while it is looked at
// without the lock. Other allocations, whose frees were deferred, may leave the registry meanwhile and move those behind them down: going
// from the last to the first misses none.
static void look_at_the_rest(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    size_t left = memory->registry.spans.count;
    while (left > 0) {
        mez_span *span = memory->registry.spans.items[--left].span;
        if (!is_alive(span) || may_look_now(span))
            continue;
        mez_lock_release(&memory->lock);
        mez_error_ignore(notice(memory, look_at_all_fences(platform, span)));
        mez_lock_take(&memory->lock);
        if (left > memory->registry.spans.count)
            left = memory->registry.spans.count;
    }
    mez_lock_release(&memory->lock);
}

void mez_checked_report(mez_platform *platform)
{
    mez_error finding;
    if (!platform->memory->checked)
        return;
    mez_checked_empty(platform);
    while (mez_failed(finding = mez_checked_take(platform)))
        mez_error_release(finding);
    look_at_the_rest(platform);
}

uint64_t mez_checked_count(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    if (!memory->checked)
        return 0;
    mez_lock_take(&memory->lock);
    const uint64_t count = memory->checked->count;
    mez_lock_release(&memory->lock);
    return count;
}
