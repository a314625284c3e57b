// SPDX-License-Identifier: MIT
//
// Steps of a chain: a wrong order gives a wrong number.

kernel void step_once(global uint *value, uint k)
{
    const size_t i = get_global_id(0);
    value[i] = value[i] * 3 + k;
}

kernel void transfer(global const uint *from, global uint *to)
{
    const size_t i = get_global_id(0);
    to[i] = from[i] + 1;
}

// Takes some time, so that what comes behind it has something to overtake.
kernel void slow_step(global uint *value, uint turns)
{
    const size_t i = get_global_id(0);
    uint x = value[i];
    for (uint turn = 0; turn < turns; turn++)
        x = x * 1664525u + 1013904223u;
    value[i] = x;
}
