// SPDX-License-Identifier: MIT
//
// Structs with doubles that code keeps in private memory. As long as they are only copied, no instruction works on a double; but
// some of them a compiler takes to pieces before it copies them, and then it needs doubles after all.
// And doubles as one generation of compilers sees them.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_KEPT_DOUBLES_H
#define MEZ_SPIRV_KEPT_DOUBLES_H

#include "spirv/module.h"
#include "spirv/problem.h"
#include "spirv/survey.h"

// Whether a function (index in the module), or one that it reaches, has a variable of its own that holds a double in a struct or
// array. `vectors`: or an array of vectors of doubles. The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_keeps_doubles(const struct mez_spirv_module *module,
    uint32_t function, bool vectors, struct mez_spirv_problem *problem, bool *keeps);

// Whether code that a function (index in the module) reaches, its own with it, uses doubles by the rules of a mode. The only
// failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_uses_doubles(const struct mez_spirv_module *module,
    uint32_t function, enum mez_spirv_survey_mode mode, struct mez_spirv_problem *problem,
    bool *uses);

#endif
