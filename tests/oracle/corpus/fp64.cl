// SPDX-License-Identifier: MIT
//
// Doubles: values, which ask for fp64, and everything else that may be done with the type.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct {
    double d;
    int i;
} pair;

typedef struct {
    pair pairs[2];
    float f;
} nested;

typedef union {
    double d;
    ulong bits;
    int2 halves;
} pun;

constant double table[4] = {1, 2, 3, 4};
#if __OPENCL_C_VERSION__ >= 200
global double kept_in_module = 3;
global pair pair_in_module;
#endif

// --- Values

kernel void times_tenth(global float *x)
{
    x[0] = x[1] * 0.1;
}

kernel void times_two(global float *x)
{
    x[0] = x[1] * 2.0;
}

kernel void store_constant(global double *x)
{
    x[0] = 1.0;
}

kernel void copy(global double *x, global double *y)
{
    x[0] = y[1];
}

kernel void from_int(global double *x, int i)
{
    x[0] = i;
}

kernel void to_int(global int *x, double d)
{
    x[0] = d;
}

kernel void compare(global int *x, double d)
{
    x[0] = d > 1;
}

kernel void compare_pointers(global int *x, global double *a, global double *b)
{
    x[0] = a < b;
}

kernel void bits_of(global ulong *x, double d)
{
    x[0] = as_ulong(d);
}

kernel void value_of_bits(global double *x, ulong u)
{
    x[0] = as_double(u);
}

kernel void punned_by_pointer(global ulong *x, global double *d)
{
    x[0] = *(global ulong *)d;
}

kernel void bits_to_double_pointer(global double *x)
{
    *(global ulong *)x = 0x3FF0000000000000UL;
}

kernel void chosen(global double *x, int i)
{
    x[0] = i > 3 ? x[1] : x[2];
}

kernel void chosen_pointer(global double *x, global double *y, global int *z, int i)
{
    global double *p = i > 3 ? x : y;
    z[0] = (ulong)p & 0xFF;
}

kernel void summed(global double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    x[0] = sum;
}

kernel void in_local_memory(global float *x)
{
    local double room[16];
    room[get_local_id(0)] = x[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = room[3];
}

kernel void in_private_memory(global float *x, int i)
{
    double room[16];
    for (int j = 0; j < 16; j++)
        room[j] = x[j];
    x[0] = room[i & 15];
}

kernel void in_local_argument(global float *x, local double *room)
{
    room[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = room[0];
}

kernel void private_and_unread(global float *x, int n)
{
    double room[4] = {n, 1, 2, 3};
    x[0] = sizeof room;
}

kernel void from_table(global float *x, int i)
{
    x[0] = table[i & 3];
}

kernel void table_as_bytes(global int *x, int i)
{
    x[0] = ((constant int *)table)[i & 7];
}

#if __OPENCL_C_VERSION__ >= 200
kernel void kept(global float *x)
{
    x[0] = kept_in_module;
}

kernel void kept_as_bytes(global int *x)
{
    x[0] = *(global int *)&kept_in_module;
}

kernel void kept_address(global ulong *x)
{
    x[0] = (ulong)&kept_in_module;
}
#endif

// --- Arguments

kernel void unused_argument(global float *x, double d)
{
    x[0] = 1;
}

kernel void used_argument(global float *x, double d)
{
    x[0] = d;
}

kernel void unused_vector_argument(global float *x, double4 d)
{
    x[0] = 1;
}

kernel void unused_pointer(global float *x, global double *d)
{
    x[0] = 1;
}

kernel void local_pointer_argument(global float *x, local double *d)
{
    x[0] = ((local float *)d)[1];
}

kernel void struct_unused_double(global int *x, pair p)
{
    x[0] = p.i;
}

kernel void struct_used_double(global float *x, pair p)
{
    x[0] = p.d;
}

kernel void struct_unused(global int *x, pair p)
{
    x[0] = 1;
}

kernel void nested_struct_argument(global float *x, nested n)
{
    x[0] = n.f;
}

kernel void union_argument(global ulong *x, pun p)
{
    x[0] = p.bits;
}

// --- Structs and addresses

kernel void struct_by_pointer(global int *x, global pair *p)
{
    x[0] = p->i;
}

kernel void struct_double_by_pointer(global float *x, global pair *p)
{
    x[0] = p->d;
}

kernel void struct_copied(global pair *x, global pair *y)
{
    x[0] = y[1];
}

kernel void struct_returned_copy(global pair *x, int i)
{
    pair p = x[i];
    p.i++;
    x[0] = p;
}

kernel void nested_struct(global float *x, global nested *n)
{
    x[0] = n[3].f;
}

kernel void union_in_private_memory(global ulong *x)
{
    pun p;
    p.bits = x[1];
    x[0] = p.halves.y;
}

kernel void address_only(global double *x, global int *y)
{
    y[0] = (int)((global char *)&x[5] - (global char *)x);
}

#if __OPENCL_C_VERSION__ >= 200
kernel void module_struct(global int *x)
{
    x[0] = pair_in_module.i;
}
#endif

kernel void handed_on(global double *x, global int *y)
{
    global double *local_copy[2] = {x, x + 1};
    y[0] = *(global int *)local_copy[y[1] & 1];
}

kernel void size_of(global int *x)
{
    x[0] = sizeof(double) + sizeof(pair);
}

// --- Variables that compilers make of names

kernel void from_variable_to_variable(global int *x, double d)
{
    double one = d, other = one;
    x[0] = 1;
}

kernel void one_of_two(global int *x, double d)
{
    double one = x[1] ? d : 0;
    x[0] = 1;
}

kernel void has_to_stay(global int *x, double d)
{
    volatile double one = d;
    x[0] = 1;
}

kernel void member_of_variable(global int *x, double d)
{
    pair p;
    p.d = d;
    p.i = 3;
    x[0] = p.i;
}

kernel void bits_as_vector(global int2 *x, double d)
{
    x[0] = as_int2(d);
}

// --- Code that never runs, or whose result nobody looks at

kernel void dead_value(global float *x)
{
    double d = x[1];
    d *= 0.1;
    x[0] = 1;
}

kernel void dead_load(global float *x, global double *y)
{
    double d = y[3];
    x[0] = 1;
}

kernel void never_runs(global float *x)
{
    if (0)
        x[0] *= 0.1;
}

kernel void dead_private(global float *x, double d)
{
    double copies[4];
    copies[1] = d;
    x[0] = 1;
}

kernel void folded(global float *x)
{
    const double third = 1.0 / 3.0;
    x[0] = (float)third;
}

kernel void behind_return(global float *x)
{
    x[0] = 1;
    return;
    x[1] *= 0.1;
}

kernel void runs_for_nobody(global float *x)
{
    if (get_global_id(0) == (size_t)-1)
        x[0] *= 0.1;
}

// No double, and stays so.
kernel void plain(global float *x)
{
    x[0] = x[1] * 0.1f;
}
