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

// Every work-group waits until all have come: only a launch that runs them all at once gets through.
kernel void meet(global volatile uint *arrived, global uint *seen)
{
    const uint groups = get_num_groups(0);
    if (get_local_id(0) == 0) {
        atomic_inc(arrived);
        while (atomic_add(arrived, 0) < groups)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    seen[get_global_id(0)] = *arrived;
}
