// SPDX-License-Identifier: MIT
//
// A module with its survey, and what tests ask of both.

#ifndef MEZ_TESTS_UNIT_SPIRV_SURVEYED_H
#define MEZ_TESTS_UNIT_SPIRV_SURVEYED_H

#include "spirv/survey.h"

struct surveyed {
    struct mez_spirv_module *module;
    struct mez_spirv_survey *survey;
};

// Or the test fails. The module belongs to the result.
struct surveyed survey_module(struct mez_spirv_module *module, enum mez_spirv_survey_mode mode);
struct surveyed open_survey(const char *name, enum mez_spirv_survey_mode mode);
void close_survey(struct surveyed *it);

// By their names, or the test fails.
const struct mez_spirv_kernel_needs *kernel_of(const struct surveyed *it, const char *name);
uint32_t index_of(const struct surveyed *it, const char *function);
const struct mez_spirv_function_needs *function_of(const struct surveyed *it, const char *function);

// "fp16 fp64", in the order of the table of aspects; overwritten by the next call.
const char *names_of(const mez_aspects *aspects);

#define assert_aspects(set, names) assert_string_equal(names_of(&(set)), names)

// Where the code of a kernel asks for an aspect; to be finished.
struct mez_spirv_place find_use(const struct surveyed *it, const char *kernel, mez_aspect aspect);

#endif
