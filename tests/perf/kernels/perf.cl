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

#define FOUR(name) int name##0, int name##1, int name##2, int name##3

kernel void sixteen_arguments(
    global int *numbers, FOUR(a), FOUR(b), FOUR(c), int d0, int d1, int d2)
{
    numbers[get_global_id(0)] = a0 + a1 + a2 + a3 + b0 + b1 + b2 + b3 + c0 + c1 + c2 + c3 + d0 + d1 + d2;
}

#define SIXTEEN(name) FOUR(name##0), FOUR(name##1), FOUR(name##2), FOUR(name##3)

kernel void sixty_four_arguments(global int *numbers, SIXTEEN(a), SIXTEEN(b), SIXTEEN(c), FOUR(d), FOUR(e), FOUR(f), int g0,
    int g1, int g2)
{
    numbers[get_global_id(0)] = a00 + b00 + c00 + d0 + e0 + f0 + g2;
}

struct large {
    int numbers[64];
};

kernel void large_argument(global int *numbers, struct large large)
{
    numbers[get_global_id(0)] = large.numbers[0] + large.numbers[63];
}

kernel void asserting(global int *numbers)
{
    assert(numbers[get_global_id(0)] == 0);
}
