// SPDX-License-Identifier: MIT
//
// The modules that are built beside these tests; MEZ_SPIRV_FILES names their folder. What can't be
// read fails the test.

#ifndef MEZ_TEST_SPIRV_MODULES_H
#define MEZ_TEST_SPIRV_MODULES_H

#include "spirv/module.h"

// The first word of an instruction, for modules that tests write by hand.
#define WORD(length, opcode) ((uint32_t)(length) << 16 | (opcode))

void *read_test_file(const char *name, size_t *size);

struct mez_spirv_module *read_module(const void *bytes, size_t size, const char *name);

struct mez_spirv_module *open_module(const char *name);

#endif
