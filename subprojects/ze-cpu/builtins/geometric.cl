// SPDX-License-Identifier: MIT
//
// Geometry. Float is computed in double, where neither squares nor their sums overflow or vanish;
// double is scaled first where they would.

#include "builtins.h"

#define DOT(type)                                                                                  \
    static double sum_##type(type x, type y, int size)                                             \
    {                                                                                              \
        double sum = 0;                                                                            \
        for (int i = 0; i < size; i++)                                                             \
            sum += (double)x[i] * (double)y[i];                                                    \
        return sum;                                                                                \
    }

#define DOTS(scalar, size)                                                                         \
    DOT(scalar##size)                                                                              \
    scalar BUILTIN __spirv_Dot(scalar##size x, scalar##size y)                                     \
    {                                                                                              \
        return sum_##scalar##size(x, y, size);                                                     \
    }

DOTS(float, 2)
DOTS(float, 3)
DOTS(float, 4)
DOTS(float, 8)
DOTS(float, 16)
DOTS(double, 2)
DOTS(double, 3)
DOTS(double, 4)
DOTS(double, 8)
DOTS(double, 16)

// A power of two by which a double vector is multiplied so that its squares stay in range.
static double scale_for(double largest)
{
    return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-500 ? 0x1p600 : 1;
}

#define LENGTH_OF_DOUBLE(size)                                                                     \
    static double BUILTIN length_of(double##size x, double *scale)                                 \
    {                                                                                              \
        double largest = 0;                                                                        \
        for (int i = 0; i < size; i++)                                                             \
            largest = __builtin_fmax(largest, __builtin_fabs(x[i]));                               \
        *scale = scale_for(largest);                                                               \
        return __builtin_sqrt(sum_double##size(x * *scale, x * *scale, size));                     \
    }

#define FLOATS(size)                                                                               \
    float BUILTIN __spirv_ocl_length(float##size x)                                                \
    {                                                                                              \
        return __builtin_sqrt(sum_float##size(x, x, size));                                        \
    }                                                                                              \
    float BUILTIN __spirv_ocl_distance(float##size x, float##size y)                               \
    {                                                                                              \
        return __spirv_ocl_length(x - y);                                                          \
    }                                                                                              \
    float##size BUILTIN __spirv_ocl_normalize(float##size x)                                       \
    {                                                                                              \
        const double length = __builtin_sqrt(sum_float##size(x, x, size));                         \
        for (int i = 0; i < size; i++)                                                             \
            x[i] = length == 0 ? x[i] : x[i] / length;                                             \
        return x;                                                                                  \
    }                                                                                              \
    float BUILTIN __spirv_ocl_fast_length(float##size x) { return __spirv_ocl_length(x); }         \
    float BUILTIN __spirv_ocl_fast_distance(float##size x, float##size y)                          \
    {                                                                                              \
        return __spirv_ocl_distance(x, y);                                                         \
    }                                                                                              \
    float##size BUILTIN __spirv_ocl_fast_normalize(float##size x)                                  \
    {                                                                                              \
        return __spirv_ocl_normalize(x);                                                           \
    }

#define DOUBLES(size)                                                                              \
    LENGTH_OF_DOUBLE(size)                                                                         \
    double BUILTIN __spirv_ocl_length(double##size x)                                              \
    {                                                                                              \
        double scale;                                                                              \
        const double length = length_of(x, &scale);                                                \
        return length / scale;                                                                     \
    }                                                                                              \
    double BUILTIN __spirv_ocl_distance(double##size x, double##size y)                            \
    {                                                                                              \
        return __spirv_ocl_length(x - y);                                                          \
    }                                                                                              \
    double##size BUILTIN __spirv_ocl_normalize(double##size x)                                     \
    {                                                                                              \
        double scale;                                                                              \
        const double length = length_of(x, &scale);                                                \
        return length == 0 ? x : x * scale / length;                                               \
    }

FLOATS(2)
FLOATS(3)
FLOATS(4)
DOUBLES(2)
DOUBLES(3)
DOUBLES(4)

#define SCALARS(type, absolute)                                                                    \
    type BUILTIN __spirv_ocl_length(type x) { return absolute(x); }                                \
    type BUILTIN __spirv_ocl_distance(type x, type y) { return absolute(x - y); }                  \
    type BUILTIN __spirv_ocl_fast_length(type x) { return absolute(x); }                           \
    type BUILTIN __spirv_ocl_fast_distance(type x, type y) { return absolute(x - y); }             \
    type BUILTIN __spirv_ocl_normalize(type x) { return x > 0 ? 1 : x < 0 ? -1 : x; }              \
    type BUILTIN __spirv_ocl_fast_normalize(type x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

SCALARS(float, __builtin_fabsf)
SCALARS(double, __builtin_fabs)

#define CROSS(type)                                                                                \
    type##3 BUILTIN __spirv_ocl_cross(type##3 a, type##3 b)                                        \
    {                                                                                              \
        return a.yzx * b.zxy - a.zxy * b.yzx;                                                      \
    }                                                                                              \
    type##4 BUILTIN __spirv_ocl_cross(type##4 a, type##4 b)                                        \
    {                                                                                              \
        type##4 r = a.yzxw * b.zxyw - a.zxyw * b.yzxw;                                             \
        r.w = 0;                                                                                   \
        return r;                                                                                  \
    }

CROSS(float)
CROSS(double)
