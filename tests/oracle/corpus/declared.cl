// SPDX-License-Identifier: MIT
//
// Aspects that authors declare: only we know of them.

#include <mezzanine/aspects.h>

MEZ_DEVICE_HAS(needs_cpu, "cpu");
kernel void needs_cpu(global int *x)
{
    x[0] = 1;
}

MEZ_DEVICE_HAS(needs_fp64, "fp64,gpu");
kernel void needs_fp64(global int *x)
{
    x[0] = 1;
}

MEZ_DEVICE_HAS(needs_nothing, "");
kernel void needs_nothing(global int *x)
{
    x[0] = 1;
}

MEZ_USES_ASPECTS("fp64") static void uses_fp64(global int *x)
{
    x[1] = 2;
}

kernel void calls_user_of_fp64(global int *x)
{
    uses_fp64(x);
}
