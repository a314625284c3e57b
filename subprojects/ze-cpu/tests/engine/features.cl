// SPDX-License-Identifier: MIT
// Uses double precision in one of its kernels.

__kernel void scale(__global float *x)
{
    x[0] = (float)((double)x[0] * 0.1);
}

__kernel void only_floats(__global float *x, __global double *unused)
{
    x[0] *= 0.5f;
}
