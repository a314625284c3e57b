// SPDX-License-Identifier: MIT
//
// Resets: with ZE_CPU_RESET_MS a kernel that runs for longer is ended, as a kernel driver does with what hangs.
#ifndef ZE_CPU_RESET_H
#define ZE_CPU_RESET_H

#include "execution.h"

// Between these the execution may fail at any time. Both do nothing without the setting.
void zc_reset_watch(struct zc_execution *execution);
void zc_reset_unwatch(struct zc_execution *execution);

#endif
