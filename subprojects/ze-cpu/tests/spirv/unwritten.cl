// SPDX-License-Identifier: MIT
//
// Kernels in which work-item `where` uses what nobody has written, in the line that ends with 01. `values` has as many elements as
// there are work-items, `given` is memory of the test's, `shared` has as many elements as a group has work-items. Where nothing
// is optimised, variables are still there.

#define ARGUMENTS __global int *values, __global int *given, uint where, __local int *shared
#define I ((uint)get_global_id(0))
#define L ((uint)get_local_id(0))
#define SIZE ((uint)get_local_size(0))

__kernel void branches(ARGUMENTS)
{
    int found;
    if (I != where)
        found = 1;
#line 101
    if (found)
        values[I] = 1;
}

__kernel void fills_in_part(ARGUMENTS)
{
    int list[8];
    for (int i = 0; i < (I == where ? 7 : 8); i++)
        list[i] = i;
#line 201
    if (list[7] > 3)
        values[I] = 1;
}

__kernel void writes_no_local(ARGUMENTS)
{
    __local int tile[16];
    if (I != where)
        tile[L] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
#line 301
    if (tile[L])
        values[I] = 1;
}

__kernel void reads_too_early(ARGUMENTS)
{
    __local int tile[17];
    tile[L] = 1;
    if (L == 0)
        tile[SIZE] = 1;
    int next;
    if (I == where)
        next = tile[L + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (I != where)
        next = tile[L + 1];
#line 401
    if (next)
        values[I] = 1;
}

__kernel void indexes(ARGUMENTS)
{
    if (I != where)
        shared[L] = L;
    barrier(CLK_LOCAL_MEM_FENCE);
#line 501
    values[shared[L] & 15] = 1;
}

__kernel void reads_given(ARGUMENTS)
{
    const int value = given[I];
#line 601
    if (value == 7)
        values[I] = 1;
}

__kernel void divides(ARGUMENTS)
{
    int divisor;
    if (I != where)
        divisor = 3;
#line 701
    values[I] = 100 / divisor;
}

__kernel void prints(ARGUMENTS)
{
    int2 pair;
    pair.x = 1;
    if (I != where)
        pair.y = 2;
#line 801
    printf("%v2d\n", pair);
    values[I] = 1;
}

__kernel void counts_in_local(ARGUMENTS)
{
    __local int count;
    if (get_group_id(0) != where / SIZE && L == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
#line 901
    if (I != where || count == (int)SIZE)
        values[I] = 1;
}

__kernel void counts_in_given(ARGUMENTS)
{
#line 1001
    atomic_inc(given + I);
    values[I] = 1;
}

int twice(int value)
{
    return 2 * value;
}

__kernel void passes_to_function(ARGUMENTS)
{
    int number;
    if (I != where)
        number = 1;
    number = twice(number);
#line 1101
    if (number == 2)
        values[I] = 1;
}

__kernel void switches(ARGUMENTS)
{
    int number;
    if (I != where)
        number = 1;
#line 1201
    switch (number) {
    case 1:
        values[I] = 1;
        break;
    case 17:
        values[I] = 2;
        break;
    case 1700:
        values[I] = 3;
        break;
    }
}

__kernel void keeps_across_barrier(ARGUMENTS)
{
    int list[4], number;
    list[L % 4] = 1;
    if (I != where)
        number = list[L % 4];
    shared[L] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    list[(L + 1) % 4] = shared[(L + 1) % SIZE];
    barrier(CLK_LOCAL_MEM_FENCE);
#line 1301
    if (number + list[(L + 1) % 4] == 2)
        values[I] = 1;
}

int depth_of(int number, int depth)
{
    return depth == 0 ? number : depth_of(number, depth - 1);
}

__kernel void recurses(ARGUMENTS)
{
    int number;
    if (I != where)
        number = 1;
    number = depth_of(number, 5);
#line 1401
    if (number)
        values[I] = 1;
}

__kernel void counts_rounds(ARGUMENTS)
{
    int rounds;
    if (I != where)
        rounds = 3;
#line 1501
    for (int i = 0; i < rounds; i++)
        barrier(CLK_LOCAL_MEM_FENCE);
    values[I] = 1;
}

__kernel void loads_vector(ARGUMENTS)
{
    const int4 four = vload4(0, given + I);
#line 1601
    if (four.w == 7)
        values[I] = 1;
}

// The next ones are right.

struct padded {
    char letter;
    int number;
};

__kernel void copies_padding(ARGUMENTS)
{
    struct padded one, other;
    one.letter = 'a';
    one.number = 1;
    other = one;
    ((__global struct padded *)given)[I] = other;
    if (other.letter == 'a' && ((__global struct padded *)given)[I].number == 1)
        values[I] = 1;
}

__kernel void stores_only(ARGUMENTS)
{
    int nothing;
    given[I] = nothing;
    values[I] = 1;
}

__kernel void chooses(ARGUMENTS)
{
    int nothing, bits;
    bits = (bits & ~1) | 1; // one of them is known
    const int value = I % 2 ? (int)I : nothing;
    if ((bits & 1) && (I % 2 == 0 || value == (int)I))
        values[I] = 1;
}

#ifndef __OPTIMIZE__ // what becomes of it is a freeze, which llvm-spirv does not know
__kernel void asks_library(ARGUMENTS)
{
    int exponent, quotient;
    float whole, cosine;
    const float fraction = frexp(8.0f, &exponent) + modf(1.5f, &whole);
    const float sine = sincos(0.0f, &cosine) + remquo(7.0f, 2.0f, &quotient);
    if (fraction == 1.0f && exponent == 4 && whole == 1.0f && cosine == 1.0f && quotient == 4 &&
        sine == -1.0f)
        values[I] = 1;
}
#endif

__kernel void copies_in_groups(ARGUMENTS)
{
    __local int tile[16];
    given[I] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t copied = async_work_group_copy(tile, given + get_group_id(0) * SIZE, SIZE, 0);
    wait_group_events(1, &copied);
    if (work_group_reduce_add(tile[L]) == (int)SIZE)
        values[I] = 1;
}

long last_of(long first, long second, long third, int depth)
{
    return depth == 0 ? 1 : last_of(first, second, third, depth - 1);
}

__kernel void passes_nothing(ARGUMENTS)
{
    long nothing;
    const long one = last_of(nothing, nothing, nothing, 3);
    shared[L] = (int)one;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (shared[(L + 1) % SIZE] == 1)
        values[I] = 1;
}

__constant int table[4] = {1, 2, 3, 4};
__global int variable[4];

__kernel void uses_variables(ARGUMENTS)
{
    if (table[I % 4] == (int)(I % 4 + 1) && variable[I % 4] == 0)
        values[I] = 1;
}
