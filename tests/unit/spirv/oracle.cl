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
#elif CASE == 14 // a struct with a double is copied whole
kernel void test(global pair *x, global pair *y)
{
    x[0] = y[1];
}
#elif CASE == 15 // the double of a union is never looked at
typedef union {
    double d;
    long l;
} both;

kernel void test(global both *x)
{
    x[0].l += 1;
}
#elif CASE == 16 // handed to a function that does not use it
__attribute__((noinline)) float ignores(double d, float x)
{
    return x + 1;
}

kernel void test(global float *x, double d)
{
    x[0] = ignores(d, x[1]);
}
#elif CASE == 17 // a table of doubles, looked up
constant double table[] = {0.1, 0.2, 0.3, 0.4};

kernel void test(global float *x)
{
    x[0] = table[(int)x[1] & 3];
}
#elif CASE == 18 // only addresses of doubles
kernel void test(global int *x, global double *a, global double *b, int n)
{
    x[0] = (n > 3 ? a + n : b) == a;
}
#elif CASE == 19 // bits of a double, as a long
kernel void test(global long *x, global double *d)
{
    x[0] = *(global long *)d;
}
#elif CASE == 20 // bits of a long, as a double
kernel void test(global long *x)
{
    x[0] = isnan(as_double(x[1]));
}
#elif CASE == 21 // compared only
kernel void test(global int *x, global float *y)
{
    x[0] = y[0] > 0.1;
}
#elif CASE == 22 // in local memory
kernel void test(global float *x, local double *scratch)
{
    scratch[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = scratch[0];
}
#elif CASE == 23 // a private array that nobody reads
kernel void test(global float *x, int n)
{
    double mine[4] = {n, 1, 2, 3};
    x[0] = sizeof mine;
}
#elif CASE == 24 // made and taken to pieces as a vector
kernel void test(global int *x, double2 d)
{
    x[0] = as_int4(d).y;
}
#elif CASE == 25 // returned, and used as what it is not
__attribute__((noinline)) double makes(float x)
{
    return x;
}

kernel void test(global float *x)
{
    makes(x[1]);
    x[0] = 1;
}
#elif CASE == 26 // 64-bit atomics of OpenCL 2
kernel void test(global atomic_long *x)
{
    atomic_fetch_max_explicit(x, 7, memory_order_relaxed, memory_scope_device);
}
#elif CASE == 27 // half without arithmetic
kernel void test(global half *x, global half *y)
{
    x[0] = y[1];
}
#elif CASE == 28 // declared, not used
#include <mezzanine/aspects.h>
MEZ_DEVICE_HAS(test, "cpu");
MEZ_USES_ASPECTS("ext_oneapi_srgb") static void uses(global int *x)
{
    x[1] = 2;
}

kernel void test(global int *x)
{
    uses(x);
}
#elif CASE == 29 // vectors moved about
kernel void test(global double4 *x, double2 a)
{
    x[0].lo = a;
    x[1] = x[2].s3210;
    x[3] = (double4)(a, x[2].hi);
}
#elif CASE == 30 // one component of a vector
kernel void test(global double2 *x, global double *y)
{
    x[0].y = y[1];
}
#elif CASE == 31 // bits of an argument
kernel void test(global int2 *x, double y)
{
    x[0] = as_int2(y);
}
#elif CASE == 32 // from variable to variable
kernel void test(global int *x, double d)
{
    double one = d, other = one;
    x[0] = 1;
}
#elif CASE == 33 // one of two
kernel void test(global int *x, double d)
{
    double one = x[1] ? d : 0;
    x[0] = 1;
}
#elif CASE == 34 // a variable that has to stay
kernel void test(global int *x, double d)
{
    volatile double one = d;
    x[0] = 1;
}
#elif CASE == 35 // a member of a variable
kernel void test(global int *x, double d)
{
    pair p;
    p.d = d;
    p.i = 3;
    x[0] = p.i;
}
#elif CASE == 36 // structs that are handed over and returned
__attribute__((noinline)) static pair count(pair p)
{
    p.i++;
    return p;
}

kernel void test(global int *x, global pair *p)
{
    x[0] = count(p[0]).i;
}
#elif CASE == 37 // copied by the group, one by one
kernel void test(global double *x, local double *y)
{
    event_t copied = async_work_group_copy(y, x, 16, 0);
    wait_group_events(1, &copied);
}
#elif CASE == 38 // copied by the group, as vectors
kernel void test(global double2 *x, local double2 *y)
{
    event_t copied = async_work_group_copy(y, x, 16, 0);
    wait_group_events(1, &copied);
}
#elif CASE == 39 // loaded and stored as vectors from anywhere
kernel void test(global double *x, constant double *y, local double *z, int n)
{
    vstore2(vload2(n, y), 0, x);
    vstore3(vload3(n, z), 1, x);
    vstore16(vload16(n, x), 2, z);
}
#elif CASE == 40 // mathematics of a vector
kernel void test(global double2 *x)
{
    x[0] = sqrt(x[1]);
}
#elif CASE == 41 // returned without a look at it
__attribute__((noinline)) static double same(double d)
{
    return d;
}

kernel void test(global int *x, double d)
{
    same(d);
    x[0] = 1;
}
#elif CASE == 42 // arithmetic on vectors
kernel void test(global double2 *x, global double2 *y)
{
    x[0] += y[1];
}
#elif CASE == 43
kernel void test(global double2 *x, double2 y)
{
    x[0] = -y;
}
#elif CASE == 44
kernel void test(global int2 *x, double2 y)
{
    x[0] = convert_int2(y);
}
#endif
