// SPDX-License-Identifier: MIT
//
// ZE_CPU_ENGINE_MODE: how kernels run. All modes give the same results; tests compare them.

#ifndef ZC_ENGINE_MODE_H
#define ZC_ENGINE_MODE_H

enum zc_mode {
    ZC_MODE_FISSION,   // loops over work-items, cut where they meet
    ZC_MODE_COROUTINE, // a coroutine for each work-item where there are barriers
    ZC_MODE_SCALAR,    // the same, and nothing is vectorised
};

// Of the environment, read each time.
enum zc_mode zc_mode(void);

#endif
