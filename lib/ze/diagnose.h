// SPDX-License-Identifier: MIT
//
// Why Level Zero could not be opened.

#ifndef MEZ_ZE_DIAGNOSE_H
#define MEZ_ZE_DIAGNOSE_H

#include "base/story.h"
#include "ze/loader.h"

// Adds to the failure of an open all that is known: the loader, each driver and why it can't be loaded, the device nodes
// and their permissions, and what helps, which differs where nothing but a GPU was `wanted`. Errors of other conditions than
// MEZ_ERRC_PLATFORM are returned as they are.
mez_error mez_ze_diagnose(mez_error error, mez_driver_set wanted);

// Is there a GPU's render node, whether or not we may open it?
bool mez_gpu_node_exists(void);

#endif
