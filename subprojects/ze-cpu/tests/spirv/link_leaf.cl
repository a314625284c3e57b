// SPDX-License-Identifier: MIT
//
// The last of three.
__constant uint table[4] = {3, 4, 5, 6};
__global uint hidden_seen = 0;
static __global uint hidden = 1000;

uint tag(void)
{
    return 4;
}

uint offset(void)
{
    hidden_seen = hidden;
    return hidden + table[get_local_id(0) & 3] + tag();
}

// What the host writes to is what the copies of offset() read.
__kernel void change_leaf(uint value)
{
    hidden = value;
}

__kernel void use_table(__global uint *out)
{
    out[get_global_id(0)] = table[2 * get_global_id(0)];
}
