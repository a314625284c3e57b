// SPDX-License-Identifier: MIT
//
// One kernel per case, each compiled alone with -DCASE=n: Intel's compiler refuses a whole module for one kernel.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef struct {
    double d;
    int i;
} pair;

__attribute__((noinline)) static float tenth(float x)
{
    return x * 0.1;
}

#if CASE == 0 // plain
kernel void test(global float *x)
{
    x[0] += 1;
}
#elif CASE == 1 // an argument that nobody uses
kernel void test(global float *x, double d)
{
    x[0] = 1;
}
#elif CASE == 2 // an argument that somebody uses
kernel void test(global float *x, double d)
{
    x[0] = d;
}
#elif CASE == 3 // a store only
kernel void test(global double *x)
{
    x[0] = 1.0;
}
#elif CASE == 4 // a copy
kernel void test(global double *x, global double *y)
{
    x[0] = y[1];
}
#elif CASE == 5 // a struct by value, its double unused
kernel void test(global int *x, pair p)
{
    x[0] = p.i;
}
#elif CASE == 6 // a struct through a pointer, its double unused
kernel void test(global int *x, global pair *p)
{
    x[0] = p->i;
}
#elif CASE == 7 // in a function that is called
kernel void test(global float *x)
{
    x[0] = tenth(x[1]);
}
#elif CASE == 8 // %f takes a double
kernel void test(float x)
{
    printf("%f", x);
}
#elif CASE == 9 // half is no double
kernel void test(global half *x)
{
    x[0] = x[1] * x[2];
    vstore_half(vload_half(3, x), 4, x);
}
#elif CASE == 10 // a vector
kernel void test(global double4 *x)
{
    x[0] = sin(x[1]);
}
#elif CASE == 11
kernel void test(global long *x)
{
    atom_add(x, 1L);
}
#elif CASE == 12
__attribute__((intel_reqd_sub_group_size(8))) kernel void test(global int *x)
{
    x[0] = get_sub_group_local_id();
}
#elif CASE == 13
__attribute__((intel_reqd_sub_group_size(64))) kernel void test(global int *x)
{
    x[0] = get_sub_group_local_id();
}
#endif
