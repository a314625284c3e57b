// SPDX-License-Identifier: MIT
//
// Opening Level Zero: which drivers the process loads, decided once.
//
// Only one driver is loaded unless both are asked for: with two, the loader wraps every handle and each call costs 200
// instructions more. A loader can be initialised once: after a failed zeInit no other function may be called (zeDriverGet then
// crashes in 1.8.12) and a second zeInit fails, so a failed loader is closed and opened again with other drivers named in
// ZE_ENABLE_ALT_DRIVERS (docs/internals/loader.md). Loaders since 1.17 don't go when they are closed. Therefore drivers are
// looked at without the loader first (drivers.h), and it is opened for those that will do. Loaders with zeInitDrivers (specification
// 1.10) are asked by that, under the same rules; by zeInit where it fails or ignores a driver, for it knows only those drivers
// that have it, too.
//
// Thread-safety: safe. The environment is changed for the length of one initialisation; POSIX makes that a race with threads that
// read it at that moment, so create the first context before starting such threads.

#ifndef MEZ_ZE_LOADER_H
#define MEZ_ZE_LOADER_H

#include "ze/call.h"
#include "ze/drivers.h"

#define MEZ_INIT_DRIVERS "zeInitDrivers"

// Opens the loader with the wanted drivers, or finds it open. MEZ_DRIVERS overrides `wanted`.
// Errors: MEZ_ERRC_PLATFORM with the whole diagnosis, MEZ_ERRC_WRONG_STATE where an earlier choice stands against it or
// nothing is open that could be foreign,
// MEZ_ERRC_INVALID_PARAMETER for an invalid MEZ_DRIVERS, MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_ze_open(mez_driver_set wanted);

// Sets what MEZ_DRIVERS says; leaves *wanted as it is where it is not set. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_ze_read_drivers(mez_driver_set *wanted);

// The drivers of the open loader, as zeDriverGet.
mez_error mez_ze_get_drivers(uint32_t *count, ze_driver_handle_t *drivers);

// The same by zeInit and zeDriverGet, however the loader was initialised: for what an application has got by them. The
// specification leaves open what the two ways give together; loaders up to 1.32 give the same handle for the same driver.
mez_error mez_ze_get_older_drivers(uint32_t *count, ze_driver_handle_t *drivers);

// Was the loader initialised by zeInitDrivers?
bool mez_ze_uses_init_drivers(void);

// Does the loader wrap every handle in one of its own? It does with several drivers, and when a variable asks for it. Loaders up to
// 1.8.12 at least then crash when the build log of a failed module is used: they wrap it only after a success.
bool mez_ze_wraps_handles(uint32_t driver_count);

// Was Sysman, Level Zero's part for the state of devices, asked for with ZES_ENABLE_SYSMAN=1 when it was initialised? Only then
// is a device's handle good for Sysman's functions: a driver that was initialised without, or by zesInit, takes it for
// something else.
bool mez_ze_has_sysman(void);

// A function of the open loader by name, for those newer than call.h; NULL: it has none.
void *mez_ze_find_function(const char *name);

#endif
