// SPDX-License-Identifier: MIT
//
// Which kernels of a part may be compiled apart from each other: those that share no memory. A program-scope variable exists once
// in each module, so kernels that write and read one have to be in the same.
//
// Thread-safety: safe; groups never change after their creation.

#ifndef MEZ_IMAGE_GROUPS_H
#define MEZ_IMAGE_GROUPS_H

#include "image/part.h"
#include "spirv/pieces.h"

typedef struct mez_groups {
    struct mez_spirv_pieces *pieces;
    uint32_t count;      // kernels, numbered as in the survey
    uint32_t *roots;     // of each kernel: the id of its function
    uint32_t *firsts;    // of each kernel: the first one of its group
    uint32_t *variables; // of each kernel: the id of a variable that it shares; 0: none
    uint32_t group_count;
} mez_groups;

// The part's, whose code has been read. Made once. MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_INVALID_IMAGE.
mez_error mez_groups_get(mez_part *part, const mez_groups **groups);

void mez_groups_destroy(mez_groups **groups);

// What the kernel shares with others of its group, for messages. Never NULL.
const char *mez_groups_shared_name(const mez_part *part, const mez_groups *groups, uint32_t kernel);

// Takes the kernels of a group out of the part, as SPIR-V of their own; the caller's.
// MEZ_ERRC_OUT_OF_HOST_MEMORY; MEZ_ERRC_INVALID_IMAGE where an instruction that we do not know is in the way.
mez_error mez_groups_extract(
    const mez_groups *groups, uint32_t first, struct mez_spirv_module **module);

// The same for any functions and variables of a part.
mez_error mez_part_extract(
    mez_part *part, const uint32_t *roots, uint32_t count, struct mez_spirv_module **module);

#endif
