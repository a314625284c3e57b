// SPDX-License-Identifier: MIT

#include "ze/call.h"

#include <string.h>

#include "base/error.h"

void mez_ze_trace(ze_result_t result, const char *call, const char *file, int line)
{
    mez_log_write(MEZ_TOPIC_ZE, MEZ_LOG_TRACE, "%s = %s (%s:%d)", call,
        mez_code_level_zero_name((int32_t)result), file, line);
}

mez_error mez_ze_failure(ze_result_t result, const char *call, const char *file, int line)
{
    const mez_error error = mez_error_make_native(
        MEZ_CATEGORY_LEVEL_ZERO, (int32_t)result, "%.*s failed", (int)strcspn(call, "("), call);
    return mez_error_add(
        error, "call", "%s returned 0x%08x, at %s:%d", call, (unsigned)result, file, line);
}
