// SPDX-License-Identifier: MIT
//
// Which instruction asks for which aspect, and which function reports asserts. survey.h says it in
// words; nothing else in the library judges code.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_RULES_H
#define MEZ_SPIRV_RULES_H

#include "spirv/survey.h"

// What one instruction of a function asks for.
mez_aspects mez_spirv_instruction_aspects(const struct mez_spirv_module *module,
    enum mez_spirv_survey_mode mode, struct mez_spirv_instruction in);

// The word of the decoration that makes a function one of vector compute; 0: none does.
uint32_t mez_spirv_vector_compute_word(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function);

// Whether calling the function, or using the exported variable, is how code tells of a failed assert.
bool mez_spirv_function_asserts(const struct mez_spirv_function *function);
bool mez_spirv_symbol_asserts(const struct mez_spirv_symbol *symbol);

#endif
