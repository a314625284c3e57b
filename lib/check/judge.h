// SPDX-License-Identifier: MIT
//
// Judging requirements one by one: what the parts of lib/check share.

#ifndef MEZ_CHECK_JUDGE_H
#define MEZ_CHECK_JUDGE_H

#include "base/text.h"
#include "check/check.h"

// --- Sentences (texts.def)

typedef enum mez_check_text {
#define TEXT(name, words) MEZ_CHECK_TEXT_##name,
#include "check/texts.def"
#undef TEXT
    MEZ_CHECK_TEXTS
} mez_check_text;

// Adds the sentence with each % replaced by the next of `values`, of which there must be enough.
void mez_check_add_text(mez_text *text, mez_check_text which, const char *const *values);

// --- Judging

// One device under check.
typedef struct mez_judging {
    const mez_check_device *device;
    mez_aspect_numbering numbering; // of requirements by number
    mez_verdict *verdict;           // takes the reasons; NULL: only the answer is wanted
    bool no_memory;                 // a reason was lost
} mez_judging;

// Judges a requirement of any kind.
mez_answer mez_judge(mez_judging *judging, const mez_requirement *requirement);

// Those of matrix.c.
mez_answer mez_judge_matrix(mez_judging *judging, const mez_requirement *requirement);
mez_answer mez_judge_matrix_mad(mez_judging *judging, const mez_requirement *requirement);

// Notes a reason, where they are wanted: the sentence with its values, and what the device has, a format and its arguments. Returns
// the answer.
mez_answer mez_judging_note(mez_judging *judging, const mez_requirement *requirement,
    mez_answer answer, mez_check_text which, const char *const *values, const char *has, ...)
    MEZ_PRINTF(6, 7);

#endif
