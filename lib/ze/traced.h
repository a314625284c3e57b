// SPDX-License-Identifier: MIT
//
// Tells tools of Level Zero calls, all but zeInitDrivers. Where a dispatcher is loaded the tables of functions lead to wrappers, which
// scripts/ze_wrappers.py writes; elsewhere they lead to the loader, and no call pays for anything.

#ifndef MEZ_ZE_TRACED_H
#define MEZ_ZE_TRACED_H

#include "ze/functions.h"
#include "ze/newer.h"

// The table is complete, and nobody else knows it yet. Not thread-safe.
void mez_ze_trace_functions(mez_ze_functions *table);

// Those that are missing stay missing. Thread-safe.
void mez_ze_trace_newer(mez_ze_newer_functions *newer);

#endif
