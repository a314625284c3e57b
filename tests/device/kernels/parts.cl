// SPDX-License-Identifier: MIT
//
// Ten kernels that have nothing to do with each other, of which one asks for what not every device has.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define PLAIN(number)                                  \
    kernel void plain_##number(global int *x)          \
    {                                                  \
        x[get_global_id(0)] += (int)get_global_id(0) * number; \
    }

PLAIN(1)
PLAIN(2)
PLAIN(3)
PLAIN(4)
PLAIN(5)
PLAIN(6)
PLAIN(7)
PLAIN(8)
PLAIN(9)

kernel void precise(global int *x)
{
    x[get_global_id(0)] = (int)(x[get_global_id(0)] * 0.1);
}
