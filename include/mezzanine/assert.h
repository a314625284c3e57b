// SPDX-License-Identifier: MIT
//
// Device-side asserts.
//
// A kernel that includes <mezzanine/assert.h> of the device library and whose `assert(expression)` is false prints, on the
// host's stderr,
//
//     saxpy.cl:7: saxpy: global id: [999,0,0], local id: [7,0,0] Assertion `y[i] < limit` failed.
//
// and the process is aborted, as with C's assert. Kernels compiled with -DNDEBUG have no asserts and pay nothing.
// The first failure of a module is reported. docs/asserts.md tells the rest.

#ifndef MEZZANINE_ASSERT_H
#define MEZZANINE_ASSERT_H

#include <mezzanine/base.h>

MEZ_BEGIN

// The device writes it in this layout (704 bytes); the published struct __SYCL_AssertHappened.
typedef struct mez_assert_record {
    int32_t flag; // 0: no assert failed; 1: the device is writing; 2: the record is complete
    char expression[257];
    char file[257];
    char function[129];
    int32_t line;
    uint64_t global_id[3]; // x, y, z: get_global_id(0), (1), (2)
    uint64_t local_id[3];
} mez_assert_record;

MEZ_END

#endif
