// SPDX-License-Identifier: MIT

#include "values.h"

#include <mezzanine/trace.h>
#include <mezzanine/xpti.h>
#include <string.h>

#include "strings.h"

static void add(union trace_any_record *any, struct trace_value value, const void *bytes)
{
    struct trace_record *const record = &any->record;
    const size_t words = 1 + (value.size + 7u) / 8;
    if (record->words + words > TRACE_MOST_WORDS || record->values == UINT8_MAX)
        return;
    uint64_t *const to = any->words + record->words;
    to[words - 1] = 0; // no stale bytes behind the value
    memcpy(to, &value, sizeof value);
    memcpy(to + 1, bytes, value.size);
    record->words = (uint16_t)(record->words + words);
    record->values++;
}

static void add_string(const struct trace_memory *memory, union trace_any_record *record,
    uint32_t key, const char *text)
{
    const uint32_t number = trace_string_intern(memory, text);
    add(record, (struct trace_value){.key = key, .type = TRACE_VALUE_STRING, .size = sizeof number},
        &number);
}

// The published numbers of the types are those of trace_value_type.
static void add_object(const struct trace_memory *memory, union trace_any_record *record,
    const char *name, const mez_xpti_object_data *object)
{
    const uint32_t key = trace_string_intern(memory, name);
    if (!key || !object->data)
        return;
    if (object->type == MEZ_XPTI_STRING)
        add_string(memory, record, key, object->data);
    else if (object->size <= TRACE_MOST_VALUE_BYTES && object->type <= MEZ_XPTI_BOOLEAN)
        add(record,
            (struct trace_value){.key = key, .type = object->type, .size = (uint16_t)object->size},
            object->data);
}

static void add_stash(const struct trace_memory *memory, union trace_any_record *record)
{
    char *key = NULL;
    uint64_t value = 0;
    if (xptiGetStashedTuple(&key, &value) != MEZ_XPTI_SUCCESS || !key)
        return;
    add(record,
        (struct trace_value){.key = trace_string_intern(memory, key),
            .type = TRACE_VALUE_UNSIGNED,
            .size = sizeof value},
        &value);
}

_Static_assert(
    (int)TRACE_VALUE_BYTES == MEZ_XPTI_BINARY && (int)TRACE_VALUE_STRING == MEZ_XPTI_STRING &&
        (int)TRACE_VALUE_SIGNED == MEZ_XPTI_SIGNED &&
        (int)TRACE_VALUE_UNSIGNED == MEZ_XPTI_UNSIGNED &&
        (int)TRACE_VALUE_FLOAT == MEZ_XPTI_FLOATING && (int)TRACE_VALUE_BOOL == MEZ_XPTI_BOOLEAN,
    "types are written as they are");

void trace_values_put(
    const struct trace_memory *memory, union trace_any_record *record, mez_xpti_event *event)
{
    const mez_xpti_map *map = xptiQueryMetadata(event);
    add_stash(memory, record);
    for (const mez_xpti_map_node *node = map ? map->first : NULL; node; node = node->next) {
        const mez_xpti_object_data object = xptiLookupObject(node->value);
        add_object(memory, record, xptiLookupString(node->key), &object);
    }
}

// --- Calls

// All in one: the key is the list of their names.
static void add_arguments(const struct trace_memory *memory, union trace_any_record *record,
    const mez_trace_arguments *arguments)
{
    const size_t most = TRACE_MOST_VALUE_BYTES / sizeof *arguments->values;
    const size_t count = arguments->count < most ? arguments->count : most;
    add(record,
        (struct trace_value){.key = trace_string_intern(memory, arguments->names),
            .type = TRACE_VALUE_BYTES,
            .size = (uint16_t)(count * sizeof *arguments->values)},
        arguments->values);
}

void trace_values_put_call(const struct trace_memory *memory, union trace_any_record *record,
    const mez_xpti_function *call)
{
    const mez_trace_result *result = call->result;
    if (result && result->value != 0) {
        record->record.flags |= TRACE_FAILED;
        add_string(memory, record, trace_string_intern(memory, "result"), result->name);
    } else if (!result && call->arguments)
        add_arguments(memory, record, call->arguments);
}
