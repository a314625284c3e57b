// SPDX-License-Identifier: MIT
//
// What `mez run --check` finds.

kernel void shift(global int *values)
{
    const size_t here = get_global_id(0);
    if (here + 1 < get_global_size(0))
        values[here] = values[here + 1];
}

kernel void mark(local int *seen, global int *values)
{
    if (get_local_id(0) == 0)
        seen[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (seen[get_local_id(0)])
        values[get_global_id(0)] = 1;
}
