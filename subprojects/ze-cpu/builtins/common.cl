// SPDX-License-Identifier: MIT
//
// Common functions: clamping, mixing, steps.

#include "builtins.h"

#define PI 3.14159265358979323846

#define COMMON(type, minimum, maximum)                                                             \
    type BUILTIN __spirv_ocl_fclamp(type x, type low, type high)                                   \
    {                                                                                              \
        return minimum(maximum(x, low), high);                                                     \
    }                                                                                              \
    type BUILTIN __spirv_ocl_degrees(type x) { return (type)(180 / PI) * x; }                      \
    type BUILTIN __spirv_ocl_radians(type x) { return (type)(PI / 180) * x; }                      \
    type BUILTIN __spirv_ocl_fmax_common(type x, type y) { return x < y ? y : x; }                 \
    type BUILTIN __spirv_ocl_fmin_common(type x, type y) { return y < x ? y : x; }                 \
    type BUILTIN __spirv_ocl_mix(type x, type y, type a) { return x + (y - x) * a; }               \
    type BUILTIN __spirv_ocl_step(type edge, type x) { return x < edge ? 0 : 1; }                  \
    type BUILTIN __spirv_ocl_smoothstep(type low, type high, type x)                               \
    {                                                                                              \
        const type t = minimum(maximum((x - low) / (high - low), (type)0), (type)1);               \
        return t * t * (3 - 2 * t);                                                                \
    }                                                                                              \
    type BUILTIN __spirv_ocl_sign(type x)                                                          \
    {                                                                                              \
        return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0;                                            \
    }

COMMON(float, __builtin_fminf, __builtin_fmaxf)
COMMON(double, __builtin_fmin, __builtin_fmax)
