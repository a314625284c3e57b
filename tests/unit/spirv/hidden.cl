// SPDX-License-Identifier: MIT
//
// Kernels that can assert themselves, through functions, through a recursion of two, and not at all.

#include <mezzanine/assert.h>

__attribute__((noinline)) int leaf(int value)
{
    assert(value != 3);
    return value * 2;
}

int there(int value);

__attribute__((noinline)) int back(int value)
{
    return value > 0 ? there(value - 1) : leaf(value);
}

__attribute__((noinline)) int there(int value)
{
    return value > 1 ? back(value - 2) : 7;
}

__attribute__((noinline)) int harmless(int value)
{
    return value ^ 5;
}

// What it gets is what others have by nature.
__attribute__((noinline)) int alike(int value, global uchar *bytes, uint number)
{
    return value + bytes[number];
}

kernel void direct(global int *out, int limit)
{
    assert(get_global_id(0) < limit);
    out[get_global_id(0)] = 1;
}

kernel void through(global int *out)
{
    out[0] = leaf(out[1]) + harmless(out[2]);
}

kernel void around(global int *out, local float *room)
{
    room[0] = 1;
    out[0] = back(out[1]) + there(out[2]);
}

kernel void without(global int *out, global uchar *bytes)
{
    out[0] = harmless(out[1]) + alike(out[2], bytes, 3);
}

kernel void bare(void)
{
    assert(get_global_id(0) != 9);
}
