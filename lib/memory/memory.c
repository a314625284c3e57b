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

static bool describe_live(struct mez_memory *memory, unsigned place, mez_text *text)
{
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

// As mez_objects_report. What the completion thread still does may end deferred frees, and remove their spans, meanwhile.
void mez_memory_report(mez_platform *platform, const char *context_name, const mez_location *where)
{
    const uint64_t count = count_live(platform);
    for (unsigned i = 0; i < MEZ_MOST_LEAKS_NAMED; i++) {
        mez_text text = {0};
        if (!describe_live(platform->memory, i, &text))
            return;
        mez_place_describe_end(where, &text);
        mez_log(CONTEXT, WARN, "context \"%s\": %s", context_name, mez_text_get(&text));
        mez_text_finish(&text);
    }
    if (count > MEZ_MOST_LEAKS_NAMED)
        mez_log(CONTEXT, WARN, "context \"%s\": and %llu more allocations were not freed",
            context_name, (unsigned long long)count - MEZ_MOST_LEAKS_NAMED);
}
