// SPDX-License-Identifier: MIT
//
// The mathematical functions that are tested: OpenCL's name, then a C expression of double
// arguments that it must equal.

#define COMMON_FUNCTIONS_OF_ONE(F)                                                 \
    F(acos, acos(x))                                                               \
    F(acosh, acosh(x))                                                             \
    F(acospi, acos(x) / M_PI)                                                      \
    F(asin, asin(x))                                                               \
    F(asinh, asinh(x))                                                             \
    F(atan, atan(x))                                                               \
    F(atanh, atanh(x))                                                             \
    F(atanpi, atan(x) / M_PI)                                                      \
    F(cbrt, cbrt(x))                                                               \
    F(ceil, ceil(x))                                                               \
    F(cos, cos(x))                                                                 \
    F(cosh, cosh(x))                                                               \
    F(cospi, fmod(fabs(x), 1) == 0.5 ? 0 : cos(M_PI * fmod(x, 2)))                 \
    F(degrees, x *(180 / M_PI))                                                    \
    F(erf, erf(x))                                                                 \
    F(erfc, erfc(x))                                                               \
    F(exp, exp(x))                                                                 \
    F(exp10, pow(10, x))                                                           \
    F(exp2, exp2(x))                                                               \
    F(expm1, expm1(x))                                                             \
    F(fabs, fabs(x))                                                               \
    F(floor, floor(x))                                                             \
    F(lgamma, lgamma(x))                                                           \
    F(log, log(x))                                                                 \
    F(log10, log10(x))                                                             \
    F(log1p, log1p(x))                                                             \
    F(log2, log2(x))                                                               \
    F(logb, logb(x))                                                               \
    F(radians, x *(M_PI / 180))                                                    \
    F(rint, rint(x))                                                               \
    F(round, round(x))                                                             \
    F(rsqrt, 1 / sqrt(x))                                                          \
    F(sign, (x > 0) - (x < 0))                                                     \
    F(sin, sin(x))                                                                 \
    F(sinh, sinh(x))                                                               \
    F(sinpi, x == trunc(x) && !isinf(x) ? copysign(0, x) : sin(M_PI * fmod(x, 2))) \
    F(sqrt, sqrt(x))                                                               \
    F(tan, tan(x))                                                                 \
    F(tanh, tanh(x))                                                               \
    F(tgamma, tgamma(x))                                                           \
    F(trunc, trunc(x))

// Those of float alone, too.
#define FUNCTIONS_OF_ONE(F)                                                         \
    COMMON_FUNCTIONS_OF_ONE(F)                                                      \
    F(asinpi, asin(x) / M_PI)                                                       \
    F(tanpi, x == trunc(x) && !isinf(x) ? 0                                         \
             : fabs(fmod(x, 1)) == 0.5                                              \
                 ? (fmod(x, 2) == 0.5 || fmod(x, 2) == -1.5 ? INFINITY : -INFINITY) \
                 : tan(M_PI * fmod(x, 1)))                                          \
    F(native_exp, exp(x))                                                           \
    F(half_rsqrt, 1 / sqrt(x))

#define FUNCTIONS_OF_TWO(F)                                               \
    F(atan2, atan2(x, y))                                                 \
    F(atan2pi, atan2(x, y) / M_PI)                                        \
    F(copysign, copysign(x, y))                                           \
    F(fdim, fdim(x, y))                                                   \
    F(fmax, fmax(x, y))                                                   \
    F(fmin, fmin(x, y))                                                   \
    F(fmod, fmod(x, y))                                                   \
    F(hypot, hypot(x, y))                                                 \
    F(maxmag, fabs(x) > fabs(y) ? x : fabs(x) < fabs(y) ? y : fmax(x, y)) \
    F(minmag, fabs(x) < fabs(y) ? x : fabs(x) > fabs(y) ? y : fmin(x, y)) \
    F(pow, pow(x, y))                                                     \
    F(powr, powr_is_undefined(x, y) ? NAN : pow(x, y))                    \
    F(remainder, remainder(x, y))                                         \
    F(step, y < x ? 0 : 1)
