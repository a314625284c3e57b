// SPDX-License-Identifier: MIT
//
// The shared libraries that make up Level Zero: what they are called, and where ours is.

#ifndef MEZ_ZE_LIBRARY_H
#define MEZ_ZE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#define MEZ_LOADER_LIBRARY "libze_loader.so.1"
#define MEZ_INTEL_DRIVER_LIBRARY "libze_intel_gpu.so.1"
#define MEZ_INTEL_OLDER_DRIVER_LIBRARY \
    "libze_intel_gpu_legacy1.so.1" // of GPUs that the other no longer knows
#define MEZ_CPU_DRIVER_LIBRARY "libze_cpu.so.1"

// Where the CPU driver is: MEZ_CPU_DRIVER, else beside this library; in programs that the library is part of, such as mez, else
// where the library is installed. False: the path does not fit.
bool mez_ze_cpu_driver_path(char *path, size_t size);

#endif
