// SPDX-License-Identifier: MIT
//
// A kernel whose functions are in link_middle.cl, which has functions of link_leaf.cl. Each of the
// three has a variable "hidden" and a function "tag" of its own.
uint scale(uint number);
uint sum_of_group(uint number, __local uint *scratch);
extern __global uint scaled;

static __global uint hidden = 100;

uint tag(void)
{
    return 1;
}

__kernel void use_middle(__global uint *numbers, __global uint *sums, __local uint *scratch)
{
    const size_t i = get_global_id(0);
    const uint sum = sum_of_group(numbers[i], scratch);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
    numbers[i] = scale(numbers[i]) + hidden + tag();
    atomic_inc((volatile __global uint *)&scaled);
}

__kernel void change_hidden(uint value)
{
    hidden = value;
}
