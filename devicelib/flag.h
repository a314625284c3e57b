// SPDX-License-Identifier: MIT
//
// The states of a record.

#ifndef MEZ_DEVICELIB_FLAG_H
#define MEZ_DEVICELIB_FLAG_H

#include <mezzanine/assert_layout.h>

enum { NONE = 0, WRITING = 1, FAILED = 2 };

static inline global atomic_int *flag_of(global struct __SYCL_AssertHappened *record)
{
    return (global atomic_int *)&record->Flag;
}

#endif
