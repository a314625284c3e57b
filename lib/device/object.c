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

// What the report says of the object at this place of the list. False: there are not so many.
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

// Takes the lock for each object, as the log may call the user's function, and what callbacks and host tasks let go of goes
// meanwhile.
void mez_objects_report(mez_platform *platform, const char *context_name, const mez_location *where)
{
    const unsigned count = count_objects(platform);
    for (unsigned i = 0; i < MEZ_MOST_LEAKS_NAMED; i++) {
        mez_text text = {0};
        if (!describe_object(platform, i, &text))
            return;
        mez_place_describe_end(where, &text);
        mez_log(CONTEXT, WARN, "context \"%s\": %s", context_name, mez_text_get(&text));
        mez_text_finish(&text);
    }
    if (count > MEZ_MOST_LEAKS_NAMED)
        mez_log(CONTEXT, WARN, "context \"%s\": and %u more objects are still alive", context_name,
            count - MEZ_MOST_LEAKS_NAMED);
}
