// SPDX-License-Identifier: MIT
//
// Our device library, built from devicelib/ and embedded: what a failed assert calls on drivers that do not know it.

#ifndef MEZ_IMAGE_DEVICELIB_H
#define MEZ_IMAGE_DEVICELIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SPIR-V; made at build time.
extern const uint8_t mez_devicelib_spirv[];
extern const size_t mez_devicelib_spirv_size;

// The program-scope variable that holds the record of the first failed assert of a module.
#define MEZ_ASSERT_VARIABLE "__SYCL_AssertHappenedMem"

// Does the library define this symbol?
bool mez_devicelib_defines(const char *symbol);

#endif
