// SPDX-License-Identifier: MIT
//
// Judging requirements one by one: what the parts of lib/check share.

#ifndef MEZ_CHECK_JUDGE_H
#define MEZ_CHECK_JUDGE_H

#include "check/check.h"
#include "check/texts.h"

// One device under check.
typedef struct mez_judging {
    const mez_check_device *device;
    mez_aspect_numbering numbering; // of requirements by number
    mez_verdict *verdict;           // takes the reasons; NULL: only the answer is wanted
    bool no_memory;                 // a reason was lost
} mez_judging;

// Judges a requirement of any kind.
mez_answer mez_judge(mez_judging *judging, const mez_requirement *requirement);

// Those of judge_size.c and judge_matrix.c.
mez_answer mez_judge_sub_group_size(mez_judging *judging, const mez_requirement *requirement);
mez_answer mez_judge_group_size(mez_judging *judging, const mez_requirement *requirement);
mez_answer mez_judge_local_memory(mez_judging *judging, const mez_requirement *requirement);
mez_answer mez_judge_arguments(mez_judging *judging, const mez_requirement *requirement);
mez_answer mez_judge_matrix(mez_judging *judging, const mez_requirement *requirement);
mez_answer mez_judge_matrix_mad(mez_judging *judging, const mez_requirement *requirement);

// Notes a reason, where they are wanted: the sentence with its values, and what the device has, a format and its arguments. Returns
// the answer.
mez_answer mez_judging_note(mez_judging *judging, const mez_requirement *requirement,
    mez_answer answer, mez_check_text which, const char *const *values, const char *has, ...)
    MEZ_PRINTF(6, 7);

#endif
