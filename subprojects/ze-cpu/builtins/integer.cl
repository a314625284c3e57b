// SPDX-License-Identifier: MIT
//
// Integer functions. Names state the signedness, as SPIR-V's do; types are 8 to 64 bits wide.

#include "builtins.h"

#define OCL(name) BUILTIN __spirv_ocl_##name
#define LOWEST(type, bits) ((type)(1ul << (bits - 1)))
#define HIGHEST(type, bits) ((type)~(1ul << (bits - 1)))

// For the signed type s of so many bits and its unsigned version u.
#define INTEGERS(s, u, bits)                                                                       \
    u OCL(s_abs)(s x) { return x < 0 ? -(u)x : (u)x; }                                             \
    u OCL(u_abs)(u x) { return x; }                                                                \
    u OCL(s_abs_diff)(s x, s y) { return x > y ? (u)x - (u)y : (u)y - (u)x; }                      \
    u OCL(u_abs_diff)(u x, u y) { return x > y ? x - y : y - x; }                                  \
    s OCL(s_max)(s x, s y) { return x > y ? x : y; }                                               \
    u OCL(u_max)(u x, u y) { return x > y ? x : y; }                                               \
    s OCL(s_min)(s x, s y) { return x < y ? x : y; }                                               \
    u OCL(u_min)(u x, u y) { return x < y ? x : y; }                                               \
    s OCL(s_clamp)(s x, s low, s high) { return x < low ? low : x > high ? high : x; }             \
    u OCL(u_clamp)(u x, u low, u high) { return x < low ? low : x > high ? high : x; }             \
    s OCL(s_hadd)(s x, s y) { return (x & y) + ((x ^ y) >> 1); }                                   \
    u OCL(u_hadd)(u x, u y) { return (x & y) + ((x ^ y) >> 1); }                                   \
    s OCL(s_rhadd)(s x, s y) { return (x | y) - ((x ^ y) >> 1); }                                  \
    u OCL(u_rhadd)(u x, u y) { return (x | y) - ((x ^ y) >> 1); }                                  \
    s OCL(s_add_sat)(s x, s y)                                                                     \
    {                                                                                              \
        s sum;                                                                                     \
        if (!__builtin_add_overflow(x, y, &sum))                                                   \
            return sum;                                                                            \
        return x < 0 ? LOWEST(s, bits) : HIGHEST(s, bits);                                         \
    }                                                                                              \
    s OCL(s_sub_sat)(s x, s y)                                                                     \
    {                                                                                              \
        s difference;                                                                              \
        if (!__builtin_sub_overflow(x, y, &difference))                                            \
            return difference;                                                                     \
        return x < 0 ? LOWEST(s, bits) : HIGHEST(s, bits);                                         \
    }                                                                                              \
    u OCL(u_add_sat)(u x, u y) { return (u)(x + y) < x ? (u)-1 : (u)(x + y); }                     \
    u OCL(u_sub_sat)(u x, u y) { return x > y ? x - y : 0; }                                       \
    u OCL(rotate)(u x, u y)                                                                        \
    {                                                                                              \
        const u left = y & (bits - 1);                                                             \
        return left == 0 ? x : (u)(x << left) | (u)(x >> (bits - left));                           \
    }                                                                                              \
    u OCL(popcount)(u x) { return __builtin_popcountl(x); }                                        \
    u BUILTIN __spirv_BitCount(u x) { return __builtin_popcountl(x); }                             \
    u OCL(clz)(u x) { return x == 0 ? bits : __builtin_clzl(x) - (64 - bits); }                    \
    u OCL(ctz)(u x) { return x == 0 ? bits : __builtin_ctzl(x); }                                  \
    u BUILTIN __spirv_BitReverse(u x) { return __builtin_bitreverse64(x) >> (64 - bits); }

INTEGERS(char, uchar, 8)
INTEGERS(short, ushort, 16)
INTEGERS(int, uint, 32)
INTEGERS(long, ulong, 64)

// Products of up to 32 bits fit into 64, with what is added to them.
#define PRODUCTS(s, u, bits)                                                                       \
    s OCL(s_mul_hi)(s x, s y) { return ((long)x * (long)y) >> bits; }                              \
    u OCL(u_mul_hi)(u x, u y) { return ((ulong)x * (ulong)y) >> bits; }                            \
    s OCL(s_mad_sat)(s x, s y, s z)                                                                \
    {                                                                                              \
        const long sum = (long)x * y + z;                                                          \
        return sum < LOWEST(s, bits)    ? LOWEST(s, bits)                                          \
               : sum > HIGHEST(s, bits) ? HIGHEST(s, bits)                                         \
                                        : (s)sum;                                                  \
    }                                                                                              \
    u OCL(u_mad_sat)(u x, u y, u z)                                                                \
    {                                                                                              \
        const ulong sum = (ulong)x * y + z;                                                        \
        return sum > (u)-1 ? (u)-1 : (u)sum;                                                       \
    }

PRODUCTS(char, uchar, 8)
PRODUCTS(short, ushort, 16)
PRODUCTS(int, uint, 32)

// The high half of 64 by 64 bits, from four products of halves.
ulong OCL(u_mul_hi)(ulong x, ulong y)
{
    const ulong xl = (uint)x, xh = x >> 32, yl = (uint)y, yh = y >> 32;
    const ulong middle = xh * yl + (xl * yl >> 32);
    const ulong other = xl * yh + (uint)middle;
    return xh * yh + (middle >> 32) + (other >> 32);
}

long OCL(s_mul_hi)(long x, long y)
{
    const ulong high = __spirv_ocl_u_mul_hi((ulong)x, (ulong)y);
    return high - (x < 0 ? (ulong)y : 0) - (y < 0 ? (ulong)x : 0);
}

long OCL(s_mad_sat)(long x, long y, long z)
{
    const ulong low = (ulong)x * (ulong)y + (ulong)z;
    const ulong carry = low < (ulong)z;
    const long high = (ulong)__spirv_ocl_s_mul_hi(x, y) + (ulong)(z >> 63) + carry;
    if (high == (long)low >> 63)
        return low;
    return high < 0 ? LOWEST(long, 64) : HIGHEST(long, 64);
}

ulong OCL(u_mad_sat)(ulong x, ulong y, ulong z)
{
    const ulong low = x * y;
    return __spirv_ocl_u_mul_hi(x, y) != 0 || low + z < low ? (ulong)-1 : low + z;
}

#define MAD_HI(s, u)                                                                               \
    s OCL(s_mad_hi)(s x, s y, s z) { return (u)__spirv_ocl_s_mul_hi(x, y) + (u)z; }                \
    u OCL(u_mad_hi)(u x, u y, u z) { return __spirv_ocl_u_mul_hi(x, y) + z; }

MAD_HI(char, uchar)
MAD_HI(short, ushort)
MAD_HI(int, uint)
MAD_HI(long, ulong)

#define UPSAMPLE(narrow, wide, bits)                                                               \
    wide OCL(u_upsample)(narrow high, narrow low) { return (wide)((wide)high << bits) | low; }     \
    wide OCL(s_upsample)(narrow high, narrow low) { return (wide)((wide)high << bits) | low; }

UPSAMPLE(uchar, ushort, 8)
UPSAMPLE(ushort, uint, 16)
UPSAMPLE(uint, ulong, 32)

// Only 24 bits count; what the others hold is the caller's promise.
uint OCL(s_mul24)(uint x, uint y) { return x * y; }
uint OCL(u_mul24)(uint x, uint y) { return x * y; }
uint OCL(s_mad24)(uint x, uint y, uint z) { return x * y + z; }
uint OCL(u_mad24)(uint x, uint y, uint z) { return x * y + z; }

// ---- fields of bits: some from the offset on ----

#define FIELDS(s, u, bits)                                                                         \
    static u BUILTIN lowest(u x, uint count)                                                       \
    {                                                                                              \
        return count >= bits ? x : (u)(x & (((u)1 << count) - 1));                                 \
    }                                                                                              \
    u BUILTIN __spirv_BitFieldInsert(u base, u insert, uint offset, uint count)                    \
    {                                                                                              \
        if (offset >= bits)                                                                        \
            return base;                                                                           \
        const u mask = (u)(lowest((u)-1, count) << offset);                                        \
        return (base & ~mask) | ((u)(insert << offset) & mask);                                    \
    }                                                                                              \
    u BUILTIN __spirv_BitFieldUExtract(u base, uint offset, uint count)                            \
    {                                                                                              \
        return offset >= bits ? 0 : lowest((u)(base >> offset), count);                                 \
    }                                                                                              \
    s BUILTIN __spirv_BitFieldSExtract(s base, uint offset, uint count)                            \
    {                                                                                              \
        if (count == 0 || offset >= bits)                                                          \
            return 0;                                                                              \
        const uint above = offset + count >= bits ? 0 : bits - offset - count;                     \
        return (s)((s)((u)base << above) >> (above + offset));                                     \
    }

FIELDS(char, uchar, 8)
FIELDS(short, ushort, 16)
FIELDS(int, uint, 32)
FIELDS(long, ulong, 64)

// ---- dot products of four bytes, in a vector or packed into an int ----

typedef VECTOR(char, 4) char4;
typedef VECTOR(uchar, 4) uchar4;

// The last parameter of packed ones is SPIR-V's format; there is one.
#define DOT(name, result, sum, a4, b4, add_sat)                                                    \
    result BUILTIN __spirv_##name##KHR_R##result(a4 a, b4 b)                                       \
    {                                                                                              \
        sum total = 0;                                                                             \
        for (int i = 0; i < 4; i++)                                                                \
            total += (sum)a[i] * (sum)b[i];                                                        \
        return total;                                                                              \
    }                                                                                              \
    result BUILTIN __spirv_##name##KHR_R##result(uint a, uint b, int format)                       \
    {                                                                                              \
        return __spirv_##name##KHR_R##result(__builtin_astype(a, a4), __builtin_astype(b, b4));    \
    }                                                                                              \
    result BUILTIN __spirv_##name##AccSatKHR_R##result(a4 a, b4 b, result c)                       \
    {                                                                                              \
        return add_sat(__spirv_##name##KHR_R##result(a, b), c);                                    \
    }                                                                                              \
    result BUILTIN __spirv_##name##AccSatKHR_R##result(uint a, uint b, result c, int format)       \
    {                                                                                              \
        return add_sat(__spirv_##name##KHR_R##result(a, b, format), c);                            \
    }

DOT(SDot, int, int, char4, char4, __spirv_ocl_s_add_sat)
DOT(UDot, uint, uint, uchar4, uchar4, __spirv_ocl_u_add_sat)
DOT(SUDot, int, int, char4, uchar4, __spirv_ocl_s_add_sat)
