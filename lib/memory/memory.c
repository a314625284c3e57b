// SPDX-License-Identifier: MIT

#include "memory/memory.h"

#include "base/alloc.h"
#include "device/object.h"

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
    platform->memory = memory;
    return mez_ok();
}

void mez_memory_destroy(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    if (!memory)
        return;
    for (size_t i = 0; i < memory->registry.spans.count; i++)
        mez_log_error(
            MEZ_TOPIC_MEMORY, mez_span_destroy(platform, memory->registry.spans.items[i].span));
    mez_registry_finish(&memory->registry);
    pthread_mutex_destroy(&memory->ipc_lock);
    mez_free_memory(memory->pools);
    mez_free_memory(memory);
    platform->memory = NULL;
}

static void forget_span(struct mez_memory *memory, mez_span *span, mez_span **unused)
{
    mez_registry_remove(&memory->registry, span);
    span->usage->driver_bytes -= span->size;
    span->usage->pool_chunks -= span->pool != NULL;
    mez_list_push(unused, span, next);
}

void mez_memory_release(struct mez_memory *memory, mez_slot *slot, mez_span **unused)
{
    slot->state = MEZ_SLOT_FREE;
    if (slot->name) {
        mez_free_memory(slot->name);
        slot->name = NULL;
    }
    mez_span *span = slot->span->pool ? mez_pool_give(slot) : slot->span;
    if (span)
        forget_span(memory, span, unused);
}

static void trim_pools(struct mez_memory *memory, mez_pool_set *set, mez_span **unused)
{
    for (size_t kind = 0; kind < MEZ_MEMORY_KINDS; kind++) {
        for (size_t size = 0; size < MEZ_SLOT_SIZES; size++) {
            mez_span *span = mez_pool_trim(&set->pools[kind][size]);
            if (span)
                forget_span(memory, span, unused);
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
    return some;
}

void mez_memory_get_usage(mez_platform *platform, mez_memory_usage usage[MEZ_MEMORY_KINDS])
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    for (size_t kind = 0; kind < MEZ_MEMORY_KINDS; kind++)
        usage[kind] = memory->usage[kind];
    mez_lock_release(&memory->lock);
}

static void warn_of_slot(const mez_slot *slot, const char *context_name, const mez_location *where)
{
    mez_text place = {0};
    mez_place_describe(&slot->where, &place);
    mez_place_describe_end(where, &place);
    mez_log(CONTEXT, WARN, "context \"%s\": %zu bytes of %s memory%s%s%s were not freed, %s",
        context_name, slot->size, mez_memory_kind_name(slot->span->kind), slot->name ? " \"" : "",
        slot->name ? slot->name : "", slot->name ? "\"" : "", mez_text_get(&place));
    mez_text_finish(&place);
}

// No lock is held, as the log may call the user's function: only the program frees memory, and it does not use the context now.
void mez_memory_report(mez_platform *platform, const char *context_name, const mez_location *where)
{
    const mez_registry *registry = &platform->memory->registry;
    unsigned count = 0;
    for (size_t i = 0; i < registry->spans.count; i++) {
        const mez_span *span = registry->spans.items[i].span;
        for (uint32_t slot = 0; slot < span->slot_count; slot++)
            if (span->slots[slot].state == MEZ_SLOT_LIVE && count++ < MEZ_MOST_LEAKS_NAMED)
                warn_of_slot(&span->slots[slot], context_name, where);
    }
    if (count > MEZ_MOST_LEAKS_NAMED)
        mez_log(CONTEXT, WARN, "context \"%s\": and %u more allocations were not freed",
            context_name, count - MEZ_MOST_LEAKS_NAMED);
}
