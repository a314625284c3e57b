// SPDX-License-Identifier: MIT
//
// A kernel that calls what a failed assert calls, with the signature that CASE stands for, and one that
// does not.

#define IDS ulong, ulong, ulong, ulong, ulong, ulong
#define SIX 1, 2, 3, 4, 5, 6

#if CASE == 0 // as published
#define RETURNS void
#define TAKES const char *, const char *, int, const char *, IDS
#define GIVES (const char *)x, (const char *)x, 7, (const char *)x, SIX
#elif CASE == 1 // the same for every device
#define RETURNS void
#define TAKES const uchar *, global const int *, uint, constant char *, long, IDS_BUT_ONE
#define IDS_BUT_ONE ulong, ulong, ulong, ulong, ulong
#define GIVES (const uchar *)x, x, 7, text, SIX
#elif CASE == 2
#define RETURNS void
#define TAKES const char *, const char *, int, const char *
#define GIVES (const char *)x, (const char *)x, 7, (const char *)x
#elif CASE == 3
#define RETURNS int
#define TAKES const char *, const char *, int, const char *, IDS
#define GIVES (const char *)x, (const char *)x, 7, (const char *)x, SIX
#elif CASE == 4
#define RETURNS void
#define TAKES const char *, const char *, long, const char *, IDS
#define GIVES (const char *)x, (const char *)x, 7, (const char *)x, SIX
#elif CASE == 5
#define RETURNS void
#define TAKES const char *, const char *, int, const char *, ulong, ulong, ulong, ulong, ulong, uint
#define GIVES (const char *)x, (const char *)x, 7, (const char *)x, SIX
#elif CASE == 6
#define RETURNS void
#define TAKES const char *, local const char *, int, const char *, IDS
#define GIVES (const char *)x, 0, 7, (const char *)x, SIX
#elif CASE == 7
#define RETURNS void
#define TAKES void
#define GIVES
#elif CASE == 8
#define RETURNS void
#define TAKES float, const char *, int, const char *, IDS
#define GIVES 1.0f, (const char *)x, 7, (const char *)x, SIX
#endif

#if CASE == 9 // its own
#define GIVES x, 7
global int failures;
__attribute__((noinline)) void __devicelib_assert_fail(global int *x, int line)
{
    *x = failures = line;
}
#else
RETURNS __devicelib_assert_fail(TAKES);
#endif

constant char text[] = "text";

kernel void checked(global int *x)
{
    if (x[0] == text[0])
        __devicelib_assert_fail(GIVES);
}

kernel void unchecked(global int *x)
{
    x[0] = 7;
}
