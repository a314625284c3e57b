// SPDX-License-Identifier: MIT
//
// Functions of math_functions.h over doubles and halfs.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "math_functions.h"

#define ONE_OF(type, name)                                                                         \
    __kernel void name##_##type(__global type *out, __global const type *x)                        \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        out[i] = name(x[i]);                                                                       \
    }
#define ONE(name, reference)                                                                       \
    ONE_OF(double, name)                                                                           \
    ONE_OF(half, name)
COMMON_FUNCTIONS_OF_ONE(ONE)

#define TWO_OF(type, name)                                                                         \
    __kernel void name##_##type(                                                                   \
        __global type *out, __global const type *x, __global const type *y)                        \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        out[i] = name(x[i], y[i]);                                                                 \
    }
#define TWO(name, reference)                                                                       \
    TWO_OF(double, name)                                                                           \
    TWO_OF(half, name)
FUNCTIONS_OF_TWO(TWO)
