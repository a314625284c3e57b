// SPDX-License-Identifier: MIT

#include "read_values.h"

#include <string.h>

#include "strings.h"

struct trace_value_reader trace_read_values(
    const struct trace_memory *memory, const struct trace_record *record)
{
    return (struct trace_value_reader){
        .memory = memory,
        .words = (const uint64_t *)record + TRACE_RECORD_WORDS,
        .left = record->words - (size_t)TRACE_RECORD_WORDS,
        .values = record->values,
    };
}

static uint64_t first_bytes(const void *bytes, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, bytes, size < sizeof number ? size : sizeof number);
    return number;
}

bool trace_read_value(struct trace_value_reader *reader, struct trace_read_value *value)
{
    struct trace_value head;
    if (reader->values == 0 || reader->left == 0)
        return false;
    memcpy(&head, reader->words, sizeof head);
    const size_t words = 1 + (head.size + (size_t)7) / 8;
    if (words > reader->left || head.type > TRACE_VALUE_BOOL)
        return false;
    const void *bytes = reader->words + 1;
    const uint64_t number = first_bytes(bytes, head.size);
    const bool is_string = head.type == TRACE_VALUE_STRING;
    *value = (struct trace_read_value){
        .key = trace_string_get(reader->memory, head.key),
        .type = (enum trace_value_type)head.type,
        .text = is_string ? trace_string_get(reader->memory, (uint32_t)number) : "",
        .number = number,
        .bytes = bytes,
        .size = head.size,
    };
    reader->words += words;
    reader->left -= words;
    reader->values--;
    return true;
}
