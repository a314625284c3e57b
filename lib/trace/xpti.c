// SPDX-License-Identifier: MIT
//
// Loading the dispatcher, its streams and its events.

#include "trace/xpti.h"

#include <mezzanine/version.h>
#include <mezzanine/xpti.h>
#include <mezzanine/xpti_proxy.h>

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/process.h"

// --- MEZ_TRACE

#define DISPATCHER "XPTI_FRAMEWORK_DISPATCHER"
#define SUBSCRIBERS "XPTI_SUBSCRIBERS"

void mez_trace_environment_set(mez_trace_environment *before)
{
    char why[PATH_MAX + 128];
    mez_trace_setup *setup;
    *before = (mez_trace_environment){.set = false};
    const mez_error error = mez_trace_setup_create(&setup);
    if (mez_failed(error)) {
        mez_error_get_headline(error, why, sizeof why);
        mez_log(BASE, WARN, "%s", why);
        return;
    }
    if (mez_trace_setup_is_ours(setup)) {
        before->subscribers = mez_copy_string(getenv(SUBSCRIBERS));
        before->dispatcher = mez_copy_string(getenv(DISPATCHER));
        before->set = true;
        if (setenv(SUBSCRIBERS, mez_trace_setup_get_tools(setup), 1) != 0 ||
            setenv(DISPATCHER, mez_trace_setup_get_dispatcher(setup), 1) != 0)
            mez_log(BASE, WARN, "MEZ_TRACE is set, but nothing is traced: no memory is left");
    }
    mez_trace_setup_destroy(&setup);
}

static void put_back(const char *variable, char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
    mez_free_memory(value);
}

void mez_trace_environment_put_back(mez_trace_environment *before)
{
    if (!before->set)
        return;
    put_back(SUBSCRIBERS, before->subscribers);
    put_back(DISPATCHER, before->dispatcher);
}

// --- Events

mez_xpti_event *mez_trace_make_event(
    const char *name, const mez_location *where, uint64_t *instance)
{
    mez_xpti_payload payload = {
        .name = name,
        .file = mez_trace_file(where),
        .flags = MEZ_XPTI_HAS_NAME | MEZ_XPTI_HAS_FILE | MEZ_XPTI_HAS_LINE | MEZ_XPTI_HAS_COLUMN,
    };
    if (where && where->line > 0)
        payload.line = (uint32_t)where->line;
    if (where && where->column > 0)
        payload.column = (uint32_t)where->column;
    return xptiMakeEvent(NULL, &payload, MEZ_XPTI_EVENT_GRAPH, MEZ_XPTI_ACTIVITY_ACTIVE, instance);
}

static void add_metadata(
    mez_xpti_event *event, const char *key, const void *data, size_t size, uint8_t type)
{
    const mez_xpti_object object = xptiRegisterObject(data, size, type);
    if (object != MEZ_XPTI_NO_OBJECT)
        xptiAddMetadata(event, key, object);
}

void mez_trace_add_text(mez_xpti_event *event, const char *key, const char *value)
{
    add_metadata(event, key, value, strlen(value), MEZ_XPTI_STRING);
}

void mez_trace_add_unsigned(mez_xpti_event *event, const char *key, uint64_t value)
{
    add_metadata(event, key, &value, sizeof value, MEZ_XPTI_UNSIGNED);
}

void mez_trace_add_signed(mez_xpti_event *event, const char *key, int32_t value)
{
    add_metadata(event, key, &value, sizeof value, MEZ_XPTI_SIGNED);
}

void mez_trace_add_boolean(mez_xpti_event *event, const char *key, bool value)
{
    add_metadata(event, key, &value, sizeof value, MEZ_XPTI_BOOLEAN);
}

void mez_trace_add_binary(mez_xpti_event *event, const char *key, const void *data, size_t size)
{
    add_metadata(event, key, data, size, MEZ_XPTI_BINARY);
}

// --- Streams

static const char *const stream_names[MEZ_TRACE_STREAMS] = {
    [MEZ_TRACE_TASKS] = MEZ_TRACE_STREAM_TASKS,
    [MEZ_TRACE_MEMORY] = MEZ_TRACE_STREAM_MEMORY,
    [MEZ_TRACE_DEVICE] = MEZ_TRACE_STREAM_DEVICE,
    [MEZ_TRACE_CALLS] = MEZ_TRACE_STREAM_CALLS,
    [MEZ_TRACE_ZE] = MEZ_TRACE_STREAM_ZE,
    [MEZ_TRACE_TASKS_DEBUG] = MEZ_TRACE_STREAM_TASKS_DEBUG,
};

#define NUMBER_(x) #x
#define NUMBER(x) NUMBER_(x)
#define VERSION                                                                      \
    "mezzanine " NUMBER(MEZ_VERSION_MAJOR) "." NUMBER(MEZ_VERSION_MINOR) "." NUMBER( \
        MEZ_VERSION_PATCH)

atomic_uchar mez_trace_ids[MEZ_TRACE_STREAMS];

// What all nodes and edges belong to; set before any stream is on. NULL: the dispatcher had no memory.
static mez_xpti_event *graph;

static void report(const char *message)
{
    mez_log(BASE, WARN, "tracing: %s", message);
}

static mez_xpti_stream announce(const char *name)
{
    const mez_xpti_stream stream = xptiRegisterStream(name);
    xptiInitialize(name, MEZ_VERSION_MAJOR, MEZ_VERSION_MINOR, VERSION);
    return stream == MEZ_XPTI_NO_STREAM ? 0 : stream;
}

static void create_graph(mez_xpti_stream stream)
{
    uint64_t instance = 0;
    graph = mez_trace_make_event("sycl.application.graph", NULL, &instance);
    if (graph && xptiCheckTraceEnabled(stream, MEZ_XPTI_GRAPH_CREATE))
        xptiNotifySubscribers(stream, MEZ_XPTI_GRAPH_CREATE, NULL, graph, instance, NULL);
}

static bool is_diverted(mez_trace_stream stream)
{
    return stream == MEZ_TRACE_TASKS || stream == MEZ_TRACE_MEMORY || stream == MEZ_TRACE_CALLS;
}

void mez_trace_divert(void)
{
    for (unsigned i = 0; i < MEZ_TRACE_STREAMS; i++)
        if (is_diverted(i))
            atomic_store_explicit(&mez_trace_ids[i], UCHAR_MAX, memory_order_release);
}

// At the end of the process: subscribers write what they have. Contexts that are alive report nothing any more, and calls are refused
// meanwhile.
static void close_streams(void)
{
    for (unsigned i = 0; i < MEZ_TRACE_STREAMS; i++) {
        const bool stays = mez_process_is_closed() && is_diverted(i);
        if (atomic_exchange(&mez_trace_ids[i], stays ? UCHAR_MAX : 0) != 0)
            xptiFinalize(stream_names[i]);
    }
    xptiFrameworkFinalize();
}

static void open_streams(void)
{
    mez_xpti_stream ids[MEZ_TRACE_STREAMS];
    mez_trace_environment before;
    mez_trace_environment_set(&before);
    const bool loaded = mez_xpti_load(NULL, report);
    if (loaded)
        xptiFrameworkInitialize(); // loads the subscribers
    mez_trace_environment_put_back(&before);
    if (!loaded)
        return;
    for (unsigned i = 0; i < MEZ_TRACE_STREAMS; i++)
        ids[i] = announce(stream_names[i]);
    create_graph(ids[MEZ_TRACE_TASKS]);
    for (unsigned i = 0; i < MEZ_TRACE_STREAMS; i++)
        atomic_store_explicit(&mez_trace_ids[i], ids[i], memory_order_release);
    atexit(close_streams); // later than the dispatcher's own, and so called before
}

void mez_trace_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_streams);
}

bool mez_trace_wanted(mez_trace_stream stream, uint16_t point)
{
    return mez_trace_id(stream) != 0 && !mez_process_is_closed() &&
           xptiCheckTraceEnabled(mez_trace_id(stream), point);
}

mez_trace_stream mez_trace_tasks_stream(void)
{
    return mez_trace_wanted(MEZ_TRACE_TASKS_DEBUG, 0) ? MEZ_TRACE_TASKS_DEBUG : MEZ_TRACE_TASKS;
}

// 0, MEZ_XPTI_DETAIL_NONE, is not a level of ours: subscribers that want that get the usual.
uint8_t mez_trace_detail(mez_trace_stream stream)
{
    if (stream == MEZ_TRACE_TASKS_DEBUG)
        return MEZ_XPTI_DETAIL_VERBOSE;
    const uint8_t level = xptiGetEffectiveStreamDetailLevel(mez_trace_id(stream));
    return level ? level : MEZ_XPTI_DETAIL_NORMAL;
}

void mez_trace_notify(mez_trace_stream stream, uint16_t point, mez_xpti_event *event,
    uint64_t instance, const void *user_data)
{
    if (mez_trace_wanted(stream, point))
        xptiNotifySubscribers(mez_trace_id(stream), point, graph, event, instance, user_data);
}

void mez_trace_diagnostics(const char *message)
{
    mez_trace_notify(
        mez_trace_tasks_stream(), MEZ_XPTI_DIAGNOSTICS, NULL, xptiGetUniqueId(), message);
}

// --- What the thread is doing

static _Thread_local uint64_t ours; // the id that we have set; 0: none

static void set(uint64_t id)
{
    ours = id;
    xptiSetUniversalId(id);
}

uint64_t mez_trace_scope_enter(uint64_t id)
{
    const uint64_t outer = xptiGetUniversalId();
    if (outer == ours)
        set(id);
    return outer;
}

void mez_trace_scope_leave(uint64_t outer)
{
    if (xptiGetUniversalId() == ours)
        set(outer);
}
