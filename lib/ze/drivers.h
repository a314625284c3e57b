// SPDX-License-Identifier: MIT
//
// The drivers of Level Zero: which libraries they are, whether one of them has a GPU, and why none could be opened.

#ifndef MEZ_ZE_DRIVERS_H
#define MEZ_ZE_DRIVERS_H

#include <stdbool.h>
#include <stddef.h>

#include <mezzanine/driver.h>
#include <mezzanine/error.h>

#include "base/error.h"
#include "base/process.h"

#define MEZ_INTEL_OLDER_DRIVER_LIBRARY \
    "libze_intel_gpu_legacy1.so.1" // of GPUs that the other no longer knows

// Where the CPU driver is: MEZ_CPU_DRIVER, else beside this library; in programs that the library is part of, such as mez, else
// where the library is installed. False: the path does not fit.
bool mez_ze_cpu_driver_path(char *path, size_t size);

typedef enum mez_driver_set {
    MEZ_DRIVER_SET_ANY,  // wanted: GPU if there is one, else CPU
    MEZ_DRIVER_SET_GPU,  // the loader's own list
    MEZ_DRIVER_SET_CPU,  // ours
    MEZ_DRIVER_SET_BOTH, // both
    // Got: chosen by the user's ZE_ENABLE_ALT_DRIVERS or by the application before us. Wanted: what the application has
    // opened, whatever it is.
    MEZ_DRIVER_SET_FOREIGN,
} mez_driver_set;

// --- GPUs
//
// Is there a GPU? Its drivers are asked themselves, before the loader is initialised: that can be done once, and loaders since 1.17
// stay in the process when they are closed, so that a process whose loader has found no GPU could not have the CPU driver either.

// The GPU drivers that a loader opens when no variable says otherwise; NULL at its end.
MEZ_HIDDEN extern const char *const mez_ze_gpu_drivers[];

// Succeeds where one of these drivers has a GPU, and where the user has the loader add a driver of its own (ZE_ENABLE_NULL_DRIVER).
// MEZ_ERRC_PLATFORM: none has, with what became of each.
//
// Thread-safety: safe. Drivers are initialised; that of a GPU stays open for the loader, which finds it initialised.
mez_error mez_ze_find_gpu(void);

// --- Diagnosis
//
// Why Level Zero could not be opened.

// Adds to the failure of an open all that is known: the loader, each driver and why it can't be loaded, the device nodes
// and their permissions, and what helps, which differs where nothing but a GPU was `wanted`. Errors of other conditions than
// MEZ_ERRC_PLATFORM are returned as they are.
mez_error mez_ze_diagnose(mez_error error, mez_driver_set wanted);

// Is there a GPU's render node, whether or not we may open it?
bool mez_gpu_node_exists(void);

#endif
