// SPDX-License-Identifier: MIT
// Imports what link_library.cl exports.

extern int triple(int x);
extern __global int shared_state;

__kernel void use_library(__global int *out)
{
    const size_t i = get_global_id(0);
    out[i] = triple((int)i) + shared_state;
}
