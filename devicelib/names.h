// SPDX-License-Identifier: MIT
//
// The function that a failed assert calls in the end, under the name that this variant gives it.

#ifndef MEZ_DEVICELIB_NAMES_H
#define MEZ_DEVICELIB_NAMES_H

#ifdef MEZ_RENAMED
#define ASSERT_FAIL __mez_assert_fail
#else
#define ASSERT_FAIL __devicelib_assert_fail
#endif

void ASSERT_FAIL(const char *expression, const char *file, int line, const char *function,
    ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2);

#endif
