// SPDX-License-Identifier: MIT
//
// The sentences of checks (texts.def).
//
// Thread-safety: safe, everything here is constant.

#ifndef MEZ_CHECK_TEXTS_H
#define MEZ_CHECK_TEXTS_H

#include "base/text.h"

typedef enum mez_check_text {
#define TEXT(name, words) MEZ_CHECK_TEXT_##name,
#include "check/texts.def"
#undef TEXT
    MEZ_CHECK_TEXTS
} mez_check_text;

// Adds the sentence with each % replaced by the next of `values`, of which there must be enough.
void mez_check_add_text(mez_text *text, mez_check_text which, const char *const *values);

#endif
