// SPDX-License-Identifier: MIT
//
// Our own headers for kernels: <mezzanine/assert.h>, <mezzanine/aspects.h>. They were installed with this library.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_HEADERS_H
#define MEZ_COMPILE_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

// Writes the folder that a compiler needs to find them. False: they are nowhere, and kernels that include them say so.
bool mez_kernel_headers_find(char *folder, size_t size);

#endif
