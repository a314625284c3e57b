// SPDX-License-Identifier: MIT
//
// Loading of subscribers, and the calls of their entry points.

#include "subscribers.h"

#include "list.h"

#include <mezzanine/xpti.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct subscriber {
    void *handle; // dlopen's
    __typeof__(xptiTraceInit) *init;
    __typeof__(xptiTraceFinish) *finish;
    __typeof__(xptiQuerySubscriberStreamDetailLevel) *level; // NULL: has none
} subscriber;

static subscriber subscribers[XF_SUBSCRIBER_LIMIT];
static size_t count;

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    char message[PATH_MAX + 1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "xpti: %s\n", message); // in one piece
}

// --- Loading

// A proxy may have opened this library for itself alone. Subscribers that are not linked with it find it when it is global.
static void become_global(void)
{
    Dl_info self;
    if (dladdr(&count, &self) && self.dli_fname)
        dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

// A copy of the bytes: ISO C has no conversion from an object's pointer to a function's.
#define find(handle, name, pointer)                     \
    do {                                                \
        const void *address = dlsym(handle, name);      \
        memcpy((pointer), &address, sizeof *(pointer)); \
    } while (0)

static bool is_loaded(const void *handle)
{
    for (size_t i = 0; i < count; i++)
        if (subscribers[i].handle == handle)
            return true;
    return false;
}

static void add(const char *path)
{
    subscriber added = {.handle = dlopen(path, RTLD_LAZY)};
    if (!added.handle) {
        complain("subscriber \"%s\" is left out: %s", path, dlerror());
        return;
    }
    find(added.handle, "xptiTraceInit", &added.init);
    find(added.handle, "xptiTraceFinish", &added.finish);
    find(added.handle, "xptiQuerySubscriberStreamDetailLevel", &added.level);
    if (added.init && added.finish && !is_loaded(added.handle)) {
        subscribers[count++] = added;
        return;
    }
    if (!added.init || !added.finish)
        complain("subscriber \"%s\" is left out: it has no %s", path,
            added.init ? "xptiTraceFinish" : "xptiTraceInit");
    dlclose(added.handle);
}

static void add_bytes(const char *bytes, size_t size)
{
    char path[PATH_MAX];
    if (size >= sizeof path) {
        complain("a subscriber is left out, as its path of %zu bytes is too long: %.40s...", size,
            bytes);
        return;
    }
    memcpy(path, bytes, size);
    path[size] = '\0';
    if (count == XF_SUBSCRIBER_LIMIT)
        complain("subscriber \"%s\" is left out: there are %d already", path, XF_SUBSCRIBER_LIMIT);
    else
        add(path);
}

void xf_subscribers_load(const char *list)
{
    if (!list || !*list)
        return;
    become_global();
    size_t size;
    for (const char *item; (item = xf_list_next(&list, &size));)
        add_bytes(item, size);
}

void xf_subscribers_unload(void)
{
    while (count > 0)
        dlclose(subscribers[--count].handle);
}

size_t xf_subscribers_count(void)
{
    return count;
}

// --- Their entry points

void xf_subscribers_init(const char *stream, uint32_t major, uint32_t minor, const char *version)
{
    for (size_t i = 0; i < count; i++)
        subscribers[i].init(major, minor, version, stream);
}

void xf_subscribers_finish(const char *stream)
{
    for (size_t i = 0; i < count; i++)
        subscribers[i].finish(stream);
}

static uint8_t level_of(const subscriber *it, const char *stream)
{
    uint8_t level = MEZ_XPTI_DETAIL_NORMAL;
    if (!it->level || !it->level(stream, &level))
        return MEZ_XPTI_DETAIL_NORMAL;
    return level < MEZ_XPTI_DETAIL_VERBOSE ? level : MEZ_XPTI_DETAIL_VERBOSE;
}

uint8_t xf_subscribers_level(const char *stream)
{
    uint8_t most = count > 0 ? MEZ_XPTI_DETAIL_NONE : MEZ_XPTI_DETAIL_NORMAL;
    for (size_t i = 0; i < count; i++) {
        const uint8_t level = level_of(&subscribers[i], stream);
        most = level > most ? level : most;
    }
    return most;
}
