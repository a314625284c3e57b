// SPDX-License-Identifier: MIT
//
// Writes where it should not.

kernel void beside(global uchar *bytes, long offset)
{
    bytes[offset + (long)get_global_id(0)] = 1;
}

// As a pointer in memory, which nobody checks.
kernel void through(global const ulong *address)
{
    *(global uchar *)*address = 1;
}
