// SPDX-License-Identifier: MIT
//
// Kernels that need a larger work-group than some devices have.

__kernel __attribute__((reqd_work_group_size(64, 8, 1))) void of_512(__global uint *out)
{
    out[get_global_linear_id()] = (uint)get_local_size(0);
}

__kernel __attribute__((reqd_work_group_size(1, 2048, 1))) void of_2048(__global uint *out)
{
    out[get_global_linear_id()] = 1;
}
