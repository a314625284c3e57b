// SPDX-License-Identifier: MIT
//
// Kernels that look as if they had data races, and have none.

#define ARGUMENTS __global int *values, __global int *more, __local int *shared
#define G ((uint)get_global_id(0))
#define COUNT ((uint)get_global_size(0))
#define L ((uint)get_local_id(0))
#define SIZE ((uint)get_local_size(0))

// All write the same.
__kernel void raises_flags(ARGUMENTS)
{
    __local int flag;
    flag = 1;
    more[0] = 1;
    values[G] = flag + more[0];
}

// Compilers load the element that one work-item uses ahead of the condition, for all.
__kernel void reads_own(ARGUMENTS)
{
    __local int list[16];
    if (L == 3)
        list[3] = values[G];
    const int mine = L == 3 ? list[3] : 0;
    more[G] = mine;
    if (L == 3 && list[3] > 5)
        values[G] = 1;
}

__kernel void reads_own_twice(ARGUMENTS)
{
    __local int list[16];
    list[L] = (int)L;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (L == 2)
        list[2] += 5;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (L == 2)
            sum += list[2] * i;
    more[G] = sum;
}

// Of those elements that a work-item loads it uses only its own.
__kernel void selects_own(ARGUMENTS)
{
    __local int a, b;
    if (L == 0)
        a = values[G];
    if (L == 1)
        b = values[G];
    more[G] = L == 0 ? a : L == 1 ? b : 7;
}

// Those who load before it is written do not use what they load.
__kernel void selects_late(ARGUMENTS)
{
    __local int a, b;
    if (L == 0)
        a = b = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (L == 15)
        a = values[G];
    if (L == 14)
        b = values[G];
    more[G] = L == 15 ? a : L == 14 ? b : 7;
}

__kernel void writes_bytes(ARGUMENTS)
{
    __local char bytes[256];
    __global char *all = (__global char *)more;
    bytes[L] = (char)L;
    all[G] = bytes[L];
    all[G] += 1;
}

// Each group waits for the sum of the groups before it.
__kernel void looks_back(ARGUMENTS)
{
    __global atomic_int *flags = (__global atomic_int *)(more + COUNT / 2);
    const uint group = get_group_id(0);
    if (L == 0) {
        int before = 0;
        if (group > 0) {
            while (atomic_load_explicit(
                       &flags[group - 1], memory_order_acquire, memory_scope_device) == 0)
                ;
            before = more[group - 1];
        }
        more[group] = before + 1;
        atomic_store_explicit(&flags[group], 1, memory_order_release, memory_scope_device);
    }
}

// One writes for all, in turns.
__kernel void takes_turns(ARGUMENTS)
{
    __local int sum;
    for (uint i = 0; i < SIZE; i++) {
        if (L == i)
            sum = (i == 0 ? 0 : sum) + values[G];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    more[G] = sum;
}

__kernel void copies_back(ARGUMENTS)
{
    const uint first = G - L;
    event_t event = async_work_group_copy(shared, values + first, SIZE, 0);
    wait_group_events(1, &event);
    const int sum = shared[L] + shared[SIZE - 1 - L];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[L] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(more + first, shared, SIZE, 0);
    wait_group_events(1, &event);
}

__kernel void sums_as_group(ARGUMENTS)
{
    values[G] = work_group_reduce_add((int)L) + work_group_scan_inclusive_add(values[G]);
    more[G - L] = work_group_broadcast(values[G], 3);
}

__kernel void hands_over(ARGUMENTS)
{
    __local atomic_int arrived;
    if (L == 0)
        atomic_init(&arrived, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[L] = values[G];
    int sum = 0;
    if (atomic_fetch_add(&arrived, 1) == (int)SIZE - 1)
        for (uint i = 0; i < SIZE; i++)
            sum += shared[i];
    more[G] = sum;
}

__kernel void polls(ARGUMENTS)
{
    volatile __global int *flag = more;
    if (G == 0)
        *flag = 1;
    values[G] = *flag;
}

// More epochs than have different numbers, in groups of two: an epoch of local memory that has the number of the first one, and those
// of global memory that have the last number.
__kernel void waits_often(ARGUMENTS)
{
    const int last = 524287 + more[0];
    for (int i = 0; i <= last; i++) {
        if (L == 0 ? i == 0 : i == last)
            shared[1] = i + 1;
        if (i < 3000 && (i + L) % 3 == 0)
            values[0] = i;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    more[G] = shared[1];
}
