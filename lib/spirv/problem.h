// SPDX-License-Identifier: MIT
//
// What is wrong with a SPIR-V module, in a form that needs no memory and knows nothing of the
// library's errors.

#ifndef MEZ_SPIRV_PROBLEM_H
#define MEZ_SPIRV_PROBLEM_H

#include <stddef.h>

enum mez_spirv_status {
    MEZ_SPIRV_OK = 0,
    MEZ_SPIRV_NO_MEMORY,   // the host has no memory left
    MEZ_SPIRV_NOT_SPIRV,   // something else; the text says what and what to do with it
    MEZ_SPIRV_TRUNCATED,   // begins as SPIR-V and ends too early
    MEZ_SPIRV_BAD_VERSION, // SPIR-V of a version we do not know
    MEZ_SPIRV_MALFORMED,   // breaks a rule of the binary form
    MEZ_SPIRV_TOO_LARGE,   // more words than a 32-bit offset reaches
    MEZ_SPIRV_NOT_FOUND,   // the module has no kernel of that name
    MEZ_SPIRV_CONFLICT,    // modules that can't be linked with each other
};

struct mez_spirv_problem {
    enum mez_spirv_status status;
    size_t word; // where in the module, counted in words from its first; 0 where that says nothing
    char text[240]; // one sentence without a full stop
};

// Fill `problem` (NULL allowed) and return `status`, so that a check can end with `return
// mez_spirv_fail(...)`.
__attribute__((format(printf, 4, 5))) enum mez_spirv_status mez_spirv_fail(
    struct mez_spirv_problem *problem, enum mez_spirv_status status, size_t word,
    const char *format, ...);

#endif
