// SPDX-License-Identifier: MIT
//
// What declarations_test.c knows of declarations. Lines are counted there: add at the end.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include <mezzanine/aspects.h>

MEZ_USES_ASPECTS("ext_intel_matrix,ext_oneapi_srgb")
static void quiet(global float *x)
{
    x[1] = 2;
}

__attribute__((noinline)) static void middle(global float *x)
{
    x[3] = 4;
    quiet(x);
}

MEZ_DEVICE_HAS(solve, "gpu, aspect::ext_oneapi_srgb");
kernel void solve(global float *x)
{
    middle(x);
}

MEZ_DEVICE_HAS(content, "fp64,fp16,cpu");
kernel void content(global double *x)
{
    x[0] *= 0.1;
}

MEZ_DEVICE_HAS(misspelt, "fp65 nonsense");
kernel void misspelt(global double *x)
{
    x[0] = 0.1;
}

MEZ_DEVICE_HAS(none, "");
kernel void none(global half *x)
{
    x[0] += x[1];
}

float outside(float x);
MEZ_DEVICE_HAS(outside, "ext_oneapi_graph");

kernel void imports(global float *x)
{
    x[0] = outside(x[1]);
}

MEZ_DEVICE_HAS(limited, "gpu");
kernel void limited(global float *x)
{
    x[0] = outside(x[1]);
}

MEZ_DEVICE_HAS(helper, "fp64");
float helper(float x)
{
    return x + 1;
}

kernel void calls_helper(global float *x)
{
    x[0] = 1;
}

MEZ_DEVICE_HAS(absent, "fp64");
