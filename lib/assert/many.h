// SPDX-License-Identifier: MIT
//
// The failures of a module that collects many (mez_assert_params.limit).

#ifndef MEZ_ASSERT_MANY_H
#define MEZ_ASSERT_MANY_H

#include "base/text.h"
#include "image/module.h"

typedef struct mez_many_asserts {
    mez_assert_log *log;
    mez_assert_record *records; // the first failure, then those of other asserts, then more
    size_t count;
    uint32_t total; // work-items that failed, collected or not
} mez_many_asserts;

// Reads the module's log and collects at most `limit` records, of which `first` is the first; none where the log can't be read,
// which is logged. Waits for the device. To be finished.
void mez_many_asserts_read(const mez_module *module, const mez_assert_record *first, uint32_t limit,
    mez_many_asserts *many);
void mez_many_asserts_finish(mez_many_asserts *many);

// A line that tells how many there are, and one for each assert, with its count and the work-items that were collected.
void mez_many_asserts_describe(const mez_many_asserts *many, mez_text *text);

#endif
