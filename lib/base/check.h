// SPDX-License-Identifier: MIT
//
// Passing errors on.

#ifndef MEZ_BASE_CHECK_H
#define MEZ_BASE_CHECK_H

#include "base/story.h"

// Returns from the calling function when `call` fails.
#define MEZ_TRY(call)                                   \
    do {                                                \
        const mez_error try_error = (call);             \
        if (__builtin_expect(mez_failed(try_error), 0)) \
            return try_error;                           \
    } while (0)

// Returns MEZ_ERRC_INVALID_PARAMETER with the condition's text unless it holds. One call, so that the calling function has nothing to
// keep for it.
#define MEZ_REQUIRE(condition, where)                              \
    do {                                                           \
        if (__builtin_expect(!(condition), 0))                     \
            return mez_error_missing(where, __func__, #condition); \
    } while (0)

#endif
