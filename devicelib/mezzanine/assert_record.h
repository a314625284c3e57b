// SPDX-License-Identifier: MIT
//
// The record of a module's first failed assert, as kernels see it. A kernel that wants to look at it declares nothing itself:
// it includes this header and links as usual.

#ifndef MEZZANINE_DEVICE_ASSERT_RECORD_H
#define MEZZANINE_DEVICE_ASSERT_RECORD_H

#include <mezzanine/assert_layout.h>

extern global struct __SYCL_AssertHappened __SYCL_AssertHappenedMem;

// The flag's value once nobody is writing: 0 or 2.
int __devicelib_assert_read(void);

#endif
