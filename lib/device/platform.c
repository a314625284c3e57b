// SPDX-License-Identifier: MIT

#include "device/platform.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/process.h"
#include "trace/trace.h"

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER; // guards the list
static mez_platform *all;

void mez_platform_init(mez_platform *platform)
{
    mez_ref_init(&platform->ref);
    pthread_mutex_init(&platform->objects_lock, NULL);
    pthread_mutex_init(&platform->loss_lock, NULL);
    pthread_mutex_lock(&all_lock);
    mez_linked_push(&all, platform, link);
    pthread_mutex_unlock(&all_lock);
}

void mez_platform_finish(mez_platform *platform)
{
    pthread_mutex_lock(&all_lock);
    mez_linked_remove(platform, link);
    pthread_mutex_unlock(&all_lock);
    mez_error_release(platform->loss);
    pthread_mutex_destroy(&platform->loss_lock);
    pthread_mutex_destroy(&platform->objects_lock);
}

void mez_platform_share_ze(mez_platform *platform)
{
    if (atomic_exchange(&platform->shares_ze, true))
        return;
    atomic_fetch_add(&platform->allocation_generation, 1); // what was set until now counts no more
}

mez_error mez_platform_foreign_device(const mez_device *device)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_PARAMETER, "device \"%s\" belongs to another context", device->info.name);
}

// --- Lost devices

bool mez_error_says_lost(mez_error error)
{
    return mez_failed(error) && mez_error_get_category(error) == MEZ_CATEGORY_LEVEL_ZERO &&
           mez_error_is(error, MEZ_ERRC_DEVICE_LOST);
}

// What the driver knows of this thread's last failure, which that of the call is that the error is of.
static mez_error add_description(mez_platform *platform, mez_error error)
{
    const mez_ze_newer_functions *newer = &platform->caps.newer;
    const char *text = NULL;
    if (!newer->zeDriverGetLastErrorDescription ||
        ZE_NEWER_RESULT(newer, zeDriverGetLastErrorDescription, platform->driver, &text) !=
            ZE_RESULT_SUCCESS ||
        !text || !*text)
        return error;
    return mez_error_add(error, "driver says", "%s", text);
}

mez_error mez_platform_note_loss(mez_platform *platform, mez_error error)
{
    if (!mez_error_says_lost(error))
        return error;
    if (!mez_platform_is_lost(platform))
        error = add_description(platform, error);
    pthread_mutex_lock(&platform->loss_lock);
    const bool first = !mez_platform_is_lost(platform);
    if (first) {
        platform->loss = mez_error_retain(mez_error_seal(error));
        atomic_store_explicit(&platform->lost, true, memory_order_release);
    }
    pthread_mutex_unlock(&platform->loss_lock);
    if (first) {
        mez_objects_notify_lost(platform);
        mez_log_error(MEZ_TOPIC_DEVICE, platform->loss);
    }
    return platform->loss;
}

// --- Objects

static const char *const kind_names[MEZ_OBJECT_KINDS] = {
    [MEZ_OBJECT_IMAGE] = "image",
    [MEZ_OBJECT_KERNEL] = "kernel",
    [MEZ_OBJECT_QUEUE] = "queue",
    [MEZ_OBJECT_LAUNCH] = "prepared launch of kernel",
    [MEZ_OBJECT_RECORDING] = "recording",
};

void mez_object_add(
    mez_platform *platform, mez_object *object, mez_object_kind kind, const char *name)
{
    object->kind = kind;
    object->name = name;
    pthread_mutex_lock(&platform->objects_lock);
    mez_linked_push(&platform->objects, object, link);
    pthread_mutex_unlock(&platform->objects_lock);
    mez_platform_count(platform, kind);
}

void mez_object_remove(mez_platform *platform, mez_object *object)
{
    pthread_mutex_lock(&platform->objects_lock);
    mez_linked_remove(object, link);
    pthread_mutex_unlock(&platform->objects_lock);
    mez_platform_uncount(platform, object->kind);
}

void mez_object_set_place(mez_platform *platform, mez_object *object, const mez_location *where)
{
    if (!where)
        return;
    pthread_mutex_lock(&platform->objects_lock);
    object->where = *where;
    pthread_mutex_unlock(&platform->objects_lock);
}

void mez_objects_notify_lost(mez_platform *platform)
{
    pthread_mutex_lock(&platform->objects_lock);
    for (mez_object *object = platform->objects; object; object = object->link.next)
        if (object->lost)
            object->lost(object);
    pthread_mutex_unlock(&platform->objects_lock);
}

static void add_place(const mez_location *where, mez_text *text)
{
    mez_text_add(text, "%s:%d", where->file, where->line);
    if (where->function)
        mez_text_add(text, ", %s", where->function);
}

void mez_place_describe(const mez_location *where, mez_text *text)
{
    if (!where->file) {
        mez_text_add(text, "created at an unknown place");
        return;
    }
    mez_text_add(text, "created at ");
    add_place(where, text);
}

void mez_place_describe_end(const mez_location *where, mez_text *text)
{
    if (!where || !where->file)
        return;
    mez_text_add(text, "; destroyed at ");
    add_place(where, text);
}

#define MOST_NAMED 32

void mez_leaks_report(mez_platform *platform, const char *context_name, const mez_location *where,
    uint64_t count, mez_leak_describe *describe, const char *others)
{
    for (unsigned i = 0; i < MOST_NAMED; i++) {
        mez_text text = {0};
        if (!describe(platform, i, &text))
            return;
        mez_place_describe_end(where, &text);
        mez_log(CONTEXT, WARN, "context \"%s\": %-s", context_name, mez_text_get(&text));
        mez_text_finish(&text);
    }
    if (count > MOST_NAMED)
        mez_log(CONTEXT, WARN, "context \"%s\": and %llu more %s", context_name,
            (unsigned long long)count - MOST_NAMED, others);
}

static bool describe_object(mez_platform *platform, unsigned place, mez_text *text)
{
    pthread_mutex_lock(&platform->objects_lock);
    const mez_object *object = platform->objects;
    for (unsigned i = 0; object && i < place; i++)
        object = object->link.next;
    if (object) {
        mez_text_add(text, "%s \"%s\" is still alive, ", kind_names[object->kind], object->name);
        mez_place_describe(&object->where, text);
    }
    pthread_mutex_unlock(&platform->objects_lock);
    return object != NULL;
}

static unsigned count_objects(mez_platform *platform)
{
    unsigned count = 0;
    pthread_mutex_lock(&platform->objects_lock);
    for (const mez_object *object = platform->objects; object; object = object->link.next)
        count++;
    pthread_mutex_unlock(&platform->objects_lock);
    return count;
}

void mez_objects_report(mez_platform *platform, const char *context_name, const mez_location *where)
{
    mez_leaks_report(platform, context_name, where, count_objects(platform), describe_object,
        "objects are still alive");
}

// --- Without a driver

static void close_all(void)
{
    mez_trace_divert();
    for (mez_platform *platform = all; platform; platform = platform->link.next)
        for (mez_object *object = platform->objects; object; object = object->link.next)
            if (object->close)
                object->close(object);
}

static void lock_all(void)
{
    pthread_mutex_lock(&all_lock);
    for (mez_platform *platform = all; platform; platform = platform->link.next)
        pthread_mutex_lock(&platform->objects_lock);
}

static void unlock_all(void)
{
    for (mez_platform *platform = all; platform; platform = platform->link.next)
        pthread_mutex_unlock(&platform->objects_lock);
    pthread_mutex_unlock(&all_lock);
}

static void close_in_child(void)
{
    if (mez_process_note_fork())
        close_all();
    unlock_all();
}

__attribute__((constructor(MEZ_FORK_OUTER))) static void watch_forks(void)
{
    pthread_atfork(lock_all, unlock_all, close_in_child);
}

static void close_at_exit(void)
{
    lock_all();
    if (!mez_process_is_closed()) {
        atomic_store(&mez_process, MEZ_PROCESS_ENDS);
        close_all();
    }
    unlock_all();
}

static void watch_exit(void)
{
    atexit(close_at_exit);
}

void mez_platform_watch_exit(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_exit);
}
