// SPDX-License-Identifier: MIT
//
// Why a call was refused, for zeDriverGetLastErrorDescription.
#ifndef ZE_CPU_REFUSAL_H
#define ZE_CPU_REFUSAL_H

#include <level_zero/ze_api.h>

// Notes for this thread that `function` wanted `condition`. Both are kept by address. Returns
// `result`.
ze_result_t zc_refuse(const char *function, const char *condition, ze_result_t result);

#endif
