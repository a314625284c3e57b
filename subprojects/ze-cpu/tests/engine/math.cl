// SPDX-License-Identifier: MIT
//
// Every function of math_functions.h over scalars and vectors of four, and others that do not fit
// its scheme.

#include "math_functions.h"

#define ONE(name, reference)                                                                       \
    __kernel void name##_scalar(__global float *out, __global const float *x)                      \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        out[i] = name(x[i]);                                                                       \
    }                                                                                              \
    __kernel void name##_vector(__global float4 *out, __global const float4 *x)                    \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        out[i] = name(x[i]);                                                                       \
    }
FUNCTIONS_OF_ONE(ONE)

#define TWO(name, reference)                                                                       \
    __kernel void name##_scalar(                                                                   \
        __global float *out, __global const float *x, __global const float *y)                     \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        out[i] = name(x[i], y[i]);                                                                 \
    }                                                                                              \
    __kernel void name##_vector(                                                                   \
        __global float4 *out, __global const float4 *x, __global const float4 *y)                  \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        out[i] = name(x[i], y[i]);                                                                 \
    }
FUNCTIONS_OF_TWO(TWO)

__kernel void roots(__global double *out, __global const double *x, __global const int *n)
{
    const size_t i = get_global_id(0);
    out[i] = rootn(x[i], n[i]);
}

// Constants that are powers of two.
__kernel void powers(__global double *out, __global const double *y)
{
    const size_t i = get_global_id(0);
    out[2 * i] = pow(0x1p-19, y[i]);
    out[2 * i + 1] = powr(1024.0, y[i]);
}
