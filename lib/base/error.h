// SPDX-License-Identifier: MIT
//
// Names, texts and conditions of every code of every category, in tables.

#ifndef MEZ_BASE_ERROR_H
#define MEZ_BASE_ERROR_H

#include <mezzanine/error.h>

typedef struct mez_code_info {
    int32_t value;
    mez_condition condition;
    const char *name;
    const char *message; // one sentence, no final stop
} mez_code_info;

// NULL where the category has no such code.
const mez_code_info *mez_code_find(mez_category category, int32_t value);

// A result of Level Zero as its headers spell it, success included.
const char *mez_code_level_zero_name(int32_t result);

// All codes of a category, for tests and listings.
const mez_code_info *mez_code_table(mez_category category, size_t *count);

#endif
