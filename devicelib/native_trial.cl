// SPDX-License-Identifier: MIT
//
// A module that a driver links completely only where it brings device-side asserts itself: lib/image/asserts.c.

void __devicelib_assert_fail(const char *expression, const char *file, int line,
    const char *function, ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2);

kernel void probe(ulong failed)
{
    if (failed)
        __devicelib_assert_fail(
            (const char *)failed, (const char *)failed, 1, (const char *)failed, 0, 0, 0, 0, 0, 0);
}
