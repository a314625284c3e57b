// SPDX-License-Identifier: MIT
//
// Modules with something changed: symbols renamed, annotations or debug information left out, constants of other values. And how
// SPIR-V is written.

#ifndef MEZ_SPIRV_REWRITE_H
#define MEZ_SPIRV_REWRITE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "spirv/module.h"

// --- Writing
//
// In two runs of the same code: the first counts, the second writes.
//
// Thread-safety: none.

struct mez_spirv_words {
    uint32_t *words; // NULL: only count; else room for all that the counting run counted
    size_t count;
};

static inline void mez_spirv_add_words(
    struct mez_spirv_words *out, const uint32_t *words, size_t count)
{
    if (out->words && count)
        memcpy(out->words + out->count, words, count * sizeof *words);
    out->count += count;
}

// Writes the first word of the instruction that began at `start`, whose length is known now.
static inline void mez_spirv_close_instruction(
    struct mez_spirv_words *out, size_t start, uint16_t opcode)
{
    if (out->words)
        out->words[start] = (uint32_t)(out->count - start) << 16 | opcode;
}

// --- Names
//
// Giving a symbol of a module another name, for compilers that treat some names as their own.

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

// --- Annotations
//
// clang keeps the text of __attribute__((annotate)), and the name of its file, in variables of the private address space.
// llvm-spirv writes the annotation as the decoration UserSemantic, and these variables besides: at module scope with the storage
// class Function, which no module may have there (SPIR-V specification, 2.16.1, "All OpVariable instructions ..."; seen with
// llvm-spirv 15). spirv-val refuses the module; nothing uses the variables.
//
// Thread-safety: safe.

// A copy of the module without variables of storage class Function at module scope that only names and decorations refer to, and
// without these. Everything else stays word for word.
//
// *words has *count words in host byte order and is the caller's, to be given back to mez_free_memory. NULL: the module has none of
// these variables, or instructions that we do not know, which may use them. NO_MEMORY: it is NULL.
enum mez_spirv_status mez_spirv_drop_annotation_texts(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count);

// --- Debug information

// A copy of the module without the instructions of sets such as OpenCL.DebugInfo.100, and without OpLoopMerge and
// OpSelectionMerge, which are no more than hints where control flow need not be structured: in kernels. Everything else stays word
// for word, also OpLine, and the types and strings that these alone used. Whether anything else uses what goes is not looked at.
//
// *words has *count words in host byte order and is the caller's, to be given back to mez_free_memory. NO_MEMORY: it is NULL.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_strip(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count);

// --- Specialization constants
//
// Constants of a module that whoever compiles it may give other values than those it was written with.
//
// Thread-safety: reading is safe; mez_spirv_specialize changes the module, which nobody else may read meanwhile.

struct mez_spirv_spec_constant {
    uint32_t number;  // SpecId, by which it is given a value
    uint32_t id;      // of the result
    uint32_t size;    // bytes of its value: 1, 2, 4 or 8; of a bool 1
    const char *name; // NULL: none; lives as long as the module
};

// Visits them in the order of the file: *at is 0 before the first. False behind the last.
bool mez_spirv_next_spec_constant(
    const struct mez_spirv_module *module, uint32_t *at, struct mez_spirv_spec_constant *constant);

// The first of that number. False: the module has none.
bool mez_spirv_find_spec_constant(const struct mez_spirv_module *module, uint32_t number,
    struct mez_spirv_spec_constant *constant);

// Writes the value, of the constant's size, into the module's words as the one that it was written with, for every constant of
// that number. What the reader has worked out of the old value, such as sizes of arrays, stays: read the words again.
void mez_spirv_specialize(struct mez_spirv_module *module, uint32_t number, const void *value);

// --- Work-group sizes
//
// Work-group sizes that a kernel gives by the ids of constants (OpExecutionModeId LocalSizeId). Intel's compilers of 2022 refuse the
// instruction, and with it the module; the same size in numbers they take.

#define MEZ_SPIRV_GROUP_SIZE_WORDS 6 // of either instruction

// Whether the instruction gives a size by constants that nobody can give another value; `words` is then the instruction that gives
// it in numbers. Else `words` is left as it is.
bool mez_spirv_literal_group_size(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS]);

// Writes all sizes of the module in numbers, for a module whose specialization constants have the values that they will keep. Those
// that are results of operations stay. What the reader knows of the module stays right.
//
// Thread-safety: nobody else may be using the module.
void mez_spirv_write_group_sizes(struct mez_spirv_module *module);

// --- Hidden arguments
//
// Hidden arguments: what a function learns of the launch that calls it, without a variable that several launches share.
//
// Every kernel from which code can reach an imported function gets two arguments behind its own, and so does every function
// between the two and the import itself: a pointer to global memory (OpTypePointer CrossWorkgroup to an integer of 8 bits) and an
// integer of 32 bits. Each call passes on what its caller was given.

#define MEZ_HIDDEN_ARGUMENTS 2u

// Adds the hidden arguments wherever code can report a failed assert (spirv/survey.h, may_assert). Everything else stays word for
// word; where nothing can assert the copy equals the module.
//
// On success *words has *count words in host byte order and is the caller's, to be given back to mez_free_memory. NULL: the module
// can't be changed: it has instructions that the reader does not know, takes the address of a function that can assert, enqueues
// kernels, or is larger than any that people write. NO_MEMORY: it is NULL.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_add_hidden(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count);

#endif
