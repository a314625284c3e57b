// SPDX-License-Identifier: MIT
//
// Halfs in memory for those who compute in float or double: vload_half and its kin; and functions of halfs that
// resolve.c can't make of those of floats, since their second result goes through a pointer.

#include "builtins.h"

half BUILTIN __spirv_FConvert_Rhalf_rte(float x);
half BUILTIN __spirv_FConvert_Rhalf_rtz(float x);
half BUILTIN __spirv_FConvert_Rhalf_rtp(float x);
half BUILTIN __spirv_FConvert_Rhalf_rtn(float x);
half BUILTIN __spirv_FConvert_Rhalf_rte(double x);
half BUILTIN __spirv_FConvert_Rhalf_rtz(double x);
half BUILTIN __spirv_FConvert_Rhalf_rtp(double x);
half BUILTIN __spirv_FConvert_Rhalf_rtn(double x);

// SPIR-V's numbers of the rounding modes.
enum { TO_NEAREST, TO_ZERO, UP, DOWN };

#define ROUND(type)                                                                                \
    static half BUILTIN rounded(type x, int mode)                                                  \
    {                                                                                              \
        switch (mode) {                                                                            \
        case TO_ZERO:                                                                              \
            return __spirv_FConvert_Rhalf_rtz(x);                                                  \
        case UP:                                                                                   \
            return __spirv_FConvert_Rhalf_rtp(x);                                                  \
        case DOWN:                                                                                 \
            return __spirv_FConvert_Rhalf_rtn(x);                                                  \
        default:                                                                                   \
            return __spirv_FConvert_Rhalf_rte(x);                                                  \
        }                                                                                          \
    }                                                                                              \
    void BUILTIN __spirv_ocl_vstore_half_r(type x, ulong offset, half *to, int mode)               \
    {                                                                                              \
        to[offset] = rounded(x, mode);                                                             \
    }                                                                                              \
    void BUILTIN __spirv_ocl_vstore_half(type x, ulong offset, half *to)                           \
    {                                                                                              \
        to[offset] = rounded(x, TO_NEAREST);                                                       \
    }

ROUND(float)
ROUND(double)

float BUILTIN __spirv_ocl_vload_half_Rfloat(ulong offset, const half *from)
{
    return from[offset];
}

// The "a" versions keep vectors of three as far apart as vectors of four.
#define STORE(type, size, name, distance)                                                          \
    void BUILTIN __spirv_ocl_##name##_r(type##size x, ulong offset, half *to, int mode)            \
    {                                                                                              \
        for (int i = 0; i < size; i++)                                                             \
            to[offset * distance + i] = rounded(x[i], mode);                                       \
    }                                                                                              \
    void BUILTIN __spirv_ocl_##name(type##size x, ulong offset, half *to)                          \
    {                                                                                              \
        __spirv_ocl_##name##_r(x, offset, to, TO_NEAREST);                                         \
    }

#define LOAD(size, name, distance)                                                                 \
    float##size BUILTIN __spirv_ocl_##name##_Rfloat##size(ulong offset, const half *from, int n)   \
    {                                                                                              \
        float##size x;                                                                             \
        for (int i = 0; i < size; i++)                                                             \
            x[i] = from[offset * distance + i];                                                    \
        return x;                                                                                  \
    }

#define VECTORS(size, distance)                                                                    \
    STORE(float, size, vstore_halfn, size)                                                         \
    STORE(float, size, vstorea_halfn, distance)                                                    \
    STORE(double, size, vstore_halfn, size)                                                        \
    STORE(double, size, vstorea_halfn, distance)                                                   \
    LOAD(size, vload_halfn, size)                                                                  \
    LOAD(size, vloada_halfn, distance)

VECTORS(2, 2)
VECTORS(3, 4)
VECTORS(4, 4)
VECTORS(8, 8)
VECTORS(16, 16)

float BUILTIN __spirv_ocl_fract(float x, float *whole);
float BUILTIN __spirv_ocl_modf(float x, float *whole);
float BUILTIN __spirv_ocl_sincos(float x, float *cosine);

half BUILTIN __spirv_ocl_fract(half x, half *whole)
{
    float wide;
    const float fraction = __spirv_ocl_fract((float)x, &wide);
    *whole = wide;
    return fraction > 0x1.ffcp-1f ? 0x1.ffcp-1f : fraction;
}

half BUILTIN __spirv_ocl_modf(half x, half *whole)
{
    float wide;
    const float fraction = __spirv_ocl_modf((float)x, &wide);
    *whole = wide;
    return fraction;
}

half BUILTIN __spirv_ocl_sincos(half x, half *cosine)
{
    float wide;
    const float sine = __spirv_ocl_sincos((float)x, &wide);
    *cosine = wide;
    return sine;
}

half BUILTIN __spirv_ocl_nan(ushort code)
{
    return __builtin_astype((ushort)(0x7e00 | code), half);
}
