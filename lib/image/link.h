// SPDX-License-Identifier: MIT
//
// What code of a part is linked with: the functions and variables that it imports, where other parts of its image, or the libraries
// that the image was given, define them; and what those import in turn.
//
// What our device library defines is none of this: see asserts.h.

#ifndef MEZ_IMAGE_LINK_H
#define MEZ_IMAGE_LINK_H

#include "base/vector.h"
#include "image/part.h"

// One of the parts that define something, and what of it is wanted.
typedef struct mez_link_input {
    mez_part *part;
    const mez_part_code *code;
    MEZ_VECTOR(uint32_t) roots; // ids of functions and variables
    size_t followed;            // roots whose own imports are in the link
} mez_link_input;

// What nobody defines, and who asked for it first. All of it lives as long as the parts.
typedef struct mez_unresolved {
    const char *name;
    const struct mez_spirv_symbol *import;
    const struct mez_spirv_survey *survey;
    uint32_t function; // of its module, from which it is reached; MEZ_SPIRV_NO_INDEX: whoever it is
} mez_unresolved;

typedef struct mez_link {
    MEZ_VECTOR(mez_link_input) inputs;    // without the part that imports
    MEZ_NAMED(mez_unresolved) unresolved; // each symbol once
} mez_link;

// Finds what kernels (numbers in the survey) of a part that has been read are linked with, all in one.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. To be finished also after a failure.
mez_error mez_link_of_kernels(
    mez_part *part, const uint32_t *kernels, uint32_t count, mez_link *link);

// The same for everything that the part imports, also where no kernel reaches it.
mez_error mez_link_of_part(mez_part *part, mez_link *link);

void mez_link_finish(mez_link *link);

// Adds to an error what is unresolved: each symbol, the code that uses it, by line where the module knows lines, and what to do.
mez_error mez_link_add_unresolved(mez_error error, const mez_link *link);

// Can code that is linked in reach an assert?
bool mez_link_may_assert(const mez_link *link);

#endif
