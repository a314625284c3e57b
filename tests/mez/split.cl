// SPDX-License-Identifier: MIT
//
// Ten kernels, of which one uses double.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

static __attribute__((noinline)) float helper(float x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += native_sin(x * i);
    return sum;
}

#define KERNEL(name, expression)                        \
    kernel void name(global float *x, int n)            \
    {                                                   \
        const size_t i = get_global_id(0);              \
        x[i] = expression;                              \
    }

KERNEL(k0, x[i] + 1)
KERNEL(k1, helper(x[i], n))
KERNEL(k2, x[i] * 2)
KERNEL(k3, helper(x[i], 3) + n)
KERNEL(k4, x[i] * 0.1)
KERNEL(k5, n ? x[0] : x[i])
KERNEL(k6, sqrt(x[i]))
KERNEL(k7, x[i] - n)
KERNEL(k8, fma(x[i], x[i], 1.0f))
KERNEL(k9, (int)x[i] % (n + 1))
