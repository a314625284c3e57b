// SPDX-License-Identifier: MIT
//
// What is left of annotations in a module.
//
// clang keeps the text of __attribute__((annotate)), and the name of its file, in variables of the private address space.
// llvm-spirv writes the annotation as the decoration UserSemantic, and these variables besides: at module scope with the storage
// class Function, which no module may have there (SPIR-V specification, 2.16.1, "All OpVariable instructions ..."; seen with
// llvm-spirv 15). spirv-val refuses the module; nothing uses the variables.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_ANNOTATIONS_H
#define MEZ_SPIRV_ANNOTATIONS_H

#include "spirv/module.h"

// A copy of the module without variables of storage class Function at module scope that only names and decorations refer to, and
// without these. Everything else stays word for word.
//
// *words has *count words in host byte order and is the caller's, to be given back to mez_free_memory. NULL: the module has none of
// these variables, or instructions that we do not know, which may use them. NO_MEMORY: it is NULL.
enum mez_spirv_status mez_spirv_drop_annotation_texts(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count);

#endif
