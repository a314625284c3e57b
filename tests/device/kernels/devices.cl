// SPDX-License-Identifier: MIT
//
// values[i] = i * factor + before[i]

kernel void add_multiples(int factor, global const int *before, global int *values)
{
    const size_t i = get_global_id(0);
    values[i] = (int)i * factor + before[i];
}
