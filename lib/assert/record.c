// SPDX-License-Identifier: MIT

#include "assert/report.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

_Static_assert(sizeof(mez_assert_record) == 704, "the published layout");
_Static_assert(offsetof(mez_assert_record, expression) == 4, "the published layout");
_Static_assert(offsetof(mez_assert_record, file) == 261, "the published layout");
_Static_assert(offsetof(mez_assert_record, function) == 518, "the published layout");
_Static_assert(offsetof(mez_assert_record, line) == 648, "the published layout");
_Static_assert(offsetof(mez_assert_record, serial) == 652, "nothing, in the published layout");
_Static_assert(offsetof(mez_assert_record, global_id) == 656, "the published layout");
_Static_assert(offsetof(mez_assert_record, local_id) == 680, "the published layout");

// A field of the record, bounded whatever the device wrote.
#define FIELD(name, otherwise) \
    (int)sizeof record->name - 1, record->name[0] ? record->name : (otherwise)

void mez_assert_format(const mez_assert_record *record, mez_text *line)
{
    const uint64_t *global = record->global_id;
    const uint64_t *local = record->local_id;
    mez_text_add(line, "%.*s:%" PRId32 ": %.*s: ", FIELD(file, "<unknown file>"), record->line,
        FIELD(function, "<unknown func>"));
    mez_text_add(line, "global id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "], ", global[0], global[1],
        global[2]);
    mez_text_add(
        line, "local id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "] ", local[0], local[1], local[2]);
    mez_text_add(line, "Assertion `%.*s` failed.\n", FIELD(expression, "<unknown expr>"));
}

// --- Collections

mez_error mez_collection_attach(
    mez_error error, uint64_t total, const mez_assert_record *records, size_t count)
{
    const size_t size = sizeof(mez_collection) + count * sizeof *records;
    mez_collection *collection = mez_alloc_array(size, 1);
    if (!collection)
        return error;
    collection->total = total;
    collection->count = count;
    memcpy(collection->records, records, count * sizeof *records);
    mez_error_attach(error, collection, size);
    mez_free_memory(collection);
    return error;
}

// The error's own; NULL: it has none, or there is no memory.
static mez_collection *copy_of(mez_error error)
{
    if (!mez_error_is(error, MEZ_ERRC_ASSERT))
        return NULL;
    const size_t size = mez_error_get_attachment(error, NULL, 0);
    mez_collection *copy = size > 0 ? mez_alloc_array(size, 1) : NULL;
    if (copy && mez_error_get_attachment(error, copy, size) == size)
        return copy;
    mez_free_memory(copy); // it has grown meanwhile, or given way
    return NULL;
}

size_t mez_error_get_asserts(
    mez_error error, mez_assert_record *records, size_t capacity, uint64_t *total)
{
    mez_collection *collection = copy_of(error);
    const size_t count = collection ? collection->count : 0;
    if (total)
        *total = collection ? collection->total : 0;
    for (size_t i = 0; records && i < count && i < capacity; i++)
        records[i] = collection->records[i];
    mez_free_memory(collection);
    return count;
}

bool mez_error_get_assert(mez_error error, mez_assert_record *record)
{
    return record && mez_error_get_asserts(error, record, 1, NULL) > 0;
}
