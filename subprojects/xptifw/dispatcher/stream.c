// SPDX-License-Identifier: MIT
//
// Callbacks by stream and type, and the notification of them. A list of callbacks only grows: what is unregistered is marked, and so
// a notification that is on its way needs no lock. Each callback is in a list once, so none grows for ever.

#include "stream.h"

#include "framework.h"
#include "memory.h"
#include "table.h"

#include <string.h>

// The common types are below; those of tools are looked for in a list.
enum { COMMON_TYPES = 128, DEFAULT_LEVEL = MEZ_XPTI_DETAIL_NORMAL };

typedef struct listener {
    mez_xpti_callback callback;
    atomic_bool active;
    _Atomic(struct listener *) next;
} listener;

typedef _Atomic(listener *) listeners;

typedef struct user_type {
    listeners first;
    uint16_t type;
    _Atomic(struct user_type *) next;
} user_type;

typedef struct stream {
    listeners common[COMMON_TYPES];
    _Atomic(user_type *) user;
    atomic_uint active;     // listeners of all types
    atomic_uchar has_level; // 0: nobody has set one
    atomic_uchar level;
} stream;

static xf_table names = XF_TABLE(1, XF_STREAM_LIMIT);
static stream streams[UINT8_MAX + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards changes of all lists and marks

mez_xpti_stream xf_stream_number(const char *name)
{
    const xf_entry *entry = name && *name ? xf_table_intern(&names, name, strlen(name), 0) : NULL;
    return entry ? (mez_xpti_stream)(entry->number + 1) : MEZ_XPTI_NO_STREAM;
}

const char *xf_stream_name(mez_xpti_stream number)
{
    const xf_entry *entry = number > 0 ? xf_table_at(&names, number - 1u) : NULL;
    return entry ? entry->data : NULL;
}

void xf_stream_set_level(mez_xpti_stream number, uint8_t level)
{
    atomic_store_explicit(&streams[number].level, level, memory_order_relaxed);
    atomic_store_explicit(&streams[number].has_level, 1, memory_order_release);
}

uint8_t xf_stream_level(mez_xpti_stream number)
{
    if (!atomic_load_explicit(&streams[number].has_level, memory_order_acquire))
        return DEFAULT_LEVEL;
    return atomic_load_explicit(&streams[number].level, memory_order_relaxed);
}

// --- Finding listeners

static listeners *find_user_type(stream *it, uint16_t type)
{
    user_type *user = atomic_load_explicit(&it->user, memory_order_acquire);
    while (user && user->type != type)
        user = atomic_load_explicit(&user->next, memory_order_acquire);
    return user ? &user->first : NULL;
}

// NULL: a type that nobody has ever listened to.
static inline listeners *find_type(stream *it, uint16_t type)
{
    if (__builtin_expect(type < COMMON_TYPES, 1))
        return &it->common[type];
    return find_user_type(it, type);
}

// Under the lock. NULL: no memory.
static listeners *make_type(stream *it, uint16_t type)
{
    listeners *found = find_type(it, type);
    if (found)
        return found;
    user_type *user = xf_alloc(sizeof *user);
    if (!user)
        return NULL;
    user->type = type;
    atomic_store_explicit(&user->next, atomic_load(&it->user), memory_order_relaxed);
    atomic_store_explicit(&it->user, user, memory_order_release);
    return &user->first;
}

static listener *find_listener(listeners *first, mez_xpti_callback callback)
{
    listener *it = first ? atomic_load(first) : NULL;
    while (it && it->callback != callback)
        it = atomic_load(&it->next);
    return it;
}

// --- Registering

// Callbacks are called in the order of registration, so a new one goes to the end.
static mez_xpti_result append(listeners *first, mez_xpti_callback callback)
{
    listener *added = xf_alloc(sizeof *added);
    if (!added)
        return MEZ_XPTI_FAIL;
    added->callback = callback;
    atomic_store_explicit(&added->active, true, memory_order_relaxed);
    listeners *end = first;
    for (listener *it; (it = atomic_load(end));)
        end = &it->next;
    atomic_store_explicit(end, added, memory_order_release);
    return MEZ_XPTI_SUCCESS;
}

static mez_xpti_result add_listener(stream *it, uint16_t type, mez_xpti_callback callback)
{
    listeners *first = make_type(it, type);
    if (!first)
        return MEZ_XPTI_FAIL;
    listener *known = find_listener(first, callback);
    mez_xpti_result result = MEZ_XPTI_UNDELETE;
    if (!known)
        result = append(first, callback);
    else if (atomic_exchange(&known->active, true))
        return MEZ_XPTI_DUPLICATE;
    if (result != MEZ_XPTI_FAIL)
        atomic_fetch_add(&it->active, 1);
    return result;
}

static bool can_be_heard(mez_xpti_stream number)
{
    return number != 0 && number != MEZ_XPTI_NO_STREAM;
}

mez_xpti_result xptiRegisterCallback(
    mez_xpti_stream number, uint16_t type, mez_xpti_callback callback)
{
    if (!callback || !can_be_heard(number))
        return MEZ_XPTI_INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    const mez_xpti_result result = add_listener(&streams[number], type, callback);
    pthread_mutex_unlock(&lock);
    return result;
}

mez_xpti_result xptiUnregisterCallback(
    mez_xpti_stream number, uint16_t type, mez_xpti_callback callback)
{
    if (!callback || !can_be_heard(number))
        return MEZ_XPTI_INVALID_ARGUMENT;
    stream *it = &streams[number];
    pthread_mutex_lock(&lock);
    listener *known = find_listener(find_type(it, type), callback);
    const bool was = known && atomic_exchange(&known->active, false);
    if (was)
        atomic_fetch_sub(&it->active, 1);
    pthread_mutex_unlock(&lock);
    return was ? MEZ_XPTI_SUCCESS : MEZ_XPTI_NOT_FOUND;
}

static unsigned silence_type(listeners *first)
{
    unsigned count = 0;
    for (listener *it = atomic_load(first); it; it = atomic_load(&it->next))
        count += atomic_exchange(&it->active, false);
    return count;
}

unsigned xf_stream_silence(mez_xpti_stream number)
{
    stream *it = &streams[number];
    unsigned count = 0;
    pthread_mutex_lock(&lock);
    for (unsigned type = 0; type < COMMON_TYPES; type++)
        count += silence_type(&it->common[type]);
    for (user_type *user = atomic_load(&it->user); user; user = atomic_load(&user->next))
        count += silence_type(&user->first);
    atomic_fetch_sub(&it->active, count);
    pthread_mutex_unlock(&lock);
    return count;
}

// --- Notifying

static bool is_heard(listeners *first)
{
    listener *it = first ? atomic_load_explicit(first, memory_order_acquire) : NULL;
    while (it && !atomic_load_explicit(&it->active, memory_order_relaxed))
        it = atomic_load_explicit(&it->next, memory_order_acquire);
    return it;
}

bool xptiCheckTraceEnabled(mez_xpti_stream number, uint16_t type)
{
    xf_load();
    if (!xf_is_enabled())
        return false;
    stream *it = &streams[number];
    if (type == 0)
        return atomic_load_explicit(&it->active, memory_order_relaxed) > 0;
    return is_heard(find_type(it, type));
}

// Functions, memory and messages may happen outside of any event; what they say is in the user data.
static bool needs_no_event(uint16_t type)
{
    switch (type) {
    case MEZ_XPTI_FUNCTION_BEGIN:
    case MEZ_XPTI_FUNCTION_END:
    case MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN:
    case MEZ_XPTI_FUNCTION_WITH_ARGS_END:
    case MEZ_XPTI_MEM_ALLOC_BEGIN:
    case MEZ_XPTI_MEM_ALLOC_END:
    case MEZ_XPTI_MEM_RELEASE_BEGIN:
    case MEZ_XPTI_MEM_RELEASE_END:
    case MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_CONSTRUCT:
    case MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_DESTRUCT:
    case MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_ASSOCIATE:
    case MEZ_XPTI_OFFLOAD_MEMORY_OBJECT_RELEASE:
    case MEZ_XPTI_OFFLOAD_ACCESSOR:
    case MEZ_XPTI_DIAGNOSTICS:
        return true;
    default:
        return false;
    }
}

// By itself, and with the arguments where the caller has them: a trace point without subscribers then saves no registers.
__attribute__((noinline)) static mez_xpti_result call_all(listener *it, uint16_t type,
    mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance, const void *user_data)
{
    for (; it; it = atomic_load_explicit(&it->next, memory_order_acquire))
        if (atomic_load_explicit(&it->active, memory_order_acquire))
            it->callback(type, parent, event, instance, user_data);
    return MEZ_XPTI_SUCCESS;
}

mez_xpti_result xptiNotifySubscribers(mez_xpti_stream number, uint16_t type, mez_xpti_event *parent,
    mez_xpti_event *event, uint64_t instance, const void *user_data)
{
    if (!xf_is_enabled())
        return MEZ_XPTI_FALSE;
    if (__builtin_expect(!event, 0) && !(user_data && needs_no_event(type)))
        return MEZ_XPTI_INVALID_ARGUMENT;
    listeners *first = find_type(&streams[number], type);
    listener *it = first ? atomic_load_explicit(first, memory_order_acquire) : NULL;
    return it ? call_all(it, type, parent, event, instance, user_data) : MEZ_XPTI_SUCCESS;
}

// --- The end

static void free_listeners(listeners *first)
{
    listener *it = atomic_exchange(first, NULL);
    while (it) {
        listener *next = atomic_load(&it->next);
        xf_free(it);
        it = next;
    }
}

static void clear(stream *it)
{
    for (unsigned type = 0; type < COMMON_TYPES; type++)
        free_listeners(&it->common[type]);
    user_type *user = atomic_exchange(&it->user, NULL);
    while (user) {
        user_type *next = atomic_load(&user->next);
        free_listeners(&user->first);
        xf_free(user);
        user = next;
    }
    atomic_store(&it->active, 0);
    atomic_store(&it->has_level, 0);
}

void xf_streams_clear(void)
{
    for (unsigned i = 0; i <= XF_STREAM_LIMIT; i++)
        clear(&streams[i]);
    xf_table_clear(&names);
}
