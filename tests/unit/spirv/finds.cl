// SPDX-License-Identifier: MIT
//
// Where pointers come from. Case 0 has them from its arguments and variables only, the others find one elsewhere; the
// last has kernels of both kinds.

#if CASE == 0
constant float table[] = {1, 2, 3, 4};

__attribute__((noinline)) float sum(const float *values, int count)
{
    float total = 0;
    for (const float *at = values; at < values + count; at++)
        total += *at;
    return total;
}

kernel void k(global float *x, global float *y, local float *scratch, constant float *factors, int n)
{
    const size_t i = get_global_id(0);
    global float *chosen = n > 3 ? x : y;
    local float own[4];
    float mine[4] = {x[0], y[1], n, 3};
    own[i % 4] = table[i % 4] * factors[i];
    scratch[i] = as_float(((global int *)chosen)[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    chosen[i] = sum(scratch, n) + sum(x, n) + own[n % 4] + mine[n % 4];
}
#elif CASE == 1
kernel void k(global float *global *x)
{
    x[0][get_global_id(0)] = 1;
}
#elif CASE == 2
struct node {
    global struct node *next;
    int value;
};

kernel void k(global struct node *first, global int *total)
{
    for (global struct node *node = first; node; node = node->next)
        total[0] += node->value;
}
#elif CASE == 3
kernel void k(ulong address)
{
    *(global int *)address = 1;
}
#elif CASE == 4
global int *global where;

kernel void k(int value)
{
    where[0] = value;
}
#elif CASE == 5
union both {
    ulong number;
    global int *pointer;
};

kernel void k(global union both *x)
{
    const union both one = {.number = x[0].number + 8};
    *one.pointer = 1;
}
#elif CASE == 6
global int *other(int which);

kernel void k(int which)
{
    *other(which) = 1;
}
#elif CASE == 7
kernel void k(global ulong2 *x, global int *y)
{
    y[0] = *(global int *)x[0].y;
}
#elif CASE == 8
// Several kernels: "k" and "asserts" have theirs from arguments, the others don't.
void __devicelib_assert_fail(constant char *expression, constant char *file, int line, constant char *function,
    ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2);
int imported(int value);

__attribute__((noinline)) void store(ulong address)
{
    *(global int *)address = 1;
}

__attribute__((noinline)) void store_next(ulong address)
{
    store(address + 8);
}

kernel void k(global int *x)
{
    x[get_global_id(0)] = 1;
}

kernel void asserts(global int *x)
{
    if (x[0])
        __devicelib_assert_fail("x", "x", 1, "x", 0, 0, 0, 0, 0, 0);
}

kernel void loads(global int *global *x)
{
    x[0][0] = 1;
}

kernel void calls(ulong address)
{
    store_next(address);
}

kernel void imports(global int *x)
{
    x[0] = imported(x[0]);
}
#endif
