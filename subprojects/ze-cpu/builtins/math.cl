// SPDX-License-Identifier: MIT
//
// Mathematics of float and double: OpenCL.std's math functions. glibc does the work; its results
// are well within the errors that OpenCL allows. Functions that glibc does not have are computed in
// double for float, which settles their accuracy, and with some care for double.

#include "builtins.h"

#define PI 3.14159265358979323846
#define MATH(name) BUILTIN __spirv_ocl_##name

// A function of glibc for both types, in three shapes.
#define LIBM_1(name)                                                                               \
    float name##f(float);                                                                          \
    double name(double);                                                                           \
    float MATH(name)(float x) { return name##f(x); }                                               \
    double MATH(name)(double x) { return name(x); }

#define LIBM_2(name)                                                                               \
    float name##f(float, float);                                                                   \
    double name(double, double);                                                                   \
    float MATH(name)(float x, float y) { return name##f(x, y); }                                   \
    double MATH(name)(double x, double y) { return name(x, y); }

// A function that LLVM knows, so that it can become an instruction or be folded.
#define LLVM_1(name)                                                                               \
    float MATH(name)(float x) { return __builtin_##name##f(x); }                                   \
    double MATH(name)(double x) { return __builtin_##name(x); }

#define LLVM_2(name)                                                                               \
    float MATH(name)(float x, float y) { return __builtin_##name##f(x, y); }                       \
    double MATH(name)(double x, double y) { return __builtin_##name(x, y); }

LIBM_1(acos)
LIBM_1(acosh)
LIBM_1(asin)
LIBM_1(asinh)
LIBM_1(atan)
LIBM_1(atanh)
LIBM_1(cbrt)
LIBM_1(cosh)
LIBM_1(erf)
LIBM_1(erfc)
LIBM_1(exp10)
LIBM_1(expm1)
LIBM_1(log1p)
LIBM_1(logb)
LIBM_1(sinh)
LIBM_1(tan)
LIBM_1(tanh)
LIBM_2(atan2)
LIBM_2(fdim)
LIBM_2(fmod)
LIBM_2(hypot)
LIBM_2(nextafter)
LIBM_2(remainder)
LLVM_1(ceil)
LLVM_1(cos)
LLVM_1(exp)
LLVM_1(exp2)
LLVM_1(fabs)
LLVM_1(floor)
LLVM_1(log)
LLVM_1(log10)
LLVM_1(log2)
LLVM_1(rint)
LLVM_1(round)
LLVM_1(sin)
LLVM_1(sqrt)
LLVM_1(trunc)
LLVM_2(copysign)
LLVM_2(fmax)
LLVM_2(fmin)
LLVM_2(pow)

// Functions by formula, for both types in double.
#define FORMULA_1(name, formula)                                                                   \
    float MATH(name)(float narrow) { const double x = narrow; return formula; }                    \
    double MATH(name)(double x) { return formula; }

#define FORMULA_2(name, formula)                                                                   \
    float MATH(name)(float a, float b) { const double x = a, y = b; return formula; }              \
    double MATH(name)(double x, double y) { return formula; }

FORMULA_1(rsqrt, 1 / __builtin_sqrt(x))
double tgamma(double);
FORMULA_1(tgamma, tgamma(x))
FORMULA_1(acospi, acos(x) / PI)
FORMULA_1(asinpi, asin(x) / PI)
FORMULA_1(atanpi, atan(x) / PI)
FORMULA_2(atan2pi, atan2(x, y) / PI)
FORMULA_2(powr, x < 0 || x != x || y != y || (x == 1 && __builtin_isinf(y)) ||
                    (x == 0 && y == 0) || (__builtin_isinf(x) && y == 0)
                ? __builtin_nan("") : __builtin_pow(x, y))
FORMULA_2(maxmag, __builtin_fabs(x) > __builtin_fabs(y) ? x
                  : __builtin_fabs(y) > __builtin_fabs(x) ? y : __builtin_fmax(x, y))
FORMULA_2(minmag, __builtin_fabs(x) < __builtin_fabs(y) ? x
                  : __builtin_fabs(y) < __builtin_fabs(x) ? y : __builtin_fmin(x, y))

// An angle in half turns as quarter turns, exactly, and what is left, in radians.
static double quarters(double x, int *quarter)
{
    const double turns = fmod(__builtin_fabs(x), 2.0);
    const double nearest = __builtin_rint(turns * 2);
    *quarter = (int)nearest & 3;
    return (turns - nearest / 2) * PI;
}

static double sine_of_half_turns(double x)
{
    int quarter;
    if (__builtin_isinf(x) || x != x)
        return __builtin_nan("");
    if (x == __builtin_trunc(x))
        return __builtin_copysign(0.0, x);
    const double rest = quarters(x, &quarter);
    const double size = quarter & 1 ? __builtin_cos(rest) : __builtin_sin(rest);
    return (quarter & 2 ? -size : size) * __builtin_copysign(1.0, x);
}

static double cosine_of_half_turns(double x)
{
    int quarter;
    if (__builtin_isinf(x) || x != x)
        return __builtin_nan("");
    const double rest = quarters(x, &quarter);
    if (rest == 0 && (quarter & 1))
        return 0;
    const double size = quarter & 1 ? __builtin_sin(rest) : __builtin_cos(rest);
    return quarter == 1 || quarter == 2 ? -size : size;
}

static double tangent_of_half_turns(double x)
{
    return sine_of_half_turns(x) / cosine_of_half_turns(x);
}

FORMULA_1(sinpi, sine_of_half_turns(x))
FORMULA_1(cospi, cosine_of_half_turns(x))
FORMULA_1(tanpi, tangent_of_half_turns(x))

// The root of an odd degree keeps the sign, one of an even degree needs a positive number.
static double root(double x, int degree)
{
    if (degree == 0 || (x < 0 && degree % 2 == 0))
        return __builtin_nan("");
    const double size = __builtin_pow(__builtin_fabs(x), 1.0 / degree);
    return degree % 2 == 0 ? size : __builtin_copysign(size, x);
}

float MATH(rootn)(float x, int n) { return root(x, n); }

// One over the degree is rounded, which for large and tiny numbers is worth hundreds of units in the last place. What is lost
// is put back: of the exponent it is exactly known, and of a power so near to 1 the first term is enough.
double MATH(rootn)(double x, int n)
{
    const double inverse = 1.0 / n, size = root(x, n);
    const double lost = __builtin_fma(-inverse, n, 1.0) / n;
    if (size == 0 || __builtin_isinf(size) || !(lost != 0))
        return size;
    return __builtin_fma(size, lost * __builtin_log(__builtin_fabs(x)), size);
}

float MATH(pown)(float x, int n) { return __builtin_pow((double)x, (double)n); }
double MATH(pown)(double x, int n) { return __builtin_pow(x, (double)n); }

float ldexpf(float, int);
double ldexp(double, int);
float MATH(ldexp)(float x, int n) { return ldexpf(x, n); }
double MATH(ldexp)(double x, int n) { return ldexp(x, n); }

int ilogbf(float);
int ilogb(double);
int MATH(ilogb)(float x) { return ilogbf(x); }
int MATH(ilogb)(double x) { return ilogb(x); }

float MATH(nan)(uint code) { return __builtin_astype(0x7fc00000u | code, float); }
double MATH(nan)(ulong code) { return __builtin_astype(0x7ff8000000000000ul | code, double); }

float MATH(fma)(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
double MATH(fma)(double x, double y, double z) { return __builtin_fma(x, y, z); }

// Whichever is faster: fused where the processor can.
#define MAD(type)                                                                                  \
    type MATH(mad)(type x, type y, type z)                                                         \
    {                                                                                              \
        _Pragma("clang fp contract(on)") return x * y + z;                                         \
    }
MAD(float)
MAD(double)

// Functions with a second result, which goes through a generic pointer.

float MATH(fract)(float x, float *whole)
{
    *whole = __builtin_floorf(x);
    if (__builtin_isinf(x))
        return __builtin_copysignf(0, x);
    return x != x ? x : __builtin_fminf(x - *whole, 0x1.fffffep-1f);
}

double MATH(fract)(double x, double *whole)
{
    *whole = __builtin_floor(x);
    if (__builtin_isinf(x))
        return __builtin_copysign(0, x);
    return x != x ? x : __builtin_fmin(x - *whole, 0x1.fffffffffffffp-1);
}

#define SECOND_RESULT(name, type, libm, second)                                                    \
    type libm(type, __private second *);                                                           \
    type MATH(name)(type x, second *out)                                                           \
    {                                                                                              \
        second value = 0;                                                                          \
        const type result = libm(x, &value);                                                       \
        *out = value;                                                                              \
        return result;                                                                             \
    }
SECOND_RESULT(frexp, float, frexpf, int)
SECOND_RESULT(frexp, double, frexp, int)
SECOND_RESULT(modf, float, modff, float)
SECOND_RESULT(modf, double, modf, double)
SECOND_RESULT(lgamma_r, float, lgammaf_r, int)
SECOND_RESULT(lgamma_r, double, lgamma_r, int)

// glibc's lgamma writes to a variable of the process; lgamma_r does not.
float MATH(lgamma)(float x)
{
    int sign;
    return lgammaf_r(x, &sign);
}

double MATH(lgamma)(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

#define REMQUO(type, libm)                                                                         \
    type libm(type, type, __private int *);                                                        \
    type MATH(remquo)(type x, type y, int *out)                                                    \
    {                                                                                              \
        int quotient = 0;                                                                          \
        const type result = libm(x, y, &quotient);                                                 \
        *out = quotient;                                                                           \
        return result;                                                                             \
    }
REMQUO(float, remquof)
REMQUO(double, remquo)

#define SINCOS(type)                                                                               \
    type MATH(sincos)(type x, type *cosine)                                                        \
    {                                                                                              \
        *cosine = __spirv_ocl_cos(x);                                                              \
        return __spirv_ocl_sin(x);                                                                 \
    }
SINCOS(float)
SINCOS(double)

// half_ and native_ functions may be less exact; there is nothing to gain from it here.
#define RELAXED_1(name)                                                                            \
    float MATH(half_##name)(float x) { return __spirv_ocl_##name(x); }                             \
    float MATH(native_##name)(float x) { return __spirv_ocl_##name(x); }
RELAXED_1(cos)
RELAXED_1(exp)
RELAXED_1(exp2)
RELAXED_1(exp10)
RELAXED_1(log)
RELAXED_1(log2)
RELAXED_1(log10)
RELAXED_1(rsqrt)
RELAXED_1(sin)
RELAXED_1(sqrt)
RELAXED_1(tan)

float MATH(half_recip)(float x) { return 1 / x; }
float MATH(native_recip)(float x) { return 1 / x; }
float MATH(half_divide)(float x, float y) { return x / y; }
float MATH(native_divide)(float x, float y) { return x / y; }
float MATH(half_powr)(float x, float y) { return __spirv_ocl_powr(x, y); }
float MATH(native_powr)(float x, float y) { return __spirv_ocl_powr(x, y); }
