// SPDX-License-Identifier: MIT
//
// Atomics of 32 and 64 bits; on doubles they are values of doubles, too.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void add_int(global int *x)
{
    atomic_add(x, 1);
}

kernel void add_long(global long *x)
{
    atom_add(x, 1L);
}

kernel void max_ulong(global ulong *x)
{
    atom_max(x, 1UL);
}

kernel void and_long(global long *x)
{
    atom_and(x, 1L);
}

kernel void add_local_long(global long *x)
{
    local long sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&sum, 1L);
    barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = sum;
}

kernel void fetch_add_long(global atomic_long *x)
{
    atomic_fetch_add(x, 1L);
}

kernel void fetch_max_relaxed(global atomic_long *x)
{
    atomic_fetch_max_explicit(x, 7, memory_order_relaxed, memory_scope_device);
}

kernel void compare_exchange_ulong(global atomic_ulong *x, ulong wanted)
{
    ulong expected = 3;
    atomic_compare_exchange_strong(x, &expected, wanted);
}

kernel void load_long(global atomic_long *x, global long *y)
{
    y[0] = atomic_load(x);
}

kernel void store_long(global atomic_long *x)
{
    atomic_store(x, 3L);
}

kernel void exchange_float(global atomic_float *x)
{
    atomic_exchange(x, 2.0f);
}

kernel void load_double(global atomic_double *x, global float *y)
{
    y[0] = atomic_load(x);
}

kernel void store_double(global atomic_double *x, double d)
{
    atomic_store(x, d);
}

kernel void store_constant_double(global atomic_double *x)
{
    atomic_store(x, 3.0);
}

kernel void exchange_double(global atomic_double *x)
{
    atomic_exchange(x, 2.0);
}

kernel void long_without_atomics(global long *x)
{
    x[0] = x[1] / x[2] + mul_hi(x[3], x[4]);
}
