// SPDX-License-Identifier: MIT
//
// Loading, switching on and off, and the beginning and end of streams. Streams are announced outside of the lock, as subscribers call
// back.

#include "framework.h"

#include "event.h"
#include "memory.h"
#include "stream.h"
#include "strings.h"
#include "subscribers.h"
#include "thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The stream that is announced before all others, and its version.
#define OWN_STREAM "xpti.framework"
enum { OWN_MAJOR = 1, OWN_MINOR = 0 };
#define OWN_VERSION "1.0.0"

atomic_bool xf_enabled, xf_loaded;

// Recursive: constructors of subscribers may call any function.
static pthread_mutex_t loading = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static bool is_loading; // under `loading`

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows
static unsigned users;                    // calls of xptiFrameworkInitialize without their Finalize
static unsigned announced[UINT8_MAX + 1]; // the same of xptiInitialize, by stream
static unsigned open_streams;             // those that are announced

// --- Loading

static bool environment_allows(void)
{
    const char *value = getenv("XPTI_TRACE_ENABLE");
    return !value || !*value || strcmp(value, "1") == 0 || strcmp(value, "true") == 0;
}

void xf_load_now(void)
{
    pthread_mutex_lock(&loading);
    if (!is_loading && !atomic_load(&xf_loaded)) {
        is_loading = true;
        xf_stream_number(OWN_STREAM); // everybody expects it to be the first
        if (environment_allows())
            xf_subscribers_load(secure_getenv("XPTI_SUBSCRIBERS"));
        xf_find_shared_memory();
        atomic_store(&xf_enabled, xf_subscribers_count() > 0);
        atomic_store_explicit(&xf_loaded, true, memory_order_release);
        is_loading = false;
    }
    pthread_mutex_unlock(&loading);
}

bool xptiTraceEnabled(void)
{
    xf_load();
    return xf_is_enabled();
}

void xptiForceSetTraceEnabled(bool enabled)
{
    xf_load();
    atomic_store(&xf_enabled, enabled);
}

// --- Streams

mez_xpti_stream xptiRegisterStream(const char *name)
{
    xf_load();
    return xf_stream_number(name);
}

uint8_t xptiGetEffectiveStreamDetailLevel(mez_xpti_stream stream)
{
    return xf_stream_level(stream);
}

static void announce(mez_xpti_stream stream, uint32_t major, uint32_t minor, const char *version)
{
    const char *name = xf_stream_name(stream);
    xf_subscribers_init(name, major, minor, version);
    xf_stream_set_level(stream, xf_subscribers_level(name));
}

mez_xpti_result xptiInitialize(
    const char *name, uint32_t major, uint32_t minor, const char *version)
{
    if (!name || !*name || !version)
        return MEZ_XPTI_INVALID_ARGUMENT;
    const mez_xpti_stream stream = xptiRegisterStream(name);
    if (stream == MEZ_XPTI_NO_STREAM)
        return MEZ_XPTI_FAIL;
    pthread_mutex_lock(&lock);
    if (announced[stream]++ == 0)
        open_streams++;
    const bool first = open_streams == 1 && announced[stream] == 1;
    pthread_mutex_unlock(&lock);
    if (first)
        announce(xf_stream_number(OWN_STREAM), OWN_MAJOR, OWN_MINOR, OWN_VERSION);
    announce(stream, major, minor, version);
    return MEZ_XPTI_SUCCESS;
}

typedef enum ending {
    NEVER_BEGAN,
    GOES_ON, // somebody else has announced it
    ENDS,
    ENDS_ALL, // and there is no other
} ending;

// Under the lock.
static ending take_back(mez_xpti_stream stream, bool everybody)
{
    if (announced[stream] == 0)
        return NEVER_BEGAN;
    announced[stream] = everybody ? 0 : announced[stream] - 1;
    if (announced[stream] > 0)
        return GOES_ON;
    return --open_streams > 0 ? ENDS : ENDS_ALL;
}

// Two libraries of a process may have announced the same stream: it ends with the last of them, or when everybody's announcements
// are taken back. Returns how many callbacks it had.
static unsigned finalize(const char *name, bool everybody)
{
    const mez_xpti_stream stream = xptiRegisterStream(name);
    if (stream == MEZ_XPTI_NO_STREAM)
        return 0;
    pthread_mutex_lock(&lock);
    const ending how = take_back(stream, everybody);
    pthread_mutex_unlock(&lock);
    if (how == GOES_ON)
        return 0;
    const unsigned count = xf_stream_silence(stream);
    if (how == ENDS || how == ENDS_ALL)
        xf_subscribers_finish(name);
    if (how == ENDS_ALL) {
        xf_stream_silence(xf_stream_number(OWN_STREAM));
        xf_subscribers_finish(OWN_STREAM);
    }
    return count;
}

void xptiFinalize(const char *name)
{
    finalize(name, false);
}

mez_xpti_result xptiUnregisterStream(const char *name)
{
    if (!name || !*name)
        return MEZ_XPTI_INVALID_ARGUMENT;
    return finalize(name, true) > 0 ? MEZ_XPTI_SUCCESS : MEZ_XPTI_NOT_FOUND;
}

// --- The framework

void xptiFrameworkInitialize(void)
{
    xf_load();
    pthread_mutex_lock(&lock);
    users++;
    pthread_mutex_unlock(&lock);
}

static bool is_announced(mez_xpti_stream stream)
{
    pthread_mutex_lock(&lock);
    const bool yes = announced[stream] > 0;
    pthread_mutex_unlock(&lock);
    return yes;
}

static void end_all(void)
{
    for (mez_xpti_stream stream = 1; stream <= XF_STREAM_LIMIT; stream++)
        if (is_announced(stream))
            finalize(xf_stream_name(stream), true);
}

// Subscribers stay in memory: another thread may be in one of their callbacks.
void xptiFrameworkFinalize(void)
{
    pthread_mutex_lock(&lock);
    const bool last = users == 1;
    users -= users > 0;
    pthread_mutex_unlock(&lock);
    if (last)
        end_all();
}

void xptiReset(void)
{
    end_all();
    atomic_store(&xf_enabled, false);
    atomic_store(&xf_loaded, false);
    users = 0;
    xf_thread_clear();
    xf_events_clear();
    xf_streams_clear();
    xf_strings_clear();
    xf_subscribers_unload();
}
