// SPDX-License-Identifier: MIT

#include <mezzanine/assert.h>

#include "factor.h"

kernel void scale(global int *values)
{
    const size_t i = get_global_id(0);
    values[i] = (int)i * FACTOR;
    assert(values[i] >= 0);
}
