// SPDX-License-Identifier: MIT
//
// Kernels with data races, and with -DMENDED the same kernels without. The two accesses are in the lines that end with 01 and 02,
// or both in the one with 01. `shared` has one element for each work-item of a group, `values` and `more` one for each of all.

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#define ARGUMENTS __global int *values, __global int *more, __local int *shared
#define G ((uint)get_global_id(0))
#define COUNT ((uint)get_global_size(0))
#define L ((uint)get_local_linear_id())
#define SIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))

#ifdef MENDED
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define WAIT_FOR_ALL barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define CHOOSE(broken, mended) mended
#else
#define WAIT
#define WAIT_FOR_ALL
#define CHOOSE(broken, mended) broken
#endif

// ---- local memory ----

__kernel void loads_tile(ARGUMENTS)
{
#line 101
    shared[L] = values[G];
    WAIT;
#line 102
    more[G] = shared[SIZE - 1 - L];
}

__kernel void reloads_tile(ARGUMENTS)
{
    int sum = 0;
    for (uint tile = 0; tile < 3; tile++) {
#line 201
        shared[L] = values[G] + tile;
        barrier(CLK_LOCAL_MEM_FENCE);
#line 202
        sum += shared[SIZE - 1 - L];
        WAIT;
    }
    more[G] = sum;
}

__kernel void reduces(ARGUMENTS)
{
    shared[L] = values[G];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = SIZE / 2; k > 0; k /= 2) {
#line 301
        if (L < k) shared[L] += shared[L + k];
        WAIT;
    }
    if (L == 0)
        more[get_group_id(0)] = shared[0];
}

__kernel void strides_wrongly(ARGUMENTS)
{
    shared[L] = values[G];
    for (uint k = 1; k < SIZE; k *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
#line 401
        if (L % CHOOSE(k, (2 * k)) == 0 && L + k < SIZE) shared[L] += shared[L + k];
    }
    more[G] = L == 0 ? shared[0] : 0;
}

__kernel void writes_counter(ARGUMENTS)
{
    __local int counter;
    if (CHOOSE(true, L == 0))
#line 501
        counter = (int)L + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    more[G] = counter;
}

__kernel void counts_plainly(ARGUMENTS)
{
    __local int bins[4];
    if (L < 4)
        bins[L] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#line 601
    CHOOSE(bins[values[G] & 3]++, atomic_inc(&bins[values[G] & 3]));
    barrier(CLK_LOCAL_MEM_FENCE);
    more[G] = bins[L & 3];
}

__kernel void counts_too_early(ARGUMENTS)
{
    __local int bins[4];
    if (L < 4)
#line 701
        bins[L] = 0;
    WAIT;
#line 702
    atomic_inc(&bins[values[G] & 3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    more[G] = bins[L & 3];
}

__kernel void mixes_atomics(ARGUMENTS)
{
    if (L == 0)
        *shared = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#line 801
    if (L != 5) atomic_add(shared, values[G]);
#line 802
    else CHOOSE(*shared += values[G], atomic_add(shared, values[G]));
}

__attribute__((intel_reqd_sub_group_size(8))) __kernel void trusts_sub_group(ARGUMENTS)
{
#line 901
    shared[L] = values[G];
#ifdef MENDED
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
#line 902
    more[G] = shared[L ^ 1];
}

__attribute__((intel_reqd_sub_group_size(8))) __kernel void trusts_other_sub_group(ARGUMENTS)
{
#line 1001
    shared[L] = values[G];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    WAIT;
#line 1002
    more[G] = shared[L ^ 8];
}

__kernel void orders_other_memory(ARGUMENTS)
{
#line 1101
    shared[L] = values[G];
    barrier(CHOOSE(CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE));
#line 1102
    more[G] = shared[L ^ 1];
}

__kernel void overlaps_vectors(ARGUMENTS)
{
    __local int list[64];
#line 1201
    vstore4((int4)values[G] + (int4)L, 0, list + CHOOSE(3, 4) * L);
    barrier(CLK_LOCAL_MEM_FENCE);
    more[G] = list[L];
}

__kernel void overlaps_bytes(ARGUMENTS)
{
    __local char list[64];
#line 1301
    *(__local ushort *)(list + CHOOSE(2 * (L & 7), 2 * L)) = (ushort)(L + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    more[G] = list[L];
}

struct five {
    int numbers[5];
};

__kernel void copies_structs(ARGUMENTS)
{
    __local struct five list[16];
    for (int i = 0; i < 5; i++)
#line 1401
        list[L].numbers[i] = values[G] + i;
    WAIT;
#line 1402
    const struct five other = list[L ^ 1];
    more[G] = other.numbers[values[G] & 3];
}

__kernel void transposes(ARGUMENTS)
{
    const uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
#line 1501
    shared[L] = values[L];
    WAIT;
#line 1502
    more[SIZE * get_group_id(0) + L] = shared[z + 2 * (y + 2 * x)];
}

__kernel void copies_asynchronously(ARGUMENTS)
{
#line 1601
    event_t event = async_work_group_copy(shared, values + SIZE * get_group_id(0), SIZE, 0);
#ifdef MENDED
    wait_group_events(1, &event);
#endif
#line 1602
    more[G] = shared[L];
#ifndef MENDED
    wait_group_events(1, &event);
#endif
}

__kernel void counts_arrivals(ARGUMENTS)
{
    __local int arrived;
    if (L == 0)
        arrived = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#line 1701
    shared[L] = values[G];
#ifdef MENDED
    mem_fence(CLK_LOCAL_MEM_FENCE);
#endif
    int sum = 0;
    if (atomic_inc(&arrived) == SIZE - 1)
        for (uint i = 0; i < SIZE; i++)
#line 1702
            sum += shared[i];
    more[G] = sum;
}

__kernel void broadcasts(ARGUMENTS)
{
    __local int value;
    if (L == 0)
#line 1801
        value = values[G];
    WAIT;
#line 1802
    more[G] = value;
}

// Compilers load it for all, ahead of the condition.
__kernel void reads_one_of_two(ARGUMENTS)
{
    __local int left, right;
    if (L == 0)
        right = values[G];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (L == 0)
#line 1901
        left = values[G];
    WAIT;
#line 1902
    more[G] = L == 5 ? left : right;
}

// One that finds another value writes nothing.
__kernel void exchanges(ARGUMENTS)
{
    __local int state;
    if (L == 0)
        state = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (L == 0)
#line 2001
        values[G] = atomic_cmpxchg(&state, CHOOSE(7, 8), 9);
    else
#line 2002
        more[G] = state;
}

// The second one to write copies from memory that is shared, too.
__kernel void overwrites_struct(ARGUMENTS)
{
    __local struct five list[2];
    const __global struct five *from = (const __global struct five *)values;
    if (L == 0)
#line 3001
        list[0].numbers[0] = -1;
    else if (L == 3)
#line 3002
        list[CHOOSE(0, 1)] = from[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    more[G] = list[0].numbers[0];
}

// Who comes to the copy does not wait for the others.
__kernel void copies_over(ARGUMENTS)
{
#line 3101
    shared[L] = -1;
    WAIT;
#line 3102
    event_t event = async_work_group_copy(shared, values + SIZE * get_group_id(0), SIZE, 0);
    wait_group_events(1, &event);
    more[G] = shared[L];
}

// ---- global memory ----

__kernel void blurs_in_group(ARGUMENTS)
{
#line 2101
    const int next = values[G - L + (L + 1) % SIZE];
    WAIT_FOR_ALL;
#line 2102
    values[G] = next + 1;
}

__kernel void orders_local_memory(ARGUMENTS)
{
#line 2201
    values[G] = (int)G;
    barrier(CHOOSE(CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE));
#line 2202
    more[G] = values[G ^ 1];
}

__kernel void blurs_across_groups(ARGUMENTS)
{
#line 2301
    const int sum = values[G] + values[(G + SIZE) % COUNT] + 1;
#line 2302
    CHOOSE(values, more)[G] = sum;
}

__kernel void writes_one(ARGUMENTS)
{
    if (L == 0)
#line 2401
        values[CHOOSE(0, G)] = (int)get_group_id(0) + 1000;
}

__kernel void counts_across_groups(ARGUMENTS)
{
#line 2501
    CHOOSE(more[L & 3]++, atomic_inc(&more[L & 3]));
}

__kernel void mixes_atomics_across_groups(ARGUMENTS)
{
#line 2601
    if (get_group_id(0) != 3) atomic_add(&more[L & 3], 1);
#line 2602
    else CHOOSE(more[L & 3] += 1, atomic_add(&more[L & 3], 1));
}

// The last group adds what all have written.
__kernel void sums_in_last_group(ARGUMENTS)
{
    __local int is_last;
    if (L == 0) {
#line 2701
        more[get_group_id(0)] = (int)get_group_id(0) + 1;
#ifdef MENDED
        mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
        is_last = atomic_inc(&more[COUNT - 1]) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    if (is_last)
        for (uint i = 0; i < get_num_groups(0); i++)
#line 2702
            sum += more[i];
    if (is_last && L == 0)
        values[0] = sum;
}

__kernel void vectors_across_groups(ARGUMENTS)
{
    if (L == 0)
#line 2801
        vstore4((int4)(int)G + 1, 0, values + CHOOSE(3, 4) * get_group_id(0));
}

// Nor is it ordered with who writes there.
__kernel void exchanges_across_groups(ARGUMENTS)
{
#line 2901
    if (G == 3) CHOOSE(values, more)[CHOOSE(0, G)] = 100;
#line 2902
    else more[G] = atomic_cmpxchg(&values[0], -1, 5);
}
