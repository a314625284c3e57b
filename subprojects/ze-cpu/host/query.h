// SPDX-License-Identifier: MIT
//
// Entry points of API 1.9 and later that only say what an object is.
#ifndef ZE_CPU_QUERY_H
#define ZE_CPU_QUERY_H

#include "check.h"
#include "own.h"

// The function `name`, which the tables know as `entry`: writes `value`, of type `type`, of the object `of`, for which `condition` holds.
#define ZC_QUERY(name, entry, handle, of, condition, type, value)    \
    ze_result_t name(handle of, type *answer) ZC_ENTRY_POINT(entry); \
    ze_result_t name(handle of, type *answer)                        \
    {                                                                \
        ZC_REQUIRE_NEWER();                                          \
        ZC_REQUIRE_HANDLE(of);                                       \
        ZC_REQUIRE_POINTER(answer);                                  \
        ZC_REQUIRE(condition, ZE_RESULT_ERROR_INVALID_ARGUMENT);     \
        *answer = (value);                                           \
        return ZE_RESULT_SUCCESS;                                    \
    }                                                                \
    _Static_assert(sizeof(type) > 0, "takes the semicolon")

#endif
