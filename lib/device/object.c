// SPDX-License-Identifier: MIT

#include "device/object.h"

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
    object->previous = NULL;
    pthread_mutex_lock(&platform->objects_lock);
    object->next = platform->objects;
    if (object->next)
        object->next->previous = object;
    platform->objects = object;
    pthread_mutex_unlock(&platform->objects_lock);
    mez_platform_count(platform, kind);
}

void mez_object_remove(mez_platform *platform, mez_object *object)
{
    pthread_mutex_lock(&platform->objects_lock);
    if (object->previous)
        object->previous->next = object->next;
    else
        platform->objects = object->next;
    if (object->next)
        object->next->previous = object->previous;
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

void mez_objects_tell_lost(mez_platform *platform)
{
    pthread_mutex_lock(&platform->objects_lock);
    for (mez_object *object = platform->objects; object; object = object->next)
        if (object->lost)
            object->lost(object);
    pthread_mutex_unlock(&platform->objects_lock);
}

void mez_place_describe(const mez_location *where, mez_text *text)
{
    if (!where->file) {
        mez_text_add(text, "created at an unknown place");
        return;
    }
    mez_text_add(text, "created at %s:%d", where->file, where->line);
    if (where->function)
        mez_text_add(text, ", %s", where->function);
}

static void warn_of_object(const mez_object *object, const char *context_name)
{
    mez_text text = {0};
    mez_place_describe(&object->where, &text);
    mez_log(CONTEXT, WARN, "context \"%s\": %s \"%s\" is still alive, %s", context_name,
        kind_names[object->kind], object->name, mez_text_get(&text));
    mez_text_finish(&text);
}

// Walks the list without its lock, because the log may call the user's function. A context is destroyed when no other thread
// uses it, so the list stands still.
void mez_objects_report(mez_platform *platform, const char *context_name, uint32_t events)
{
    unsigned count = 0;
    for (const mez_object *object = platform->objects; object; object = object->next)
        if (count++ < MEZ_MOST_LEAKS_NAMED)
            warn_of_object(object, context_name);
    if (count > MEZ_MOST_LEAKS_NAMED)
        mez_log(CONTEXT, WARN, "context \"%s\": and %u more objects are still alive", context_name,
            count - MEZ_MOST_LEAKS_NAMED);
    if (events > 0)
        mez_log(CONTEXT, WARN, "context \"%s\": %u events are still alive", context_name, events);
}
