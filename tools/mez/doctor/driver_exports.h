// SPDX-License-Identifier: MIT
//
// What a Level Zero driver has to export.

#ifndef DOCTOR_DRIVER_EXPORTS_H
#define DOCTOR_DRIVER_EXPORTS_H

#include <stddef.h>
#include <stdint.h>

#define DRIVER_EXPORT_COUNT 46

// Loader 1.8.12 refuses a driver that lacks any of these functions. Returns how many are missing and writes the name of the first; a
// library that lacks all of them is not a driver. `driver` is open.
uint32_t driver_missing_exports(void *driver, char *first, size_t first_size);

#endif
