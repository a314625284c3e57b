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

#endif
