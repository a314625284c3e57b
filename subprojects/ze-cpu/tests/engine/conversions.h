// SPDX-License-Identifier: MIT
//
// Every type that convert_ functions take and give, by pairs.

#define INTEGERS_OF(F, from) \
    F(from, char)            \
    F(from, uchar)           \
    F(from, short)           \
    F(from, ushort)          \
    F(from, int)             \
    F(from, uint)            \
    F(from, long)            \
    F(from, ulong)

#define FLOATS_OF(F, from) \
    F(from, half)          \
    F(from, float)         \
    F(from, double)

#define FROM_ALL(G, F) \
    G(F, char)         \
    G(F, uchar)        \
    G(F, short)        \
    G(F, ushort)       \
    G(F, int)          \
    G(F, uint)         \
    G(F, long)         \
    G(F, ulong)        \
    G(F, half)         \
    G(F, float)        \
    G(F, double)
