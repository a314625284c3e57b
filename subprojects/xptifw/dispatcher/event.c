// SPDX-License-Identifier: MIT
//
// Locations, and their visits: events.

#include "event.h"

#include "framework.h"
#include "map.h"
#include "pool.h"

#include <string.h>

static xf_table locations = XF_TABLE(sizeof(xf_location) - sizeof(xf_place), INT32_MAX - 1);

// Metadata of an event may be added by several threads; events share locks, as one of their own would make each larger.
typedef struct metadata_lock {
    pthread_mutex_t lock;                        // guards the metadata of the events that choose it
    char padding[128 - sizeof(pthread_mutex_t)]; // no two in one pair of cache lines
} metadata_lock;

#define FOUR(x) x, x, x, x
static metadata_lock metadata_locks[] = {FOUR(FOUR(FOUR({.lock = PTHREAD_MUTEX_INITIALIZER})))};
enum { LOCK_COUNT = sizeof metadata_locks / sizeof metadata_locks[0] };

// --- Locations

static const char *or_else(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

// What the payload's flags don't name is not read. NULL: no memory.
static xf_location *find_location(const mez_xpti_payload *payload)
{
    const uint64_t flags = payload->flags;
    const char *name = flags & MEZ_XPTI_HAS_NAME ? payload->name : NULL;
    const char *file = flags & MEZ_XPTI_HAS_FILE ? payload->file : NULL;
    const xf_place place = {
        .name = xf_string_entry(or_else(name, "unknown")),
        .file = xf_string_entry(or_else(file, "unknown-file")),
        .line = flags & MEZ_XPTI_HAS_LINE ? payload->line : 0,
        .column = flags & MEZ_XPTI_HAS_COLUMN ? payload->column : 0,
    };
    if (!place.name || !place.file)
        return NULL;
    xf_entry *entry = xf_table_intern(&locations, &place, sizeof place, 0);
    return entry ? (xf_location *)(void *)entry->data : NULL;
}

static bool has_location(const mez_xpti_payload *payload)
{
    return payload && payload->flags & (MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE);
}

// --- Making and releasing

static const uint64_t dispatchers_flags = MEZ_XPTI_IS_REGISTERED | MEZ_XPTI_HAS_HASH;

static mez_xpti_payload payload_of(const xf_location *location, const mez_xpti_payload *given)
{
    const xf_place *place = &location->place;
    const bool has_code = given->flags & MEZ_XPTI_HAS_CODE;
    return (mez_xpti_payload){
        .name = place->name->data,
        .file = place->file->data,
        .line = place->line,
        .column = place->column,
        .code = has_code ? given->code : NULL,
        .flags = (given->flags & ~(uint64_t)MEZ_XPTI_HAS_STACK) | dispatchers_flags,
        .uid = {.p1 = (uint64_t)xf_string_id(place->file) << 32 | place->line,
            .p2 = xf_string_id(place->name)},
    };
}

static xf_tracepoint *make(xf_location *location, const mez_xpti_payload *given, uint64_t instance)
{
    xf_tracepoint *it = xf_pool_take();
    if (!it)
        return NULL;
    const uint64_t id = xf_id_of(it);
    it->location = location;
    it->next_item = NULL;
    it->payload = payload_of(location, given);
    it->payload.id = id;
    it->event = (mez_xpti_event){
        .unique_id = id,
        .data_id = instance,
        .instance_id = instance,
        .event_type = MEZ_XPTI_EVENT_ALGORITHM,
        .activity_type = MEZ_XPTI_ACTIVITY_ACTIVE,
        .payload = &it->payload,
        .flags = MEZ_XPTI_EVENT_HAS_ID | MEZ_XPTI_EVENT_HAS_TYPE | MEZ_XPTI_EVENT_HAS_ACTIVITY |
                 MEZ_XPTI_EVENT_HAS_PAYLOAD,
    };
    xf_map_init(&it->event.metadata);
    atomic_store_explicit(&it->live, true, memory_order_release);
    return it;
}

// A new event for each visit, with a number one higher.
static xf_tracepoint *visit(const mez_xpti_payload *given)
{
    xf_load(); // metadata wants to know whether there is C++
    xf_location *location = find_location(given);
    if (!location)
        return NULL;
    return make(
        location, given, atomic_fetch_add_explicit(&location->visits, 1, memory_order_relaxed) + 1);
}

static xf_tracepoint *find(uint64_t id)
{
    xf_tracepoint *it = xf_pool_at(id);
    return it && atomic_load_explicit(&it->live, memory_order_acquire) ? it : NULL;
}

// Of two who release the same one it is the second who finds it gone.
static bool give_back(xf_tracepoint *it)
{
    if (!atomic_exchange_explicit(&it->live, false, memory_order_acq_rel))
        return false;
    xf_map_clear(&it->event.metadata);
    xf_pool_give(it);
    return true;
}

// One that stands for its location stays.
static bool release(uint64_t id)
{
    xf_tracepoint *it = find(id);
    return it && atomic_load_explicit(&it->location->registered, memory_order_relaxed) != it &&
           give_back(it);
}

mez_xpti_event *xptiMakeEvent(const char *name, mez_xpti_payload *payload, uint16_t event_type,
    int activity_type, uint64_t *instance)
{
    (void)name;
    if (!has_location(payload) || !instance)
        return NULL;
    xf_tracepoint *it = visit(payload);
    if (!it)
        return NULL;
    it->event.event_type = event_type;
    it->event.activity_type = (uint16_t)activity_type;
    *instance = it->event.instance_id;
    return &it->event;
}

void xptiReleaseEvent(mez_xpti_event *event)
{
    if (event)
        release(event->unique_id);
}

void *xptiCreateTracepoint(
    const char *function, const char *file, uint32_t line, uint32_t column, void *code)
{
    uint64_t flags = function ? MEZ_XPTI_HAS_NAME : 0;
    flags |= file ? MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE | MEZ_XPTI_HAS_COLUMN : 0;
    // Callers of before 2025 pass no code, and something else is in its register. It is never followed.
    return visit(&(mez_xpti_payload){.name = function,
        .file = file,
        .line = line,
        .column = column,
        .code = code,
        .flags = flags | MEZ_XPTI_HAS_CODE});
}

mez_xpti_result xptiDeleteTracepoint(void *tracepoint)
{
    return release(xf_id_of(tracepoint)) ? MEZ_XPTI_SUCCESS : MEZ_XPTI_INVALID_ARGUMENT;
}

const void *xptiRegisterTracepointScope(
    const char *function, const char *file, uint32_t line, uint32_t column, void *code)
{
    return xptiCreateTracepoint(function, file, line, column, code);
}

// A trace point stands for the location, which is no visit: its number is 0. Of two threads that make one the slower gives it back.
static xf_tracepoint *registered(xf_location *location, const mez_xpti_payload *given)
{
    xf_tracepoint *there = atomic_load_explicit(&location->registered, memory_order_acquire);
    if (there)
        return there;
    xf_tracepoint *made = make(location, given, 0);
    if (!made || atomic_compare_exchange_strong(&location->registered, &there, made))
        return made;
    give_back(made);
    return there;
}

uint64_t xptiRegisterPayload(mez_xpti_payload *payload)
{
    if (!has_location(payload))
        return 0;
    xf_location *location = find_location(payload);
    const xf_tracepoint *it = location ? registered(location, payload) : NULL;
    if (!it)
        return 0;
    payload->id = it->payload.id;
    payload->uid = it->payload.uid;
    payload->flags |= dispatchers_flags;
    return payload->id;
}

// --- Looking up

const mez_xpti_event *xptiFindEvent(uint64_t id)
{
    const xf_tracepoint *it = find(id);
    return it ? &it->event : NULL;
}

const mez_xpti_payload *xptiQueryPayload(mez_xpti_event *event)
{
    return event ? event->payload : NULL;
}

const mez_xpti_payload *xptiQueryPayloadByUID(uint64_t id)
{
    const xf_tracepoint *it = find(id);
    return it ? &it->payload : NULL;
}

const void *xptiLookupEvent(uint64_t id)
{
    const xf_tracepoint *it = find(id);
    return it ? &it->as_event : NULL;
}

const void *xptiLookupPayload(uint64_t id)
{
    const xf_tracepoint *it = find(id);
    return it ? &it->as_payload : NULL;
}

// --- Metadata

static pthread_mutex_t *lock_of(const mez_xpti_event *event)
{
    return &metadata_locks[(uintptr_t)event / 64 % LOCK_COUNT].lock;
}

mez_xpti_result xptiAddMetadata(mez_xpti_event *event, const char *key, mez_xpti_object value)
{
    if (!event || !key || !*key)
        return MEZ_XPTI_INVALID_ARGUMENT;
    const xf_entry *entry = xf_string_entry(key);
    if (!entry)
        return MEZ_XPTI_FAIL;
    pthread_mutex_t *lock = lock_of(event);
    pthread_mutex_lock(lock);
    const mez_xpti_result result = xf_map_set(&event->metadata, xf_string_id(entry), value);
    pthread_mutex_unlock(lock);
    return result;
}

mez_xpti_map *xptiQueryMetadata(mez_xpti_event *event)
{
    return event ? &event->metadata : NULL;
}

// --- The end

static void clear(xf_tracepoint *it)
{
    give_back(it);
}

void xf_events_clear(void)
{
    xf_pool_each(clear);
    xf_table_clear(&locations);
}
