// SPDX-License-Identifier: MIT
//
// A kernel that says less than the truth.

#include <mezzanine/aspects.h>

MEZ_DEVICE_HAS(liar, "gpu");
kernel void liar(global float *x)
{
    x[0] *= 0.1;
}
