// SPDX-License-Identifier: MIT
//
// Moves every element one place to the left. The kernel is right for a range of count - 1 work-items; the assert says so.

#include <mezzanine/assert.h>

kernel void shift_left(global const int *from, global int *to, int count)
{
    const int i = get_global_id(0);
    assert(i + 1 < count && "one work-item too many");
    to[i] = from[i + 1];
}
