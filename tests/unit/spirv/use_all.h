// SPDX-License-Identifier: MIT
//
// Asking a module everything that lib/spirv can find out: for tests that only want to see that nothing
// breaks.

#ifndef MEZ_TESTS_SPIRV_USE_ALL_H
#define MEZ_TESTS_SPIRV_USE_ALL_H

#include <stddef.h>

#include "spirv/module.h"

// Reads the bytes and, where they are a module, every kernel's signature and needs. Returns the
// first status that is not OK.
enum mez_spirv_status use_all(const void *bytes, size_t size);

#endif
