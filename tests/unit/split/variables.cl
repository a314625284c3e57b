// SPDX-License-Identifier: MIT
//
// Exported variables: one that a kernel uses, two that nobody here does, and one that is a declaration.

#include <mezzanine/aspects.h>

global int used = 1;
global int lonely = 2;
constant int fixed[2] = {3, 4};

MEZ_DEVICE_HAS(counts, "gpu");
kernel void counts(global int *x)
{
    x[get_global_id(0)] = used++;
}
