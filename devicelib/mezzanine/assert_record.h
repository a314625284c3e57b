// SPDX-License-Identifier: MIT
//
// The record of a module's first failed assert, as kernels see it. A kernel that wants to look at it declares nothing itself:
// it includes this header and links as usual.

#ifndef MEZZANINE_DEVICE_ASSERT_RECORD_H
#define MEZZANINE_DEVICE_ASSERT_RECORD_H

// The published layout, 704 bytes; the host's mez_assert_record.
struct __SYCL_AssertHappened {
    int Flag; // 0: none; 1: being written; 2: complete
    char Expr[256 + 1];
    char File[256 + 1];
    char Func[128 + 1];
    int Line;
    uint Serial; // of this failure among the module's, from 1; where the published layout has nothing
    ulong GID0, GID1, GID2;
    ulong LID0, LID1, LID2;
};

extern global struct __SYCL_AssertHappened __SYCL_AssertHappenedMem;

// The flag's value once nobody is writing: 0 or 2.
int __devicelib_assert_read(void);

#endif
