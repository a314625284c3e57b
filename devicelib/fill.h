// SPDX-License-Identifier: MIT
//
// What failed, and writing that into a record. Texts that are too long are cut.

#ifndef MEZ_DEVICELIB_FILL_H
#define MEZ_DEVICELIB_FILL_H

#include "flag.h"

struct failure {
    const char *expression, *file, *function;
    int line;
    uint launch; // its number in a mailbox; 0: there is none
    ulong gid[3], lid[3];
};

// One loop that is neither inlined nor unrolled: Intel's compiler otherwise makes hundreds of generic accesses of it and needs
// seconds (docs/internals/compilers.md#code-that-is-slow-to-compile).
__attribute__((noinline)) static void copy_string(global char *to, const char *from, int room)
{
    int i = 0;
#pragma nounroll
    for (; from && i < room - 1 && from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
}

// The record is the caller's alone until its flag says that it is complete.
static void fill(global struct __SYCL_AssertHappened *record, const struct failure *failure)
{
    copy_string(record->Expr, failure->expression, sizeof record->Expr);
    copy_string(record->File, failure->file, sizeof record->File);
    copy_string(record->Func, failure->function, sizeof record->Func);
    record->Line = failure->line;
    record->GID0 = failure->gid[0];
    record->GID1 = failure->gid[1];
    record->GID2 = failure->gid[2];
    record->LID0 = failure->lid[0];
    record->LID1 = failure->lid[1];
    record->LID2 = failure->lid[2];
    // The host may look before the kernel has ended.
    atomic_store_explicit(
        flag_of(record), FAILED, memory_order_release, memory_scope_all_svm_devices);
}

#endif
