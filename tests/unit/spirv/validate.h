// SPDX-License-Identifier: MIT
//
// Asking spirv-val, the judge of SPIR-V that we write.

#ifndef MEZ_TESTS_SPIRV_VALIDATE_H
#define MEZ_TESTS_SPIRV_VALIDATE_H

#include <stdint.h>

// Fails the test, with the judge's words and `what`, unless the program in MEZ_SPIRV_VAL accepts the module.
void assert_valid_spirv(const uint32_t *words, uint32_t word_count, const char *what);

#endif
