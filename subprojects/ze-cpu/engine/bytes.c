// SPDX-License-Identifier: MIT
//
// Writing and reading bytes field by field.

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

const char ZC_READ_NO_MEMORY[] = "there is no memory to read it";

void zc_put(struct zc_writer *writer, const void *bytes, size_t size)
{
    if (writer->failed)
        return;
    if (size > writer->capacity - writer->size) {
        const size_t capacity = 2 * (writer->size + size) + 256;
        uint8_t *larger = realloc(writer->bytes, capacity);
        if (larger == NULL) {
            writer->failed = true;
            return;
        }
        writer->bytes = larger;
        writer->capacity = capacity;
    }
    if (size > 0)
        memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

void zc_set_fault(struct zc_reader *reader, const char *fault)
{
    if (reader->fault == NULL)
        reader->fault = fault;
}

// NULL once something is wrong.
static const void *get(struct zc_reader *reader, size_t size)
{
    if (size > reader->left)
        zc_set_fault(reader, "it ends too early");
    if (reader->fault != NULL)
        return NULL;
    const uint8_t *bytes = reader->next;
    reader->next += size;
    reader->left -= size;
    return bytes;
}

void zc_put_u32(struct zc_writer *writer, uint32_t value)
{
    zc_put(writer, &value, sizeof(value));
}

uint32_t zc_get_u32(struct zc_reader *reader)
{
    uint32_t value = 0;
    const void *bytes = get(reader, sizeof(value));
    if (bytes != NULL)
        memcpy(&value, bytes, sizeof(value));
    return value;
}

void zc_put_u64(struct zc_writer *writer, uint64_t value)
{
    zc_put(writer, &value, sizeof(value));
}

uint64_t zc_get_u64(struct zc_reader *reader)
{
    uint64_t value = 0;
    const void *bytes = get(reader, sizeof(value));
    if (bytes != NULL)
        memcpy(&value, bytes, sizeof(value));
    return value;
}

void zc_put_text(struct zc_writer *writer, const char *text)
{
    const size_t length = strlen(text);
    zc_put_u64(writer, length);
    zc_put(writer, text, length + 1);
}

const char *zc_get_text(struct zc_reader *reader)
{
    const uint64_t length = zc_get_u64(reader);
    if (length >= reader->left) {
        zc_set_fault(reader, "a text ends too late");
        return "";
    }
    const char *text = get(reader, (size_t)length + 1);
    if (text == NULL)
        return "";
    if (memchr(text, '\0', (size_t)length + 1) != text + length)
        zc_set_fault(reader, "a text does not end with its only zero");
    return reader->fault == NULL ? text : "";
}

void zc_put_span(struct zc_writer *writer, struct zc_span span)
{
    zc_put_u64(writer, span.size);
    zc_put(writer, span.data, span.size);
}

struct zc_span zc_get_span(struct zc_reader *reader)
{
    const uint64_t size = zc_get_u64(reader);
    if (size > reader->left)
        zc_set_fault(reader, "a block ends too late");
    const void *data = get(reader, (size_t)size);
    return data != NULL && size > 0 ? (struct zc_span){data, (size_t)size} : (struct zc_span){0};
}

void *zc_get_list(struct zc_reader *reader, uint32_t *count, size_t least, size_t element_size)
{
    *count = zc_get_u32(reader);
    if (*count > reader->left / least)
        zc_set_fault(reader, "a list ends too late");
    void *list = reader->fault == NULL ? calloc((size_t)*count + 1, element_size) : NULL;
    if (list == NULL) {
        zc_set_fault(reader, ZC_READ_NO_MEMORY);
        *count = 0;
    }
    return list;
}
