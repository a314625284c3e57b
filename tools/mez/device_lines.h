// SPDX-License-Identifier: MIT
//
// What mez info says of a device's identity and parts, as lines of text: it is found out in a process of its own.

#ifndef DEVICE_LINES_H
#define DEVICE_LINES_H

#include <stddef.h>

#include <mezzanine/device.h>

// Writes at most `size` bytes with the final NUL; what does not fit is cut. `details` NULL: nothing is known.
void device_lines(const mez_device_details *details, char *text, size_t size);

// A number of bytes in the largest unit of which there is at least one: "1.5 GiB". Returns the text.
#define DEVICE_SIZE_ROOM 32
const char *device_size(uint64_t bytes, char text[DEVICE_SIZE_ROOM]);

#endif
