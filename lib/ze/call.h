// SPDX-License-Identifier: MIT
//
// The one way to call Level Zero.
//
//     MEZ_TRY(ZE(zeFenceReset, fence));
//
// ZE checks the result and turns a failure into an error whose story holds the call's text, its place here and its code.
// ZE_RESULT returns the bare ze_result_t, for calls whose failure is an answer (a wait that is not over). Both show the
// call when the log's topic `ze` is at level trace; otherwise that costs one predicted branch.

#ifndef MEZ_ZE_CALL_H
#define MEZ_ZE_CALL_H

#include "base/check.h"
#include "base/log.h"
#include "ze/functions.h"

#define ZE_RESULT(function, ...) \
    mez_ze_traced(mez_ze.function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)

// The same for a function that is newer than Level Zero 1.4, found in `newer`.
#define ZE_NEWER_RESULT(newer, function, ...) \
    mez_ze_traced(                            \
        (newer)->function(__VA_ARGS__), #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)

#define ZE(function, ...) \
    mez_ze_checked(       \
        ZE_RESULT(function, __VA_ARGS__), #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__)

#define ZE_NEWER(newer, function, ...)                                                            \
    mez_ze_checked(ZE_NEWER_RESULT(newer, function, __VA_ARGS__), #function "(" #__VA_ARGS__ ")", \
        __FILE__, __LINE__)

// For calls in clean-up paths: a failure is logged, because an earlier error or none at all goes to the user.
#define ZE_LOGGED(function, ...) mez_log_error(MEZ_TOPIC_ZE, ZE(function, __VA_ARGS__))

__attribute__((cold)) void mez_ze_trace(
    ze_result_t result, const char *call, const char *file, int line);
__attribute__((cold)) mez_error mez_ze_failure(
    ze_result_t result, const char *call, const char *file, int line);

static inline ze_result_t mez_ze_traced(
    ze_result_t result, const char *call, const char *file, int line)
{
    if (mez_log_shows(MEZ_TOPIC_ZE, MEZ_LOG_TRACE))
        mez_ze_trace(result, call, file, line);
    return result;
}

static inline mez_error mez_ze_checked(
    ze_result_t result, const char *call, const char *file, int line)
{
    if (__builtin_expect(result == ZE_RESULT_SUCCESS, 1))
        return mez_ok();
    return mez_ze_failure(result, call, file, line);
}

#endif
