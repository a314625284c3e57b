// SPDX-License-Identifier: MIT
//
// Kernels that fail on demand. The tests know the lines of the asserts.

#include <mezzanine/assert.h>

kernel void fails_at(global int *values, int bad)
{
    const int i = (int)get_global_id(0);
    assert(i != bad && "from assert statement");
    values[i] = i + 1;
}

static int check_even(int number)
{
    assert(number % 2 == 0);
    return number / 2;
}

kernel void fails_in_function(global int *values)
{
    values[get_global_id(0)] = check_even(values[get_global_id(0)]);
}

kernel void fails_in_space(global int *values, uint x, uint y, uint z)
{
    assert(get_global_id(0) != x || get_global_id(1) != y || get_global_id(2) != z);
    values[0] = 1;
}

// The work-item that failed goes on, so nobody waits for it at the barrier for ever.
kernel void fails_before_barrier(global int *values, local int *shared)
{
    const int i = (int)get_local_id(0), n = (int)get_local_size(0);
    assert(i != 3);
    shared[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = shared[n - 1 - i];
}

kernel void fails_everywhere(global int *values)
{
    assert(values == 0);
}

// In an image with asserts, but it reaches none.
kernel void innocent(global int *values, int bad)
{
    const int i = (int)get_global_id(0);
    values[i] = i + 1 + bad;
}
