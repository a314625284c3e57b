// SPDX-License-Identifier: MIT
//
// Conversions that round or saturate in a way of their own; plain ones are LLVM instructions.
//
// llvm-spirv's names: what is converted into what, "_R" and the result's type, then "_sat", then
// the rounding mode: rte to nearest even, rtz towards zero, rtp up, rtn down.

#include "builtins.h"

#define CONVERT(name) BUILTIN __spirv_##name

#define ROUND_TO_rte(x) __builtin_rint(x)
#define ROUND_TO_rtz(x) (x)
#define ROUND_TO_rtp(x) __builtin_ceil(x)
#define ROUND_TO_rtn(x) __builtin_floor(x)

// Floating point to integer. Every float is a double; 2^63 and 2^64 are doubles too, their
// predecessors are not, hence the comparison from outside. Where the result does not fit and
// nothing is said about it, anything may come out.

#define FLOAT_TO_INTEGER(from, kind, type, low, bound, high, mode)                                 \
    type CONVERT(ConvertFTo##kind##_R##type##_##mode)(from x) { return (type)ROUND_TO_##mode(x); } \
    type CONVERT(ConvertFTo##kind##_R##type##_sat_##mode)(from x)                                  \
    {                                                                                              \
        const double rounded = ROUND_TO_##mode(x);                                                 \
        return rounded != rounded ? 0                                                              \
               : rounded <= low   ? (type)low                                                      \
               : rounded >= bound ? high                                                           \
                                  : (type)rounded;                                                 \
    }

#define FLOAT_TO_INTEGER_MODES(from, kind, type, low, bound, high)                                 \
    FLOAT_TO_INTEGER(from, kind, type, low, bound, high, rte)                                      \
    FLOAT_TO_INTEGER(from, kind, type, low, bound, high, rtz)                                      \
    FLOAT_TO_INTEGER(from, kind, type, low, bound, high, rtp)                                      \
    FLOAT_TO_INTEGER(from, kind, type, low, bound, high, rtn)                                      \
    type CONVERT(ConvertFTo##kind##_R##type##_sat)(from x)                                         \
    {                                                                                              \
        return __spirv_ConvertFTo##kind##_R##type##_sat_rtz(x);                                    \
    }

#define FLOAT_TO_INTEGERS(from)                                                                    \
    FLOAT_TO_INTEGER_MODES(from, S, char, -0x1p7, 0x1p7, 0x7f)                                     \
    FLOAT_TO_INTEGER_MODES(from, S, short, -0x1p15, 0x1p15, 0x7fff)                                \
    FLOAT_TO_INTEGER_MODES(from, S, int, -0x1p31, 0x1p31, 0x7fffffff)                              \
    FLOAT_TO_INTEGER_MODES(from, S, long, -0x1p63, 0x1p63, 0x7fffffffffffffff)                     \
    FLOAT_TO_INTEGER_MODES(from, U, uchar, 0, 0x1p8, 0xff)                                         \
    FLOAT_TO_INTEGER_MODES(from, U, ushort, 0, 0x1p16, 0xffff)                                     \
    FLOAT_TO_INTEGER_MODES(from, U, uint, 0, 0x1p32, 0xffffffffu)                                  \
    FLOAT_TO_INTEGER_MODES(from, U, ulong, 0, 0x1p64, 0xfffffffffffffffful)

FLOAT_TO_INTEGERS(float)
FLOAT_TO_INTEGERS(double)

// Integer to integer with saturation: from signed to signed or unsigned, from unsigned to either.
// The type that is converted follows from the parameter alone.

#define FROM_SIGNED(from, signed_to, unsigned_to, low, high, unsigned_high)                        \
    signed_to CONVERT(SConvert_R##signed_to##_sat)(from x)                                         \
    {                                                                                              \
        return (long)x < low ? low : (long)x > high ? high : (signed_to)x;                         \
    }                                                                                              \
    unsigned_to CONVERT(SatConvertSToU_R##unsigned_to)(from x)                                     \
    {                                                                                              \
        return x < 0 ? 0 : (ulong)x > unsigned_high ? unsigned_high : (unsigned_to)x;              \
    }

#define FROM_UNSIGNED(from, signed_to, unsigned_to, high, unsigned_high)                           \
    unsigned_to CONVERT(UConvert_R##unsigned_to##_sat)(from x)                                     \
    {                                                                                              \
        return (ulong)x > unsigned_high ? unsigned_high : (unsigned_to)x;                          \
    }                                                                                              \
    signed_to CONVERT(SatConvertUToS_R##signed_to)(from x)                                         \
    {                                                                                              \
        return (ulong)x > high ? high : (signed_to)x;                                              \
    }

#define SATURATE(signed_from, unsigned_from)                                                       \
    FROM_SIGNED(signed_from, char, uchar, -0x80, 0x7f, 0xff)                                       \
    FROM_SIGNED(signed_from, short, ushort, -0x8000, 0x7fff, 0xffff)                               \
    FROM_SIGNED(signed_from, int, uint, -0x7fffffff - 1, 0x7fffffff, 0xffffffff)                   \
    FROM_SIGNED(signed_from, long, ulong, -0x7fffffffffffffff - 1, 0x7fffffffffffffff,             \
        0xfffffffffffffffful)                                                                      \
    FROM_UNSIGNED(unsigned_from, char, uchar, 0x7f, 0xff)                                          \
    FROM_UNSIGNED(unsigned_from, short, ushort, 0x7fff, 0xffff)                                    \
    FROM_UNSIGNED(unsigned_from, int, uint, 0x7fffffff, 0xffffffff)                                \
    FROM_UNSIGNED(unsigned_from, long, ulong, 0x7fffffffffffffff, 0xfffffffffffffffful)

SATURATE(char, uchar)
SATURATE(short, ushort)
SATURATE(int, uint)
SATURATE(long, ulong)

// To floating point with a rounding mode: the nearest value, moved by one step where it lies on the
// wrong side.

// The neighbour of x in the direction of infinity's sign.
#define STEP(type, integer)                                                                        \
    static type BUILTIN step(type x, int up)                                                       \
    {                                                                                              \
        integer bits = __builtin_astype(x, integer);                                               \
        if (x == 0)                                                                                \
            bits = 1 | (up ? 0 : (integer)1 << (sizeof(type) * 8 - 1));                            \
        else                                                                                       \
            bits += (x > 0) == up ? 1 : -1;                                                        \
        return __builtin_astype(bits, type);                                                       \
    }

STEP(half, ushort)
STEP(float, uint)
STEP(double, ulong)

// exceeds(nearest, x): -1, 0, 1 as the nearest value is less than x, equal, greater.
#define EXCEEDS_FLOAT(type, from)                                                                  \
    static int BUILTIN exceeds(type nearest, from x)                                               \
    {                                                                                              \
        return (double)nearest > (double)x ? 1 : (double)nearest < (double)x ? -1 : 0;             \
    }

// Integers of 64 bits do not fit into a double: beyond their range the answer is clear, within it
// integers compare.
#define EXCEEDS_INTEGER(type, from, low, bound)                                                    \
    static int BUILTIN exceeds(type nearest, from x)                                               \
    {                                                                                              \
        if ((double)nearest >= bound)                                                              \
            return 1;                                                                              \
        if ((double)nearest < low)                                                                 \
            return -1;                                                                             \
        return (from)nearest > x ? 1 : (from)nearest < x ? -1 : 0;                                 \
    }

#define TO_FLOAT(name, type, from)                                                                 \
    type CONVERT(name##_R##type##_rte)(from x) { return (type)x; }                                 \
    type CONVERT(name##_R##type##_rtp)(from x)                                                     \
    {                                                                                              \
        const type nearest = (type)x;                                                              \
        return exceeds(nearest, x) < 0 ? step(nearest, 1) : nearest;                               \
    }                                                                                              \
    type CONVERT(name##_R##type##_rtn)(from x)                                                     \
    {                                                                                              \
        const type nearest = (type)x;                                                              \
        return exceeds(nearest, x) > 0 ? step(nearest, 0) : nearest;                               \
    }                                                                                              \
    type CONVERT(name##_R##type##_rtz)(from x)                                                     \
    {                                                                                              \
        return x < 0 ? __spirv_##name##_R##type##_rtp(x) : __spirv_##name##_R##type##_rtn(x);      \
    }

#define INTEGERS_TO_FLOAT(type)                                                                    \
    EXCEEDS_INTEGER(type, long, -0x1p63, 0x1p63)                                                   \
    EXCEEDS_INTEGER(type, ulong, 0, 0x1p64)                                                        \
    TO_FLOAT(ConvertSToF, type, long)                                                              \
    TO_FLOAT(ConvertUToF, type, ulong)                                                             \
    NARROW_TO_FLOAT(ConvertSToF, type, int, long)                                                  \
    NARROW_TO_FLOAT(ConvertSToF, type, short, long)                                                \
    NARROW_TO_FLOAT(ConvertSToF, type, char, long)                                                 \
    NARROW_TO_FLOAT(ConvertUToF, type, uint, ulong)                                                \
    NARROW_TO_FLOAT(ConvertUToF, type, ushort, ulong)                                              \
    NARROW_TO_FLOAT(ConvertUToF, type, uchar, ulong)

#define NARROW_MODE(name, type, from, wide, mode)                                                  \
    type CONVERT(name##_R##type##_##mode)(from x)                                                  \
    {                                                                                              \
        return __spirv_##name##_R##type##_##mode((wide)x);                                         \
    }

#define NARROW_TO_FLOAT(name, type, from, wide)                                                    \
    NARROW_MODE(name, type, from, wide, rte)                                                       \
    NARROW_MODE(name, type, from, wide, rtz)                                                       \
    NARROW_MODE(name, type, from, wide, rtp)                                                       \
    NARROW_MODE(name, type, from, wide, rtn)

INTEGERS_TO_FLOAT(half)
INTEGERS_TO_FLOAT(float)
INTEGERS_TO_FLOAT(double)

EXCEEDS_FLOAT(half, float)
EXCEEDS_FLOAT(half, double)
EXCEEDS_FLOAT(float, double)
TO_FLOAT(FConvert, half, float)
TO_FLOAT(FConvert, half, double)
TO_FLOAT(FConvert, float, double)

// A wider type has each value, so that nothing is rounded.
#define WIDEN_MODE(type, from, mode)                                                               \
    type CONVERT(FConvert_R##type##_##mode)(from x) { return x; }
#define WIDEN(type, from)                                                                          \
    WIDEN_MODE(type, from, rte)                                                                    \
    WIDEN_MODE(type, from, rtz)                                                                    \
    WIDEN_MODE(type, from, rtp)                                                                    \
    WIDEN_MODE(type, from, rtn)

WIDEN(float, half)
WIDEN(double, half)
WIDEN(double, float)
