// SPDX-License-Identifier: MIT
//
// What code asks of a device: which instruction asks for which aspect, and what code keeps in variables of its own. survey.h says it
// in words; nothing else in the library judges code.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_ASPECTS_H
#define MEZ_SPIRV_ASPECTS_H

#include "aspect/aspect.h"
#include "spirv/module.h"

// --- Instructions

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

// --- Local memory
//
// How much local memory code takes by variables of its own; what a launch gives by arguments comes on top.

// Bytes of all variables in local memory that the module has, without what alignment adds; those of unknown size count nothing. No
// kernel of it takes more. UINT64_MAX: more than can be counted.
uint64_t mez_spirv_all_local_memory(const struct mez_spirv_module *module);

// The same of those that a function (index in the module) reaches. The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_local_memory(const struct mez_spirv_module *module,
    uint32_t function, struct mez_spirv_problem *problem, uint64_t *bytes);

// --- Doubles
//
// Structs with doubles that code keeps in private memory. As long as they are only copied, no instruction works on a double; but
// some of them a compiler takes to pieces before it copies them, and then it needs doubles after all.
//
// And doubles as one generation of compilers sees them.

// Whether a function (index in the module), or one that it reaches, has a variable of its own that holds a double in a struct or
// array. `vectors`: or an array of vectors of doubles. The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_has_double_variables(const struct mez_spirv_module *module,
    uint32_t function, bool vectors, struct mez_spirv_problem *problem, bool *has);

// Whether code that a function (index in the module) reaches, its own with it, uses doubles by the rules of a mode. The only
// failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_uses_doubles(const struct mez_spirv_module *module,
    uint32_t function, enum mez_spirv_survey_mode mode, struct mez_spirv_problem *problem,
    bool *uses);

#endif
