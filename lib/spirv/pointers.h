// SPDX-License-Identifier: MIT
//
// Where a module's pointers come from. Drivers see the memory that kernel arguments name; what a
// kernel finds in other ways, they must be told to keep reachable, and that is all there is.

#ifndef MEZ_SPIRV_POINTERS_H
#define MEZ_SPIRV_POINTERS_H

#include "spirv/module.h"

// Can code of the module find a pointer anywhere else than in its parameters and variables: load it
// from memory, take it out of a struct, make it of a number, or get it from another module? True
// where we can't tell. Code that was not optimised loads pointers from its own variables, and counts.
bool mez_spirv_finds_pointers(const struct mez_spirv_module *module);

#endif
