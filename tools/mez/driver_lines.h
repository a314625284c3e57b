// SPDX-License-Identifier: MIT
//
// What mez info says of a driver, as lines of text: it is found out in a process of its own, and text can be handed over.

#ifndef DRIVER_LINES_H
#define DRIVER_LINES_H

#include <stddef.h>

#include <mezzanine/driver.h>

// Writes at most `size` bytes with the final NUL; what does not fit is cut.
void driver_summary(const mez_driver_info *info, char *text, size_t size);
// The functions that were looked for and the extensions, each on its line.
void driver_details(const mez_driver_info *info, char *text, size_t size);

#endif
