// SPDX-License-Identifier: MIT

#include "half.h"

#include <math.h>

#define EXPONENT_BITS 0x7c00
#define MANTISSA_BITS 0x03ff
#define QUIET_NAN 0x7e00
#define LARGEST_BEFORE_INFINITY 65520.0 // half way between the largest half and the next step
#define SMALLEST_NORMAL 0x1p-14

uint16_t half_from_double(double number)
{
    const uint16_t sign = signbit(number) ? 0x8000 : 0;
    const double size = fabs(number);
    if (isnan(number))
        return sign | QUIET_NAN;
    if (size >= LARGEST_BEFORE_INFINITY)
        return sign | EXPONENT_BITS;
    if (size < SMALLEST_NORMAL) // steps of 2^-24; rounding up to 2^-14 gives the right bits too
        return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
    int exponent;
    const double fraction = frexp(size, &exponent);                // in [0.5, 1)
    const unsigned steps = (unsigned)nearbyint(fraction * 0x1p11); // 1024 to 2048
    // The leading one of `steps` is not stored, and a carry out of the mantissa must reach the exponent: so add.
    return (uint16_t)(sign | (((unsigned)(exponent + 13) << 10) + steps));
}

double half_to_double(uint16_t half)
{
    const double sign = half & 0x8000 ? -1.0 : 1.0;
    const int exponent = (half & EXPONENT_BITS) >> 10;
    const int mantissa = half & MANTISSA_BITS;
    if (exponent == 0)
        return sign * ldexp(mantissa, -24);
    if (exponent == 31)
        return mantissa ? (double)NAN : sign * (double)INFINITY;
    return sign * ldexp(mantissa + 1024, exponent - 25);
}
