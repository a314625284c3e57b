// SPDX-License-Identifier: MIT
//
// Giving a symbol of a module another name, for compilers that treat some names as their own.

#ifndef MEZ_SPIRV_RENAME_H
#define MEZ_SPIRV_RENAME_H

#include "spirv/module.h"

// Which declarations of the name are meant.
enum mez_spirv_rename_what {
    MEZ_RENAME_IMPORTS = 1 << MEZ_LINKAGE_IMPORT,
    MEZ_RENAME_EXPORTS = 1 << MEZ_LINKAGE_EXPORT | 1 << MEZ_LINKAGE_LINK_ONCE_ODR,
};

// A copy of the module in which every function and variable that is linked as `from` is linked as
// `to`. Where OpName calls such a one `from`, that follows: compilers show it. Everything else stays
// word for word, unknown instructions too; without such a symbol the copy equals the module. Whether
// anything is linked as `to` already is not looked at.
//
// `what`: bits of enum mez_spirv_rename_what. On success *words has *count words in host byte order
// and is the caller's, to be given back to mez_free_memory. Otherwise it is NULL, and the status is
//   TOO_LARGE  the new name does not fit into an instruction, or the module becomes too large
//   NO_MEMORY
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_rename(const struct mez_spirv_module *module, const char *from,
    const char *to, uint32_t what, struct mez_spirv_problem *problem, uint32_t **words,
    uint32_t *count);

#endif
