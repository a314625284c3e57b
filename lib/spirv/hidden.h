// SPDX-License-Identifier: MIT
//
// Hidden arguments: what a function learns of the launch that calls it, without a variable that several launches share.
//
// Every kernel from which code can reach an imported function gets two arguments behind its own, and so does every function
// between the two and the import itself: a pointer to global memory (OpTypePointer CrossWorkgroup to an integer of 8 bits) and an
// integer of 32 bits. Each call passes on what its caller was given.

#ifndef MEZ_SPIRV_HIDDEN_H
#define MEZ_SPIRV_HIDDEN_H

#include "spirv/module.h"

#define MEZ_HIDDEN_ARGUMENTS 2u

// Adds the hidden arguments wherever code can report a failed assert (spirv/survey.h, may_assert). Everything else stays word for
// word; where nothing can assert the copy equals the module.
//
// On success *words has *count words in host byte order and is the caller's, to be given back to mez_free_memory. NULL: the module
// can't be changed: it has instructions that the reader does not know, takes the address of a function that can assert, or is larger
// than any that people write. NO_MEMORY: it is NULL.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_add_hidden(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count);

#endif
