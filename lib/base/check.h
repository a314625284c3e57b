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

// Returns MEZ_ERRC_INVALID_PARAMETER where the pointer is NULL, which a caller of `function`, a string, has handed over. One call, so
// that the calling function has nothing to keep for it.
#define MEZ_REQUIRE_OF(function, pointer, where)                 \
    do {                                                         \
        if (__builtin_expect(!(pointer), 0))                     \
            return mez_error_missing(where, function, #pointer); \
    } while (0)

// The same in the function that was called.
#define MEZ_REQUIRE(pointer, where) MEZ_REQUIRE_OF(__func__, pointer, where)

#endif
