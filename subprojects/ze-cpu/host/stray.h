// SPDX-License-Identifier: MIT
//
// What ZE_CPU_GUARD finds out: accesses of the program and of kernels beside an allocation, and after it was freed. Each is a line on
// stderr, if no kernel's story has it.
#ifndef ZE_CPU_STRAY_H
#define ZE_CPU_STRAY_H

#include "shared_use.h"

// The map's allocations are guarded from now on: faults of the program are looked at.
void zc_stray_watch(struct zc_memory_map *map);
// For the handler of signals: the program was stopped at an address that it may not access. It says so where the address is of a
// guarded block; what becomes of the signal is the caller's affair.
void zc_stray_report_fault(const struct zc_touch *touch);
// Of an allocation that is being freed: was something written beside it?
void zc_stray_report_write(const struct zc_allocation *allocation);

#endif
