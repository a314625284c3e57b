// SPDX-License-Identifier: MIT

#include "base/alloc.h"
#include "base/process.h"
#include "base/version.h"
#include "device/platform.h"
#include "memory/memory.h"
#include "trace/call.h"
#include "trace/graph.h"

static mez_error check_params(const mez_memory_params *params, size_t size)
{
    MEZ_TRY_RESERVED(mez_memory_params, params);
    if (size == 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "an allocation of 0 bytes");
    if (params->kind > MEZ_MEMORY_SHARED)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "memory kind %d does not exist", (int)params->kind);
    if (params->alignment & (params->alignment - 1))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "an alignment of %zu bytes is not a power of two", params->alignment);
    return mez_ok();
}

// Takes a span that the driver has just given into the books. On failure the span is gone.
static mez_error enter(mez_platform *platform, mez_span *span, mez_pool *pool)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    const bool entered = mez_registry_insert(&memory->registry, span);
    if (entered) {
        span->usage = &memory->usage[span->kind];
        span->usage->driver_bytes += span->size;
        span->usage->pool_chunks += pool != NULL;
        if (pool)
            mez_pool_add(pool, span);
    }
    mez_lock_release(&memory->lock);
    if (entered)
        return mez_ok();
    mez_log_error(MEZ_TOPIC_MEMORY, mez_span_destroy(platform, span));
    return mez_error_no_memory("the list of allocations");
}

static bool is_shortage(mez_error error)
{
    return mez_error_get_category(error) == MEZ_CATEGORY_LEVEL_ZERO &&
           (mez_error_is(error, MEZ_ERRC_MEMORY_ALLOCATION) ||
               mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY));
}

// Where the driver has no room, what we only keep for later is given back, and it is asked once more.
static mez_error create_span(
    mez_platform *platform, const mez_span_request *request, mez_span **span)
{
    const mez_error error = mez_span_create(platform, request, span);
    if (!is_shortage(error) || !mez_memory_reclaim(platform))
        return error;
    return mez_span_create(platform, request, span);
}

static inline bool is_pooled(const mez_memory_params *params, const mez_device *device, size_t size)
{
    if (params->dedicated || size > MEZ_LARGEST_SLOT || params->alignment > MEZ_LARGEST_SLOT)
        return false;
    return params->kind != MEZ_MEMORY_SHARED || device->shares_finely;
}

// What the slot's owner asked for.
typedef struct request {
    const mez_location *where;
    const mez_memory_params *params;
    mez_device *device;
    size_t size;
    char *name; // given to the slot
} request;

// The caller holds the lock.
static inline void note_owner(
    mez_slot *slot, mez_memory_usage *usage, const mez_location *where, size_t size)
{
    static const mez_location unknown;
    usage->allocations++;
    slot->where = where ? *where : unknown;
    usage->bytes += size;
    slot->size = size;
    slot->state = MEZ_SLOT_LIVE;
}

// The same.
static void hand_out(mez_slot *slot, const request *request)
{
    note_owner(slot, slot->span->usage, request->where, request->size);
    slot->name = request->name;
}

static mez_slot *take(struct mez_memory *memory, mez_pool *pool, const request *request)
{
    mez_lock_take(&memory->lock);
    mez_slot *slot = mez_pool_take(pool);
    if (slot)
        hand_out(slot, request);
    mez_lock_release(&memory->lock);
    return slot;
}

// Host memory belongs to no device: one pool serves them all.
static inline mez_device *pool_owner(
    mez_platform *platform, mez_memory_kind kind, mez_device *device)
{
    return kind == MEZ_MEMORY_HOST ? &platform->devices[0] : device;
}

static mez_error alloc_pooled(mez_platform *platform, const request *request, void **address)
{
    const mez_memory_kind kind = request->params->kind;
    mez_device *device = pool_owner(platform, kind, request->device);
    const uint32_t shift = mez_pool_slot_shift(request->size, request->params->alignment);
    mez_pool *pool = mez_memory_pool(platform->memory, kind, device->index, shift);
    mez_slot *slot;
    while (!(slot = take(platform->memory, pool, request))) {
        mez_memory_sweep(platform);
        const mez_span_request more = mez_pool_request(kind, device, shift);
        mez_span *span;
        MEZ_TRY(create_span(platform, &more, &span));
        MEZ_TRY(enter(platform, span, pool));
    }
    *address = mez_slot_address(slot);
    return mez_ok();
}

static mez_error adopt(mez_platform *platform, mez_span *span, const request *request)
{
    MEZ_TRY(enter(platform, span, NULL));
    mez_lock_take(&platform->memory->lock);
    hand_out(&span->slots[0], request);
    mez_lock_release(&platform->memory->lock);
    return mez_ok();
}

mez_error mez_memory_adopt(
    mez_platform *platform, mez_span *span, const mez_location *where, size_t size)
{
    return adopt(platform, span, &(const request){.where = where, .size = size});
}

// What is freed late is counted with the context's being checked, so that others are asked nothing here.
static mez_error prepare_span(
    mez_platform *platform, const request *request, mez_span_request *wanted)
{
    if (atomic_load_explicit(&platform->deferred_frees, memory_order_relaxed) == 0)
        return mez_ok();
    mez_memory_sweep_now(platform);
    if (!platform->memory->checked)
        return mez_ok();
    const bool pooled = is_pooled(request->params, request->device, request->size);
    return mez_checked_add_fences(wanted, pooled) ? mez_ok() : mez_error_no_memory("fences");
}

static mez_error alloc_dedicated(mez_platform *platform, const request *request, void **address)
{
    const size_t alignment = request->params->alignment;
    mez_span_request wanted = {
        .kind = request->params->kind,
        .device = request->device,
        .size = request->size,
        .alignment = alignment > MEZ_SMALLEST_ALIGNMENT ? alignment : MEZ_SMALLEST_ALIGNMENT,
        .slot_count = 1,
        .slot_shift = MEZ_DEDICATED_SHIFT,
    };
    MEZ_TRY(prepare_span(platform, request, &wanted));
    mez_span *span;
    const mez_error error = create_span(platform, &wanted, &span);
    if (mez_failed(error)) {
        mez_free_memory(wanted.fences);
        return error;
    }
    if (wanted.fences)
        mez_checked_write_fences(platform, span);
    char *const base = span->base;
    MEZ_TRY(adopt(platform, span, request));
    *address = base;
    return mez_ok();
}

static mez_error alloc_as_asked(mez_platform *platform, request *request, void **address)
{
    const mez_memory_params *params = request->params;
    if (params->debug_name && !(request->name = mez_copy_string(params->debug_name)))
        return mez_error_no_memory("a name");
    // Pools from which nothing is taken stay empty: alloc_here need not ask whether there are any.
    const struct mez_memory *memory = platform->memory;
    const bool pooled = !memory->keeps_apart && !memory->checked &&
                        is_pooled(params, request->device, request->size);
    const mez_error error = pooled ? alloc_pooled(platform, request, address)
                                   : alloc_dedicated(platform, request, address);
    if (mez_failed(error))
        mez_free_memory(request->name);
    return error;
}

static mez_error report(mez_platform *platform, const request *request, mez_error error)
{
    if (mez_failed(error) && mez_error_get_category(error) == MEZ_CATEGORY_RUNTIME)
        return error; // our own memory is short, not the driver's
    return mez_memory_refusal(platform, request->params, request->device, request->size, error);
}

static mez_error alloc(const mez_location *where, mez_context *context,
    const mez_memory_params *params, size_t size, void **address)
{
    mez_platform *platform = mez_platform_of(context);
    request request = {.where = where, .params = params, .size = size};
    MEZ_TRY(check_params(params, size));
    MEZ_TRY(mez_platform_device(platform, params->device, &request.device));
    // Drivers differ in what they say to a size beyond the limit; we say it first.
    if (size > request.device->info.max_alloc_size &&
        size > mez_memory_limit(platform, params, request.device))
        return report(platform, &request, mez_ok());
    const mez_error error = alloc_as_asked(platform, &request, address);
    return mez_failed(error) ? report(platform, &request, error) : error;
}

// Not inlined: its frame would be paid for by the allocations that need no more than a slot.
__attribute__((noinline)) static void *alloc_slowly(const mez_location *where, mez_context *context,
    const mez_memory_params *params, size_t size, mez_error *error)
{
    void *memory = NULL;
    mez_error outcome =
        context ? alloc(where, context, params, size, &memory)
                : mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "an allocation needs a context");
    if (mez_failed(outcome))
        outcome = mez_error_add_place(outcome, where);
    if (context && mez_failed(outcome))
        outcome = mez_platform_note_loss(mez_platform_of(context), outcome);
    if (error)
        *error = outcome;
    return memory;
}

// Is it as most are: small, without a name, and right?
static inline bool is_easy(
    const mez_platform *platform, const mez_memory_params *params, size_t size)
{
    const mez_device *device = params->device ? params->device : &platform->devices[0];
    return size - 1 < MEZ_LARGEST_SLOT && !params->debug_name && MEZ_RESERVED_BITS(params) == 0 &&
           params->kind <= MEZ_MEMORY_SHARED && !(params->alignment & (params->alignment - 1)) &&
           is_pooled(params, device, size) && (!params->device || device->platform == platform);
}

static inline mez_pool *easy_pool(
    struct mez_memory *memory, const mez_memory_params *params, size_t size)
{
    const bool of_device = params->device && params->kind != MEZ_MEMORY_HOST;
    return mez_memory_pool(memory, params->kind, of_device ? params->device->index : 0,
        mez_pool_slot_shift(size, params->alignment));
}

static __attribute__((noinline)) void *wake_and_return(mez_lock *lock, void *memory)
{
    mez_lock_wake(lock);
    return memory;
}

// The caller holds the lock, which is released here.
static __attribute__((noinline)) void *alloc_locked(const mez_location *where, mez_context *context,
    const mez_memory_params *params, size_t size, mez_error *error)
{
    mez_lock_release(&mez_platform_of(context)->memory->lock);
    return alloc_slowly(where, context, params, size, error);
}

static const char with_params[] = "mez_alloc";

MEZ_TRACE_COLD void *refuse(const mez_location *where, mez_error *error, const char *name)
{
    if (error)
        *error = mez_error_closed(where, name);
    return NULL;
}

// Written by hand: the four calls are one path each, inlined with the params that they stand for, and share what is reported of them,
// which has the pointer and its size beside the call.
MEZ_TRACE_COLD void *alloc_traced(const mez_location *where, mez_context *context,
    const mez_memory_params *params, size_t size, mez_error *error, const char *name)
{
    static const char *const kinds[] = {"device", "host", "shared"};
    const mez_trace_allocation allocation = {
        .where = where,
        .name = params->debug_name,
        .kind = params->kind <= MEZ_MEMORY_SHARED ? kinds[params->kind] : "unknown",
        .device_name = params->device ? params->device->info.name : NULL,
        .size = size,
    };
    if (mez_process_is_closed())
        return refuse(where, error, name);
    mez_error outcome;
    mez_trace_call call;
    mez_trace_call_begin(&call, name, where,
        name == with_params ? MEZ_TRACE_ARGUMENTS(context, params, size)
                            : MEZ_TRACE_ARGUMENTS(context, size));
    mez_trace_alloc_begin(&allocation);
    void *memory = alloc_slowly(where, context, params, size, &outcome);
    mez_trace_alloc_end(&allocation, memory);
    outcome = mez_trace_call_end(&call, outcome);
    if (error)
        *error = outcome;
    return memory;
}

// The whole of an allocation where a free slot is at hand and nobody else holds the lock; all else takes the long way. Inlined
// with each of the params below, so that what they leave out costs nothing; and whatever it calls is its last call, so that it
// need not save registers. `name`: the function that the program has called.
static inline __attribute__((always_inline)) void *alloc_here(const mez_location *where,
    mez_context *context, const mez_memory_params *params, size_t size, mez_error *error,
    const char *name)
{
    if (mez_untraced_closed())
        return refuse(where, error, name);
    if (mez_trace_on(MEZ_TRACE_MEMORY))
        return alloc_traced(where, context, params, size, error, name);
    if (!context || !is_easy(mez_platform_of(context), params, size))
        return alloc_slowly(where, context, params, size, error);
    struct mez_memory *memory = mez_platform_of(context)->memory;
    if (!mez_lock_try(&memory->lock))
        return alloc_slowly(where, context, params, size, error);
    mez_slot *slot = mez_pool_take_easily(easy_pool(memory, params, size));
    if (__builtin_expect(!slot, 0))
        return alloc_locked(where, context, params, size, error);
    note_owner(slot, &memory->usage[params->kind], where, size);
    void *address = mez_slot_address(slot);
    if (error)
        *error = mez_ok();
    return mez_lock_open(&memory->lock) ? wake_and_return(&memory->lock, address) : address;
}

static inline __attribute__((always_inline)) void *alloc_probed(const mez_location *where,
    mez_context *context, const mez_memory_params *params, size_t size, mez_error *error,
    const char *name)
{
    MEZ_PROBE(memory__alloc__begin, context, params->kind, size);
    void *memory = alloc_here(where, context, params, size, error, name);
    MEZ_PROBE(memory__alloc__end, memory, size);
    MEZ_PROBE_FAILURE(name, !memory && error ? *error : mez_ok());
    return memory;
}

void *mez_alloc_at(const mez_location *where, mez_context *context, const mez_memory_params *params,
    size_t size, mez_error *error)
{
    static const mez_memory_params defaults;
    return alloc_probed(where, context, params ? params : &defaults, size, error, with_params);
}

void *mez_alloc_device_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error)
{
    static const mez_memory_params params = {.kind = MEZ_MEMORY_DEVICE};
    return alloc_probed(where, context, &params, size, error, "mez_alloc_device");
}

void *mez_alloc_host_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error)
{
    static const mez_memory_params params = {.kind = MEZ_MEMORY_HOST};
    return alloc_probed(where, context, &params, size, error, "mez_alloc_host");
}

void *mez_alloc_shared_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error)
{
    static const mez_memory_params params = {.kind = MEZ_MEMORY_SHARED};
    return alloc_probed(where, context, &params, size, error, "mez_alloc_shared");
}
