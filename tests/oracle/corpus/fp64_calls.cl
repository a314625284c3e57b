// SPDX-License-Identifier: MIT
//
// Doubles that are handed over: to functions of the module, of other modules, and of OpenCL C.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct {
    double d;
    int i;
} pair;

__attribute__((noinline)) static float tenth(float x)
{
    return x * 0.1;
}

static inline float inlined_tenth(float x)
{
    return x * 0.1;
}

__attribute__((noinline)) static float deeper(float x)
{
    return tenth(x) + 1;
}

__attribute__((noinline)) static float deepest(float x)
{
    return deeper(x) + 1;
}

__attribute__((noinline)) static double gives(int i)
{
    return i;
}

__attribute__((noinline)) static int takes(double d)
{
    return d;
}

__attribute__((noinline)) static int ignores(double d)
{
    return 3;
}

__attribute__((noinline)) static int looks_at(global double *d)
{
    return d != 0;
}

__attribute__((noinline)) static void fills(pair *p)
{
    p->i = 3;
}

__attribute__((noinline)) static pair makes(int i)
{
    pair p;
    p.i = i;
    p.d = i;
    return p;
}

kernel void called(global float *x)
{
    x[0] = tenth(x[1]);
}

kernel void called_inline(global float *x)
{
    x[0] = inlined_tenth(x[1]);
}

kernel void called_deep(global float *x)
{
    x[0] = deepest(x[1]);
}

kernel void result_used(global int *x)
{
    x[0] = gives(x[1]) > 3;
}

kernel void result_unused(global int *x)
{
    gives(x[1]);
}

kernel void handed_over(global int *x, double d)
{
    x[0] = takes(d);
}

kernel void handed_over_and_ignored(global int *x, double d)
{
    x[0] = ignores(d);
}

kernel void constant_handed_over(global int *x)
{
    x[0] = ignores(3.0);
}

kernel void pointer_handed_over(global int *x, global double *d)
{
    x[0] = looks_at(d);
}

kernel void struct_handed_over(global int *x)
{
    pair p;
    fills(&p);
    x[0] = p.i;
}

kernel void struct_returned(global int *x)
{
    x[0] = makes(x[1]).i;
}
__attribute__((noinline)) static void stores(global double *p)
{
    *p = 1;
}

__attribute__((noinline)) static void gives_through_pointer(double *p)
{
    *p = 1;
}

__attribute__((noinline)) static double hands_back(double d)
{
    return d;
}

__attribute__((noinline)) static int counts_down(double d, int n)
{
    return n > 0 ? counts_down(d, n - 1) : n;
}

__attribute__((noinline)) static pair counted(pair p)
{
    p.i++;
    return p;
}

kernel void struct_handed_back(global int *x, global pair *p)
{
    x[0] = counted(p[0]).i;
}

kernel void stored_by_helper(global double *x)
{
    stores(x);
}

kernel void given_through_pointer(global int *x)
{
    double d;
    gives_through_pointer(&d);
    x[0] = d;
}

kernel void handed_back(global double *x, double d)
{
    x[0] = hands_back(d);
}

kernel void handed_down_recursively(global int *x, double d)
{
    x[0] = counts_down(d, x[1]);
}

// --- Functions of another module

float takes_elsewhere(double d);
double gives_elsewhere(int i);
double4 vector_elsewhere(double4 v);
int counted_elsewhere(int i);

kernel void taken_elsewhere(global float *x, double d)
{
    x[0] = takes_elsewhere(d);
}

kernel void given_elsewhere(global int *x)
{
    x[0] = gives_elsewhere(x[1]);
}

kernel void given_elsewhere_to_elsewhere(global float *x)
{
    x[0] = takes_elsewhere(gives_elsewhere(3));
}

kernel void vector_taken_elsewhere(global double4 *x)
{
    x[0] = vector_elsewhere(x[1]);
}

kernel void computed_beside_import(global float *x)
{
    x[0] = x[1] * 0.1 + counted_elsewhere(3);
}

kernel void imports_without_double(global int *x)
{
    x[0] = counted_elsewhere(x[1]);
}

// --- Functions of OpenCL C

kernel void mathematics(global double *x)
{
    x[0] = sin(x[1]) + fma(x[2], x[3], sqrt(x[4]));
}

kernel void printed(float x)
{
    printf("%f\n", x);
}

kernel void printed_double(double d)
{
    printf("%f\n", d);
}

kernel void printed_constant(int i)
{
    printf("%d %f\n", i, 3.5);
}

kernel void printed_int(int x)
{
    printf("%d\n", x);
}

kernel void printed_text(int x)
{
    printf("%s\n", "no number");
}

kernel void rounded(global float *x, double d)
{
    x[0] = convert_float_rtz(d);
}

kernel void rounded_to_int(global int *x, double d)
{
    x[0] = convert_int_rte(d);
}

kernel void saturated(global int *x, double d)
{
    x[0] = convert_int_sat(d);
}

kernel void remainder_of(global double *x)
{
    x[0] = fmod(x[1], x[2]) / x[3];
}

kernel void compared_exactly(global int *x, global double *d)
{
    x[0] = isnan(d[0]) || signbit(d[1]);
}

kernel void asked_of_argument(global int *x, double d)
{
    x[0] = isfinite(d) + ilogb(d);
}

kernel void through_pointer(global int *x, double d)
{
    int exponent;
    frexp(d, &exponent);
    x[0] = exponent;
}

kernel void sine_of_constant(global float *x)
{
    x[0] = sin(1.5);
}

kernel void sine_of_float(global float *x)
{
    x[0] = sin(x[1]);
}

kernel void async_copied(global double *x, local double *room)
{
    event_t e = async_work_group_copy(room, x, 16, 0);
    wait_group_events(1, &e);
}

kernel void async_copied_back(global double *x, local double *room)
{
    event_t e = async_work_group_strided_copy(x, room, 16, 2, 0);
    wait_group_events(1, &e);
}

kernel void async_copied_vectors(global double2 *x, local double2 *room)
{
    event_t e = async_work_group_copy(room, x, 16, 0);
    wait_group_events(1, &e);
}

kernel void prefetched(global double *x)
{
    prefetch(x, 16);
}

kernel void group_sum(global double *x)
{
    x[0] = work_group_reduce_add(x[get_local_id(0)]);
}

kernel void group_told(global int *x, double d)
{
    x[0] = work_group_broadcast(d, 0) > 1;
}

kernel void sub_group_sum(global double *x)
{
    x[0] = sub_group_reduce_add(x[get_local_id(0)]);
}

kernel void sub_group_told(global double *x)
{
    x[0] = sub_group_broadcast(x[get_local_id(0)], 0);
}
