// SPDX-License-Identifier: MIT
// A function that calls itself and needs nothing of its work-item: that works.

__attribute__((noinline)) int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__kernel void recursive(__global int *out)
{
    out[get_global_id(0)] = fibonacci((int)get_global_id(0));
}
