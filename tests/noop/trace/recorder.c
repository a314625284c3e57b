// SPDX-License-Identifier: MIT

#include "recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RECORDS 4096
#define MOST_NODES 65536

// Guards all below.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static record records[MOST_RECORDS];
static uint64_t reported;
static uint64_t nodes[MOST_NODES]; // ids, in the order of their first coming
static size_t node_count;

// --- One notification

static void add_metadata(record *one, const mez_xpti_event *event)
{
    size_t used = 0;
    for (const mez_xpti_map_node *node = event->metadata.first; node; node = node->next) {
        const mez_xpti_object_data data = xptiLookupObject(node->value);
        char value[160] = "";
        uint64_t number = 0;
        if (data.size <= sizeof number)
            memcpy(&number, data.data, data.size);
        if (data.type == MEZ_XPTI_STRING)
            snprintf(value, sizeof value, "%.*s", (int)data.size, data.data);
        else if (data.type != MEZ_XPTI_BINARY)
            snprintf(value, sizeof value, "%llu", (unsigned long long)number);
        used += (size_t)snprintf(one->metadata + used, sizeof one->metadata - used, "%s=%s\n",
            xptiLookupString(node->key), value);
        if (used >= sizeof one->metadata)
            return;
    }
}

static void add_event(record *one, const mez_xpti_event *event)
{
    one->id = event->unique_id;
    one->source = event->source_id;
    one->target = event->target_id;
    one->line = event->payload->line;
    snprintf(one->name, sizeof one->name, "%s", event->payload->name ? event->payload->name : "");
    snprintf(one->file, sizeof one->file, "%s", event->payload->file ? event->payload->file : "");
    add_metadata(one, event);
}

static void add_function(record *one, const mez_xpti_function *function)
{
    const mez_trace_arguments *arguments = function->arguments;
    snprintf(one->name, sizeof one->name, "%s", function->name);
    snprintf(one->arguments, sizeof one->arguments, "%s", arguments->names);
    one->argument_count = arguments->count;
    one->first_argument = arguments->count > 0 ? arguments->values[0] : 0;
    one->has_result = function->result != NULL;
    if (function->result)
        one->result = *(const mez_trace_result *)function->result;
}

static void add_data(record *one, const char *stream, const void *data)
{
    char *key;
    switch (one->point) {
    case MEZ_XPTI_NODE_CREATE:
        if (xptiGetStashedTuple(&key, &one->queue_id) != MEZ_XPTI_SUCCESS)
            one->queue_id = 0;
        // fall through
    case MEZ_XPTI_WAIT_BEGIN:
    case MEZ_XPTI_BARRIER_BEGIN:
    case MEZ_XPTI_QUEUE_CREATE:
    case MEZ_XPTI_QUEUE_DESTROY:
    case MEZ_XPTI_DIAGNOSTICS:
        snprintf(one->text, sizeof one->text, "%s", data ? (const char *)data : "");
        break;
    case MEZ_XPTI_SIGNAL:
        one->native = data;
        break;
    case MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN:
    case MEZ_XPTI_FUNCTION_WITH_ARGS_END:
        add_function(one, data);
        break;
    case MEZ_XPTI_MEM_ALLOC_BEGIN:
    case MEZ_XPTI_MEM_ALLOC_END:
    case MEZ_XPTI_MEM_RELEASE_BEGIN:
    case MEZ_XPTI_MEM_RELEASE_END:
        one->alloc = *(const mez_xpti_mem_alloc *)data;
        break;
    default:
        if (strcmp(stream, MEZ_TRACE_STREAM_DEVICE) == 0)
            one->execution = *(const mez_trace_execution *)data;
    }
}

static void note_node(uint64_t id)
{
    for (size_t i = 0; i < node_count; i++)
        if (nodes[i] == id)
            return;
    if (node_count < MOST_NODES)
        nodes[node_count++] = id;
}

static void note(const char *stream, uint16_t point, const mez_xpti_event *event, uint64_t instance,
    const void *data)
{
    pthread_mutex_lock(&lock);
    if (point == MEZ_XPTI_NODE_CREATE)
        note_node(event->unique_id);
    if (reported < MOST_RECORDS) {
        record *one = &records[reported];
        *one = (record){.point = point, .instance = instance, .scope = xptiGetUniversalId()};
        snprintf(one->stream, sizeof one->stream, "%s", stream);
        if (event)
            add_event(one, event);
        add_data(one, stream, data);
    }
    reported++;
    pthread_mutex_unlock(&lock);
}

// --- The streams, each with a callback of its own, as a callback does not receive its stream

#define CALLBACK(function, stream)                                                      \
    static void function(uint16_t point, mez_xpti_event *parent, mez_xpti_event *event, \
        uint64_t instance, const void *data)                                            \
    {                                                                                   \
        (void)parent;                                                                   \
        note(stream, point, event, instance, data);                                     \
    }

CALLBACK(on_tasks, MEZ_TRACE_STREAM_TASKS)
CALLBACK(on_debug, MEZ_TRACE_STREAM_TASKS_DEBUG)
CALLBACK(on_memory, MEZ_TRACE_STREAM_MEMORY)
CALLBACK(on_device, MEZ_TRACE_STREAM_DEVICE)
CALLBACK(on_calls, MEZ_TRACE_STREAM_CALLS)
CALLBACK(on_ze, MEZ_TRACE_STREAM_ZE)

static const uint16_t task_points[] = {MEZ_XPTI_GRAPH_CREATE, MEZ_XPTI_NODE_CREATE,
    MEZ_XPTI_EDGE_CREATE, MEZ_XPTI_TASK_BEGIN, MEZ_XPTI_TASK_END, MEZ_XPTI_SIGNAL,
    MEZ_XPTI_BARRIER_BEGIN, MEZ_XPTI_BARRIER_END, MEZ_XPTI_WAIT_BEGIN, MEZ_XPTI_WAIT_END,
    MEZ_XPTI_QUEUE_CREATE, MEZ_XPTI_QUEUE_DESTROY, MEZ_XPTI_DIAGNOSTICS};
static const uint16_t function_points[] = {
    MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, MEZ_XPTI_FUNCTION_WITH_ARGS_END};
static const uint16_t memory_points[] = {MEZ_XPTI_MEM_ALLOC_BEGIN, MEZ_XPTI_MEM_ALLOC_END,
    MEZ_XPTI_MEM_RELEASE_BEGIN, MEZ_XPTI_MEM_RELEASE_END};

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static void subscribe(
    const char *stream, mez_xpti_callback callback, const uint16_t *points, size_t count)
{
    const mez_xpti_stream id = xptiRegisterStream(stream);
    for (size_t i = 0; i < count; i++)
        xptiRegisterCallback(id, points[i], callback);
}

void xptiTraceInit(unsigned major, unsigned minor, const char *version, const char *stream)
{
    (void)major, (void)minor, (void)version;
    if (strcmp(stream, MEZ_TRACE_STREAM_TASKS) == 0)
        subscribe(stream, on_tasks, task_points, COUNT_OF(task_points));
    else if (strcmp(stream, MEZ_TRACE_STREAM_MEMORY) == 0)
        subscribe(stream, on_memory, memory_points, COUNT_OF(memory_points));
    else if (strcmp(stream, MEZ_TRACE_STREAM_DEVICE) == 0)
        subscribe(stream, on_device, task_points, COUNT_OF(task_points));
    else if (strcmp(stream, MEZ_TRACE_STREAM_CALLS) == 0)
        subscribe(stream, on_calls, function_points, COUNT_OF(function_points));
    else if (strcmp(stream, MEZ_TRACE_STREAM_ZE) == 0)
        subscribe(stream, on_ze, function_points, COUNT_OF(function_points));
}

void xptiTraceFinish(const char *stream)
{
    (void)stream;
}

// As much as the test wants.
bool xptiQuerySubscriberStreamDetailLevel(const char *stream, uint8_t *level)
{
    (void)stream;
    const char *wanted = getenv("MEZ_TEST_DETAIL");
    if (wanted)
        *level = (uint8_t)atoi(wanted);
    return wanted != NULL;
}

// --- For the test

static void clear(void)
{
    pthread_mutex_lock(&lock);
    reported = 0;
    node_count = 0;
    pthread_mutex_unlock(&lock);
}

static uint64_t get_reported(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t result = reported;
    pthread_mutex_unlock(&lock);
    return result;
}

static size_t count(void)
{
    const uint64_t all = get_reported();
    return all < MOST_RECORDS ? (size_t)all : MOST_RECORDS;
}

static const record *at(size_t index)
{
    return &records[index];
}

static size_t get_nodes(void)
{
    pthread_mutex_lock(&lock);
    const size_t result = node_count;
    pthread_mutex_unlock(&lock);
    return result;
}

static void debug(bool take)
{
    const mez_xpti_stream id = xptiRegisterStream(MEZ_TRACE_STREAM_TASKS_DEBUG);
    for (size_t i = 0; i < COUNT_OF(task_points); i++) {
        if (take)
            xptiRegisterCallback(id, task_points[i], on_debug);
        else
            xptiUnregisterCallback(id, task_points[i], on_debug);
    }
}

__attribute__((visibility("default"))) const recorder mez_test_recorder = {
    .clear = clear,
    .count = count,
    .at = at,
    .reported = get_reported,
    .nodes = get_nodes,
    .debug = debug,
};
