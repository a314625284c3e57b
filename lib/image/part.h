// SPDX-License-Identifier: MIT
//
// A part of an image: one of the binaries that its container holds. What the container says of a part is known from the start;
// its code is unpacked and read when somebody needs it, which is after the verdict where a property set speaks.
//
// Thread-safety: safe; a part is constant except for what it reads late.

#ifndef MEZ_IMAGE_PART_H
#define MEZ_IMAGE_PART_H

#include <stdatomic.h>

#include "container/bundle.h"
#include "container/device_requirements.h"
#include "spirv/pieces.h"
#include "spirv/survey.h"

// --- Parts

struct mez_image;
struct mez_part_build;
struct mez_groups;

// What is known of SPIR-V once it has been read.
typedef struct mez_part_code {
    struct mez_spirv_module *spirv; // with the image's specialization constants
    struct mez_spirv_survey *survey;
} mez_part_code;

typedef struct mez_part {
    struct mez_image *image; // that it is a part of
    mez_binary *binary;      // of the image's bundle
    atomic_uint format;      // a mez_code_format: that of packed code is known once it is unpacked
    mez_device_requirements stated; // what the property sets require of a device
    struct mez_part_build *builds;  // one for each device of the platform
    // Of native code whose container has no list: the kernels that a driver found in it, which its modules keep.
    const char **kernels;
    uint32_t kernel_count;

    // The image's lock guards these. Whoever has seen them under it, or has them from a function below, may read what they lead to
    // without.
    bool is_read;
    mez_part_code code;
    struct mez_groups *groups; // NULL: nobody has asked yet
} mez_part;

// Reads what the container says. Modules (build.h) and groups are the image's to make and to destroy. To be finished also after a
// failure. MEZ_ERRC_INVALID_IMAGE: a property is damaged. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_part_init(struct mez_image *image, mez_binary *binary, mez_part *part);
void mez_part_finish(mez_part *part);

// Is the code what a driver takes as it is? Else it is for a compiler.
static inline bool mez_part_is_native(const mez_part *part)
{
    return atomic_load_explicit(&part->format, memory_order_relaxed) == MEZ_CODE_NATIVE;
}

// Unpacks the code, and reads SPIR-V, if that has not been done; of native binaries there is nothing to read, and *code is NULL.
// MEZ_ERRC_INVALID_IMAGE: the code is damaged, or nothing that can be used; the story names the part.
// MEZ_ERRC_INVALID_PARAMETER: a specialization constant has another size. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_part_read(mez_part *part, const mez_part_code **code);

// What SPIR-V's readers say, as an error.
mez_error mez_spirv_to_error(
    enum mez_spirv_status status, const struct mez_spirv_problem *problem, const char *what);

// --- Groups of kernels
//
// Which kernels of a part may be compiled apart from each other: those that share no memory. A program-scope variable exists once
// in each module, so kernels that write and read one have to be in the same.
//
// Thread-safety: safe; groups never change after their creation.

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
