// SPDX-License-Identifier: MIT
//
// Kernels that use functions and a variable of other images: exports.cl, some of them, and nowhere.

int twice(int x);
int four_times(int x);
int checked(int x, int limit);
float precise(float x);
int nowhere(int x);
extern global int shared_number;

kernel void alone(global int *x)
{
    x[get_global_id(0)] += 1;
}

kernel void uses_twice(global int *x)
{
    x[get_global_id(0)] = twice(x[get_global_id(0)]);
}

kernel void uses_four_times(global int *x)
{
    x[get_global_id(0)] = four_times(x[get_global_id(0)]);
}

#ifndef PLAIN
kernel void uses_checked(global int *x, int limit)
{
    x[get_global_id(0)] = checked(x[get_global_id(0)], limit);
}
#endif

kernel void uses_precise(global int *x)
{
    x[get_global_id(0)] = (int)precise((float)x[get_global_id(0)]);
}

kernel void uses_variable(global int *x)
{
    x[get_global_id(0)] = shared_number;
}

#ifdef NOWHERE
kernel void uses_nothing_there(global int *x)
{
    x[get_global_id(0)] = nowhere(x[get_global_id(0)]);
}
#endif
