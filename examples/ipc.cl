// SPDX-License-Identifier: MIT
//
// squares[i] = i * i

kernel void square(global int *squares)
{
    const int i = (int)get_global_id(0);
    squares[i] = i * i;
}
