// SPDX-License-Identifier: MIT

#include <mezzanine/assert.h>

kernel void scale(int factor, global int *values)
{
    const size_t i = get_global_id(0);
    assert(values[i] >= 0);
    values[i] *= factor;
}
