// SPDX-License-Identifier: MIT
//
// Kernels that do next to nothing: what is measured is the way to them. Compiled twice, with and without NDEBUG.

#include <mezzanine/assert.h>

kernel void no_argument(void)
{
}

kernel void one_argument(global int *numbers)
{
    numbers[get_global_id(0)] = 1;
}

kernel void four_arguments(global int *numbers, int a, int b, int c)
{
    numbers[get_global_id(0)] = a + b + c;
}

kernel void asserting(global int *numbers)
{
    assert(numbers[get_global_id(0)] == 0);
}
