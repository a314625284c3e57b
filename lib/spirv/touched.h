// SPDX-License-Identifier: MIT
//
// Which doubles, halves, images and matrices an instruction has to do with. survey.h says in words what counts.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_TOUCHED_H
#define MEZ_SPIRV_TOUCHED_H

#include "spirv/survey.h"

// Bits of enum mez_spirv_holds. `in` is not debug information.
uint32_t mez_spirv_touched(const struct mez_spirv_module *module, enum mez_spirv_survey_mode mode,
    struct mez_spirv_instruction in);

#endif
