// SPDX-License-Identifier: MIT
//
// Kernels for the runtime's tests on the no-op driver: their code never runs, but it is read, checked and handed over.

kernel void nothing(void)
{
}

kernel void saxpy(float a, global const float *x, global float *y)
{
    const size_t i = get_global_id(0);
    y[i] += a * x[i];
}

kernel void sums(global int *result, local int *scratch)
{
    const size_t i = get_local_id(0);
    scratch[i] = (int)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    result[get_global_id(0)] = scratch[0] + scratch[i];
}

__attribute__((reqd_work_group_size(8, 2, 1))) kernel void grouped(global int *result)
{
    result[get_global_id(0)] = 1;
}

kernel void unchecked(global int *result)
{
    result[get_global_id(0)] = 1;
}

kernel void follows(global int *global *lists)
{
    lists[0][get_global_id(0)] = 1;
}
