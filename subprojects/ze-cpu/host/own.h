// SPDX-License-Identifier: MIT
//
// Entry points: how they get their names, and what those that only ze-cpu has give to programs.
#ifndef ZE_CPU_OWN_H
#define ZE_CPU_OWN_H

#include <stdint.h>

// Gives a function of ours the name under which the entry point tables look for it. It must not be
// declared in C by that name, since newer headers do so with types of theirs.
#define ZC_ENTRY_POINT(name) __asm__(#name)

// zeCpuGetAssertRecord: a failed assert as device libraries that have no driver's help write it.
#define ZC_ASSERT_RECORD_COMPLETE 2
struct zc_assert_record {
    int32_t flag;
    char expression[257], file[257], function[129];
    int32_t line;
    uint64_t global_id[3], local_id[3];
};
_Static_assert(sizeof(struct zc_assert_record) == 704, "the layout is others' to choose");

#endif
