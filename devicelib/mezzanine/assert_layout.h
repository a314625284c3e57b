// SPDX-License-Identifier: MIT
//
// The record of a failed assert, without the variable that holds one.

#ifndef MEZZANINE_DEVICE_ASSERT_LAYOUT_H
#define MEZZANINE_DEVICE_ASSERT_LAYOUT_H

// The published layout, 704 bytes; the host's mez_assert_record.
struct __SYCL_AssertHappened {
    int Flag; // 0: none; 1: being written; 2: complete
    char Expr[256 + 1];
    char File[256 + 1];
    char Func[128 + 1];
    int Line;
    uint
        Serial; // of this failure among the module's, from 1; where the published layout has nothing
    ulong GID0, GID1, GID2;
    ulong LID0, LID1, LID2;
};

#endif
