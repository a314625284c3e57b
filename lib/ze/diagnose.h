// SPDX-License-Identifier: MIT
//
// Why Level Zero could not be opened.

#ifndef MEZ_ZE_DIAGNOSE_H
#define MEZ_ZE_DIAGNOSE_H

#include "base/story.h"

// Adds to the failure of an open all there is to tell: the loader, each driver and why it does not load, the device nodes
// and their permissions. Errors of other conditions than MEZ_ERRC_PLATFORM are returned as they are.
mez_error mez_ze_diagnose(mez_error error);

// Is there a GPU's render node, whether or not we may open it?
bool mez_gpu_node_exists(void);

#endif
