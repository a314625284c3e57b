// SPDX-License-Identifier: MIT

#include "trace/event.h"

#include <string.h>

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

static void add(mez_xpti_event *event, const char *key, const void *data, size_t size, uint8_t type)
{
    const mez_xpti_object object = xptiRegisterObject(data, size, type);
    if (object != MEZ_XPTI_NO_OBJECT)
        xptiAddMetadata(event, key, object);
}

void mez_trace_add_text(mez_xpti_event *event, const char *key, const char *value)
{
    add(event, key, value, strlen(value), MEZ_XPTI_STRING);
}

void mez_trace_add_unsigned(mez_xpti_event *event, const char *key, uint64_t value)
{
    add(event, key, &value, sizeof value, MEZ_XPTI_UNSIGNED);
}

void mez_trace_add_signed(mez_xpti_event *event, const char *key, int32_t value)
{
    add(event, key, &value, sizeof value, MEZ_XPTI_SIGNED);
}

void mez_trace_add_boolean(mez_xpti_event *event, const char *key, bool value)
{
    add(event, key, &value, sizeof value, MEZ_XPTI_BOOLEAN);
}

void mez_trace_add_binary(mez_xpti_event *event, const char *key, const void *data, size_t size)
{
    add(event, key, data, size, MEZ_XPTI_BINARY);
}
