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

static void add_string(union trace_any_record *record, uint32_t key, uint32_t number)
{
    add(record, (struct trace_value){.key = key, .type = TRACE_VALUE_STRING, .size = sizeof number},
        &number);
}

// --- Metadata

// Most events have the same few keys and texts. The dispatcher's numbers of them hold until it is reset: what they are among our
// strings is looked for once. Each entry has the dispatcher's number above and ours, which is not 0, below.
enum { KNOWN = 256 };
typedef _Atomic uint64_t known_numbers[KNOWN];
static known_numbers known_keys, known_texts;

// 0: not known.
static uint32_t known(const known_numbers table, uint32_t theirs)
{
    const uint64_t entry = atomic_load_explicit(&table[theirs % KNOWN], memory_order_acquire);
    return entry >> 32 == theirs ? (uint32_t)entry : 0;
}

static void learn(known_numbers table, uint32_t theirs, uint32_t ours)
{
    const uint64_t entry = ours ? (uint64_t)theirs << 32 | ours : 0;
    atomic_store_explicit(&table[theirs % KNOWN], entry, memory_order_release);
}

void trace_values_forget(void)
{
    for (size_t i = 0; i < KNOWN; i++) {
        atomic_store_explicit(&known_keys[i], 0, memory_order_relaxed);
        atomic_store_explicit(&known_texts[i], 0, memory_order_relaxed);
    }
}

static uint32_t key_of(const struct trace_memory *memory, mez_xpti_string theirs)
{
    uint32_t key = known(known_keys, theirs);
    if (!key) {
        key = trace_string_intern(memory, xptiLookupString(theirs));
        learn(known_keys, theirs, key);
    }
    return key;
}

// The published numbers of the types are those of trace_value_type.
static void add_object(const struct trace_memory *memory, union trace_any_record *record,
    uint32_t key, mez_xpti_object theirs)
{
    const mez_xpti_object_data object = xptiLookupObject(theirs);
    if (!object.data)
        return;
    if (object.type == MEZ_XPTI_STRING) {
        const uint32_t text = trace_string_intern(memory, object.data);
        learn(known_texts, (uint32_t)theirs, text);
        add_string(record, key, text);
    } else if (object.size <= TRACE_MOST_VALUE_BYTES && object.type <= MEZ_XPTI_BOOLEAN)
        add(record,
            (struct trace_value){.key = key, .type = object.type, .size = (uint16_t)object.size},
            object.data);
}

static void add_metadata(const struct trace_memory *memory, union trace_any_record *record,
    const mez_xpti_map_node *node)
{
    const uint32_t key = key_of(memory, node->key);
    const uint32_t text = known(known_texts, (uint32_t)node->value);
    if (key && text)
        add_string(record, key, text);
    else if (key)
        add_object(memory, record, key, node->value);
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
    for (const mez_xpti_map_node *node = map ? map->first : NULL; node; node = node->next)
        add_metadata(memory, record, node);
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
        add_string(record, trace_string_intern(memory, "result"),
            trace_string_intern(memory, result->name));
    } else if (!result && call->arguments)
        add_arguments(memory, record, call->arguments);
}
