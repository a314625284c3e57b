// SPDX-License-Identifier: MIT
//
// What the author of a module says its functions need: MEZ_DEVICE_HAS and MEZ_USES_ASPECTS of
// mezzanine/aspects.h, and the same as decorations UserSemantic that other producers write.
//
//     constant char mez_device_has__NAME[] = "fp64,gpu"       NAME may need no more than that ...
//     UserSemantic "mez.device_has:fp64,gpu"                   ... and so may the decorated function
//     UserSemantic "mez.uses_aspects:fp64"                     which uses it though no code shows it
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_DECLARATIONS_H
#define MEZ_SPIRV_DECLARATIONS_H

#include "spirv/module.h"

#define MEZ_SPIRV_DEVICE_HAS_VARIABLE "mez_device_has__"
#define MEZ_SPIRV_DEVICE_HAS_SEMANTIC "mez.device_has:"
#define MEZ_SPIRV_USES_ASPECTS_SEMANTIC "mez.uses_aspects:"

struct mez_spirv_declaration {
    bool limits;           // device_has; false: uses_aspects
    const char *function;  // name of the function that it speaks of
    const char *list;      // names separated by commas and spaces
    bool is_cut;           // the list was longer than all names together
    const uint32_t *found; // indexes of the functions of that name
    uint32_t found_count;
};

// `declaration` and all in it are gone after the call.
typedef void mez_spirv_report_declaration(
    void *context, const struct mez_spirv_declaration *declaration);

// Reports each declaration, in the order of the file. The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_each_declaration(const struct mez_spirv_module *module,
    mez_spirv_report_declaration *report, void *context, struct mez_spirv_problem *problem);

// Steps through a list: the next name and its length, NULL behind the last. `*rest` starts as the
// list and moves on.
const char *mez_spirv_next_name(const char **rest, size_t *length);

// Negative numbers are aspects that a toolchain has for itself: they distinguish code, and ask nothing
// of a device. False: the name is not such a number.
bool mez_spirv_internal_aspect(const char *name, size_t length, int32_t *number);

#endif
