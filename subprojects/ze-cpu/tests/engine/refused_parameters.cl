// SPDX-License-Identifier: MIT
// A parameter that nobody can make an image for, which the kernel does not even use.

#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable

kernel void unused(read_only image2d_msaa_t image, global int *out)
{
    out[0] = 1;
}
