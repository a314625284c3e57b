// SPDX-License-Identifier: MIT
//
// Carrying what functions ask for up to all that can reach them.

#ifndef MEZ_SPIRV_WALK_H
#define MEZ_SPIRV_WALK_H

#include "spirv/survey.h"

// A node of follow.h.
struct mez_spirv_survey_node {
    mez_aspects required; // by it and all it leads to
    bool may_assert, reaches_imports;
    bool is_open;        // the walk has not left its component yet
    uint32_t order, low; // Tarjan's numbers; order 0: not visited
};

// Takes survey->functions with `own` and `declared`, and nodes with the two flags of those that
// assert, or are imported, themselves; completes both, whatever the order and the cycles of calls.
// Costs no stack. The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_walk(
    struct mez_spirv_survey *survey, struct mez_spirv_problem *problem);

#endif
