// SPDX-License-Identifier: MIT
//
// Requirements in words: short names for tables and sentences, and who asks for them.

#ifndef MEZ_CHECK_DESCRIBE_H
#define MEZ_CHECK_DESCRIBE_H

#include "check/requirements.h"

#define MEZ_NUMBER_ROOM 24

// The decimal digits, in `room`.
const char *mez_write_number(char room[MEZ_NUMBER_ROOM], uint64_t value);

// "1.4" of 1 << 16 | 4, in `room`.
const char *mez_write_version(char room[MEZ_NUMBER_ROOM], uint32_t version);

// Adds the names of fixed targets, as one gives them to a compiler: "intel_gpu_tgllp,intel_gpu_pvc".
void mez_check_add_fixed_targets(
    mez_text *text, const mez_requirement *requirement, mez_aspect_numbering numbering);

// What a kind of requirement is called: "aspect". Static.
const char *mez_requirement_kind_name(mez_requirement_kind kind);

// Adds what is required, without its kind: "fp64", "16", "256 x 1 x 1".
void mez_requirement_add_value(
    mez_text *text, const mez_requirement *requirement, mez_aspect_numbering numbering);

// --- Who asks for something, in words

// Adds `OpFMul in function "scale" (scale.cl:7:3), reached by run -> scale` or whatever else asks. Always adds something.
void mez_check_add_place(mez_text *text, const mez_requirement *requirement);

// The place in the code, where it asks for an aspect or uses an import. False: another requirement, or no memory. The caller has to
// finish it.
bool mez_check_find_place(const mez_requirement *requirement, struct mez_spirv_place *place);

#endif
