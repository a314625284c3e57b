// SPDX-License-Identifier: MIT
//
// What the calling thread is doing, and what scopes notify with.

#include "thread.h"

#include "tracepoint.h"

#include <stdatomic.h>

static _Thread_local struct {
    uint64_t universal_id;
    void *scope; // a trace point
    const char *stashed_key;
    uint64_t stashed_value;
} thread;

enum {
    DEFAULT_STREAM = 1,
    DEFAULT_EVENT = MEZ_XPTI_EVENT_ALGORITHM,
    DEFAULT_TRACE = MEZ_XPTI_FUNCTION_BEGIN
};

static atomic_uchar default_stream = DEFAULT_STREAM;
static atomic_ushort default_event = DEFAULT_EVENT, default_trace = DEFAULT_TRACE;
static atomic_bool scopes_notify;
static atomic_uint_least64_t last_unique;

void xf_thread_clear(void)
{
    thread.universal_id = 0;
    thread.scope = NULL;
    thread.stashed_key = NULL;
    default_stream = DEFAULT_STREAM;
    default_event = DEFAULT_EVENT;
    default_trace = DEFAULT_TRACE;
    scopes_notify = false;
    last_unique = 0;
}

uint64_t xptiGetUniqueId(void)
{
    return atomic_fetch_add_explicit(&last_unique, 1, memory_order_relaxed) + 1;
}

uint64_t xptiGetUniversalId(void)
{
    return thread.universal_id;
}

void xptiSetUniversalId(uint64_t id)
{
    thread.universal_id = id;
}

mez_xpti_result xptiStashTuple(const char *key, uint64_t value)
{
    if (!key)
        return MEZ_XPTI_FAIL;
    thread.stashed_key = key;
    thread.stashed_value = value;
    return MEZ_XPTI_SUCCESS;
}

mez_xpti_result xptiGetStashedTuple(char **key, uint64_t *value)
{
    if (!key || !value)
        return MEZ_XPTI_INVALID_ARGUMENT;
    if (!thread.stashed_key)
        return MEZ_XPTI_NOT_FOUND;
    *key = (char *)(uintptr_t)thread.stashed_key; // the interface is older than const
    *value = thread.stashed_value;
    return MEZ_XPTI_SUCCESS;
}

// The pair stays, as tools read it after the producer has called this.
void xptiUnstashTuple(void)
{
}

const void *xptiGetTracepointScopeData(void)
{
    return thread.scope;
}

mez_xpti_result xptiSetTracepointScopeData(void *tracepoint)
{
    if (!tracepoint)
        return MEZ_XPTI_INVALID_ARGUMENT;
    thread.scope = tracepoint;
    thread.universal_id = xf_id_of(tracepoint);
    return MEZ_XPTI_SUCCESS;
}

void xptiUnsetTracepointScopeData(void)
{
    thread.scope = NULL;
    thread.universal_id = 0;
}

void xptiEnableTracepointScopeNotification(bool enabled)
{
    scopes_notify = enabled;
}

bool xptiCheckTracepointScopeNotification(void)
{
    return scopes_notify;
}

mez_xpti_stream xptiGetDefaultStreamID(void)
{
    return default_stream;
}

mez_xpti_result xptiSetDefaultStreamID(mez_xpti_stream stream)
{
    if (stream == 0 || stream == MEZ_XPTI_NO_STREAM)
        return MEZ_XPTI_INVALID_ARGUMENT;
    default_stream = stream;
    return MEZ_XPTI_SUCCESS;
}

uint16_t xptiGetDefaultEventType(void)
{
    return default_event;
}

mez_xpti_result xptiSetDefaultEventType(uint16_t event_type)
{
    if (event_type == 0)
        return MEZ_XPTI_INVALID_ARGUMENT;
    default_event = event_type;
    return MEZ_XPTI_SUCCESS;
}

uint16_t xptiGetDefaultTraceType(void)
{
    return default_trace;
}

mez_xpti_result xptiSetDefaultTraceType(uint16_t trace_type)
{
    if (trace_type == 0)
        return MEZ_XPTI_INVALID_ARGUMENT;
    default_trace = trace_type;
    return MEZ_XPTI_SUCCESS;
}
