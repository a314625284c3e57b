// SPDX-License-Identifier: MIT
//
// libmez-trace.so: a subscriber of XPTI that keeps what it is notified of. In the callback nothing is formatted and nobody is waited
// for: a record goes to the ring of the thread, and somebody else makes pictures of it.

#include <mezzanine/trace.h>
#include <mezzanine/xpti.h>

#include "attach.h"
#include "ring.h"
#include "streams.h"
#include "strings.h"
#include "thread.h"
#include "values.h"

// --- What a notification says

static void put_place(
    const struct trace_memory *memory, struct trace_record *record, const mez_xpti_payload *payload)
{
    if (payload->flags & MEZ_XPTI_HAS_NAME)
        record->name = trace_string_intern(memory, payload->name);
    if (payload->flags & MEZ_XPTI_HAS_FILE)
        record->file = trace_string_intern(memory, payload->file);
    if (payload->flags & MEZ_XPTI_HAS_LINE)
        record->line = payload->line;
}

static void put_event(const struct trace_memory *memory, struct trace_record *record,
    const mez_xpti_event *parent, const mez_xpti_event *event)
{
    record->object = event ? event->unique_id : 0;
    record->parent = parent ? parent->unique_id : 0;
    if (event && record->type == MEZ_XPTI_EDGE_CREATE) {
        record->parent = event->source_id;
        record->instance = event->target_id;
    }
    if (event && event->payload && (event->flags & MEZ_XPTI_EVENT_HAS_PAYLOAD))
        put_place(memory, record, event->payload);
}

// Kinds and messages are strings on the stream of tasks; applications may hand over whatever they like on their own streams,
// except for the types that say what it is.
static bool data_is_text(const struct trace_record *record)
{
    switch (record->type) {
    case MEZ_XPTI_FUNCTION_BEGIN:
    case MEZ_XPTI_FUNCTION_END:
    case MEZ_XPTI_DIAGNOSTICS:
        return true;
    case MEZ_XPTI_NODE_CREATE:
        return record->stream == TRACE_STREAM_TASKS;
    default:
        return false;
    }
}

static void put_data(
    const struct trace_memory *memory, struct trace_record *record, const void *data)
{
    if (data_is_text(record)) {
        record->text = trace_string_intern(memory, data);
        return;
    }
    switch (record->type) {
    case MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN:
    case MEZ_XPTI_FUNCTION_WITH_ARGS_END:
        record->text = trace_string_intern(memory, ((const mez_xpti_function *)data)->name);
        break;
    case MEZ_XPTI_MEM_ALLOC_BEGIN:
    case MEZ_XPTI_MEM_ALLOC_END:
    case MEZ_XPTI_MEM_RELEASE_BEGIN:
    case MEZ_XPTI_MEM_RELEASE_END:
        record->number = ((const mez_xpti_mem_alloc *)data)->size;
        break;
    default:
        break;
    }
}

static bool has_values(uint16_t type)
{
    return type == MEZ_XPTI_NODE_CREATE || type == MEZ_XPTI_QUEUE_CREATE;
}

// Only of our own streams is it known how arguments are laid out.
static bool is_call(enum trace_stream stream, uint16_t type)
{
    return (stream == TRACE_STREAM_CALLS || stream == TRACE_STREAM_DRIVER) &&
           (type == MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN || type == MEZ_XPTI_FUNCTION_WITH_ARGS_END);
}

static void put_execution(struct trace_record *record, const mez_trace_execution *execution)
{
    if (execution->begin > execution->end)
        return;
    record->number = execution->end - execution->begin;
    record->instance = execution->end;
    record->flags = (uint16_t)((execution->measured ? TRACE_MEASURED : 0) |
                               (execution->failed ? TRACE_FAILED : 0));
}

static void record(enum trace_stream stream, uint16_t type, mez_xpti_event *parent,
    mez_xpti_event *event, uint64_t instance, const void *data)
{
    const struct trace_memory *memory = trace_attached();
    const int ring = memory ? trace_thread_ring(memory) : -1;
    if (ring < 0)
        return;
    union trace_any_record any;
    any.record = (struct trace_record){
        .time = trace_now(),
        .words = TRACE_RECORD_WORDS,
        .type = type,
        .stream = (uint8_t)stream,
        .instance = instance,
    };
    put_event(memory, &any.record, parent, event);
    if (data && stream == TRACE_STREAM_EXECUTIONS)
        put_execution(&any.record, data);
    else if (data)
        put_data(memory, &any.record, data);
    if (event && has_values(type))
        trace_values_put(memory, &any, event);
    else if (data && is_call(stream, type))
        trace_values_put_call(memory, &any, data);
    trace_ring_push(memory, ring, &any.record);
}

// --- Callbacks: they do not get the stream, so each stream has its own

#define CALLBACK(name, stream)                                                     \
    static void name(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event, \
        uint64_t instance, const void *data)                                       \
    {                                                                              \
        record(stream, type, parent, event, instance, data);                       \
    }

CALLBACK(on_tasks, TRACE_STREAM_TASKS)
CALLBACK(on_memory, TRACE_STREAM_MEMORY)
CALLBACK(on_executions, TRACE_STREAM_EXECUTIONS)
CALLBACK(on_calls, TRACE_STREAM_CALLS)
CALLBACK(on_driver, TRACE_STREAM_DRIVER)
CALLBACK(on_other, TRACE_STREAM_OTHER)

static const mez_xpti_callback callbacks[TRACE_STREAM_COUNT] = {
    [TRACE_STREAM_TASKS] = on_tasks,
    [TRACE_STREAM_MEMORY] = on_memory,
    [TRACE_STREAM_EXECUTIONS] = on_executions,
    [TRACE_STREAM_CALLS] = on_calls,
    [TRACE_STREAM_DRIVER] = on_driver,
    [TRACE_STREAM_OTHER] = on_other,
};

static const uint16_t types[] = {
    MEZ_XPTI_NODE_CREATE,
    MEZ_XPTI_EDGE_CREATE,
    MEZ_XPTI_REGION_BEGIN,
    MEZ_XPTI_REGION_END,
    MEZ_XPTI_TASK_BEGIN,
    MEZ_XPTI_TASK_END,
    MEZ_XPTI_BARRIER_BEGIN,
    MEZ_XPTI_BARRIER_END,
    MEZ_XPTI_LOCK_BEGIN,
    MEZ_XPTI_LOCK_END,
    MEZ_XPTI_SIGNAL,
    MEZ_XPTI_TRANSFER_BEGIN,
    MEZ_XPTI_TRANSFER_END,
    MEZ_XPTI_THREAD_BEGIN,
    MEZ_XPTI_THREAD_END,
    MEZ_XPTI_WAIT_BEGIN,
    MEZ_XPTI_WAIT_END,
    MEZ_XPTI_FUNCTION_BEGIN,
    MEZ_XPTI_FUNCTION_END,
    MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN,
    MEZ_XPTI_FUNCTION_WITH_ARGS_END,
    MEZ_XPTI_MEM_ALLOC_BEGIN,
    MEZ_XPTI_MEM_ALLOC_END,
    MEZ_XPTI_MEM_RELEASE_BEGIN,
    MEZ_XPTI_MEM_RELEASE_END,
    MEZ_XPTI_QUEUE_CREATE,
    MEZ_XPTI_QUEUE_DESTROY,
    MEZ_XPTI_DIAGNOSTICS,
};

// The end of an execution reports its begin, too.
static bool is_wanted(enum trace_stream stream, uint16_t type)
{
    return stream != TRACE_STREAM_EXECUTIONS || type == MEZ_XPTI_TASK_END;
}

// A second announcement of a stream registers the same callbacks again, which the dispatcher knows. It may also be the first after
// the dispatcher was reset.
void xptiTraceInit(unsigned major, unsigned minor, const char *version, const char *stream)
{
    (void)major, (void)minor, (void)version;
    const enum trace_stream known = trace_stream_of(stream);
    trace_values_forget();
    if (known == TRACE_STREAM_COUNT || !trace_attach())
        return;
    if (known == TRACE_STREAM_EXECUTIONS)
        atomic_store_explicit(&trace_attached()->head->executions, 1, memory_order_relaxed);
    const mez_xpti_stream number = xptiRegisterStream(stream);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_wanted(known, types[i]))
            xptiRegisterCallback(number, types[i], callbacks[known]);
}

// Asked after the stream was announced.
bool xptiQuerySubscriberStreamDetailLevel(const char *stream, uint8_t *level)
{
    const struct trace_memory *memory = trace_attached();
    if (!memory || trace_stream_of(stream) == TRACE_STREAM_COUNT)
        return false;
    *level = (uint8_t)atomic_load_explicit(&memory->head->detail, memory_order_relaxed);
    return true;
}

void xptiTraceFinish(const char *stream)
{
    (void)stream; // the trace ends with the program
}
