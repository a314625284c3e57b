// SPDX-License-Identifier: MIT
//
// Kernels whose needs and arguments spirv_test.c knows. Lines are counted there: add at the end.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef struct {
    char a;
    double b;
    int c[3];
    float3 v;
} padded;

typedef struct __attribute__((packed)) {
    char a;
    int b;
} packed;

void __devicelib_assert_fail(constant char *text, int line);

kernel void plain(global float *x)
{
    x[get_global_id(0)] += 1.0f;
}

kernel void arguments(global float *x, float a, float3 v, padded s, packed p, local int *l, constant char4 *c,
    read_only image2d_t i, sampler_t m, char4 q, long n)
{
    x[0] = a + v.x + s.c[1] + p.b + l[0] + c[0].x + read_imagef(i, m, (int2)(0, 0)).x + q.x + n;
}

__attribute__((noinline)) float scale(float x)
{
    return x * 0.1;
}

__attribute__((noinline)) float twice(float x)
{
    return scale(x) + scale(x + 1);
}

kernel void fp64_deep(global float *x)
{
    x[0] = twice(x[1]);
}

kernel void fp64_pointer(global double *x, global padded *s, global int *y)
{
    y[0] = s->c[0] + (x != 0);
}

kernel void fp64_unused(global float *x, double d)
{
    x[0] = 1;
}

kernel void fp64_print(float x)
{
    printf("%f", x);
}

kernel void fp16_values(global half *x)
{
    x[0] = x[1] * x[2];
}

kernel void fp16_storage(global half *x)
{
    vstore_half(vload_half(0, x) * 2, 1, x);
    vstore_half4_rte(vload_half4(0, x), 1, x);
}

kernel void atomics64(global long *x)
{
    atom_add(x, 1L);
}

kernel void atomics32(global int *x)
{
    atomic_add(x, 1);
}

__attribute__((reqd_work_group_size(8, 4, 2))) __attribute__((intel_reqd_sub_group_size(16)))
kernel void sized(global int *x)
{
    x[get_local_id(0)] = 1;
}

kernel void asserts(global int *x)
{
    if (x[0])
        __devicelib_assert_fail("x", 1);
}
