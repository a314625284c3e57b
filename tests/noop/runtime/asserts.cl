// SPDX-License-Identifier: MIT
//
// An image whose kernels assert, all but one.

#include <mezzanine/assert.h>

kernel void checked(global int *result)
{
    assert(result[get_global_id(0)] == 0);
    result[get_global_id(0)] = 1;
}

kernel void unchecked(global int *result)
{
    result[get_global_id(0)] = 1;
}
