// SPDX-License-Identifier: MIT
//
// Vectors of doubles: moved about, which needs no arithmetic, taken to pieces, and computed with, which Intel's compiler
// lets pass.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// --- Moved

kernel void copied(global double4 *x)
{
    x[0] = x[1];
}

kernel void turned(global double4 *x)
{
    x[0] = x[1].wzyx;
}

kernel void constants(global double4 *x)
{
    x[0] = (double4)(1, 2, 3, 4);
}

kernel void bits_of(global double4 *x, global long4 *y)
{
    y[0] = as_long4(x[0]);
}

kernel void chosen(global double4 *x, int i)
{
    x[0] = i ? x[1] : x[2];
}

kernel void masked(global double4 *x, global long4 *mask)
{
    x[0] = mask[0] ? x[1] : x[2];
}

kernel void argument(global double4 *x, double4 d)
{
    x[0] = d;
}

kernel void unused_argument(global float *x, double4 d)
{
    x[0] = 1;
}

kernel void loaded_and_stored(global double *x)
{
    vstore4(vload4(0, x), 1, x);
}

kernel void loaded_and_stored_three(global double *x)
{
    vstore3(vload3(0, x), 1, x);
}

kernel void converted_constants(global int2 *x)
{
    x[0] = convert_int2((double2)(0.5));
}

kernel void halves_exchanged(global double4 *x, double2 d)
{
    x[0].lo = d;
    x[1] = (double4)(d, x[2].hi);
}

kernel void loaded_and_stored_anywhere(global double *x, constant double *y, local double *z, int n)
{
    vstore2(vload2(n, y), 0, x);
    vstore3(vload3(n, z), 1, x);
    vstore16(vload16(n, x), 2, z);
}

kernel void kept_privately(global double4 *x, int n)
{
    double4 room[8];
    for (int i = 0; i < 8; i++)
        room[i] = x[i];
    x[0] = room[n & 7];
}

kernel void kept_locally(global double4 *x)
{
    local double4 room[4];
    room[get_local_id(0)] = x[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[0] = room[1];
}

kernel void last_one(global double4 *x, int n)
{
    double4 last = 0;
    for (int i = 0; i < n; i++)
        last = x[i];
    x[0] = last;
}

__attribute__((noinline)) static double4 turns(double4 v)
{
    return v.wzyx;
}

kernel void turned_by_helper(global double4 *x)
{
    x[0] = turns(x[1]);
}

// --- Taken to pieces

kernel void one_taken(global double4 *x, global float *y)
{
    y[0] = x[1].z;
}

kernel void one_put(global double4 *x)
{
    double4 v = x[0];
    v.y = 3;
    x[1] = v;
}

kernel void one_taken_by_number(global double4 *x, global float *y, int i)
{
    y[0] = ((global double *)&x[1])[i];
}

kernel void spread(global double4 *x, double d)
{
    x[0] = d;
}

kernel void taken_and_put(global double2 *x)
{
    x[0] = (double2)(x[1].x, x[2].y);
}

#if __OPENCL_C_VERSION__ >= 200
kernel void group_told(global double2 *x)
{
    x[0].x = work_group_broadcast(x[1].x, 0);
}
#endif

// --- Computed with

kernel void added(global double4 *x)
{
    x[0] = x[1] + x[2];
}

kernel void negated(global double4 *x)
{
    x[0] = -x[1];
}

kernel void from_ints(global double4 *x, global int4 *y)
{
    x[0] = convert_double4(y[0]);
}

kernel void to_ints(global double4 *x, global int4 *y)
{
    y[0] = convert_int4(x[0]);
}

kernel void to_floats(global double4 *x, global float4 *y)
{
    y[0] = convert_float4(x[0]);
}

kernel void compared(global double4 *x, global long4 *y)
{
    y[0] = x[0] < x[1];
}

kernel void smaller(global double4 *x)
{
    x[0] = x[1] < x[2] ? x[1] : x[2];
}

kernel void summed(global double4 *x, int n)
{
    double4 sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    x[0] = sum;
}

kernel void printed(global double4 *x)
{
    printf("%v4f\n", x[0]);
}

kernel void mathematics(global double4 *x)
{
    x[0] = sin(x[1]);
}

kernel void fused(global double4 *x)
{
    x[0] = fma(x[1], x[2], x[3]);
}

kernel void largest(global double4 *x)
{
    x[0] = max(x[1], x[2]);
}

kernel void dot_product(global double4 *x, global int *y)
{
    y[0] = dot(x[0], x[1]) > 3;
}

kernel void not_numbers(global double4 *x, global long4 *y)
{
    y[0] = isnan(x[0]);
}

kernel void saturated(global double4 *x, global int4 *y)
{
    y[0] = convert_int4_sat_rte(x[0]);
}
