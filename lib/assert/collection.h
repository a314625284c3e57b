// SPDX-License-Identifier: MIT
//
// The failing work-items of a submission, as errors carry them.

#ifndef MEZ_ASSERT_COLLECTION_H
#define MEZ_ASSERT_COLLECTION_H

#include <mezzanine/assert.h>

typedef struct mez_collection {
    uint64_t total; // work-items that failed
    uint64_t count; // of these
    mez_assert_record records[];
} mez_collection;

// Gives the error these records; the first of them failed first.
mez_error mez_collection_attach(
    mez_error error, uint64_t total, const mez_assert_record *records, size_t count);

#endif
