// SPDX-License-Identifier: MIT
//
// What kernels that were just compiled ask of a device, in few lines.

#ifndef COMPILE_SUMMARY_H
#define COMPILE_SUMMARY_H

#include <stdio.h>

#include <mezzanine/error.h>

// Prints them on `stream`: "heat.spv: 2 kernels", then a line for each that requires something. `code` is SPIR-V.
mez_error compile_summary_print(FILE *stream, const char *path, const void *code, size_t size);

#endif
