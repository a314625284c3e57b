// SPDX-License-Identifier: MIT
//
// Calls of the kernel that find data races (races.h), with what can be decided before them.

#ifndef ZC_ENGINE_RACE_GUARD_H
#define ZC_ENGINE_RACE_GUARD_H

#include "access.h"
#include "races.h"

#define ZC_RACE_READ_GUARDS (ZC_SIMPLE_BYTES / 4)

struct zc_race_guards {
    struct zc_build *build;
    LLVMValueRef access; // zc_race_access
    LLVMTypeRef access_type;
    LLVMValueRef done;
    LLVMValueRef reads[ZC_RACE_READ_GUARDS]; // of so many words of local memory, less one
    LLVMValueRef write;                      // of one
};

void zc_race_guards_define(struct zc_race_guards *guards, struct zc_build *build);
// At the builder's place; what is to be done behind the access follows it. The arguments are those of zc_race_access. `kernel` is the
// one whose wrapper the code is in, or NULL.
void zc_race_guard_access(struct zc_race_guards *guards, const struct zc_kernel_build *kernel,
    const struct zc_access *access, LLVMValueRef arguments[5]);

#endif
