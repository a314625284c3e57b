// SPDX-License-Identifier: MIT
//
// A context's memory: spans from the driver, pools, and what was freed while queues were busy.
//
//   span.c       allocations of the driver's, pools    alloc.c      mez_alloc
//                of them, and what an address is in    free.c       mez_free, and frees that wait for queues
//   memory.c     life of it all, statistics, leaks,    ipc.c        sharing with other processes
//                the story of a failed allocation      ipc_socket.c passing it over a socket
//   address.c    what kernels may be given, and what   checked.c    fences, and a quarantine of what
//                an address is that they may not                    was freed, in checked contexts

#ifndef MEZ_MEMORY_MEMORY_H
#define MEZ_MEMORY_MEMORY_H

#include <mezzanine/memory.h>

#include "base/list.h"
#include "base/lock.h"
#include "base/vector.h"
#include "device/platform.h"
#include "memory/timeline.h"

// --- Spans
//
// A span: one allocation of the driver's, with the user's allocations that lie in it.
//
// A dedicated span holds one; a span of a pool is cut into slots of equal size. What is known of each slot lies in host memory
// beside the span, so device memory needs no headers and a stray write of a kernel can't destroy our lists.

#define MEZ_MEMORY_KINDS 3

typedef enum mez_slot_state {
    MEZ_SLOT_FREE = 0,
    MEZ_SLOT_LIVE,
    MEZ_SLOT_DEFERRED, // freed by the user while queues were busy
    MEZ_SLOT_KEPT,     // freed, and in the quarantine of a checked context, or on the way there
} mez_slot_state;

typedef struct mez_slot {
    struct mez_span *span;
    struct mez_slot *next; // among the span's free ones, or among the deferred ones
    size_t size;           // that the user asked for
    char *name;            // NULL: none
    // Of the allocation; once that is freed, `function` and `column` are the file and the line of the call that freed it, so that
    // a slot stays as small as a cache line.
    mez_location where;
    mez_slot_state state;
} mez_slot;

// The call at `freed` (NULL: unknown) frees what was allocated at `where`.
static inline void mez_place_note_free(mez_location *where, const mez_location *freed)
{
    where->function = freed ? freed->file : NULL;
    where->column = freed ? freed->line : 0;
}

// What a checked context knows of a span of its own: checked.c.
typedef struct mez_fences {
    size_t before, behind; // bytes around what the user asked for, that nobody may write; 0: none
    bool retires;          // freed, and no queue uses it any more: to be taken into the quarantine
    bool over; // nobody looks at them any more: a write was found, or they could not be written
    char kernels[112]; // names of those that were given the memory, as many as there is room for
} mez_fences;

typedef struct mez_span {
    char *start;        // of the driver's allocation
    char *base;         // of the first slot: behind the fence that a checked context puts before it
    size_t size;        // of the driver's allocation
    mez_device *device; // whose memory; the first of the context for host memory
    mez_memory_usage *usage; // what counts it

    mez_fences *fences; // NULL: the context is not checked, or the span is another process's

    struct mez_ipc_message *shared; // what other processes know it by; NULL: not shared

    struct mez_pool *pool;               // NULL: dedicated
    MEZ_LINK(struct mez_span) with_room; // in the pool's list of spans that have a free slot
    struct mez_span *next;               // in a list to be destroyed
    mez_slot *free;
    uint32_t used;
    uint32_t slot_count;
    mez_memory_kind kind;
    bool imported; // another process's, opened here
    // Log2 of a slot's size; of a dedicated span: so large that every address is in slot 0.
    uint8_t slot_shift;
    size_t slot_mask; // a slot's size less 1
    mez_slot slots[];
} mez_span;

#define MEZ_DEDICATED_SHIFT (sizeof(size_t) * 8 - 1)

typedef struct mez_span_request {
    mez_memory_kind kind;
    mez_device *device;
    size_t size;
    size_t alignment;
    mez_fences *fences; // that are a part of the size, given to the span; NULL: none
    uint32_t slot_count;
    uint32_t slot_shift;
} mez_span_request;

// Asks the driver. Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY, and what the driver says.
mez_error mez_span_create(mez_platform *platform, const mez_span_request *request, mez_span **span);
// A span for memory that the driver has opened for us.
mez_error mez_span_import(
    mez_platform *platform, const mez_span_request *request, void *base, mez_span **span);
// Gives the memory back to the driver. The span is gone also where that fails.
mez_error mez_span_destroy(mez_platform *platform, mez_span *span);
// The same for a list linked by `next`; failures are logged.
void mez_spans_destroy(mez_platform *platform, mez_span *list);

static inline char *mez_slot_address(const mez_slot *slot)
{
    const mez_span *span = slot->span;
    return span->base + ((size_t)(slot - span->slots) << span->slot_shift);
}

const char *mez_memory_kind_name(mez_memory_kind kind);

// --- Pools of small allocations
//
// Drivers round every allocation up to a page, 4 KiB for host memory and 64 KiB for a device's, and each costs microseconds. A
// pool cuts spans into slots of a power of two. There is one per kind, device and slot size. In the steady state an
// allocation and its free call neither the driver nor, without a debug name, malloc: some 130 instructions the two.
//
// Shared memory is pooled only where host and device may touch one span at the same time (mez_device.shares_finely):
// elsewhere the driver moves whole spans, and one user's allocation would be moved while a kernel uses its neighbour.
//
// Thread-safety: the caller holds the memory's lock.

#define MEZ_SMALLEST_SLOT_SHIFT 6 // 64 bytes: a cache line, and the alignment that everybody gets
#define MEZ_LARGEST_SLOT_SHIFT 15 // 32 KiB
#define MEZ_SLOT_SIZES (MEZ_LARGEST_SLOT_SHIFT - MEZ_SMALLEST_SLOT_SHIFT + 1)
#define MEZ_SMALLEST_ALIGNMENT ((size_t)1 << MEZ_SMALLEST_SLOT_SHIFT)
#define MEZ_LARGEST_SLOT ((size_t)1 << MEZ_LARGEST_SLOT_SHIFT)

typedef struct mez_pool {
    mez_span *with_room; // spans that have a free slot
    // The span that was the last to lose its last used slot: kept for the next allocations, which may have used it since. NULL:
    // none.
    mez_span *empty;
} mez_pool;

// The pools of one device.
typedef struct mez_pool_set {
    mez_pool pools[MEZ_MEMORY_KINDS][MEZ_SLOT_SIZES];
} mez_pool_set;

// log2 of the slot for an allocation; its size and alignment are at most MEZ_LARGEST_SLOT.
static inline uint32_t mez_pool_slot_shift(size_t size, size_t alignment)
{
    const size_t needed = (size > alignment ? size : alignment) - 1;
    return 64 - (uint32_t)__builtin_clzll(needed | (MEZ_SMALLEST_ALIGNMENT - 1));
}

// What the driver must be asked for when the pool has no free slot.
mez_span_request mez_pool_request(mez_memory_kind kind, mez_device *device, uint32_t slot_shift);

// The pool owns the span from now on.
void mez_pool_add(mez_pool *pool, mez_span *span);

// NULL: no slot is free.
mez_slot *mez_pool_take(mez_pool *pool);

// The same, also NULL where it is the last of its span. Part of most allocations, hence inline.
static inline mez_slot *mez_pool_take_easily(mez_pool *pool)
{
    mez_span *span = pool->with_room;
    if (__builtin_expect(!span || !span->free->next, 0))
        return NULL;
    mez_slot *slot = span->free;
    span->free = slot->next;
    span->used++;
    return slot;
}

// Takes a slot back. Returns a span that is not needed any more, which is the caller's to destroy; else NULL.
mez_span *mez_pool_give(mez_slot *slot);

// Is another span empty already? Then one that loses its last used slot is not kept.
static inline bool mez_pool_has_spare(const mez_pool *pool, const mez_span *span)
{
    return pool->empty && pool->empty != span && pool->empty->used == 0;
}

// The same where it is only to be put on its span's list; false: it is not, and nothing has changed. Part of most frees, hence
// inline.
static inline bool mez_pool_give_easily(mez_span *span, mez_slot *slot)
{
    const bool empties = span->used == 1 && span->pool->empty != span;
    if (__builtin_expect(!span->free || empties, 0))
        return false;
    mez_list_push(&span->free, slot, next);
    span->used--;
    return true;
}

// Takes the empty span out, if there is one: it is the caller's to destroy.
mez_span *mez_pool_trim(mez_pool *pool);

// --- The registry: the span that an address lies in
//
// Thread-safety: the caller holds the memory's lock.

// 64 KiB: the granule of device memory, and the smallest span of a pool.
#define MEZ_REGISTRY_PAGE_SHIFT 16
#define MEZ_REGISTRY_RECENT 64

// Ordered by address. Insertion moves what lies behind, which for the thousands of spans of a large program costs less than
// the driver's own call. Finding, which happens with every free, looks first at what was found last in a page whose number
// ends like the address's, and is a binary search through packed memory otherwise.
typedef struct mez_known_span {
    uintptr_t base;
    mez_span *span;
} mez_known_span;

typedef struct mez_registry {
    MEZ_VECTOR(mez_known_span) spans;
    mez_span *recent[MEZ_REGISTRY_RECENT]; // NULL: nothing yet
} mez_registry;

// False: no host memory; nothing has changed.
bool mez_registry_insert(mez_registry *registry, mez_span *span);
void mez_registry_remove(mez_registry *registry, const mez_span *span);

// A span that begins among the bytes behind `from`; NULL: none does.
mez_span *mez_registry_find_within(const mez_registry *registry, const void *from, size_t size);

// NULL: in none.
mez_span *mez_registry_find(mez_registry *registry, const void *address);

static inline bool mez_span_holds(const mez_span *span, const void *address)
{
    return (uintptr_t)address - (uintptr_t)span->start < span->size;
}

// What of it an address lies in. A fence belongs to the slot that it stands beside.
static inline mez_slot *mez_span_slot(mez_span *span, const void *address)
{
    return &span->slots[((uintptr_t)address - (uintptr_t)span->start) >> span->slot_shift];
}

static inline size_t mez_registry_page(const void *address)
{
    return ((uintptr_t)address >> MEZ_REGISTRY_PAGE_SHIFT) % MEZ_REGISTRY_RECENT;
}

// A pool's span that was found lately; NULL: the address is in none. Part of every free, hence inline.
static inline mez_span *mez_registry_recent(const mez_registry *registry, const void *address)
{
    mez_span *span = registry->recent[mez_registry_page(address)];
    return span && mez_span_holds(span, address) ? span : NULL;
}

void mez_registry_finish(mez_registry *registry);

// --- All of it

// Allocations that were freed, and whose spans are gone.
#define MEZ_FREED_KEPT 64
typedef struct mez_freed {
    const char *base; // NULL: none yet
    size_t size;
    mez_location where; // as that of a slot which has been freed
} mez_freed;

struct mez_memory {
    // Guards all below. Who holds a queue's lock may take it, so nobody who holds it waits for a queue's. Not held while the driver
    // allocates or frees.
    mez_lock lock;
    mez_registry registry;
    // Allocations that were freed. Read without the lock by those who remember that an allocation is alive: address.c. Written with it.
    atomic_uint_fast64_t free_count;
    mez_pool_set *pools; // one per device of the platform
    mez_memory_usage usage[MEZ_MEMORY_KINDS];

    mez_platform *platform;      // whose memory it is
    bool keeps_apart;            // the driver knows each allocation, and nothing is pooled
    bool finds_strays;           // the driver finds what kernels do beside allocations
    struct mez_checked *checked; // NULL: the context is not checked

    // Held while the driver makes or opens a handle, which is asked for once: guards `shared` of spans.
    pthread_mutex_t ipc_lock;

    mez_timeline *timelines;
    mez_timeline *
        dozing; // those that wake before they have another task; guarded by the lock, as is the next
    bool draining; // the context goes: queues keep their place in the list
    // Frees that wait for the tasks which were in flight when `waiting` was last filled; those that came later wait for the
    // next turn. Two lists are enough for any number of queues, and deferring needs no memory.
    mez_slot *waiting;
    mez_slot *arriving;

    uint64_t looked_at; // free_count when idle queues were last looked for

    mez_freed freed[MEZ_FREED_KEPT]; // the newest, in a ring
    unsigned next_freed;
    MEZ_LINK(struct mez_memory) known; // in the process's list, of address.c
};

// An allocation is freed. The caller holds the lock.
static inline uint64_t mez_memory_count_free(struct mez_memory *memory)
{
    const uint64_t count = atomic_load_explicit(&memory->free_count, memory_order_relaxed) + 1;
    atomic_store_explicit(&memory->free_count, count, memory_order_relaxed);
    return count;
}

// Fills platform->memory. The platform's devices are known. Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_memory_create(mez_platform *platform);
// Gives everything back to the driver, also what the user did not free. No queue is left. Nothing happens without a create.
void mez_memory_destroy(mez_platform *platform);

// Waits for the queues that are left.
void mez_memory_drain(mez_platform *platform, const mez_location *where);

// Warns of allocations that the user did not free.
void mez_memory_report(mez_platform *platform, const char *context_name, const mez_location *where);

void mez_memory_get_usage(mez_platform *platform, mez_memory_usage usage[MEZ_MEMORY_KINDS]);

static inline mez_pool *mez_memory_pool(
    struct mez_memory *memory, mez_memory_kind kind, uint32_t device, uint32_t slot_shift)
{
    return &memory->pools[device].pools[kind][slot_shift - MEZ_SMALLEST_SLOT_SHIFT];
}

// Asks the driver. The caller holds the lock.
bool mez_timeline_reached(mez_timeline *timeline, uint64_t task);

// Does any queue still run, or defer, what was submitted? The caller holds the lock. Deferred tasks are looked at first: one that gets
// its number meanwhile is seen by that.
static inline bool mez_memory_is_busy(struct mez_memory *memory)
{
    for (mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->among.next) {
        if (mez_timeline_defers(timeline))
            return true;
        const uint64_t newest = mez_timeline_submitted(timeline);
        if (mez_timeline_completed(timeline) < newest && !mez_timeline_reached(timeline, newest))
            return true;
    }
    return false;
}

// The same without asking the driver: false only if no queue does.
static inline bool mez_memory_may_be_busy(const struct mez_memory *memory)
{
    for (const mez_timeline *timeline = memory->timelines; timeline;
         timeline = timeline->among.next)
        if (mez_timeline_may_be_busy(timeline))
            return true;
    return false;
}

// Puts a slot off until the tasks that are in flight now have ended. The caller holds the lock.
void mez_memory_defer(struct mez_memory *memory, mez_slot *slot);

// Makes a slot available again, and adds its span to `unused` if nothing needs it any more. The caller holds the lock, and
// destroys the list when it has given it up.
void mez_memory_release(struct mez_memory *memory, mez_slot *slot, mez_span **unused);

// Releases the deferred slots whose time has come. The caller holds the lock.
void mez_memory_collect(struct mez_memory *memory, mez_span **unused);

// The same for those who do not hold the lock: call it where queues notice the end of tasks.
__attribute__((cold)) void mez_memory_sweep_now(mez_platform *platform);
static inline void mez_memory_sweep(mez_platform *platform)
{
    if (atomic_load_explicit(&platform->deferred_frees, memory_order_relaxed) > 0)
        mez_memory_sweep_now(platform);
}

// Gives back to the driver whatever can be spared. False: there was nothing.
bool mez_memory_reclaim(mez_platform *platform);

// What is known of a pointer: mez_memory_get_info for the library itself. Errors: what the driver says.
mez_error mez_memory_find_info(mez_platform *platform, const void *pointer, mez_memory_info *info);

// The slot that an address lies in; NULL: none. The caller holds the lock.
static inline mez_slot *mez_memory_find(struct mez_memory *memory, const void *address)
{
    mez_span *span = mez_registry_find(&memory->registry, address);
    return span ? mez_span_slot(span, address) : NULL;
}

// Takes a dedicated span into the books, with one allocation of `size` bytes. On failure the span is gone.
mez_error mez_memory_adopt(
    mez_platform *platform, mez_span *span, const mez_location *where, size_t size);

// What one allocation may have at most.
uint64_t mez_memory_limit(
    const mez_platform *platform, const mez_memory_params *params, const mez_device *device);

// Makes the error of an allocation that failed: `cause` is what the driver said, success where the size alone is too much.
mez_error mez_memory_refusal(mez_platform *platform, const mez_memory_params *params,
    const mez_device *device, size_t size, mez_error cause);

// --- Checked contexts: docs/checking.md
//
// Each allocation is a span of its own with fences around it, bytes that nobody may write. What was freed is filled with a pattern, and
// kept back until so much has been freed after it that the limit is reached. A write into either is a finding: an error with
// MEZ_ERRC_STRAY_WRITE, which is logged when it is found. Findings of mez_free are its errors; all others wait for a wait of a queue.
//
// Thread-safety: safe; memory's lock is not held, unless said otherwise.

// What MEZ_CHECK says, else what the program `wanted`: how many bytes are kept back; 0: the context is not checked.
// Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_checked_read_setting(bool wanted, uint64_t *limit);

// Before anything is allocated. Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_checked_create(struct mez_memory *memory, uint64_t limit);
void mez_checked_destroy(struct mez_memory *memory);

// Adds fences to what the driver is asked for. `pooled`: it would lie in a pool if the context were not checked. False: no memory.
bool mez_checked_add_fences(mez_span_request *request, bool pooled);
// Writes them, before anybody else knows the span.
void mez_checked_write_fences(mez_platform *platform, mez_span *span);

// A kernel has been given the address, which lies in an allocation that is alive.
void mez_checked_note_kernel(struct mez_memory *memory, const void *address, const char *kernel);

// Takes a span that retires into the quarantine, and destroys what has to leave that. Error: a finding, or what the driver says.
mez_error mez_checked_retire(mez_platform *platform, mez_span *span);

// Empties the quarantine. False: it was empty.
bool mez_checked_empty(mez_platform *platform);

// A finding that no call returns: it is kept for a wait.
void mez_checked_keep(struct mez_memory *memory, mez_error finding);

// The next finding that nobody has received: those that were kept, then what is wrong with the fences of allocations that are
// alive and that the host reaches. Success: there is none, or the context is not checked. Its reference is the caller's.
mez_error mez_checked_take(mez_platform *platform);

// Looks at everything, and logs what is found: no queue runs anything any more.
void mez_checked_report(mez_platform *platform);

// How many findings there were.
uint64_t mez_checked_count(mez_platform *platform);

// Takes a span that nothing needs any more out of the books. The caller holds the lock.
void mez_memory_forget_span(struct mez_memory *memory, mez_span *span, mez_span **unused);

// --- What an address is
//
// An argument of a kernel may be NULL, anywhere in an allocation of the context that is alive, or behind its last byte: what is empty
// is often passed so. It may be whatever else the driver knows in this context, such as what the program has allocated with Level Zero;
// and where the device reaches all memory of the system, any address of which the library does not know that it is freed.
//
// Thread-safety: safe; the lock of a queue may be held.

// The addresses of an allocation, with the one behind its last byte. Zeroed it holds none, and no range holds NULL.
typedef struct mez_live_range {
    uintptr_t base;
    size_t addresses;
} mez_live_range;

static inline bool mez_live_range_holds(const mez_live_range *range, const void *address)
{
    return (uintptr_t)address - range->base < range->addresses;
}

// Is it in an allocation of the context that is alive? Then *range is that, as long as free_count is *frees.
bool mez_memory_find_live(
    struct mez_memory *memory, const void *address, mez_live_range *range, uint64_t *frees);

// Where memory of the context begins among `size` bytes that begin in none; NULL: it does not.
const void *mez_memory_find_within(struct mez_memory *memory, const void *from, size_t size);

// May a kernel be given it though it is in none?
bool mez_address_is_usable(mez_platform *platform, const mez_device *device, const void *address);

// Says what such an address is that a kernel may not be given, to end a sentence such as "argument 1 is 0x7ffc0123: ". Returns what
// a program does instead with memory of that sort; NULL: nothing special.
// Adds where the allocation that it names was made and freed, where that is known.
const char *mez_address_describe(mez_platform *platform, const void *address, mez_text *text);

// The same if it lies in memory of the context that was freed. False, and nothing is added: that is not known of it.
bool mez_address_describe_freed(mez_platform *platform, const void *address, mez_text *text);

// The memory is one of those whose addresses are known as another context's, until it is forgotten.
void mez_memory_make_known(struct mez_memory *memory);
void mez_memory_forget(struct mez_memory *memory);

// An allocation of its own is freed, or the last one of a pool's span that goes. The caller holds the lock.
void mez_memory_note_freed(
    struct mez_memory *memory, const void *base, size_t size, const mez_location *where);

// "65536 bytes", with the unit that people use behind it where there are many.
void mez_text_add_bytes(mez_text *text, uint64_t bytes);

#endif
