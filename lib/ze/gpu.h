// SPDX-License-Identifier: MIT
//
// Is there a GPU? Asked of its drivers themselves, before the loader is initialised: that can be done once, and loaders since 1.17
// stay in the process when they are closed, so that a process whose loader has found no GPU could not have the CPU driver either.

#ifndef MEZ_ZE_GPU_H
#define MEZ_ZE_GPU_H

#include <stdbool.h>

#include <mezzanine/error.h>

#include "base/hidden.h"

// The GPU drivers that a loader opens when no variable says otherwise; NULL at its end.
MEZ_HIDDEN extern const char *const mez_ze_gpu_drivers[];

// Succeeds where one of these drivers has a GPU, and where the user has the loader add a driver of its own (ZE_ENABLE_NULL_DRIVER).
// MEZ_ERRC_PLATFORM: none has, with what became of each.
//
// Thread-safety: safe. Drivers are initialised; that of a GPU stays open for the loader, which finds it initialised.
mez_error mez_ze_find_gpu(void);

#endif
