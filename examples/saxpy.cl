// SPDX-License-Identifier: MIT
//
// y = a * x + y, one element per work-item.

kernel void saxpy(float a, global const float *x, global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
