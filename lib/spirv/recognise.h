// SPDX-License-Identifier: MIT
//
// Saying what bytes are when they are not SPIR-V: people pass the wrong file more often than a
// broken one.

#ifndef MEZ_SPIRV_RECOGNISE_H
#define MEZ_SPIRV_RECOGNISE_H

#include <stddef.h>

// What the bytes look like and what to do with them, worded to follow "this is not SPIR-V: it is ";
// NULL: no idea.
const char *mez_spirv_recognise(const void *bytes, size_t size);

#endif
