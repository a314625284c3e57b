// SPDX-License-Identifier: MIT
//
// Halves: every one of the devices has them, and none may be refused.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void added(global half *x)
{
    x[0] = x[1] + x[2];
}

kernel void loaded_as_float(global half *x, global float *y)
{
    y[0] = vload_half(3, x);
    vstore_half(y[1], 1, x);
}

kernel void argument(global float *x, half h)
{
    x[0] = h;
}

kernel void unused_argument(global float *x, half h)
{
    x[0] = 1;
}

kernel void vector_of(global half4 *x)
{
    x[0] = sin(x[1]);
}

kernel void copied(global half *x)
{
    x[0] = x[1];
}

kernel void sub_group_sum(global half *x)
{
    x[0] = sub_group_reduce_add(x[1]);
}

kernel void async_copied(global half *x, local half *room)
{
    event_t e = async_work_group_copy(room, x, 4, 0);
    wait_group_events(1, &e);
}

__attribute__((noinline)) static half doubles(half h)
{
    return h * 2;
}

kernel void called(global half *x)
{
    x[0] = doubles(x[1]);
}
