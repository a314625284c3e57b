// SPDX-License-Identifier: MIT
//
// Kernels of the engine's tests: arguments, ids, memory, atomics.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void saxpy(__global float *y, __global const float *x, float a)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

__kernel void empty(void) {}

struct mixed {
    char c;
    double d;
    int i[3];
    float f;
};

// Writes to its copy of the argument, which no other work-item may see.
__kernel void by_value(__global float *out, struct mixed s, float4 v, char c, __local int *scratch)
{
    const size_t i = get_global_id(0);
    s.i[1] += (int)i;
    s.f *= 2;
    scratch[0] = 1;
    out[i] = s.c + (float)s.d + s.i[0] + s.i[1] + s.i[2] + s.f + v.x + v.y + v.z + v.w + c;
}

__kernel void ids(__global ulong *out)
{
    const size_t at = get_global_linear_id() * 12;
    for (uint d = 0; d < 3; d++) {
        out[at + d] = get_global_id(d);
        out[at + 3 + d] = get_group_id(d) << 32 | get_local_id(d);
        out[at + 6 + d] = get_global_size(d) << 32 | get_local_size(d);
    }
    out[at + 9] = get_global_offset(0) + get_global_offset(1) + get_global_offset(2);
    out[at + 10] = get_num_groups(0) + get_num_groups(1) + get_num_groups(2);
    out[at + 11] = get_work_dim() << 16 | get_local_linear_id();
}

__global int counter = 5;
__global long table[4] = {1, 2, 3, 4};
__constant float factors[4] = {1, 2, 4, 8};

__kernel void count(__global int *out)
{
    out[get_global_id(0)] = atomic_add(&counter, 1);
    table[get_global_id(0) & 3] += 10;
}

__kernel void count_up(__global int *out)
{
    out[get_global_id(0)] = atomic_inc(&counter);
}

__kernel void read_count(__global float *out)
{
    out[get_global_id(0)] = counter * factors[get_global_id(0) & 3];
}

__kernel void atomics(__global int *i, __global uint *u, __global long *l, __local int *local_sum,
    __global int *local_out)
{
    const int x = (int)get_global_id(0);
    if (get_local_id(0) == 0)
        local_sum[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(i + 0);
    atomic_sub(i + 1, x);
    atomic_min(i + 2, x - 7);
    atomic_max(i + 3, x);
    atomic_or(i + 4, 1 << (x & 31));
    atomic_xor(i + 5, x);
    atomic_max(u + 0, (uint)-x);
    atom_add(l + 0, 1L << 33);
    atom_min(l + 1, -(long)x << 32);
    atomic_add(local_sum, x);
    atomic_fetch_add_explicit((volatile __global atomic_int *)(i + 6), 2, memory_order_relaxed,
        memory_scope_device);
    int expected = 0;
    if (atomic_compare_exchange_strong((volatile __global atomic_int *)(i + 7), &expected, x + 1))
        atomic_add(i + 8, 1);
    if (atomic_cmpxchg(i + 9, 0, x + 1) == 0)
        atomic_add(i + 10, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        local_out[get_group_id(0)] = local_sum[0];
}

// Two local arrays beside each other and an argument behind them; pointers cross address spaces.
__kernel void local_layout(__global int *out, __local int *argument)
{
    __local int first[4];
    __local double second[4];
    const size_t l = get_local_id(0);
    int *either = l & 1 ? (int *)first : (int *)argument;
    first[l] = (int)l;
    second[l] = l * 0.5;
    argument[l] = (int)l * 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t other = (l + 1) % 4;
    out[get_global_id(0)] = first[other] + (int)(second[other] * 20) + argument[other] + either[l];
}

__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void required(__global int *out)
{
    out[get_global_linear_id()] = (int)get_local_linear_id();
}

__kernel void print(int n, float4 v)
{
    printf("line %d|%s|%5.2f|%v4hlf|%c|%%|%x\n", n, "text", 1.5f, v, 'z', -1);
}

__kernel void wide_copy(__global int *out, __global const int *in)
{
    int block[64];
    for (int i = 0; i < 64; i++)
        block[i] = in[i];
    for (int i = 0; i < 64; i++)
        out[get_global_id(0) * 64 + i] = block[(i + get_global_id(0)) & 63];
}
