// SPDX-License-Identifier: MIT
//
// Making one module of several, as a linker does: what one imports and another exports is joined.
//
// A symbol that modules know by types which differ in what pointers point to is joined as well: the importing module gets a
// function of its own type that calls the other one, or a pointer of its own type to the variable. Functions that have the same
// OpName, and are not the same, get different ones.
//
// Types that are the same become one type, and so do constants, device variables such as GlobalInvocationId, and functions
// linked once ("LinkOnceODR"). Imports that nobody answers stay imports. Specialization constants keep their numbers, so that
// those of the same number in several modules are set together.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_LINK_H
#define MEZ_SPIRV_LINK_H

#include "spirv/module.h"

struct mez_spirv_link_input {
    const struct mez_spirv_module *module;
    const char *name; // for messages
};

// Writes the module that the `count` inputs make up. ids of the first keep their numbers; those of input i are from first_ids[i]
// on, up to where the next input's begin. `first_ids` has room for `count` items.
//
// Takes time and memory in proportion to the inputs. On success *words has *word_count words in host byte order and is the
// caller's, to be given back to mez_free_memory. Otherwise it is NULL, and the status is
//   CONFLICT   two modules export a symbol, or have a kernel, of the same name; a symbol is imported as something else than it
//              is, by more than what pointers point to; their addressing or memory models differ; or an instruction is unknown,
//              so that its ids can't be distinguished from its numbers. The text names the modules
//   TOO_LARGE  more words or ids than a module may have
//   NO_MEMORY
enum mez_spirv_status mez_spirv_link(const struct mez_spirv_link_input *inputs, uint32_t count,
    struct mez_spirv_problem *problem, uint32_t *first_ids, uint32_t **words, uint32_t *word_count);

#endif
