// SPDX-License-Identifier: MIT
//
// A kernel whose helper is in library.cl.
uint helper(uint number);

__kernel void use_helper(__global uint *numbers)
{
    numbers[get_global_id(0)] = helper(numbers[get_global_id(0)]);
}
