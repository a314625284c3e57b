// SPDX-License-Identifier: MIT

#ifndef MEZ_ASSERT_RECORD_H
#define MEZ_ASSERT_RECORD_H

#include <mezzanine/assert.h>

#include "base/text.h"

enum mez_assert_flag {
    MEZ_ASSERT_NONE = 0,
    MEZ_ASSERT_WRITING = 1, // device side only: a finished kernel never leaves it
    MEZ_ASSERT_FAILED = 2,
};

// The line in C's own words, with a newline. Strings that the device left empty or unterminated are safe.
void mez_assert_format(const mez_assert_record *record, mez_text *line);

// The failing work-items of a submission, as errors carry them.

typedef struct mez_collection {
    uint64_t total; // work-items that failed
    uint64_t count; // of these
    mez_assert_record records[];
} mez_collection;

// Gives the error these records; the first of them failed first.
mez_error mez_collection_attach(
    mez_error error, uint64_t total, const mez_assert_record *records, size_t count);

#endif
