// SPDX-License-Identifier: MIT
//
// What a verdict can be about, ours or the compiler's, as bits of a set.

#ifndef MEZ_TESTS_ORACLE_SUBJECTS_H
#define MEZ_TESTS_ORACLE_SUBJECTS_H

#include <stddef.h>

enum subject {
    ABOUT_DOUBLE = 1 << 0,
    ABOUT_HALF = 1 << 1,
    ABOUT_ATOMIC64 = 1 << 2,
    ABOUT_SUB_GROUP = 1 << 3,
    ABOUT_ATOMIC16 = 1 << 4,
    ABOUT_INVALID = 1 << 5, // the module itself
    ABOUT_GROUP_SIZE = 1 << 6,
    ABOUT_IMAGE = 1 << 7,
    ABOUT_DECLARED = 1 << 8, // aspects that a declaration asks for
    ABOUT_MATRIX = 1 << 9,
    ABOUT_ESIMD = 1 << 10,
    ABOUT_ARGUMENTS = 1 << 11, // all of them together are too large
    ABOUT_ENQUEUE = 1 << 12,   // kernels that submit kernels
    ABOUT_CRASH = 1 << 13,     // the compiler ended without a message
    ABOUT_LOCAL_MEMORY = 1 << 14,
    ABOUT_REGISTERS = 1 << 15, // arguments do not fit in them
    ABOUT_ASSERT = 1 << 16,    // the signature of what a failed assert calls
    ABOUT_OTHER = 1 << 17,
};

// The names in a set, such as "fp64, images"; "nothing" for the empty one. Returns `text`.
const char *describe_subjects(unsigned subjects, char *text, size_t size);

#endif
