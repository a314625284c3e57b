// SPDX-License-Identifier: MIT

#include "assert/record.h"

#include <inttypes.h>
#include <stddef.h>

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
