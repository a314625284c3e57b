// SPDX-License-Identifier: MIT
//
// What a Level Zero driver has to export.

#ifndef DOCTOR_DRIVER_EXPORTS_H
#define DOCTOR_DRIVER_EXPORTS_H

#include <stddef.h>
#include <stdint.h>

#define DRIVER_EXPORT_COUNT 46

// How many of the functions are missing without which loader 1.8.12 refuses a driver, and the name of the first of them. All: it is
// no driver. `driver` is open.
uint32_t driver_missing_exports(void *driver, char *first, size_t first_size);

#endif
