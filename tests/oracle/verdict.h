// SPDX-License-Identifier: MIT
//
// What the library's checks say of a list of requirements, for each of the devices.

#ifndef MEZ_TESTS_ORACLE_VERDICT_H
#define MEZ_TESTS_ORACLE_VERDICT_H

#include "check/check.h"
#include "prediction.h"

// Fills `refused` and `doubted`. False, with a message: a target is missing, or there is no memory.
bool judge_for_all(const mez_requirements *requirements, struct prediction *prediction);

// Is a declaration the nearest that asks for the aspect, of what the function reaches?
bool is_declared(const struct mez_spirv_survey *survey, uint32_t function, mez_aspect aspect);

#endif
