// SPDX-License-Identifier: MIT
//
// Four kernels around one function that is most of the code.

static __attribute__((noinline)) float heavy(float x)
{
#pragma unroll
    for (int i = 1; i < 60; i++)
        x = native_sin(x * i) + native_cos(x + i);
    return x;
}

#define KERNEL(name, number)                   \
    kernel void name(global float *x)          \
    {                                          \
        x[number] = heavy(x[number]);          \
    }

KERNEL(one, 1)
KERNEL(two, 2)
KERNEL(three, 3)
KERNEL(four, 4)
