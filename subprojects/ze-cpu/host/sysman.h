// SPDX-License-Identifier: MIT
//
// Sysman: what is true of a processor. A device's handle is its Sysman handle, and that of its memory module; the driver's likewise. As
// with Intel's driver it needs ZES_ENABLE_SYSMAN=1 when the driver is initialised, or zesInit.
#ifndef ZE_CPU_SYSMAN_H
#define ZE_CPU_SYSMAN_H

#include "check.h"

#include <level_zero/zes_api.h>
#include <stdbool.h>

bool zc_sysman_is_on(void);

#define ZC_REQUIRE_SYSMAN() ZC_REQUIRE(zc_sysman_is_on(), ZE_RESULT_ERROR_UNINITIALIZED)

#endif
