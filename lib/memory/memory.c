// SPDX-License-Identifier: MIT

#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/platform.h"

static bool is_checked(const char *what)
{
    const char *checks = getenv("ZE_CPU_CHECK");
    return checks && strstr(checks, what);
}

static bool is_guarded(void)
{
    const char *guard = getenv("ZE_CPU_GUARD");
    return guard && strcmp(guard, "1") == 0;
}

// A driver that checks the memory of kernels finds what strays from one allocation into another, and what is new in one, only if
// it knows them.
static void note_checks(struct mez_memory *memory)
{
    memory->finds_strays = is_checked("memory") || is_checked("1");
    memory->keeps_apart =
        memory->finds_strays || is_checked("uninitialized") || is_checked("races") || is_guarded();
}

mez_error mez_memory_create(mez_platform *platform)
{
    struct mez_memory *memory = mez_new(struct mez_memory);
    if (!memory)
        return mez_error_no_memory("a context");
    memory->pools = mez_alloc_array(platform->device_total, sizeof *memory->pools);
    if (!memory->pools) {
        mez_free_memory(memory);
        return mez_error_no_memory("a context's pools");
    }
    pthread_mutex_init(&memory->ipc_lock, NULL);
    memory->platform = platform;
    note_checks(memory);
    platform->memory = memory;
    mez_memory_make_known(memory);
    return mez_ok();
}

void mez_memory_destroy(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    if (!memory)
        return;
    mez_memory_forget(memory);
    for (size_t i = 0; i < memory->registry.spans.count; i++)
        mez_log_error(
            MEZ_TOPIC_MEMORY, mez_span_destroy(platform, memory->registry.spans.items[i].span));
    mez_registry_finish(&memory->registry);
    mez_checked_destroy(memory);
    pthread_mutex_destroy(&memory->ipc_lock);
    mez_free_memory(memory->pools);
    mez_free_memory(memory);
    platform->memory = NULL;
}

void mez_memory_forget_span(struct mez_memory *memory, mez_span *span, mez_span **unused)
{
    mez_registry_remove(&memory->registry, span);
    span->usage->driver_bytes -= span->size;
    span->usage->pool_chunks -= span->pool != NULL;
    mez_list_push(unused, span, next);
}

void mez_memory_release(struct mez_memory *memory, mez_slot *slot, mez_span **unused)
{
    slot->state = MEZ_SLOT_FREE;
    if (slot->name && !memory->checked) {
        mez_free_memory(slot->name);
        slot->name = NULL;
    }
    mez_span *span = slot->span->pool ? mez_pool_give(slot) : slot->span;
    if (!span)
        return;
    if (span->pool)
        mez_memory_note_freed(memory, mez_slot_address(slot), slot->size, &slot->where);
    if (span->fences) {
        slot->state = MEZ_SLOT_KEPT;
        span->fences->retires = true;
        mez_list_push(unused, span, next);
        return;
    }
    mez_memory_forget_span(memory, span, unused);
}

static void trim_pools(struct mez_memory *memory, mez_pool_set *set, mez_span **unused)
{
    for (size_t kind = 0; kind < MEZ_MEMORY_KINDS; kind++) {
        for (size_t size = 0; size < MEZ_SLOT_SIZES; size++) {
            mez_span *span = mez_pool_trim(&set->pools[kind][size]);
            if (span)
                mez_memory_forget_span(memory, span, unused);
        }
    }
}

bool mez_memory_reclaim(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    mez_span *unused = NULL;
    mez_lock_take(&memory->lock);
    mez_memory_collect(memory, &unused);
    for (uint32_t i = 0; i < platform->device_total; i++)
        trim_pools(memory, &memory->pools[i], &unused);
    mez_lock_release(&memory->lock);
    const bool some = unused != NULL;
    mez_spans_destroy(platform, unused);
    return (memory->checked && mez_checked_empty(platform)) || some;
}

void mez_memory_get_usage(mez_platform *platform, mez_memory_usage usage[MEZ_MEMORY_KINDS])
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    for (size_t kind = 0; kind < MEZ_MEMORY_KINDS; kind++)
        usage[kind] = memory->usage[kind];
    mez_lock_release(&memory->lock);
}

// The allocation of the program's at this place among those that are alive; NULL: there are not so many. The caller holds the lock.
static const mez_slot *find_live(const mez_registry *registry, unsigned place)
{
    for (size_t i = 0; i < registry->spans.count; i++) {
        const mez_span *span = registry->spans.items[i].span;
        for (uint32_t slot = 0; slot < span->slot_count; slot++)
            if (span->slots[slot].state == MEZ_SLOT_LIVE && place-- == 0)
                return &span->slots[slot];
    }
    return NULL;
}

static bool describe_live(mez_platform *platform, unsigned place, mez_text *text)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    const mez_slot *slot = find_live(&memory->registry, place);
    if (slot) {
        const char *quote = slot->name ? "\"" : "";
        mez_text_add(text, "%zu bytes of %s memory%s%s%s%s were not freed, ", slot->size,
            mez_memory_kind_name(slot->span->kind), slot->name ? " " : "", quote,
            slot->name ? slot->name : "", quote);
        mez_place_describe(&slot->where, text);
    }
    mez_lock_release(&memory->lock);
    return slot != NULL;
}

static uint64_t count_live(mez_platform *platform)
{
    mez_memory_usage usage[MEZ_MEMORY_KINDS];
    uint64_t count = 0;
    mez_memory_get_usage(platform, usage);
    for (size_t kind = 0; kind < MEZ_MEMORY_KINDS; kind++)
        count += usage[kind].allocations;
    return count;
}

// What the completion thread still does may end deferred frees, and remove their spans, meanwhile.
void mez_memory_report(mez_platform *platform, const char *context_name, const mez_location *where)
{
    mez_leaks_report(platform, context_name, where, count_live(platform), describe_live,
        "allocations were not freed");
}

// --- Why there is no memory
//
// Why there is no memory.

static bool can_relax(const mez_platform *platform)
{
    return platform->large_buffers && platform->caps.relaxed_allocation_limits;
}

uint64_t mez_memory_limit(
    const mez_platform *platform, const mez_memory_params *params, const mez_device *device)
{
    if (!can_relax(platform))
        return device->info.max_alloc_size;
    // A device's own memory still bounds it; what the host can give, only the driver knows.
    const bool on_device = params->kind == MEZ_MEMORY_DEVICE && device->info.memory_size > 0;
    return on_device ? device->info.memory_size : UINT64_MAX;
}

void mez_text_add_bytes(mez_text *text, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    mez_text_add(text, "%llu bytes", (unsigned long long)bytes);
    if (bytes < 10 * 1024)
        return;
    double number = (double)bytes / 1024;
    size_t unit = 0;
    for (; number >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1024;
    mez_text_add(text, " (%.1f %s)", number, units[unit]);
}

static mez_error add_bytes(mez_error error, const char *label, const char *what, uint64_t bytes)
{
    mez_text text = {0};
    mez_text_add_bytes(&text, bytes);
    error = mez_error_add(error, label, "%s %s", what, mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

static mez_error add_usage(mez_error error, mez_memory_kind kind, const mez_memory_usage *usage)
{
    if (usage->driver_bytes == 0)
        return error;
    mez_text text = {0};
    mez_text_add_bytes(&text, usage->bytes);
    mez_text_add(&text, " in %llu allocations; taken from the driver, with pools and rounding: ",
        (unsigned long long)usage->allocations);
    mez_text_add_bytes(&text, usage->driver_bytes);
    if (usage->deferred > 0) {
        mez_text_add(&text, "; freed, but queues may still use them: ");
        mez_text_add_bytes(&text, usage->deferred_bytes);
    }
    error = mez_error_add(error, "this context holds", "%s memory: %s", mez_memory_kind_name(kind),
        mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

static mez_error add_limits(mez_error error, const mez_device *device)
{
    error = add_bytes(error, "limit", "one allocation may have", device->info.max_alloc_size);
    return add_bytes(error, "device", "its memory has", device->info.memory_size);
}

static mez_error add_free_of_host(mez_error error)
{
    uint64_t available;
    return mez_host_memory_available(&available) ? add_bytes(error, "host", "free are", available)
                                                 : error;
}

// What all programs leave. That asking for it fails is not what the story is about.
static mez_error add_free_of_device(mez_error error, const mez_device *device)
{
    mez_memory_state state;
    mez_log_error(MEZ_TOPIC_MEMORY, mez_device_get_memory_state_at(NULL, device, &state));
    if (state.free_is_known)
        return add_bytes(error, "device", "free are", state.free);
    return mez_error_add(error, "device", "what is free is not known: %s", state.why_unknown);
}

static mez_error add_help(
    mez_error error, const mez_platform *platform, bool over_limit, uint64_t deferred)
{
    if (over_limit && !platform->large_buffers)
        return mez_error_add(error, "what helps",
            "split it, or create the context with large_buffers, which asks the driver for more");
    if (over_limit && !can_relax(platform))
        return mez_error_add(error, "what helps",
            "split it: large_buffers needs the driver's extension " //
            ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME ", which it does not list");
    if (deferred > 0)
        return mez_error_add(error, "what helps",
            "wait for the queues: that makes the freed memory available; or free more");
    return mez_error_add(error, "what helps",
        "free what is not needed, or work on smaller parts; other programs use the device too");
}

static mez_error headline(
    const mez_memory_params *params, const mez_device *device, size_t size, mez_error cause)
{
    const char *kind = mez_memory_kind_name(params->kind);
    const bool named = params->debug_name != NULL;
    const char *before = named ? " (\"" : "", *name = named ? params->debug_name : "",
               *behind = named ? "\")" : "";
    if (mez_failed(cause))
        return mez_error_headline(cause, "no %s memory of %zu bytes%s%s%s on device \"%s\"", kind,
            size, before, name, behind, device->info.name);
    return mez_error_make(MEZ_ERRC_MEMORY_ALLOCATION,
        "%s memory of %zu bytes%s%s%s is more than device \"%s\" allows", kind, size, before, name,
        behind, device->info.name);
}

mez_error mez_memory_refusal(mez_platform *platform, const mez_memory_params *params,
    const mez_device *device, size_t size, mez_error cause)
{
    mez_memory_usage usage[MEZ_MEMORY_KINDS];
    mez_memory_get_usage(platform, usage);
    mez_error error = headline(params, device, size, cause);
    error = add_limits(error, device);
    error = params->kind == MEZ_MEMORY_HOST ? add_free_of_host(error)
                                            : add_free_of_device(error, device);
    uint64_t deferred = 0;
    for (int kind = 0; kind < MEZ_MEMORY_KINDS; kind++) {
        error = add_usage(error, (mez_memory_kind)kind, &usage[kind]);
        deferred += usage[kind].deferred;
    }
    return add_help(error, platform, size > device->info.max_alloc_size, deferred);
}
