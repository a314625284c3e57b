// SPDX-License-Identifier: MIT
//
// ZE_CPU_ENGINE_MODE: how kernels run. All modes give the same results; tests compare them.

#ifndef ZC_ENGINE_MODE_H
#define ZC_ENGINE_MODE_H

#include <stdbool.h>

enum zc_mode {
    ZC_MODE_FISSION,   // loops over work-items, cut where they meet
    ZC_MODE_COROUTINE, // a coroutine for each work-item where there are barriers
    ZC_MODE_SCALAR,    // the same, and nothing is vectorised
};

#define ZC_MODE_VARIABLE "ZE_CPU_ENGINE_MODE"

// What the environment says now; false: nothing that is known, *mode is not set.
bool zc_mode_read(enum zc_mode *mode);

#endif
