// SPDX-License-Identifier: MIT
//
// Reading SPIR-V. Intel's compiler exits the process on bytes that are not SPIR-V, so nothing may
// see a module before this reader has accepted it. The reader checks the binary form, not the whole
// specification.

#ifndef MEZ_SPIRV_READER_H
#define MEZ_SPIRV_READER_H

#include <stddef.h>

#include "spirv/module.h"
#include "spirv/problem.h"

// Reads `size` bytes of either byte order, at any alignment. The bytes are copied: they may be
// freed afterwards.
//
// On success *module is the caller's, to be given back to mez_spirv_module_destroy. Otherwise
// *module is NULL, *problem (NULL allowed) says why, and the status is one of
//   NOT_SPIRV    empty, or something else: the text guesses what and says what to do with it
//   TRUNCATED    ends in the header, in a word, in an instruction or in a function
//   BAD_VERSION  not 1.0 to 1.6
//   MALFORMED    an instruction, string, id or entry point breaks the binary form
//   TOO_LARGE    16 GiB or more
//   NO_MEMORY
//
// Takes time and memory in proportion to `size`. Instructions we do not know are kept as they are.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_module_create(const void *bytes, size_t size,
    struct mez_spirv_problem *problem, struct mez_spirv_module **module);

// Frees the module and sets *module to NULL; NULL inside is fine.
void mez_spirv_module_destroy(struct mez_spirv_module **module);

#endif
