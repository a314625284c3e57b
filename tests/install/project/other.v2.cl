// SPDX-License-Identifier: MIT

kernel void other(global int *values)
{
    values[get_global_id(0)] = 2;
}
