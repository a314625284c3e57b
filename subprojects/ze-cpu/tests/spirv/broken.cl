// SPDX-License-Identifier: MIT
//
// Kernels with a mistake that work-item `where` makes, in the line that ends with 01. `values` has as many elements as there are
// work-items, `shared` as many as a group has; `at` is some address.

#define ARGUMENTS __global int *values, ulong at, uint where, __local int *shared
#define I ((uint)get_global_id(0))
#define COUNT ((uint)get_global_size(0))

__kernel void reads_behind(ARGUMENTS)
{
    const uint from = I == where ? COUNT : I;
#line 101
    values[I] = values[from] + 1;
}

__kernel void writes_before(ARGUMENTS)
{
    const int to = I == where ? -1 : (int)I;
#line 201
    values[to] = 1;
}

__kernel void straddles(ARGUMENTS)
{
    __global char *bytes = (__global char *)values + 4 * I;
#line 301
    *(__global long *)(I == where ? bytes : (__global char *)values) = 1;
}

__kernel void uses_address(ARGUMENTS)
{
    __global int *from = I == where ? (__global int *)at : values + I;
#line 401
    values[I] = *from;
}

__kernel void overruns_local(ARGUMENTS)
{
    __local int tile[16], other[16];
    const uint i = get_local_id(0);
    other[i] = 1;
#line 501
    tile[I == where ? 16 : i] = other[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[I] = tile[i] + other[i];
}

__kernel void overruns_argument(ARGUMENTS)
{
    const uint i = get_local_id(0);
    shared[i] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
#line 601
    values[I] = shared[I == where ? -1 : (int)i];
}

__kernel void overruns_private(ARGUMENTS)
{
    int list[4] = {1, 2, 3, (int)I};
    const uint to = I == where ? 4 : I & 3;
#line 701
    list[to] = values[I];
    values[I] = list[0] + list[1] + list[2] + list[3] + list[(I + 1) & 3];
}

__constant int table[4] = {2, 3, 5, 7};

__kernel void overruns_constant(ARGUMENTS)
{
    const uint from = I == where ? 5 : I & 3;
#line 801
    values[I] = table[from];
}

__kernel void counts_behind(ARGUMENTS)
{
    const uint to = I == where ? COUNT + 1 : I;
#line 901
    atomic_inc(&values[to]);
}

struct large {
    int list[16];
};

__kernel void copies_struct(ARGUMENTS)
{
    __global struct large *all = (__global struct large *)values;
    struct large one;
    const uint from = I == where ? COUNT / 16 : I / 16;
#line 1001
    one = all[from];
    values[I] = one.list[I & 15];
}

__kernel void copies_asynchronously(ARGUMENTS)
{
    const uint count = get_global_id(0) / get_local_size(0) == where / get_local_size(0) ? 3 : 2;
#line 1101
    event_t event = async_work_group_copy(shared, values, count * get_local_size(0) / 2, 0);
    wait_group_events(1, &event);
    values[I] = shared[get_local_id(0)];
}

__kernel void loads_vector(ARGUMENTS)
{
    const uint from = I == where ? COUNT - 3 : 0;
#line 1201
    values[I] = vload4(0, values + from).w;
}

// Not inlined.
__attribute__((noinline)) int sum(__global int *list, int n)
{
#line 1301
    const int value = list[n];
    return n ? value + sum(list, n - 1) : value;
}

__kernel void recurses(ARGUMENTS)
{
    values[I] = sum(values, I == where ? (int)COUNT : 0);
}

void set(__local int *to, int value)
{
#line 1401
    *to = value;
}

__kernel void overruns_in_function(ARGUMENTS)
{
    __local int tile[16];
    set(&tile[I == where ? 16 : get_local_id(0)], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    values[I] = tile[get_local_id(0)];
}

__global int counters[4];

__kernel void overruns_variable(ARGUMENTS)
{
    const uint to = I == where ? 1000 : I & 3;
#line 1501
    counters[to] = (int)I;
}

// Barriers that work-item `where` or its group does not come to.

__kernel void ends_early(ARGUMENTS)
{
    if (I == where)
        return;
#line 1601
    barrier(CLK_LOCAL_MEM_FENCE);
    values[I] = 1;
}

__kernel void waits_elsewhere(ARGUMENTS)
{
    if (I == where) {
#line 1702
        event_t event = async_work_group_copy(shared, values, 1, 0);
        wait_group_events(1, &event);
    } else {
#line 1701
        barrier(CLK_LOCAL_MEM_FENCE);
        values[I] = 1;
    }
}

__kernel void loops_longer(ARGUMENTS)
{
    const uint rounds = I == where ? 4 : 3;
    for (uint i = 0; i < rounds; i++) {
        values[I] += 1;
#line 1801
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// Asynchronous copies.

__kernel void copies_without_one(ARGUMENTS)
{
    event_t event = 0;
    if (I != where)
#line 1901
        event = async_work_group_copy(shared, values, get_local_size(0), 0);
#line 1902
    wait_group_events(1, &event);
    values[I] = shared[get_local_id(0)];
}

__kernel void copies_otherwise(ARGUMENTS)
{
    const uint count = I == where ? 1 : get_local_size(0);
#line 2001
    event_t event = async_work_group_copy(shared, values, count, 0);
    wait_group_events(1, &event);
    event = async_work_group_copy(values + I - get_local_id(0), shared, get_local_size(0), 0);
    wait_group_events(1, &event);
}
