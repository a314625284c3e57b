// SPDX-License-Identifier: MIT

#include "event.h"

#include "read_values.h"
#include "strings.h"
#include "type_names.h"

// What a person would call it: what it says itself, else its command, else its place, else its sort.
static const char *name_of(const struct trace_memory *memory, const struct trace_node *node,
    const struct trace_record *record)
{
    const char *text = trace_string_get(memory, record->text);
    if (*text)
        return text;
    if (node && *node->name)
        return node->name;
    const char *name = trace_string_get(memory, record->name);
    return *name ? name : trace_type_name(record->type);
}

static void take_call(
    const struct trace_memory *memory, const struct trace_record *record, struct trace_event *event)
{
    struct trace_value_reader reader = trace_read_values(memory, record);
    struct trace_read_value value;
    if (!trace_read_value(&reader, &value))
        return;
    if (value.type == TRACE_VALUE_STRING)
        event->result = value.text;
    if (value.type != TRACE_VALUE_BYTES)
        return;
    event->argument_names = value.key;
    event->arguments = value.bytes;
    event->argument_count = value.size / sizeof *event->arguments;
}

static enum trace_event_kind kind_of(uint16_t type)
{
    if (!trace_type_is_pair(type))
        return TRACE_INSTANT;
    return type & 1 ? TRACE_END : TRACE_BEGIN;
}

struct trace_event trace_event_of(
    const struct trace_memory *memory, struct trace_nodes *nodes, const struct trace_record *record)
{
    const struct trace_node *node = trace_nodes_of(nodes, record);
    struct trace_event event = {
        .kind = kind_of(record->type),
        .stream = record->stream < TRACE_STREAM_COUNT ? (enum trace_stream)record->stream
                                                      : TRACE_STREAM_OTHER,
        .name = name_of(memory, node, record),
        .what = trace_type_name(record->type),
        .file = trace_file_get(memory, record->file),
        .line = record->line,
        .number = record->number,
        .failed = record->flags & TRACE_FAILED,
        .node = node,
    };
    if (event.stream == TRACE_STREAM_CALLS || event.stream == TRACE_STREAM_DRIVER)
        take_call(memory, record, &event);
    return event;
}
