// SPDX-License-Identifier: MIT
//
// A kernel that needs sub-groups of 8.

__kernel __attribute__((intel_reqd_sub_group_size(8))) void by_eights(__global uint *out)
{
    out[get_global_id(0)] = 1;
}

__kernel void by_any(__global uint *out)
{
    out[get_global_id(0)] = 2;
}
