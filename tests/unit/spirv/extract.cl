// SPDX-License-Identifier: MIT
//
// Kernels that extract_test.c takes out one by one: with helpers of their own and shared ones, variables, texts, and one
// feature each that the others do without.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef struct node {
    float value;
    struct node *next;
} node;

global int counter;
global int tally = 3;
constant float table[4] = {1, 2, 4, 8};
constant char mez_device_has__plain[] = "gpu";

float imported(float x);

static __attribute__((noinline)) float half_of(float x)
{
    return x / 2;
}

float exported(float x)
{
    return half_of(x) + 1;
}

__attribute__((noinline)) float unused_export(float x)
{
    return x * 3;
}

__attribute__((annotate("mez.device_has:gpu"))) kernel void plain(global float *x)
{
    x[get_global_id(0)] += half_of(x[0]) + table[get_local_id(0) % 4];
}

kernel void doubles(global float *x)
{
    x[0] = x[1] * 0.1;
}

kernel void counts(global int *x)
{
    x[0] = counter++;
}

kernel void counts_too(global int *x)
{
    counter += x[0];
    tally++;
}

kernel void tallies(global int *x)
{
    x[0] = tally;
}

kernel void calls_a_kernel(global float *x)
{
    plain(x + 1);
}

kernel void calls_out(global float *x)
{
    x[0] = imported(exported(x[1]));
}

kernel void prints(global float *x)
{
    printf("%d\n", (int)x[0]);
}

kernel void walks(global node *list, global float *sum)
{
    node *at = (node *)list->next;
    for (; at; at = at->next)
        sum[0] += at->value;
}

kernel void loops(global float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += half_of(x[i]) * sum;
    x[0] = sum;
}

kernel void draws(write_only image2d_t picture)
{
    write_imagef(picture, (int2)(0, 0), (float4)(1));
}

__attribute__((intel_reqd_sub_group_size(16))) kernel void groups(global int *x)
{
    x[0] = work_group_reduce_add(x[get_local_id(0)]);
}

kernel void adds_long(global long *x)
{
    atom_add(x, 1L);
}
