// SPDX-License-Identifier: MIT
//
// A kernel, and what a.cl calls.

float deep(float x)
{
    return x * 0.1;
}

kernel void other(global float *x)
{
    x[0] += 3;
}
