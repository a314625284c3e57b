// SPDX-License-Identifier: MIT
// A function that calls itself and asks for its work-item, which the engine refuses.

__attribute__((noinline)) int descend(int n)
{
    return n <= 0 ? (int)get_global_id(0) : descend(n - 1) + descend(n - 2);
}

__kernel void recursive(__global int *out)
{
    out[get_global_id(0)] = descend(out[0]);
}
