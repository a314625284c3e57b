// SPDX-License-Identifier: MIT
//
// convert_ functions: each pair of types in each rounding mode, saturated and not.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "conversions.h"

// Results are bits, those of integers with their sign.
#define BITS_half as_ushort
#define BITS_float as_uint
#define BITS_double as_ulong

#define TO_INTEGER(from, to)                                                                       \
    __kernel void from##_##to(__global ulong *out, __global const from *in)                        \
    {                                                                                              \
        __global ulong *mine = out + get_global_id(0) * 10;                                        \
        const from x = in[get_global_id(0)];                                                       \
        mine[0] = convert_##to(x);                                                                 \
        mine[1] = convert_##to##_rte(x);                                                           \
        mine[2] = convert_##to##_rtz(x);                                                           \
        mine[3] = convert_##to##_rtp(x);                                                           \
        mine[4] = convert_##to##_rtn(x);                                                           \
        mine[5] = convert_##to##_sat(x);                                                           \
        mine[6] = convert_##to##_sat_rte(x);                                                       \
        mine[7] = convert_##to##_sat_rtz(x);                                                       \
        mine[8] = convert_##to##_sat_rtp(x);                                                       \
        mine[9] = convert_##to##_sat_rtn(x);                                                       \
    }
FROM_ALL(INTEGERS_OF, TO_INTEGER)

#define TO_FLOAT(from, to)                                                                         \
    __kernel void from##_##to(__global ulong *out, __global const from *in)                        \
    {                                                                                              \
        __global ulong *mine = out + get_global_id(0) * 10;                                        \
        const from x = in[get_global_id(0)];                                                       \
        mine[0] = BITS_##to(convert_##to(x));                                                      \
        mine[1] = BITS_##to(convert_##to##_rte(x));                                                \
        mine[2] = BITS_##to(convert_##to##_rtz(x));                                                \
        mine[3] = BITS_##to(convert_##to##_rtp(x));                                                \
        mine[4] = BITS_##to(convert_##to##_rtn(x));                                                \
    }
FROM_ALL(FLOATS_OF, TO_FLOAT)
