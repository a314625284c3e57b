// SPDX-License-Identifier: MIT
//
// Why a call was refused or a device lost, for zeDriverGetLastErrorDescription.
#ifndef ZE_CPU_REFUSAL_H
#define ZE_CPU_REFUSAL_H

#include <level_zero/ze_api.h>

// Notes for this thread that `function` wanted `condition`. Both are kept by address. Returns
// `result`.
ze_result_t zc_refuse(const char *function, const char *condition, ze_result_t result);
// Notes for this thread that a call returns ZE_RESULT_ERROR_DEVICE_LOST, for the reason of that number (loss.h).
void zc_explain_loss(unsigned number);

#endif
