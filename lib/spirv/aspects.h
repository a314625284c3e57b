// SPDX-License-Identifier: MIT
//
// Which instruction asks for which aspect. survey.h says it in words; nothing else in the library judges
// code.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_ASPECTS_H
#define MEZ_SPIRV_ASPECTS_H

#include "aspect/aspect.h"
#include "spirv/module.h"

enum mez_spirv_survey_mode {
    MEZ_SURVEY_VALUES = 0, // what Intel's compiler refuses in its first generation, IGC 1
    MEZ_SURVEY_VALUES_OF_IGC_2, // what the second one refuses: aspects.c has the differences, all about doubles
    // The stricter published rule: the types of variables, of what addresses are computed in, of
    // parameters and of results count as used too.
    MEZ_SURVEY_TYPES,
};

// What one instruction of a function asks for.
mez_aspects mez_spirv_instruction_aspects(const struct mez_spirv_module *module,
    enum mez_spirv_survey_mode mode, struct mez_spirv_instruction in);

// The word of the decoration that makes a function one of vector compute; 0: none does.
uint32_t mez_spirv_vector_compute_word(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function);

#endif
