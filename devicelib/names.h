// SPDX-License-Identifier: MIT
//
// The function that a failed assert calls in the end, under the name that this variant gives it; and what C's
// assert calls. Variants that post have two parameters more.

#ifndef MEZ_DEVICELIB_NAMES_H
#define MEZ_DEVICELIB_NAMES_H

#ifdef MEZ_POSTS
#define HIDDEN , global uchar *mailbox, uint launch
#define PASSED , mailbox, launch
#define ASSERT_FAIL __mez_assert_post
#define C_ASSERT_FAIL __mez_c_assert_post
#else
#define HIDDEN
#define PASSED
#define C_ASSERT_FAIL __assert_fail
#ifdef MEZ_RENAMED
#define ASSERT_FAIL __mez_assert_fail
#else
#define ASSERT_FAIL __devicelib_assert_fail
#endif
#endif

void ASSERT_FAIL(const char *expression, const char *file, int line, const char *function,
    ulong gid0, ulong gid1, ulong gid2, ulong lid0, ulong lid1, ulong lid2 HIDDEN);

#endif
